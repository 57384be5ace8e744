// SPDX-License-Identifier: MIT

package vectors

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
)

const (
	vectorsPerSize = 160 // vectors for a rule at each assignment of sizes
	maxDraws       = 60  // number of times constants are drawn again if they do not satisfy where
)

// Verify tests every rule on corner-case and random vectors by the meanings of the opcodes, at every size. A rule whose
// sides differ on one is rejected, with the vector.
//
// The flags that a rule gives up relax the comparison: a vector does not count if an operand or result in find is a NaN
// (nan), an infinity (inf) or a denormal (denorm, also in a step of a stepwise opcode or in packed halves); the sign of
// a zero result does not matter (nsz). Rules that regroup or transform round differently from find: for them the
// results may differ by a fraction of the largest number that occurs (loose), and vectors with any infinity do not
// count; but both sides must be NaN or neither. This finds wrong signs, factors and operands, and is not a proof. A
// rule that gives up contract but neither reassoc nor transform is tested with its products unfused (see Unfused).
//
// Vectors of float rules are tested a second time with denormals flushed at the sources and results of every float
// operation, as the target does: also if the rule gives up denorm, since the replacement may produce additional
// denormals.
func Verify(t *rules.Table) error {
	// Rules do not depend on each other; errors are reported in their order.
	wrong := make([]error, len(t.Rules))
	InParallel(len(t.Rules), func() func(i int) {
		return func(i int) { wrong[i] = verify(t, t.Rules[i]) }
	})
	said := map[diag.Pos]bool{} // rows of other tables, for which one message is enough
	for i, err := range wrong {
		if r := t.Rules[i]; err != nil && !(r.Family != "" && said[r.Pos]) {
			said[r.Pos] = true
			t.Errs.Addf(t.Rules[i].Pos, t.Rules[i].Full(), "%v", err)
		}
	}
	return t.Errs.Err()
}

// trial is one rule at one assignment of sizes.
type trial struct {
	t                            *rules.Table
	r                            *rules.Rule
	sizes                        map[int]int
	vars                         []*pattern.VarInfo
	env                          map[string][]uint64
	rng                          *rand.Rand
	nan, inf, nsz, denorm, loose bool

	vectors int // number of vectors to test, at least vectorsPerSize

	flush bool    // denormals become zeros
	seen  special // the special values that occurred so far
	big   float64 // largest magnitude that occurs

	words   []uint64   // allocated by eval for the current vector
	lists   [][]uint64 // likewise
	example string     // a vector that illustrates the rule
	score   int
}

type special struct{ nan, inf, denorm bool }

func newTrial(t *rules.Table, r *rules.Rule) *trial {
	tr := &trial{t: t, r: r, vars: r.Typing.Vars, env: map[string][]uint64{}}
	has := r.GivesUpFlag
	tr.nan, tr.inf = has("nan"), has("inf")
	tr.nsz, tr.denorm = has("nsz"), has("denorm")
	tr.loose = r.Loose()
	return tr
}

func verify(t *rules.Table, r *rules.Rule) error {
	original := r
	h := fnv.New64a()
	h.Write([]byte(r.Name))
	if r.GivesUpFlag("contract") && !r.Loose() {
		r = Unfused(t, r)
	}
	tr := newTrial(t, r)
	all := r.Typing.Assignments(rules.MaxAssignments + 1)
	if len(all) > rules.MaxAssignments {
		return fmt.Errorf("its values have more than %d combinations of sizes, which cannot all be tested: restrict them, such as a@32",
			rules.MaxAssignments)
	}
	tried := 0
	for _, sizes := range all {
		tr.sizes = sizes
		tr.rng = rand.New(rand.NewPCG(h.Sum64(), uint64(len(all))))
		n, err := tr.run()
		if err != nil {
			return err
		}
		tried += n
	}
	original.Example = tr.example
	if tried == 0 {
		return fmt.Errorf("no vector tests the rule: its predicates or gives_up exclude all of them")
	}
	return nil
}

