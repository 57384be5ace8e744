// SPDX-License-Identifier: MIT

package ruleset

import (
	"fmt"
	"math"
	"slices"

	"jacquard.example/core/match/prog"
	"jacquard.example/gen/internal/matchgen"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
)

// A program can hold as many pairs as a pattern may have.
const _ = uint(prog.MaxPairs - pattern.MaxCommutes)

// programs holds the programs of a rule set, and their shared tables.
type programs struct {
	t     *rules.Table
	index map[string]uint32 // indices of opcodes, by name
	words []prog.Word
	wide  []uint64
	place map[[2]uint64]uint32 // indices in wide
	is    []test
}

// test is a predicate in a set's list: the function that decides it.
type test struct {
	emitted bool
	name    string
}

func newPrograms(t *rules.Table) (*programs, error) {
	if n := len(t.Ops.Ops); n > prog.MaxOps {
		return nil, fmt.Errorf("there are %d opcodes; a program supports at most %d", n, prog.MaxOps)
	}
	s := &programs{t: t, index: map[string]uint32{}, place: map[[2]uint64]uint32{}}
	for i, o := range t.Ops.Ops {
		s.index[o.Name] = uint32(i)
	}
	return s, nil
}

// number returns the index of a wide number.
func (s *programs) number(x uint64) uint32 { return s.numbers(x, x, 1) }

// float returns the index of a float: its 64 bits, followed by a number with its 32 and 16 bits.
func (s *programs) float(f float64) uint32 {
	h, single, d := matchgen.FloatLit(f)
	return s.numbers(d, uint64(h)<<32|uint64(single), 2)
}

func (s *programs) numbers(x, y uint64, n int) uint32 {
	key := [2]uint64{x, y}
	at, ok := s.place[key]
	if !ok {
		at = uint32(len(s.wide))
		s.wide = append(s.wide, []uint64{x, y}[:n]...)
		s.place[key] = at
	}
	return at
}

// predicate returns the index of the function that decides a predicate.
func (s *programs) predicate(f test) uint32 {
	i := slices.Index(s.is, f)
	if i < 0 {
		i = len(s.is)
		s.is = append(s.is, f)
	}
	return uint32(i)
}

// add writes the program of a rule and returns its start. It adds the predicates of
// the rule to used.
func (s *programs) add(r *rules.Rule, used map[*predicate.Predicate]bool) (uint32, error) {
	w := &writer{
		set: s, r: r, used: used, next: 1,
		bound: map[string]int{}, value: map[*pattern.Node]int{}, built: map[string]int{}, checked: map[int]bool{},
	}
	if err := w.match(); err != nil {
		return 0, err
	}
	w.givesUp()
	if err := w.where(); err != nil {
		return 0, err
	}
	w.replace()
	if w.next > prog.MaxRegs {
		return 0, fmt.Errorf("reads and creates %d values; a program holds at most %d", w.next, prog.MaxRegs)
	}
	at := uint32(len(s.words))
	s.words = append(s.words, late(w.out)...)
	return at, nil
}

// packed returns the programs and the wide numbers, encoded as match.NewRules reads them.
func (s *programs) packed() (out []byte) {
	for _, w := range s.words {
		out = w.Append(out)
	}
	for _, x := range s.wide {
		out = prog.Word(x).Append(out)
	}
	return out
}

// writer writes the program of one rule.
type writer struct {
	set  *programs
	r    *rules.Rule
	used map[*predicate.Predicate]bool
	out  []prog.Word

	next    int                   // register
	bound   map[string]int        // variable → register
	value   map[*pattern.Node]int // instruction or operand → register
	order   []*pattern.Node       // the matched instructions, root first
	built   map[string]int        // instruction of the replacement → register
	checked map[int]bool          // size classes
}

func (w *writer) emit(code prog.Code, a, b, c int, x uint32) {
	w.out = append(w.out, prog.Make(code, uint8(a), uint8(b), uint8(c), x))
}

// fresh returns an unused register.
func (w *writer) fresh() int {
	w.next++
	return w.next - 1
}

// match writes the checks of the search expression. Its root has the right opcode
// and size, because the engine tries the rule only then.
func (w *writer) match() error {
	find := w.r.Find
	if find.Exec >= 0 {
		w.checked[w.r.Typing.Found(find.Exec)] = true
	}
	return w.op(find, 0)
}

