// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// leaveTrips handles a value v that is computed in a loop which invocations leave in different iterations. Uses of v
// after the loop read a register instead. The register is written right after v, and so only for the invocations that
// are still in the loop: it keeps the value of v from each invocation's last iteration, while v itself may be uniform.
//
//	loop {                         loop {
//	    v = ballot(c)                  v = ballot(c)
//	    if d { break }                 store_reg r, v
//	}                                  if d { break }
//	use(v)                         }
//	                               use(load_reg r)
//
// It handles values that are uniform in the loop, and values that instruction selection may recompute after the loop
// from such a value. It reports whether it changed any use.
func (c context) leaveTrips(v ir.Value) bool {
	s := c.S
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

// exitLoad is the load of a register after a loop.
type exitLoad struct {
	loop  ir.Node
	value ir.Value
}

// exitValue returns the load of v's register after a loop. All uses outside the loop read this load.
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

// keep creates and returns a register for the value of v from each invocation's last execution of v.
func (c context) keep(v ir.Value) uint32 {
	s := c.S
	in := s.At(v)
	r := s.Regs.New(in.Comps, in.Bits)
	s.Regs.At(r).Divergent = true
	c.B.After(v)
	c.B.StoreReg(s.All(v), r, 1<<in.Comps-1)
	return r
}

// readAt returns the block in which a use reads its value.
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

// again returns the operand of a use with its value replaced by v.
func (c context) again(u ir.Use, v ir.Value) ir.Src {
	r := c.S.UseSrc(u)
	r.Val = v
	return r
}

// maxAgain bounds the depth of the search in madeAgain.
const maxAgain = 8

// madeAgain reports whether v is arithmetic on a value that is uniform in a loop and differs between iterations. It
// assumes so of arithmetic nested deeper than budget.
// Selection may look through arithmetic, or recompute it at its use: conditions become flags there, negations become
// modifiers, vectors are read by components.
func (c context) madeAgain(v ir.Value, loop ir.Node, budget int) bool {
	s := c.S
	if s.At(v).Kind != kind.ALU {
		return false
	}
	if budget == 0 {
		return true
	}
	for i := range int(s.At(v).NSrc) {
		x := s.Src(v, i).Val
		if int(x) >= c.Div.NumValues() || !c.Div.Varies(x, loop) {
			continue // a register's value does not depend on the loop
		}
		if !c.Div.Value(x) || c.madeAgain(x, loop, budget-1) {
			return true
		}
	}
	return false
}
