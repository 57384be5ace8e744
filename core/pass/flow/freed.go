// SPDX-License-Identifier: MIT

package flow

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// An array is freed if all indices of its elements become constant: then its elements are values in registers. A loop
// makes the indices that depend on its counter constant if it is unrolled, or has as many copies of its body as there
// are iterations until the indices repeat (period.go).
const (
	maxFreed    = 3072    // largest size of a loop after unrolling that frees an array
	maxElements = 64      // dwords of an array to free: at 16 lanes, they take all registers, and some are spilled
	maxStructs  = 48      // dwords of an array of structs to free: the spills of a larger one cost more than its accesses
	maxSteps    = 32      // instructions that compute an index, and nodes of the loops that count it
	maxExtent   = 1 << 20 // largest size that extent computes
)

// arrays describes the private arrays of a shader and its loops, for the decision whether unrolling frees an array.
type arrays struct {
	scanned  bool
	some     bool    // some variable is freed
	fate     []fate  // by variable
	entries  []int32 // by loop: how often the body is entered, 0 if that is not known
	bodies   []int32 // by loop: the size of the body if the loops in it are unrolled
	periods  []int32 // by loop: the period of indices, plus 1; 0 if it is not computed yet
	repeated []bool  // by value: it steps into an element at an index that repeats with the period of a loop
	steps    int
}

// fate is the fate of a private variable if all loops that are short enough are unrolled.
type fate uint8

const (
	constant fate = iota // no element has a computed index
	freed                // all indices become constant
	kept                 // some index does not, or the variable is too large or used in another way
)

// frees reports whether a loop indexes an array that unrolling frees, and is short enough to be unrolled for that.
func (u *unroller) frees(loop ir.Node) bool {
	return u.indexes(loop) && u.short(loop)
}

// indexes reports whether the counter of a loop indexes an array that is freed if this loop and all others that count its
// indices are unrolled.
func (u *unroller) indexes(loop ir.Node) bool {
	s := u.s
	if !u.some || u.entries[loop] == 0 {
		return false
	}
	for b, end := s.Body(loop), s.BodyEnd(loop); ; b = s.NextBlock(b) {
		for v := range s.Instrs(b) {
			if x := u.elementOf(v); x != 0 && u.fate[x] == freed {
				u.steps = maxSteps
				if u.counts(s.Src(v, 1).Val, loop, 0) {
					return true
				}
			}
		}
		if b == end {
			return false
		}
	}
}

// short reports whether a loop is short enough to be unrolled to free arrays.
func (u *unroller) short(loop ir.Node) bool {
	n := u.entries[loop]
	return n > 0 && n <= maxTrips && (n-1)*u.bodies[loop] <= maxFreed
}

// elementOf returns the private variable if v steps into one of its elements at a computed index, or else 0.
func (u *unroller) elementOf(v ir.Value) ir.Var {
	s := u.s
	if !u.private(v) || s.At(v).DerefKind() != kind.DerefArray || s.At(s.Src(v, 1).Val).IsConst() {
		return 0
	}
	return s.DerefVar(v)
}

// scan determines the fates of all variables, before any loop is unrolled.
func (u *unroller) scan() {
	s := u.s
	if u.some = u.anyElement(); !u.some {
		return
	}
	u.fate = reuse.Zeroed(u.fate, s.NumVars())
	u.entries = reuse.Zeroed(u.entries, s.NumNodes())
	u.bodies = reuse.Zeroed(u.bodies, s.NumNodes())
	u.periods = reuse.Zeroed(u.periods, s.NumNodes())
	u.repeated = reuse.Zeroed(u.repeated, s.NumValues())
	u.extent(s.Body(s.Func(u.F).Node))
	for b := range s.Blocks(u.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			u.Work.Spend(1)
			if in.Kind != kind.Deref || in.DerefKind() == kind.DerefCast {
				u.keepOthers(v)
				continue
			}
			x := u.elementOf(v)
			if x == 0 || u.fate[x] == kept {
				continue
			}
			u.steps = maxSteps
			if u.fewElements(x) && (u.counted(s.Src(v, 1), 0) || u.repeats(v)) {
				u.fate[x] = freed
			} else {
				u.fate[x] = kept
			}
		}
	}
	u.some = slices.Contains(u.fate, freed)
}

// fewElements reports whether the elements of an array may be in registers.
func (u *unroller) fewElements(x ir.Var) bool {
	s := u.s
	t, most := s.Var(x).Type, uint32(maxElements)
	for s.Types.At(t).Kind == ir.TypeArray {
		t = s.Types.At(t).Elem
	}
	if s.Types.At(t).Kind == ir.TypeStruct {
		most = maxStructs
	}
	return s.Types.Dwords(s.Var(x).Type, most+1) <= most
}

