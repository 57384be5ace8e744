// SPDX-License-Identifier: MIT

package match_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/num"
	"jacquard.example/core/text"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	"jacquard.example/generated/rules/opt"
	"jacquard.example/generated/rules/option"
)

var sets = []*match.Set{&opt.Set, &beforeffma.Set, &late.Set}

// expr is a rule's search expression in the form of Rule.Text.
type expr struct {
	head string // opcode, variable or literal, without marks
	isOp bool
	isC  bool // marked by #: a constant
	pred bool // it has predicates
	bits []int
	swz  string
	args []*expr
}

func parseExpr(s string) (*expr, string) {
	s = strings.TrimLeft(s, " ")
	e := &expr{}
	if strings.HasPrefix(s, "(") {
		e.isOp = true
		s = s[1:]
	}
	i := strings.IndexAny(s, " ()")
	if i < 0 {
		i = len(s)
	}
	w := s[:i]
	s = s[i:]
	if j := strings.LastIndexByte(w, '.'); j > 0 && strings.Trim(w[j+1:], "xyzw") == "" {
		e.swz, w = w[j+1:], w[:j]
	}
	w, _, e.pred = strings.Cut(w, ":")
	w, sizes, _ := strings.Cut(w, "@")
	for _, n := range strings.Split(sizes, "|") {
		if v, err := strconv.Atoi(n); err == nil {
			e.bits = append(e.bits, v)
		}
	}
	e.isC = strings.HasPrefix(w, "#")
	e.head = strings.TrimPrefix(w, "#")
	if e.isOp {
		for {
			s = strings.TrimLeft(s, " ")
			if strings.HasPrefix(s, ")") {
				return e, s[1:]
			}
			var a *expr
			a, s = parseExpr(s)
			e.args = append(e.args, a)
		}
	}
	return e, s
}

// instance builds a shader that a search expression matches, with random sizes, constants, swizzles and orders of
// commuting operands. Building fails if the sizes cannot be made consistent.
type instance struct {
	*program
	r    *rand.Rand
	vars map[string]ir.Src
	more []ir.Src // floats that get another use at the end
	// nest, if set, may return an expression to replace a variable. flags returns the relaxations that the next
	// instruction allows.
	nest  func(bits, comps uint8) (ir.Src, bool)
	flags func() uint16

	order *uint64 // a bit for each commuting instruction: whether to swap its operands; nil if random

	consts map[string][]uint64 // required values of constants; nil means any
	may    map[string]uint64   // bits that may be one in inputs
}

func (x *instance) build(e *expr, bits, comps uint8) (ir.Src, bool) {
	if len(e.bits) > 0 {
		n := uint8(e.bits[x.r.IntN(len(e.bits))])
		if !e.isOp && bits != 0 && bits != n {
			return ir.Src{}, false
		}
		if !e.isOp {
			bits = n
		}
	}
	if !e.isOp {
		return x.leaf(e, bits, comps)
	}
	o, ok := op.ByName(e.head)
	if !ok {
		return ir.Src{}, false
	}
	info := o.Info()
	exec := bits
	switch {
	case info.Out.Bits != 0:
		if bits != 0 && info.Out.Bits != bits {
			return ir.Src{}, false
		}
		var all []uint8
		for _, n := range []uint8{1, 8, 16, 32, 64} {
			if op.SizeOf(n)&info.Sizes != 0 {
				all = append(all, n)
			}
		}
		if len(all) > 0 {
			exec = all[x.r.IntN(len(all))]
		}
		if len(e.bits) > 0 {
			exec = uint8(e.bits[x.r.IntN(len(e.bits))])
		}
	case bits == 0 || len(e.bits) > 0:
		all := []uint8{1, 8, 16, 32, 64}
		exec = all[x.r.IntN(len(all))]
		if len(e.bits) > 0 {
			exec = uint8(e.bits[x.r.IntN(len(e.bits))])
		}
		if bits != 0 && exec != bits {
			return ir.Src{}, false
		}
	}
	if info.Sizes != 0 && op.SizeOf(exec)&info.Sizes == 0 {
		return ir.Src{}, false
	}
	var src []ir.Src
	for i, a := range e.args {
		n := info.Src[i].Bits
		if n == 0 {
			n = exec
		}
		c := comps
		if info.Src[i].Comps != 0 {
			c = info.Src[i].Comps
		}
		s, ok := x.build(a, n, c)
		if !ok {
			return s, false
		}
		src = append(src, s)
	}
	if info.Has(op.Commutative) && x.r.IntN(2) == 0 {
		src[0], src[1] = src[1], src[0]
	}
	if info.Out.Comps != 0 {
		comps = info.Out.Comps
	}
	if x.flags != nil {
		x.b.Float = x.flags()
	}
	v := x.b.ALUN(o, comps, src...)
	if info.Out.Base == op.Float && x.r.IntN(4) == 0 {
		x.more = append(x.more, v)
	}
	return v, true
}

