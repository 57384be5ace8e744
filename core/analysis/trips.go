// SPDX-License-Identifier: MIT

package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// maxTripSteps bounds the instructions that Count evaluates in an iteration, maxTraceSteps the ones that Trace does,
// and maxExecuted the iterations that either executes.
const (
	maxTripSteps  = 32
	maxTraceSteps = 128
	maxExecuted   = 4096
)

// Trips counts the iterations of loops whose exits depend on constants only. It executes the computation of the
// conditions with the constant folder, so that every comparison, step and overflow has its exact meaning. Where
// possible, it skips the iterations before a counter reaches its limit (tripskip.go).
type Trips struct {
	// Exits are the ifs at the top level of the loop's body that leave the loop in one arm, and whose condition is
	// known in each iteration.
	Exits []KnownExit
	// Entries is the number of times that the body is entered.
	Entries int
	// Last is the index of the exit that is taken in the last iteration.
	Last int
	// Seen has the values that Trace recorded: a row for each iteration.
	Seen []uint64

	s     *ir.Shader
	loop  ir.Node
	mode  num.Mode
	known []ir.Value // arithmetic, and phis of the header, that have a slot
	slot  []int32    // by value: 1 + its index in val; all zero between calls
	val   []uint64   // by slot
	steps []step     // in the order in which they are executed
	phis  []counter
	lines []line   // by slot; set by linear
	conds []int32  // by exit: the slot of its condition
	watch []int32  // the slots of the values that Trace records
	most  int      // steps
	next  []uint64 // values of the phis in the next iteration
	src   [op.MaxSrc][fold.MaxComps]uint64
	dst   [fold.MaxComps]uint64
}

// KnownExit is an if that leaves a loop in its then arm or in its else arm.
type KnownExit struct {
	If   ir.Node
	Then bool
}

// step is an arithmetic operation on slots.
type step struct {
	op   op.Op
	bits uint8 // execution size, see fold.Eval
	n    uint8 // operands
	src  [op.MaxSrc]int32
	dst  int32
}

// counter is a phi of the header: its initial value, its slot, and the slot of its value in the next iteration.
type counter struct {
	phi       ir.Value
	init      uint64
	slot, src int32
}

// Count sets Entries to the number of times that the body of a loop is entered, and reports whether that number is known
// and at most limit. Other exits may leave the loop earlier, but the body is never entered more often, unless a continue
// bypasses the known exits. Count executes at most maxExecuted iterations, not counting skipped ones.
func (t *Trips) Count(s *ir.Shader, loop ir.Node, limit int) bool {
	t.most = maxTripSteps
	defer t.forget()
	return t.exits(s, loop) && t.run(limit)
}

// Trace counts like [Trips.Count] and records scalars: it sets Seen to the numbers that values have in each iteration,
// even if the last iteration leaves the loop before it computes them. It sets known[i] to whether values[i] depends on
// constants only; otherwise the numbers recorded for values[i] have no meaning.
func (t *Trips) Trace(s *ir.Shader, loop ir.Node, limit int, values []ir.Value, known []bool) bool {
	t.most = maxTraceSteps
	defer t.forget()
	if t.Seen = t.Seen[:0]; !t.exits(s, loop) {
		return false
	}
	for i, v := range values {
		old := t.mark()
		slot, ok := t.find(s.All(v))
		if known[i] = ok; !ok {
			t.rewind(old)
			slot = 0
		}
		t.watch = append(t.watch, slot)
	}
	return t.run(limit)
}

// exits finds the known exits of a loop, and reports whether there are any.
func (t *Trips) exits(s *ir.Shader, loop ir.Node) bool {
	t.s, t.loop, t.mode = s, loop, FloatMode(s)
	t.slot = reuse.Slice(t.slot, s.NumValues())
	t.Exits = t.Exits[:0]
	t.start()
	for n := s.Body(loop); n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) != ir.NodeIf {
			continue
		}
		then, els := t.leaves(s.ThenEnd(n)), t.leaves(s.ElseEnd(n))
		if then == els {
			continue
		}
		old := t.mark()
		if cond, ok := t.find(s.Cond(n)); ok {
			t.Exits = append(t.Exits, KnownExit{n, then})
			t.conds = append(t.conds, cond)
		} else {
			t.rewind(old)
		}
	}
	return len(t.Exits) > 0
}

// leaves reports whether a list that ends with block end leaves the loop there.
func (t *Trips) leaves(end ir.Node) bool {
	j := t.s.Jump(end)
	return j != 0 && kind.JumpKind(t.s.At(j).Op) == kind.JumpBreak
}

func (t *Trips) start() {
	t.known, t.val, t.steps = t.known[:0], t.val[:0], t.steps[:0]
	t.phis, t.conds = t.phis[:0], t.conds[:0]
	t.watch = t.watch[:0]
}

// forget clears the slots that were used.
func (t *Trips) forget() { t.rewind(marks{}) }