// op writes the checks of an instruction, which register reg reads, and of the
// nodes below it.
func (w *writer) op(n *pattern.Node, reg int) error {
	w.value[n] = reg
	w.order = append(w.order, n)
	if err := w.is(n, reg); err != nil {
		return err
	}
	if len(n.Args) == 0 {
		return nil
	}
	swaps := 0
	if n.Commutes() && matchgen.OrderMatters(w.r.Typing, n) {
		w.emit(prog.Order, 0, 0, 0, 0)
		swaps = prog.Swapped
	}
	operand := func(i int, code prog.Code, x uint32) {
		c := i
		if i < 2 {
			c |= swaps
		}
		if n.Code.Srcs[i].Comps != 0 {
			c |= prog.Fixed
		}
		w.emit(code, w.value[n.Args[i]], reg, c, x)
	}
	for _, a := range n.Args {
		w.value[a] = w.fresh()
	}
	// The checks that reject fastest come first: literals, then opcodes and constants, which
	// the automaton has seen in some order, then repeated variables and predicates,
	// then the nodes below.
	for i, a := range n.Args {
		if a.Kind == pattern.Lit {
			code, x := w.literal(a)
			operand(i, code, x)
		}
	}
	loaded := make([]bool, len(n.Args))
	for i, a := range n.Args {
		switch {
		case a.Kind == pattern.Op:
			operand(i, prog.Op, w.set.index[a.Code.Name])
		case a.Kind == pattern.Var && a.Const:
			operand(i, prog.Const, 0)
			loaded[i] = true
		}
	}
	for i, a := range n.Args {
		if a.Kind != pattern.Var {
			continue
		}
		old, again := w.bound[a.Name]
		switch {
		case loaded[i]:
		case again && a.Swz == "":
			operand(i, prog.Again, uint32(old))
			again = false
		default:
			operand(i, prog.Load, 0)
		}
		reg := w.value[a]
		if a.Swz != "" {
			whole := w.fresh()
			w.emit(prog.Reads, reg, 0, 0, matchgen.Swizzle(a.Swz))
			w.emit(prog.Whole, whole, reg, 0, 0)
			reg = whole
		}
		if again {
			w.emit(prog.Same, reg, old, 0, 0)
		}
		if err := w.is(a, reg); err != nil {
			return err
		}
		if _, again := w.bound[a.Name]; !again {
			w.bound[a.Name] = reg
		}
	}
	w.size(n)
	for _, a := range n.Args {
		if a.Kind == pattern.Op {
			if err := w.op(a, w.value[a]); err != nil {
				return err
			}
		}
	}
	return nil
}

// is writes the tests of the predicates of a node, which register reg reads.
func (w *writer) is(n *pattern.Node, reg int) error {
	list, err := w.set.t.Preds.Use(n, n == w.r.Find)
	if err != nil {
		return err
	}
	for _, p := range list {
		w.used[p] = true
		f := test{name: p.Go}
		if p.Emitted(n.Const) {
			f = test{emitted: true, name: p.Func()}
		}
		w.emit(prog.Is, reg, 0, 0, w.set.predicate(f))
	}
	return nil
}

// literal returns the check of an operand that is a literal.
func (w *writer) literal(n *pattern.Node) (prog.Code, uint32) {
	if n.LitKind == pattern.LitFloat {
		return prog.Float, w.set.float(n.Float)
	}
	v := n.Int
	if n.Neg {
		v = -v
	}
	return w.fits(v, prog.Int, prog.IntWide)
}

// fits chooses between an instruction with an inline number and one with a wide number.
func (w *writer) fits(v uint64, near, wide prog.Code) (prog.Code, uint32) {
	if int64(v) >= math.MinInt32 && int64(v) <= math.MaxInt32 {
		return near, uint32(v)
	}
	return wide, w.set.number(v)
}

// size checks the size of an instruction's unsized operands if the pattern
// allows fewer sizes than the opcode.
func (w *writer) size(n *pattern.Node) {
	if n.Exec < 0 {
		return
	}
	class, set := w.r.Typing.Found(n.Exec), w.r.Typing.Set(n.Exec)
	if w.checked[class] || set == pattern.SizeSet(n.Code.Sizes...) {
		return
	}
	for i, o := range n.Code.Srcs {
		if o.Bits == 0 {
			w.checked[class] = true
			w.emit(prog.Size, w.value[n.Args[i]], 0, 0, uint32(set)) // op.Sizes has the same bits
			return
		}
	}
}

// givesUp combines the flags that the matched float instructions give up: the replacement inherits them, and the rule
// may require some.
func (w *writer) givesUp() {
	need := bitsOf(w.set.t, w.r.GivesUp)
	if w.r.AllowedBy != "" {
		need = 0
	}
	if need == 0 && w.r.Replace.Kind == pattern.Var {
		return
	}
	less := 0
	for _, n := range w.order {
		if matchgen.IsFloatOp(n.Code) {
			w.emit(prog.Allows, w.value[n], less, 0, 0)
			less = 1
		}
	}
	if need != 0 {
		w.emit(prog.GivesUp, 0, 0, 0, uint32(need))
	}
}