// anyElement reports whether private arrays are indexed by values that are not constant.
func (u *unroller) anyElement() bool {
	s := u.s
	arrays := false
	for x := range s.Vars(pass.Promotable) {
		k := s.Types.At(s.Var(x).Type).Kind
		arrays = arrays || k == ir.TypeArray || k == ir.TypeStruct || k == ir.TypeMatrix
	}
	if !arrays {
		return false
	}
	for b := range s.Blocks(u.F) {
		for v := range s.Instrs(b) {
			if u.elementOf(v) != 0 {
				return true
			}
		}
	}
	return false
}

// private reports whether v is a deref of a variable that can be in registers.
func (u *unroller) private(v ir.Value) bool {
	return u.s.At(v).Kind == kind.Deref && u.s.Modes(v)&^pass.Promotable == 0
}

// keepOthers keeps the variables whose derefs an instruction uses other than as the address of a load or store.
func (u *unroller) keepOthers(v ir.Value) {
	s := u.s
	id := s.At(v).Intrinsic() // 0 if v is a cast
	plain := id == intrinsic.LoadDeref || id == intrinsic.StoreDeref
	for i := range int(s.At(v).NSrc) {
		if d := s.Src(v, i).Val; u.private(d) && (i > 0 || !plain) {
			u.fate[s.DerefVar(d)] = kept
		}
	}
}

// extent returns the size of a list of nodes after all short loops in it are unrolled, at most maxExtent. It sets the
// entries and bodies of the loops.
func (u *unroller) extent(first ir.Node) (size int) {
	s := u.s
	for n := first; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			for v := range s.Instrs(n) {
				switch s.At(v).Kind {
				case kind.ALU, kind.Intrinsic, kind.Tex:
					size++
				}
			}
		case ir.NodeIf:
			size += u.extent(s.Then(n)) + u.extent(s.Else(n))
		case ir.NodeLoop:
			body := u.extent(s.Body(n))
			u.bodies[n] = int32(body)
			if s.Node(n).Hints&ir.HintDontUnroll == 0 && u.count.Count(s, n, maxCounted) {
				u.entries[n] = int32(u.count.Entries)
				if u.short(n) {
					body *= u.count.Entries
				}
			}
			size += body
		}
		size = min(size, maxExtent)
	}
	return size
}

// counted reports whether a value is computed from constants and the counters of loops that are short enough to unroll,
// or will be once the loops around them are unrolled. phi is assumed to be such a value.
func (u *unroller) counted(r ir.Src, phi ir.Value) bool {
	s := u.s
	in := s.At(r.Val)
	u.steps--
	switch {
	case u.steps < 0:
		return false
	case in.IsConst(), r.Val == phi:
		return true
	case in.Kind == kind.Phi:
		loop := s.Parent(in.Block())
		if s.NodeKind(loop) != ir.NodeLoop || s.Body(loop) != in.Block() || in.NSrc != 2 || !u.short(loop) && !u.settled(loop, r.Val) {
			return false
		}
		phi = r.Val
	case in.Kind != kind.ALU:
		return false
	}
	for i := range int(in.NSrc) {
		if !u.counted(s.Src(r.Val, i), phi) {
			return false
		}
	}
	return true
}

// settled reports whether the condition of an exit of a loop is counted. phi is assumed to be.
func (u *unroller) settled(loop ir.Node, phi ir.Value) bool {
	s := u.s
	if u.entries[loop] != 0 {
		return false // it is too long
	}
	for n := s.Body(loop); n != 0 && u.steps > 0; n = s.NextNode(n) {
		u.steps--
		if u.exits(n) && u.counted(s.All(s.Cond(n).Val), phi) {
			return true
		}
	}
	return false
}

// exits reports whether a node is an if that leaves the loop around it in one arm.
func (u *unroller) exits(n ir.Node) bool {
	s := u.s
	return s.NodeKind(n) == ir.NodeIf && u.leaves(s.ThenEnd(n)) != u.leaves(s.ElseEnd(n))
}

// counts reports whether v is computed from a counter of a loop, perhaps through counters of loops in it, or from one of
// a loop that it determines. phi is a counter that is being examined.
func (u *unroller) counts(v ir.Value, loop ir.Node, phi ir.Value) bool {
	s := u.s
	in := s.At(v)
	u.steps--
	switch {
	case u.steps < 0, v == phi:
		return false
	case in.Kind == kind.Phi && in.Block() == s.Body(loop):
		return true
	case in.Kind == kind.Phi:
		if inner := s.LoopOf(in.Block()); inner != 0 && inner != loop && in.Block() == s.Body(inner) && u.determines(loop, inner, v) {
			return true
		}
		phi = v
	case in.Kind != kind.ALU:
		return false
	}
	for i := range int(in.NSrc) {
		if u.counts(s.Src(v, i).Val, loop, phi) {
			return true
		}
	}
	return false
}

// determines reports whether a counter of a loop takes part in the condition of an exit of a loop in it. phi is a counter
// that is being examined.
func (u *unroller) determines(loop, inner ir.Node, phi ir.Value) bool {
	s := u.s
	for n := s.Body(inner); n != 0 && u.steps > 0; n = s.NextNode(n) {
		u.steps--
		if u.exits(n) && u.counts(s.Cond(n).Val, loop, phi) {
			return true
		}
	}
	return false
}