// marks are the lengths of the lists.
type marks struct{ known, val, steps, phis int }

func (t *Trips) mark() marks { return marks{len(t.known), len(t.val), len(t.steps), len(t.phis)} }

// rewind drops the entries that were added since old.
func (t *Trips) rewind(old marks) {
	for _, v := range t.known[old.known:] {
		t.slot[v] = 0
	}
	t.known, t.val = t.known[:old.known], t.val[:old.val]
	t.steps, t.phis = t.steps[:old.steps], t.phis[:old.phis]
}

// find allocates slots for the computation of a scalar, and reports whether all of it is known in each iteration.
func (t *Trips) find(r ir.Src) (slot int32, ok bool) {
	first := len(t.phis)
	if slot, ok = t.need(r); !ok {
		return 0, false
	}
	for i := first; i < len(t.phis); i++ { // need adds phis
		src, ok := t.need(t.back(t.phis[i].phi))
		if !ok {
			return 0, false
		}
		t.phis[i].src = src
	}
	return slot, true
}

// need allocates slots for the computation of a scalar, except for the values of phis in the next iteration.
func (t *Trips) need(r ir.Src) (slot int32, ok bool) {
	s := t.s
	v := r.Val
	in := s.At(v)
	if in.Kind == kind.LoadConst {
		return t.place(s.Const(v, int(r.Swz.Comp(0)))), true
	}
	if slot := t.slot[v]; slot != 0 {
		return slot - 1, true
	}
	if in.Comps != 1 || len(t.known) == t.most {
		return 0, false
	}
	switch {
	case in.Kind == kind.Phi:
		if in.Block() != s.Body(t.loop) || in.NSrc != 2 {
			return 0, false
		}
		init, known := s.ConstOf(t.init(v))
		if !known {
			return 0, false
		}
		slot = t.place(0)
		t.phis = append(t.phis, counter{phi: v, init: init, slot: slot})
	case in.Kind == kind.ALU:
		x := step{op: in.ALUOp(), bits: t.bits(v, in), n: uint8(in.NSrc)}
		for i := range int(in.NSrc) {
			if s.Src(v, i).N != 1 {
				return 0, false
			}
			if x.src[i], ok = t.need(s.Src(v, i)); !ok {
				return 0, false
			}
		}
		slot = t.place(0)
		x.dst = slot
		t.steps = append(t.steps, x)
	default:
		return 0, false
	}
	t.known = append(t.known, v)
	t.slot[v] = slot + 1
	return slot, true
}

// place returns a new slot with the value x.
func (t *Trips) place(x uint64) int32 {
	t.val = append(t.val, x)
	return int32(len(t.val)) - 1
}

// bits returns the execution size of an ALU instruction.
func (t *Trips) bits(v ir.Value, in *ir.Instr) uint8 {
	s := t.s
	info := in.ALUOp().Info()
	for i := int(in.NSrc) - 1; i > 0; i-- {
		if info.Src[i].Bits == 0 {
			return s.At(s.Src(v, i).Val).Bits
		}
	}
	return s.At(s.Src(v, 0).Val).Bits
}

// init returns the source of a header phi for the entry into the loop; back returns its source for the end of the body.
func (t *Trips) init(phi ir.Value) ir.Src { return t.from(phi, true) }
func (t *Trips) back(phi ir.Value) ir.Src { return t.from(phi, false) }

func (t *Trips) from(phi ir.Value, before bool) ir.Src {
	s := t.s
	i := 0
	if (s.PhiPred(phi, 0) == s.PrevNode(t.loop)) != before {
		i = 1
	}
	return s.Src(phi, i)
}

// run executes iterations until a known exit is taken, and reports whether one is within limit iterations.
func (t *Trips) run(limit int) bool {
	val := t.val
	for i := range t.phis {
		val[t.phis[i].slot] = t.phis[i].init
	}
	skipped := int64(0)
	if len(t.watch) == 0 {
		skipped = t.skip()
	}
	if skipped >= int64(limit) {
		return false
	}
	first := int(skipped) + 1
	t.next = reuse.Slice(t.next, len(t.phis))
	for t.Entries = first; t.Entries <= limit && t.Entries < first+maxExecuted; t.Entries++ {
		for i := range t.steps {
			x := &t.steps[i]
			for k, from := range x.src[:x.n] {
				t.src[k][0] = val[from]
			}
			if !fold.Eval(x.op, x.bits, 1, &t.src, &t.dst, t.mode) {
				return false
			}
			val[x.dst] = t.dst[0]
		}
		for _, slot := range t.watch {
			t.Seen = append(t.Seen, val[slot])
		}
		for i, cond := range t.conds {
			if (val[cond] != 0) == t.Exits[i].Then {
				t.Last = i
				return true
			}
		}
		for i := range t.phis {
			t.next[i] = val[t.phis[i].src]
		}
		for i, x := range t.next {
			val[t.phis[i].slot] = x
		}
	}
	return false
}