// where writes the condition on the constants.
func (w *writer) where() error {
	cond := w.r.Where
	if cond == nil {
		return nil
	}
	may := map[string]int{}
	var of []int
	for _, v := range w.r.Typing.Vars {
		if v.May != "" {
			may[v.Name] = len(of)
			of = append(of, w.bound[v.May])
		}
	}
	if len(of) > prog.MaxMayBe {
		return fmt.Errorf("where: uses the bits of %d variables; a program holds at most %d", len(of), prog.MaxMayBe)
	}
	reg, each := 0, 0
	cond.Walk(func(n *pattern.Node) {
		if n.Kind == pattern.Var && n.May == "" {
			reg, each = w.bound[n.Name], 1
		}
	})
	w.emit(prog.Where, 0, reg, each, uint32(len(of)))
	for i, reg := range of {
		w.emit(prog.MayBe, i, reg, 0, 0)
	}
	most := 0
	var push func(n *pattern.Node, depth int)
	push = func(n *pattern.Node, depth int) {
		most = max(most, depth+1)
		switch {
		case n.Kind == pattern.Var && n.May != "":
			w.emit(prog.PushMayBe, may[n.Name], 0, 0, 0)
		case n.Kind == pattern.Var:
			w.emit(prog.PushComp, 0, w.bound[n.Name], 0, 0)
		case n.Kind == pattern.Lit:
			reg, c := w.sized(n.Class)
			code, x := w.fits(number(n, c), prog.Push, prog.PushWide)
			w.emit(code, 0, reg, c, x)
		default:
			for i, a := range n.Args {
				push(a, depth+i)
			}
			reg, c := 0, 0
			if n.Exec >= 0 {
				reg, c = w.sized(n.Exec)
			}
			w.emit(prog.Compute, 0, reg, c, w.set.index[n.Code.Name])
		}
	}
	push(cond, 0)
	w.emit(prog.Holds, 0, 0, 0, 0)
	if most > prog.MaxStack {
		return fmt.Errorf("where: needs a stack of %d numbers; a program holds at most %d", most, prog.MaxStack)
	}
	return nil
}

// number returns the bits of a literal at a size, or at 64 bits if the size is BySource.
func number(n *pattern.Node, size int) uint64 {
	if size == prog.BySource {
		size = 64
	}
	bits, _ := n.Bits(size)
	return bits
}

// sized returns the operands of a word that denote the size of a class: the only size that
// it can have, or BySource and a register of that size.
func (w *writer) sized(class int) (reg, c int) {
	t := w.r.Typing
	if one := t.Set(class).One(); one != 0 {
		return 0, one
	}
	root := t.Root(class)
	if t.Root(w.r.Find.Class) == root {
		return 0, prog.BySource
	}
	for _, v := range t.Vars {
		if t.Root(v.Class) == root {
			return w.bound[v.Name], prog.BySource
		}
	}
	for _, n := range w.order {
		if t.Root(n.Class) == root {
			return w.value[n], prog.BySource
		}
		// A literal has the size of its instruction's operands.
		for _, a := range n.Args {
			if n.Exec >= 0 && t.Root(n.Exec) == root && t.Root(a.Class) == root {
				return w.value[a], prog.BySource
			}
		}
	}
	return 0, prog.BySource
}

// replace writes the replacement. It is inserted before the root, or, if the only operand of the root is an instruction
// of the pattern, after that instruction.
func (w *writer) replace() {
	find, with := w.r.Find, w.r.Replace
	switch {
	case with.Kind == pattern.Var:
	case len(find.Args) == 1 && find.Args[0].Kind == pattern.Op:
		w.emit(prog.BeginAt, w.value[find.Args[0]], 0, 0, 0)
	default:
		w.emit(prog.Begin, 0, 0, 0, 0)
	}
	w.emit(prog.Done, w.build(with, find.Code.Out.Comps), 0, 0, 0)
}

// build writes the instructions of a part of the replacement, with comps components
// (0 means as the root), and returns its register.
func (w *writer) build(n *pattern.Node, comps int) int {
	switch n.Kind {
	case pattern.Var:
		reg := w.bound[n.Name]
		if n.Swz == "" {
			return reg
		}
		to := w.fresh()
		w.emit(prog.Swizzle, to, reg, len(n.Swz), matchgen.Swizzle(n.Swz))
		return to
	case pattern.Lit:
		return w.constant(n)
	}
	key := fmt.Sprint(comps, n)
	if reg, ok := w.built[key]; ok {
		return reg // equal expressions share an instruction
	}
	// Instructions come before the literals among the operands.
	var args uint32
	for _, literals := range []bool{false, true} {
		for i, a := range n.Args {
			if (a.Kind == pattern.Lit) != literals {
				continue
			}
			wide := comps
			if k := n.Code.Srcs[i].Comps; k != 0 {
				wide = k
			}
			args |= uint32(uint8(w.build(a, wide))) << (8 * i)
		}
	}
	to := w.fresh()
	code := w.set.index[n.Code.Name]
	w.emit(prog.ALU+prog.Code(comps), to, int(uint8(code)), int(code>>8), args)
	w.built[key] = to
	return to
}

// constant writes a literal of the replacement and returns its register.
func (w *writer) constant(n *pattern.Node) int {
	reg, c := w.sized(n.Class)
	to := w.fresh()
	if c == prog.BySource && n.LitKind == pattern.LitFloat {
		w.emit(prog.LitFloat, to, reg, c, w.set.float(n.Float))
		return to
	}
	code, x := w.fits(number(n, c), prog.Lit, prog.LitWide)
	w.emit(code, to, reg, c, x)
	return to
}
