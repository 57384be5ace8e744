// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// returnsOf reports whether function f has a return, and whether it has a phi.
func (c context) returnsOf(f ir.Func) (returns, phis bool) {
	s := c.S
	for b := range s.Blocks(f) {
		if v := s.First(b); v != 0 && s.At(v).Kind == kind.Phi {
			phis = true
		}
		if j := s.Jump(b); j != 0 && kind.JumpKind(s.At(j).Op) == kind.JumpReturn {
			returns = true
		}
	}
	return returns, phis
}

// DemotePhis replaces every phi of f with a variable.
func DemotePhis(pc *pass.Context, f ir.Func) { in(pc).demotePhis(f) }

// demotePhis replaces every phi of f with a variable that the predecessors store to: only variables carry values across
// joins afterwards.
func (c context) demotePhis(f ir.Func) {
	s := c.S
	var phis []ir.Value
	for b := range s.Blocks(f) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Phi {
				break
			}
			phis = append(phis, v)
		}
	}
	for _, v := range phis {
		in := *s.At(v)
		scalar := s.Types.Scalar(ir.TypeBool, 1)
		if in.Bits != 1 {
			scalar = s.Types.Scalar(ir.TypeUint, in.Bits)
		}
		x := s.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Func: f, Location: -1, Type: s.Types.Vector(scalar, uint32(in.Comps))})
		for i := range int(in.NSrc) {
			c.B.AtEnd(s.PhiPred(v, i))
			c.B.StoreDeref(s.All(c.B.DerefVar(x)), s.Src(v, i), 1<<in.Comps-1, 0)
		}
		c.B.After(v)
		s.ReplaceUses(v, c.B.LoadDeref(in.Comps, in.Bits, s.All(c.B.DerefVar(x)), 0))
	}
	for _, v := range phis {
		s.Remove(v)
	}
}
