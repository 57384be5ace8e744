// SPDX-License-Identifier: MIT

package match_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/num"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
)

// grammar is a rule from whose search expression trees are built.
type grammar struct {
	set  *match.Set
	rule *match.Rule
	find *expr
}

func grammars() []grammar {
	var out []grammar
	for _, set := range sets {
		for i := range set.Rows {
			find, _ := parseExpr(set.Rule(i).Text)
			out = append(out, grammar{set, set.Rule(i), find})
		}
	}
	return out
}

// bounded are expressions with known bounds beyond their size.
var bounded = func() (out []*expr) {
	for _, s := range []string{"(iand a #b)", "(ushr a #b)", "(umin a #b)", "(iand a 1)", "(imax a 0)", "(ishl a #b)", "(ior a #b)", "(u2u32 a@8)", "(u2u64 a@16)", "(bcsel c 1 0)"} {
		e, _ := parseExpr(s)
		out = append(out, e)
	}
	return
}()

// tree builds a shader that a rule matches, in which variables are replaced by search expressions of other rules. It
// returns nil if the sizes cannot be made consistent. If exact is set, no instruction allows relaxations. Otherwise
// each allows the rule's relaxations, and in half the trees random additional ones.
func tree(r *rand.Rand, all []grammar, g grammar, exact bool) *instance {
	x := &instance{program: newProgram(), r: r, vars: map[string]ir.Src{}}
	info := &x.s.Info
	if n := r.IntN(3); exact || g.rule.GivesUp&uint16(kind.FloatDenorm) == 0 {
		info.DenormPreserve, info.DenormFlush = [...]uint8{7, 0, 0}[n], [...]uint8{0, 7, 0}[n]
	}
	if r.IntN(3) == 0 {
		info.RoundTowardZero = uint8(r.IntN(8))
	}
	byChance := r.IntN(2) == 0
	x.flags = func() uint16 {
		switch {
		case exact:
			return 0
		case byChance:
			return g.rule.GivesUp | uint16(r.IntN(1<<7))
		}
		return g.rule.GivesUp
	}
	depth := 0
	x.nest = func(bits, comps uint8) (ir.Src, bool) {
		if depth == 3 || r.IntN(5) < 2 {
			return ir.Src{}, false
		}
		depth++
		defer func() { depth-- }()
		for range 4 {
			find := all[r.IntN(len(all))].find
			if r.IntN(3) == 0 || depth == 1 && strings.Contains(g.rule.Text, " where ") && r.IntN(8) > 0 {
				find = bounded[r.IntN(len(bounded))]
			}
			x.vars = map[string]ir.Src{}
			if v, ok := x.build(find, bits, comps); ok {
				return v, true
			}
		}
		return ir.Src{}, false
	}
	comps := uint8(1)
	if r.IntN(4) == 0 {
		comps = 1 + uint8(r.IntN(4))
	}
	root, ok := x.build(g.find, 0, comps)
	if !ok || x.s.At(root.Val).IsConst() {
		return nil
	}
	x.keep(root)
	return x
}

// seen lists special floats that occur in an evaluation.
type seen struct {
	nan, inf, denorm, zero bool
	half                   bool // a denormal half was packed into an integer
	approximate            bool // an operation whose precision is left open
	big                    float64
}

func halfDenorm(h uint16) bool { return h&0x7c00 == 0 && h&0x3ff != 0 }

// note records every float operand and result of an instruction.
func (e *seen) note(p *program, memo map[ir.Value][]uint64) {
	one := func(v ir.Value, bits uint8) {
		for _, x := range memo[v] {
			f := floatOf(x, bits)
			switch {
			case math.IsNaN(f):
				e.nan = true
			case math.IsInf(f, 0):
				e.inf = true
			case f == 0:
				e.zero = true
			default:
				e.denorm = e.denorm || math.Abs(f) < map[uint8]float64{16: 0x1p-14, 32: 0x1p-126, 64: 0x1p-1022}[bits]
				e.big = max(e.big, math.Abs(f))
			}
		}
	}
	for v := range memo {
		in := p.s.At(v)
		if in.Kind != kind.ALU {
			continue
		}
		info := in.ALUOp().Info()
		e.approximate = e.approximate || info.Has(op.Approximate)
		if in.IsALU(op.PackHalf2x16) || in.IsALU(op.PackHalf2x16Split) {
			for _, x := range memo[v] {
				e.half = e.half || halfDenorm(uint16(x)) || halfDenorm(uint16(x>>16))
			}
		}
		if info.Out.Base == op.Float {
			one(v, in.Bits)
		}
		for i := range int(in.NSrc) {
			if info.Src[i].Base == op.Float {
				w := p.s.Src(v, i).Val
				one(w, p.s.At(w).Bits)
			}
		}
	}
}

