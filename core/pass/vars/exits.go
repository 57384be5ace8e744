package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// leaveTrips lets the readers of v that stand behind a loop around it, one that
// invocations leave in different trips, read a register. The register is
// written next to v, and so only for the invocations that are still in the
// loop: what v was in an invocation's last trip stays there for it, while v
// itself may be one value for all of them.
//
//	loop {                         loop {
//	    v = ballot(c)                  v = ballot(c)
//	    if d { break }                 store_reg r, v
//	}                                  if d { break }
//	use(v)                         }
//	                               use(load_reg r)
//
// It does so for what is uniform in the loop, and for what instruction selection
// may compute behind the loop from something that is.
func (c context) leaveTrips(v ir.Value) bool {
	s := c.S
	if !s.At(v).HasResult() {
		return false
	}
	reg := uint32(0)
	var loads []exitLoad
	for u := range s.Uses(v) {
		at := c.readAt(u)
		loop := c.Div.LeavesTrip(v, at)
		if loop == 0 || c.Div.Value(v) && !c.madeAgain(v, loop, maxAgain) {
			continue
		}
		if reg == 0 {
			reg = c.keep(v)
		}
		s.SetUse(u, c.again(u, exitValue(c, &loads, loop, reg, v)))
	}
	return reg != 0
}

// exitLoad is a register's value behind a loop.
type exitLoad struct {
	loop  ir.Node
	value ir.Value
}

// exitValue returns what loads the register of v behind a loop. All readers
// outside of the loop come by there.
func exitValue(c context, loads *[]exitLoad, loop ir.Node, reg uint32, v ir.Value) ir.Value {
	for _, x := range *loads {
		if x.loop == loop {
			return x.value
		}
	}
	in := c.S.At(v)
	c.B.AtStart(c.S.NextNode(loop))
	c.B.Loc = in.Loc
	x := c.B.LoadReg(in.Comps, in.Bits, reg).Val
	*loads = append(*loads, exitLoad{loop, x})
	return x
}

// keep makes a register that holds what v was for each invocation when it last
// ran.
func (c context) keep(v ir.Value) uint32 {
	s := c.S
	in := s.At(v)
	r := s.NewReg(in.Comps, in.Bits)
	s.Reg(r).Divergent = true
	c.B.After(v)
	c.B.StoreReg(s.All(v), r, 1<<in.Comps-1)
	return r
}

// readAt returns the block at whose place a use reads.
func (c context) readAt(u ir.Use) ir.Node {
	s := c.S
	switch {
	case u.If != 0:
		return s.PrevNode(u.If)
	case s.At(u.User).Kind == kind.Phi:
		return s.PhiPred(u.User, u.Index)
	}
	return s.At(u.User).Block()
}

// again is what a use reads, of another value.
func (c context) again(u ir.Use, v ir.Value) ir.Src {
	r := c.S.Cond(u.If)
	if u.If == 0 {
		r = c.S.Operand(u.User, u.Index)
	}
	r.Val = v
	return r
}

// maxAgain bounds how far madeAgain looks.
const maxAgain = 8

// madeAgain reports whether v is arithmetic on something that is uniform in a
// loop and differs from trip to trip. Selection may read through arithmetic, or
// do it again, where its result is read: conditions go into flags there,
// negations become modifiers, vectors are read by their parts.
func (c context) madeAgain(v ir.Value, loop ir.Node, budget int) bool {
	s := c.S
	if s.At(v).Kind != kind.ALU {
		return false
	}
	if budget == 0 {
		return true
	}
	for i := range int(s.At(v).NSrc) {
		x := s.SrcVal(v, i)
		if int(x) >= c.Div.NumValues() || !c.Div.Varies(x, loop) {
			continue // a register's value is one by itself
		}
		if !c.Div.Value(x) || c.madeAgain(x, loop, budget-1) {
			return true
		}
	}
	return false
}
