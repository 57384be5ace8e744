// SPDX-License-Identifier: MIT

package explicitio

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// remarkPrivate records remarks about the variables in scratch memory, about accesses to them with dynamic indices, and
// about loops that would make such indices constant if they were fully unrolled.
func (c context) remarkPrivate() {
	s := c.S
	for x := range s.Vars(pass.Promotable) {
		size, _ := s.LayoutOfVar(x).Size(s.Var(x).Type)
		c.RemarkVar(pass.InScratch, x, 0, int(size))
	}
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			if !pass.MayTouch(in) {
				continue
			}
			for i := range int(in.NSrc) {
				at := s.Src(v, i).Val
				indices := c.dynamic(at)
				if len(indices) == 0 {
					continue
				}
				if x := s.DerefVar(at); x != 0 && s.Var(x).Mode&^pass.Promotable == 0 {
					loops := c.counting(indices)
					c.RemarkVar(pass.IndexedIn, x, in.Loc, len(loops))
					for _, loop := range loops {
						c.RemarkVar(pass.CountedIn, x, c.exitLoc(loop), 1)
					}
				}
			}
		}
	}
}

// dynamic returns the indices of a chain of derefs that are not constant.
func (c context) dynamic(d ir.Value) (list []ir.Value) {
	s := c.S
	for s.At(d).Kind == kind.Deref {
		switch s.At(d).DerefKind() {
		case kind.DerefVar, kind.DerefCast:
			return list
		case kind.DerefArray:
			if i := s.Src(d, 1).Val; !s.At(i).IsConst() {
				list = append(list, i)
			}
		}
		d = s.Src(d, 0).Val
	}
	return list
}

// mostCounting is the maximum number of values that counting looks at.
const mostCounting = 64

// counting returns the loops whose headers contain the phis that values are computed from, or none if values depend on
// more than such phis and constants.
func (c context) counting(values []ir.Value) (loops []ir.Node) {
	s := c.S
	for done := 0; done < len(values); done++ {
		if done == mostCounting {
			return nil
		}
		v := values[done]
		switch in := s.At(v); in.Kind {
		case kind.Phi:
			loop := s.LoopOf(in.Block())
			if loop == 0 || in.Block() != s.Body(loop) {
				return nil
			}
			if !slices.Contains(loops, loop) {
				loops = append(loops, loop)
			}
		case kind.ALU, kind.LoadConst:
		default:
			return nil
		}
		for i := range int(s.At(v).NSrc) {
			if x := s.Src(v, i).Val; !slices.Contains(values, x) {
				values = append(values, x)
			}
		}
	}
	return loops
}

// exitLoc returns the location of the condition of a loop's first exit, or 0 if no condition in its body decides one.
func (c context) exitLoc(loop ir.Node) ir.Loc {
	s := c.S
	breaks := func(end ir.Node) bool {
		j := s.Jump(end)
		return j != 0 && kind.JumpKind(s.At(j).Op) == kind.JumpBreak
	}
	for n := s.Body(loop); n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) == ir.NodeIf && (breaks(s.ThenEnd(n)) || breaks(s.ElseEnd(n))) {
			return s.At(s.Cond(n).Val).Loc
		}
	}
	return 0
}