func floatOf(x uint64, bits uint8) float64 {
	switch bits {
	case 16:
		return float64(num.F16ToF32(uint16(x)))
	case 32:
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

// smooth are the operations that keep a small error small relative to the largest number that occurs.
var smooth = map[op.Op]bool{
	op.FAdd: true, op.FSub: true, op.FMul: true, op.FFma: true, op.FNeg: true, op.FAbs: true, op.FMin: true, op.FMax: true,
	op.FSat: true, op.FLrp: true, op.BCsel: true,
}

// isSmooth reports whether a value is computed by smooth operations whose inputs are not results of float operations.
func isSmooth(p *program, v ir.Value) bool {
	in := p.s.At(v)
	if in.Kind != kind.ALU {
		return true
	}
	info := in.ALUOp().Info()
	if !smooth[in.ALUOp()] {
		for _, x := range info.Src[:info.NumSrc] {
			if x.Base == op.Float {
				return false
			}
		}
		if info.Out.Base != op.Float {
			return !anyFloat(p, v)
		}
	}
	for i := range int(in.NSrc) {
		if !isSmooth(p, p.s.Src(v, i).Val) {
			return false
		}
	}
	return true
}

// anyFloat reports whether the expression of a value contains a float operation.
func anyFloat(p *program, v ir.Value) bool {
	in := p.s.At(v)
	if in.Kind != kind.ALU {
		return false
	}
	if in.ALUOp().Info().Out.Base == op.Float {
		return true
	}
	for i := range int(in.NSrc) {
		if anyFloat(p, p.s.Src(v, i).Val) {
			return true
		}
	}
	return false
}

const loose = uint16(kind.FloatContract | kind.FloatReassoc | kind.FloatTransform)

// verdict compares results, given the relaxations of the rules that fired. A difference is not judged if a relaxed kind
// of number occurs: NaNs (nan), infinities (inf), denormals and zeros (denorm), zeros (nsz). Nor is it judged if
// denormals occur and the shader leaves their treatment open (open), or if a denormal half is packed: a packed half is
// an integer, which no mode flushes, but the conversion that packing is lowered to does.
//
// If rules or operations round differently, results may differ by half the digits of the largest number that occurs,
// the tolerance of rule generation. Only trees of smooth operations are judged then.
func verdict(before, after []uint64, bits uint8, gives uint16, open bool, s *seen, smooth bool) (right, judged bool) {
	equal := true
	for c := range after {
		equal = equal && (after[c] == before[c] || canonical(after[c], bits) == canonical(before[c], bits))
	}
	if equal {
		return true, true
	}
	if s.approximate {
		gives |= uint16(kind.FloatTransform)
	}
	if open && s.denorm || s.half {
		return true, false
	}
	if gives&uint16(kind.FloatNan) != 0 && s.nan || gives&uint16(kind.FloatInf) != 0 && s.inf ||
		gives&uint16(kind.FloatDenorm) != 0 && (s.denorm || s.zero) || gives&uint16(kind.FloatNsz) != 0 && s.zero {
		return true, false
	}
	if gives&loose == 0 {
		return false, true
	}
	if s.nan || s.inf || !smooth || bits < 16 {
		return true, false
	}
	digits := map[uint8]int{16: 11, 32: 24, 64: 53}[bits]
	for c := range after {
		a, b := floatOf(after[c], bits), floatOf(before[c], bits)
		if math.Abs(a-b) > math.Ldexp(max(s.big, 1), -digits/2) {
			return false, true
		}
	}
	return true, true
}

// number reads a number from the environment.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		t.Fatalf("%s=%s: %v", name, s, err)
	}
	return n
}

