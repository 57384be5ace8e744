package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
)

// maxTripSteps bounds the instructions that Trips evaluates in each iteration.
const maxTripSteps = 32

// Trips counts the iterations of loops whose exits depend on constants only. It executes
// what the conditions are computed from, with the folder, so that every comparison, step
// and overflow has its meaning.
type Trips struct {
	// Exits are the ifs in the list of the loop's body with one arm that leaves the loop and
	// a condition that is known in each iteration.
	Exits []KnownExit
	// Entries is how often the body is entered.
	Entries int
	// Last is the exit that is taken in the last iteration.
	Last int

	s     *ir.Shader
	loop  ir.Node
	mode  num.Mode
	steps []ir.Value // arithmetic, sources before users
	phis  []ir.Value // phis of the header
	slot  []int32    // by value: 1 + its place in val; all zero between calls
	known []ir.Value // the values that have a slot
	val   []uint64   // by slot
	next  []uint64   // of the phis, in the next iteration
	src   [4][fold.MaxComps]uint64
	dst   [fold.MaxComps]uint64
}

// KnownExit is an if that leaves a loop in its then arm or in its else arm.
type KnownExit struct {
	If   ir.Node
	Then bool
}

// Count determines how often the body of a loop is entered, and reports whether that is
// known and at most limit. A loop of which it reports true may be left earlier at other
// exits, but never enters its body more often.
func (t *Trips) Count(s *ir.Shader, loop ir.Node, limit int) bool {
	t.s, t.loop, t.mode = s, loop, FloatMode(s)
	t.slot = reuse.Slice(t.slot, s.NumValues())
	t.Exits = t.Exits[:0]
	t.start()
	defer t.forget()
	for n := s.Body(loop); n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) != ir.NodeIf {
			continue
		}
		then, els := t.leaves(s.ThenEnd(n)), t.leaves(s.ElseEnd(n))
		if then == els {
			continue
		}
		if mark := len(t.known); t.find(s.Cond(n)) {
			t.Exits = append(t.Exits, KnownExit{n, then})
		} else {
			t.rewind(mark)
		}
	}
	return len(t.Exits) > 0 && t.run(limit)
}

// leaves reports whether a list that ends with block end leaves the loop there.
func (t *Trips) leaves(end ir.Node) bool {
	j := t.s.Jump(end)
	return j != 0 && kind.JumpKind(t.s.At(j).Op) == kind.JumpBreak
}

func (t *Trips) start() {
	t.steps, t.phis, t.known, t.val = t.steps[:0], t.phis[:0], t.known[:0], t.val[:0]
}

// forget clears the slots that were used.
func (t *Trips) forget() { t.rewind(0) }

// rewind drops the values that were found since known had n.
func (t *Trips) rewind(n int) {
	for _, v := range t.known[n:] {
		t.slot[v] = 0
	}
	drop := func(list []ir.Value) []ir.Value {
		for len(list) > 0 && t.slot[list[len(list)-1]] == 0 {
			list = list[:len(list)-1]
		}
		return list
	}
	t.known, t.val = t.known[:n], t.val[:n]
	t.steps, t.phis = drop(t.steps), drop(t.phis)
}

// find gives slots to what a scalar is computed from, and reports whether all of that is
// known in each iteration.
func (t *Trips) find(r ir.Src) bool {
	first := len(t.phis)
	if !t.need(r) {
		return false
	}
	for i := first; i < len(t.phis); i++ { // need adds phis
		if !t.need(t.back(t.phis[i])) {
			return false
		}
	}
	return true
}

func (t *Trips) need(r ir.Src) bool {
	s := t.s
	v := r.Val
	in := s.At(v)
	if in.Kind == kind.LoadConst || t.slot[v] != 0 {
		return true
	}
	if in.Comps != 1 || len(t.known) == maxTripSteps {
		return false
	}
	switch {
	case in.Kind == kind.Phi:
		if in.Block() != s.Body(t.loop) || in.NSrc != 2 || !s.IsConst(t.init(v).Val) {
			return false
		}
		t.phis = append(t.phis, v)
	case in.Kind == kind.ALU:
		for i := range int(in.NSrc) {
			if s.SrcComps(v, i) != 1 || !t.need(s.Operand(v, i)) {
				return false
			}
		}
		t.steps = append(t.steps, v)
	default:
		return false
	}
	t.known = append(t.known, v)
	t.val = append(t.val, 0)
	t.slot[v] = int32(len(t.val))
	return true
}

// init returns the source of a phi of the header from before the loop, back the one from
// the end of the body.
func (t *Trips) init(phi ir.Value) ir.Src { return t.from(phi, true) }
func (t *Trips) back(phi ir.Value) ir.Src { return t.from(phi, false) }

func (t *Trips) from(phi ir.Value, before bool) ir.Src {
	s := t.s
	i := 0
	if (s.PhiPred(phi, 0) == s.PrevNode(t.loop)) != before {
		i = 1
	}
	return s.Operand(phi, i)
}

func (t *Trips) get(r ir.Src) uint64 {
	if t.s.IsConst(r.Val) {
		return t.s.Const(r.Val, int(r.Swz.Comp(0)))
	}
	return t.val[t.slot[r.Val]-1]
}

func (t *Trips) set(v ir.Value, x uint64) { t.val[t.slot[v]-1] = x }

// run executes iterations until a known exit is taken.
func (t *Trips) run(limit int) bool {
	s := t.s
	for _, p := range t.phis {
		t.set(p, t.get(t.init(p)))
	}
	t.next = reuse.Slice(t.next, len(t.phis))
	for t.Entries = 1; t.Entries <= limit; t.Entries++ {
		for _, v := range t.steps {
			if !t.eval(v) {
				return false
			}
		}
		for i, e := range t.Exits {
			if (t.get(s.Cond(e.If)) != 0) == e.Then {
				t.Last = i
				return true
			}
		}
		for i, p := range t.phis {
			t.next[i] = t.get(t.back(p))
		}
		for i, p := range t.phis {
			t.set(p, t.next[i])
		}
	}
	return false
}

func (t *Trips) eval(v ir.Value) bool {
	s := t.s
	in := s.At(v)
	info := in.ALUOp().Info()
	bits := uint8(0)
	for i := range int(in.NSrc) {
		r := s.Operand(v, i)
		if info.Src[i].Bits == 0 {
			bits = s.At(r.Val).Bits
		}
		t.src[i][0] = t.get(r)
	}
	if bits == 0 {
		bits = s.At(s.SrcVal(v, 0)).Bits
	}
	if !fold.Eval(in.ALUOp(), bits, 1, &t.src, &t.dst, t.mode) {
		return false
	}
	t.set(v, t.dst[0])
	return true
}