// run tests one assignment; it returns the number of vectors that counted.
func (tr *trial) run() (int, error) {
	cands := make([][]uint64, len(tr.vars))
	for i, v := range tr.vars {
		c, err := tr.candidates(v)
		if err != nil {
			return 0, err
		}
		if len(c) == 0 {
			return 0, nil // no constant of this size has the predicate
		}
		cands[i] = c
	}
	modes := []bool{false}
	if tr.r.Float() {
		modes = []bool{false, true}
	}
	counted := 0
	for n := range max(tr.vectors, vectorsPerSize) {
		for range maxDraws {
			tr.draw(cands, n)
			if ok, err := tr.condition(); ok || err != nil {
				break // try reports the error
			}
		}
		for _, tr.flush = range modes {
			ok, err := tr.try()
			if err != nil {
				return 0, err
			}
			if ok {
				counted++
			}
		}
	}
	return counted, nil
}

// draw assigns every variable a value for vector number n.
func (tr *trial) draw(cands [][]uint64, n int) {
	last := uint64(0) // the previous constant
	for i, v := range tr.vars {
		vals := make([]uint64, max(v.Comps, 1))
		if v.Whole {
			vals = make([]uint64, 4)
		}
		for k := range vals {
			c := cands[i]
			switch {
			case len(tr.vars) == 1 && n < len(c):
				vals[k] = c[n]
			case tr.rng.IntN(4) == 0 && !v.Const && len(v.Preds) == 0:
				vals[k] = tr.random(v)
			case tr.r.Where != nil && v.Const && len(v.Preds) == 0 && tr.rng.IntN(3) == 0:
				vals[k] = tr.near(last, v) // relations between constants rarely hold for unrelated ones
			default:
				vals[k] = c[tr.rng.IntN(len(c))]
			}
		}
		if v.May != "" { // all bits that are set, and perhaps more
			for k := range vals {
				if tr.rng.IntN(2) == 0 {
					vals[k] = 0
				}
				for _, x := range tr.env[v.May] {
					vals[k] |= x
				}
			}
		}
		tr.env[v.Name] = vals
		if v.Const {
			last = vals[0]
		}
	}
}

// near returns a number with a simple relation to x.
func (tr *trial) near(x uint64, v *pattern.VarInfo) uint64 {
	size := tr.size(v.Class)
	list := []uint64{x, x + 1, x - 1, ^x, -x, uint64(size) - x}
	return list[tr.rng.IntN(len(list))] & (^uint64(0) >> (64 - size))
}

func (tr *trial) size(class int) int { return tr.sizes[tr.r.Typing.Root(class)] }

func (tr *trial) random(v *pattern.VarInfo) uint64 {
	size := tr.size(v.Class)
	x := tr.rng.Uint64() & (^uint64(0) >> (64 - size))
	if v.Base == eval.Float && tr.rng.IntN(2) == 0 { // a number of ordinary magnitude
		return eval.FloatBits(math.Ldexp(tr.rng.Float64()*2-1, tr.rng.IntN(12)-4), size)
	}
	return x
}

// candidates returns the corner cases of a variable that satisfy its predicates.
func (tr *trial) candidates(v *pattern.VarInfo) ([]uint64, error) {
	size := tr.size(v.Class)
	out := corners(v.Base, size)
	if v.Const || len(v.Preds) > 0 {
		for range 32 {
			out = append(out, tr.random(v))
		}
	}
	for _, name := range v.Preds {
		p := tr.t.Preds.ByName(name)
		if p.Kind != predicate.Value {
			continue
		}
		out = slices.DeleteFunc(out, func(x uint64) bool { return !p.Holds(size, x) })
	}
	return out, nil
}

// corners returns the values where meanings tend to change.
func corners(b eval.Base, size int) []uint64 {
	key := [2]int{int(b), size}
	all, known := cornersOf.Load(key)
	if !known {
		all, _ = cornersOf.LoadOrStore(key, findCorners(b, size))
	}
	return slices.Clone(all.([]uint64))
}

var cornersOf sync.Map // by base and size