func (x *instance) leaf(e *expr, bits, comps uint8) (ir.Src, bool) {
	if bits == 0 {
		return ir.Src{}, false
	}
	if c := e.head[0]; c >= '0' && c <= '9' || c == '-' || e.head == "true" || e.head == "false" || e.head == "inf" {
		v, ok := literal(e.head, bits)
		return ir.Src{Val: x.b.ImmN(bits, v).Val, Swz: ir.Broadcast(0), N: comps}, ok
	}
	if v, ok := x.vars[e.head]; ok {
		return v, x.s.At(v.Val).Bits == bits && v.N == comps
	}
	wide := comps
	if comps < 4 && x.r.IntN(2) == 0 {
		wide = comps + uint8(x.r.IntN(int(4-comps)))
	}
	var v ir.Src
	if e.isC {
		vals := make([]uint64, wide)
		for i := range vals {
			vals[i] = random(x.r, bits)
			if all := x.consts[e.head]; all != nil {
				vals[i] = all[0]
			}
		}
		v = x.b.Const(bits, vals...)
	} else {
		v = x.input(wide, bits)
		if m, ok := x.may[e.head]; ok {
			v = x.restricted(v, bits, m)
		}
	}
	for i := range 8 {
		v.Swz = v.Swz.With(i, uint8(x.r.IntN(int(wide))))
	}
	v.N = comps
	x.vars[e.head] = v
	return v, true
}

// restricted converts a value to one with bits only in m: by a mask or, if a shift leaves m, perhaps by that shift.
func (x *instance) restricted(v ir.Src, bits uint8, m uint64) ir.Src {
	all := ^uint64(0) >> (64 - bits)
	for n := range uint64(bits) {
		if bits == 1 || x.r.IntN(2*int(bits)) == 0 {
			break
		}
		switch m {
		case all >> n:
			return x.b.ALUN(op.UShr, v.N, v, x.b.Imm(uint32(n)))
		case all << n & all:
			return x.b.ALUN(op.IShl, v.N, v, x.b.Imm(uint32(n)))
		}
	}
	return x.b.ALUN(op.IAnd, v.N, v, x.b.ImmN(bits, m))
}

// choose finds constants, and bits that may be one in inputs, for which a condition holds. It takes the sizes from
// instance x.
func choose(where *expr, x *instance, r *rand.Rand) (consts map[string][]uint64, may map[string]uint64, ok bool) {
	var names []string
	var walk func(e *expr)
	walk = func(e *expr) {
		if !e.isOp && x.vars[strings.TrimPrefix(e.head, "?")].N != 0 && !slices.Contains(names, e.head) {
			names = append(names, e.head)
		}
		for _, a := range e.args {
			walk(a)
		}
	}
	walk(where)
	bitsOf := func(name string) uint8 { return x.s.At(x.vars[strings.TrimPrefix(name, "?")].Val).Bits }
	val := map[string]uint64{}
	for range 600 {
		var near uint64
		for _, n := range names {
			bits := bitsOf(n)
			all := ^uint64(0) >> (64 - bits)
			v := random(r, bits)
			switch r.IntN(8) {
			case 0, 1:
				v = r.Uint64N(uint64(bits))
			case 2:
				v = near + r.Uint64N(3) - 1
			case 3:
				v = ^near
			case 4:
				v = uint64(bits) - near
			case 5:
				v = all >> r.IntN(int(bits))
			case 6:
				v = all << r.IntN(int(bits))
			}
			val[n], near = v&all, v&all
		}
		if v, _, ok := compute(where, val, bitsOf, 1); !ok || v == 0 {
			continue
		}
		consts, may = map[string][]uint64{}, map[string]uint64{}
		for n, v := range val {
			if strings.HasPrefix(n, "?") {
				may[n[1:]] = v
			} else {
				consts[n] = []uint64{v}
			}
		}
		return consts, may, true
	}
	return nil, nil, false
}