// TestTrees rewrites random expressions, made of the search expressions of all sets, until no rule matches. Their
// results must stay the same, bit for bit if nothing is relaxed, and a second run must change nothing. JACQUARD_TREES=n
// runs more trees, JACQUARD_TREE_SEED=n other ones.
func TestTrees(t *testing.T) {
	trees, seed := number(t, "JACQUARD_TREES", 10000), number(t, "JACQUARD_TREE_SEED", 1)
	all := grammars()
	fired := map[*match.Rule]int{}
	exactly, within := 0, 0
	unjudged, rewrites := 0, 0
	failures := 0
	for i := range trees {
		g := all[i%uint64(len(all))]
		r := rand.New(rand.NewPCG(seed, i))
		exact := g.rule.GivesUp == 0 || g.rule.Always || r.IntN(8) == 0
		var x *instance
		for try := 0; x == nil; try++ {
			if try == 2000 {
				t.Fatalf("no tree of [%s] could be built: %s", g.rule.Name, g.rule.Text)
			}
			x = tree(r, all, g, exact)
		}
		opts := optionsFor(g.set, g.rule)
		if r.IntN(3) == 0 {
			more := &option.Set{}
			for o := option.Option(0); o < option.Count; o++ {
				more.Set(o, opts.Has(o) || r.IntN(2) == 0)
			}
			if enabled(g.set, g.rule, more) {
				opts = more
			}
		}
		was := string(text.Print(x.s))
		straight := isSmooth(x.program, x.kept().Val)
		var in []map[ir.Value][]uint64
		var before [][]uint64
		var specials []*seen
		for range 3 {
			in = append(in, x.values(r))
			out, memo := x.evalAll(t, x.kept(), in[len(in)-1])
			before = append(before, out)
			e := &seen{}
			e.note(x.program, memo)
			specials = append(specials, e)
		}
		unread, values, allowed := x.unread(), x.s.NumValues(), uint16(0)
		for v := x.s.First(x.s.FirstBlock(x.f)); v != 0; v = x.s.At(v).Next() {
			allowed |= x.s.At(v).Float
		}
		log, gives := "", uint16(0)
		stats := &match.Stats{Trace: func(_ *match.Set, rule *match.Rule, _ ir.Value, _ ir.Src) {
			fired[rule]++
			rewrites++
			gives |= rule.GivesUp
			log += "  " + rule.Name + "\n"
		}}
		if _, err := match.Apply(x.s, x.f, g.set, opts, stats); err != nil {
			t.Fatalf("tree %d: %v\n%s", i, err, was)
		}
		now := string(text.Print(x.s))
		if x.checkLeft(t, unread, values, allowed); t.Failed() {
			t.Fatalf("tree %d:\n%s\nfired:\n%s%s", i, was, log, now)
		}
		if again, _ := match.Apply(x.s, x.f, g.set, opts, nil); again {
			t.Fatalf("tree %d: a second run changes the shader again:\n%s\nfired:\n%s%s", i, was, log, now)
		}
		bits := x.s.At(x.kept().Val).Bits
		open := x.s.Info.DenormPreserve|x.s.Info.DenormFlush == 0
		for k := range before {
			after, memo := x.evalAll(t, x.kept(), in[k])
			specials[k].note(x.program, memo)
			right, judged := verdict(before[k], after, bits, gives, open, specials[k], straight && isSmooth(x.program, x.kept().Val))
			switch {
			case !right:
				failures++
				t.Errorf("tree %d of [%s]: was %#x and is %#x\n%s\nfired:\n%s%s", i, g.rule.Name, before[k], after, was, log, now)
				if failures == 5 {
					t.FailNow()
				}
			case !judged:
				unjudged++
			case gives == 0:
				exactly++
			default:
				within++
			}
		}
	}
	t.Logf("%d trees, %d rewrites by %d of %d rules; %d evaluations are equal, %d within what is given up, %d not judged",
		trees, rewrites, len(fired), len(all), exactly, within, unjudged)
	if trees >= 10000 && len(fired) < len(all)*9/10 {
		t.Errorf("only %d of %d rules fired: the trees say little", len(fired), len(all))
	}
}