func findCorners(b eval.Base, size int) []uint64 {
	mask := ^uint64(0) >> (64 - size)
	if size == 1 {
		return []uint64{0, 1}
	}
	var out []uint64
	add := func(x uint64) {
		if x &= mask; !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	if b == eval.Float {
		for _, f := range []float64{0, 1, 2, 0.5, 3, 0.25, 1.5, 10, 255, 0.3, 1e-3, 100.75, math.Inf(1)} {
			add(eval.FloatBits(f, size))
			add(eval.FloatBits(-f, size))
		}
		add(eval.FloatBits(math.NaN(), size))
		add(1)                                     // the smallest denormal
		add(1 | 1<<(size-1))                       // and its negation
		add(eval.FloatBits(math.Inf(1), size) - 1) // the largest number
		return out
	}
	for _, x := range []uint64{0, 1, 2, 3, 5, 7, 8, 10, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255} {
		add(x)
		add(-x)
	}
	for i := range size {
		add(1 << i)
		add(1<<i - 1)
		add(^(uint64(1) << i))
	}
	return out
}

// try compares both sides on the vector in env. It reports whether the vector
// counts.
func (tr *trial) try() (bool, error) {
	tr.seen, tr.big = special{}, 0
	tr.words, tr.lists = tr.words[:0], tr.lists[:0]
	if ok, err := tr.condition(); !ok || err != nil {
		return false, err
	}
	want, err := tr.eval(tr.r.Find, max(tr.r.Find.Code.Out.Comps, 1))
	if err != nil {
		return false, err
	}
	if tr.nan && tr.seen.nan || tr.inf && tr.seen.inf || tr.denorm && tr.seen.denorm {
		return false, nil
	}
	got, err := tr.eval(tr.r.Replace, len(want))
	if err != nil {
		return false, err
	}
	if tr.loose && tr.seen.inf {
		return false, nil
	}
	size := tr.size(tr.r.Find.Class)
	mask := ^uint64(0)
	for _, name := range tr.r.Find.Preds {
		if p := tr.t.Preds.ByName(name); p.Kind == predicate.Mask {
			mask &= p.Bits(size)
		}
	}
	float := tr.r.FloatResult()
	for i := range want {
		if float && tr.same(want[i], got[i], size) || !float && want[i]&mask == got[i]&mask {
			continue
		}
		return false, &Wrong{tr.counterexample(want, got)}
	}
	tr.keepExample(want)
	return true, nil
}

// same compares two floats as the rule's gives_up allows.
func (tr *trial) same(x, y uint64, size int) bool {
	a, b := eval.FloatValue(x, size), eval.FloatValue(y, size)
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return math.IsNaN(a) && math.IsNaN(b)
	case a == b:
		return a != 0 || tr.nsz || math.Signbit(a) == math.Signbit(b)
	case tr.flush && denormal(b, size): // passed through, where find flushes
		return false
	case tr.loose:
		digits := map[int]int{16: 11, 32: 24, 64: 53}[size]
		return math.Abs(a-b) <= math.Ldexp(max(tr.big, 1), -digits/2)
	}
	return false
}

// condition reports whether the constants satisfy where.
func (tr *trial) condition() (bool, error) {
	if tr.r.Where == nil {
		return true, nil
	}
	for _, v := range tr.vars {
		if v.May == "" {
			continue
		}
		for _, x := range tr.env[v.May] {
			if x&^tr.env[v.Name][0] != 0 {
				return false, nil
			}
		}
	}
	comps := 1
	tr.r.Where.Walk(func(n *pattern.Node) {
		if n.Kind == pattern.Var {
			comps = max(comps, len(tr.env[n.Name]))
		}
	})
	v, err := tr.eval(tr.r.Where, comps)
	return err == nil && !slices.Contains(v, 0), err
}

// note records a float of the vector: that it is special, or its magnitude.
func (tr *trial) note(x uint64, size int) {
	f := eval.FloatValue(x, size)
	switch {
	case math.IsNaN(f):
		tr.seen.nan = true
	case math.IsInf(f, 0):
		tr.seen.inf = true
	default:
		tr.big = max(tr.big, math.Abs(f))
		if denormal(f, size) {
			tr.seen.denorm = true
		}
	}
}