// compute returns the value and size of an expression over constants. bits is the size of unsized operands, or 0 if
// unknown.
func compute(e *expr, val map[string]uint64, bitsOf func(string) uint8, bits uint8) (uint64, uint8, bool) {
	if !e.isOp {
		if v, ok := val[e.head]; ok {
			return v, bitsOf(e.head), true
		}
		if bits == 0 {
			return 0, 0, false
		}
		v, ok := literal(e.head, bits)
		return v, bits, ok
	}
	o, ok := op.ByName(e.head)
	if !ok {
		return 0, 0, false
	}
	info := o.Info()
	exec := uint8(0)
	if info.Out.Bits == 0 {
		exec = bits
	}
	if len(e.bits) == 1 {
		exec = uint8(e.bits[0])
	}
	var src [op.MaxSrc][fold.MaxComps]uint64
	var dst [fold.MaxComps]uint64
	for range 2 { // literals take the size of the others
		for i, a := range e.args {
			want := info.Src[i].Bits
			if want == 0 {
				want = exec
			}
			v, n, ok := compute(a, val, bitsOf, want)
			if ok && info.Src[i].Bits == 0 {
				exec = n
			}
			src[i][0] = v
		}
	}
	if !fold.Eval(o, exec, 1, &src, &dst, 0) {
		return 0, 0, false
	}
	if info.Out.Bits != 0 {
		exec = info.Out.Bits
	}
	return dst[0], exec, true
}

func literal(s string, bits uint8) (uint64, bool) {
	mask := ^uint64(0) >> (64 - bits)
	switch {
	case s == "true" || s == "false":
		return uint64(len("false") - len(s)), bits == 1
	case !strings.ContainsAny(s, ".pi"):
		if v, err := strconv.ParseUint(s, 0, 64); err == nil {
			return v & mask, v <= mask
		}
		v, err := strconv.ParseInt(s, 0, 64)
		return uint64(v) & mask, err == nil
	}
	f, err := strconv.ParseFloat(s, 64)
	switch bits {
	case 16:
		return uint64(num.Store16(num.Narrow16(f, 0), 0)), err == nil
	case 32:
		return uint64(math.Float32bits(float32(f))), err == nil
	case 64:
		return math.Float64bits(f), err == nil
	}
	return 0, false
}

// optionsFor returns options that enable a rule: the options that its condition names without a !.
func optionsFor(set *match.Set, r *match.Rule) *option.Set {
	if r.Cond == 0 {
		return nil
	}
	opts := &option.Set{}
	for o, name := range option.Names {
		for _, w := range strings.FieldsFunc(r.When, func(c rune) bool { return strings.ContainsRune(" ()&|", c) }) {
			if w == name {
				opts.Set(option.Option(o), true)
			}
		}
	}
	return opts
}

// enabled reports whether a rule's condition holds.
func enabled(set *match.Set, r *match.Rule, opts *option.Set) bool {
	if r.Cond == 0 {
		return true
	}
	out := make([]bool, set.NumConds)
	set.Conds(opts, out)
	return out[r.Cond-1]
}