// eval computes a node; comps is the number of components that its user reads of an
// operation per component.
func (tr *trial) eval(n *pattern.Node, comps int) ([]uint64, error) {
	switch n.Kind {
	case pattern.Lit:
		v, _ := n.Bits(tr.size(n.Class))
		out := take(&tr.words, comps)
		for i := range out {
			out[i] = v
		}
		return out, nil
	case pattern.Var:
		vals := tr.env[n.Name]
		out := take(&tr.words, comps)
		for i := range out {
			switch {
			case n.Swz != "":
				out[i] = vals[strings.IndexByte("xyzw", n.Swz[min(i, len(n.Swz)-1)])]
			case len(vals) == 1:
				out[i] = vals[0]
			default:
				out[i] = vals[i]
			}
		}
		return out, nil
	}
	o := n.Code
	exec := 0
	if n.Exec >= 0 {
		exec = tr.size(n.Exec)
	}
	args := take(&tr.lists, len(n.Args))
	for i, a := range n.Args {
		want := comps
		if o.Srcs[i].Comps != 0 {
			want = o.Srcs[i].Comps
		}
		v, err := tr.eval(a, want)
		if err != nil {
			return nil, err
		}
		args[i] = tr.float(o.Srcs[i], exec, v)
	}
	var note func(bits uint64, size int)
	if tr.denorm && o.Has("stepwise") {
		note = func(x uint64, size int) {
			tr.seen.denorm = tr.seen.denorm || denormal(eval.FloatValue(x, size), size)
		}
	}
	if o.Out.Comps != 0 {
		out := take(&tr.words, o.Out.Comps)
		if err := o.RunNoting(out, exec, args, note); err != nil {
			return nil, err
		}
		tr.halves(o, out)
		return tr.float(o.Out, exec, out), nil
	}
	out, one := take(&tr.words, comps), take(&tr.lists, len(args))
	for k := range comps {
		for i := range args {
			one[i] = args[i][k : k+1]
		}
		if err := o.RunNoting(out[k:k+1], exec, one, note); err != nil {
			return nil, err
		}
	}
	tr.halves(o, out)
	return tr.float(o.Out, exec, out), nil
}

// halves records denormals among the 16-bit floats of an opcode that packs or unpacks them: unpacked ones are numbers
// below the smallest normal 16-bit float, packed ones are recognized by their bits.
func (tr *trial) halves(o *opcodes.Op, out []uint64) {
	if !o.Has("halves") {
		return
	}
	for _, x := range out {
		if o.Out.Base == eval.Float {
			tr.seen.denorm = tr.seen.denorm || denormal(eval.FloatValue(x, o.Out.Bits), 16)
			continue
		}
		for _, h := range []uint64{x & 0xffff, x >> 16} {
			tr.seen.denorm = tr.seen.denorm || denormal(eval.FloatValue(h, 16), 16)
		}
	}
}

// take takes n entries from a pool, which is large enough for a vector after the first few.
func take[T any](pool *[]T, n int) []T {
	at := len(*pool)
	if at+n > cap(*pool) {
		*pool = make([]T, 0, 2*cap(*pool)+n) // entries taken earlier remain valid
		at = 0
	}
	*pool = (*pool)[:at+n]
	return (*pool)[at : at+n : at+n]
}

// float records the values of a float operand or result, and in flush mode flushes
// denormals in place.
func (tr *trial) float(o opcodes.Operand, exec int, v []uint64) []uint64 {
	if o.Base != eval.Float {
		return v
	}
	size := tr.width(o, exec)
	for i, x := range v {
		tr.note(x, size)
		if tr.flush && denormal(eval.FloatValue(x, size), size) {
			v[i] = x & (1 << (size - 1))
		}
	}
	return v
}

// smallest are the smallest normal numbers.
var smallest = map[int]float64{16: 0x1p-14, 32: 0x1p-126, 64: 0x1p-1022}

func denormal(f float64, size int) bool { return f != 0 && math.Abs(f) < smallest[size] }

func (tr *trial) width(o opcodes.Operand, exec int) int {
	if o.Bits != 0 {
		return o.Bits
	}
	return exec
}