// TestEveryRule builds, for every rule, shaders that its search expression matches. The rule must fire on one of them,
// and whichever rules fire, the results of the shader must stay the same. A second run must change nothing.
func TestEveryRule(t *testing.T) {
	for _, set := range sets {
		for i := range set.Rows {
			rule := set.Rule(i)
			find, rest := parseExpr(rule.Text)
			var where *expr
			if _, cond, ok := strings.Cut(rest, " where "); ok {
				where, _ = parseExpr(cond)
			}
			opts := optionsFor(set, rule)
			r := rand.New(rand.NewPCG(uint64(i), 7))
			fired := 0
			for try := 0; try < 1500 && fired < 6; try++ {
				if one(t, set, rule, find, where, opts, r) {
					fired++
				}
				if t.Failed() {
					return
				}
			}
			if fired == 0 {
				t.Errorf("%s: [%s] never fired on what it should match: %s", rule.Place, rule.Name, rule.Text)
			}
		}
	}
}

// one builds and tries one instance, and reports whether the rule fired.
func one(t *testing.T, set *match.Set, rule *match.Rule, find, where *expr, opts *option.Set, r *rand.Rand) bool {
	x := &instance{program: newProgram(), r: r, vars: map[string]ir.Src{}}
	if where != nil {
		// The first instance determines the sizes, the second gets the constants.
		seed := r.Uint64()
		x.r = rand.New(rand.NewPCG(seed, 1))
		if _, ok := x.build(find, 0, 1); !ok {
			return false
		}
		consts, may, ok := choose(where, x, r)
		if !ok {
			return false
		}
		x = &instance{program: newProgram(), r: rand.New(rand.NewPCG(seed, 1)), vars: map[string]ir.Src{}, consts: consts, may: may}
	}
	if r.IntN(2) == 0 {
		x.s.Info.DenormPreserve = 7
	}
	x.b.Float = rule.GivesUp
	if rule.GivesUp&(1<<3) != 0 { // denorm: flushing is left open
		x.s.Info.DenormPreserve = 0
	}
	comps := uint8(1)
	if where == nil && r.IntN(3) == 0 {
		comps = 1 + uint8(r.IntN(4))
	}
	root, ok := x.build(find, 0, comps)
	if !ok {
		return false
	}
	for _, v := range x.more {
		zero := x.b.Imm(0)
		sum := x.b.ALUN(op.FAdd, v.N, v, x.input(v.N, x.s.At(v.Val).Bits))
		x.b.Intrinsic(intrinsic.StoreSSBO, v.N, 0, sum, zero, zero)
	}
	x.keep(root)
	before := make([][]uint64, 6)
	var in []map[ir.Value][]uint64
	for i := range before {
		in = append(in, x.values(r))
		before[i] = x.eval(t, x.kept(), in[i])
	}
	was := string(text.Print(x.s))
	fired, exact := false, true
	stats := &match.Stats{}
	changed, err := match.Apply(x.s, x.f, set, opts, stats)
	if err != nil {
		t.Errorf("%s: [%s] %v\n%s", rule.Place, rule.Name, err, was)
		return false
	}
	log := ""
	stats.Each(func(_ *match.Set, q *match.Rule, n match.Count) {
		if n.Fired == 0 {
			return
		}
		fired = fired || q == rule
		exact = exact && q.GivesUp == 0
		log += fmt.Sprintf("  %s ×%d\n", q.Name, n.Fired)
	})
	if changed != (log != "") {
		t.Errorf("[%s] Apply reports %v, the statistics say\n%s", rule.Name, changed, log)
	}
	now := string(text.Print(x.s))
	if again, _ := match.Apply(x.s, x.f, set, opts, nil); again {
		t.Errorf("[%s] a second run changes the shader again:\n%s\nfirst run:\n%s%s", rule.Name, was, log, now)
	}
	if !exact {
		return fired
	}
	bits := x.s.At(x.kept().Val).Bits
	for i := range before {
		after := x.eval(t, x.kept(), in[i])
		for c := range after {
			if after[c] != before[i][c] && canonical(after[c], bits) != canonical(before[i][c], bits) {
				t.Errorf("%s: [%s] component %d was %#x and is %#x\n%s\nfired:\n%s%s", rule.Place, rule.Name, c, before[i][c],
					after[c], was, log, now)
				return fired
			}
		}
	}
	return fired
}
