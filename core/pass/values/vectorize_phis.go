// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// mergePhis combines the scalar phis of each block into vector phis, first the phis of floats, which are more often the
// components of one vector, so that operations on them read one value. A phi costs nothing by itself: the copies that it
// becomes write the components that each operation has computed.
func (c context) mergePhis() (changed bool) {
	s := c.S
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		var floats, others []ir.Value
		for v := s.First(b); v != 0 && s.At(v).Kind == kind.Phi; v = s.At(v).Next() {
			switch in := s.At(v); {
			case in.Comps != 1 || in.Bits != 32:
			case c.isFloat(v):
				floats = append(floats, v)
			default:
				others = append(others, v)
			}
		}
		for _, list := range [2][]ir.Value{floats, others} {
			for len(list) > 1 {
				n := min(len(list), vectorComps)
				c.mergePhi(b, list[:n])
				list = list[n:]
				changed = true
			}
		}
	}
	return changed
}

// isFloat reports whether an operation on floats reads v.
func (c context) isFloat(v ir.Value) bool {
	s := c.S
	for u := range s.Uses(v) {
		if u.If != 0 || s.At(u.User).Kind != kind.ALU {
			continue
		}
		if s.At(u.User).ALUOp().Info().Src[u.Index].Base == op.Float {
			return true
		}
	}
	return false
}

// mergePhi replaces scalar phis of block b with one vector phi.
func (c context) mergePhi(b ir.Node, list []ir.Value) {
	s := c.S
	first := s.At(list[0])
	preds := int(first.NSrc)
	c.B.Loc = first.Loc
	c.B.AtStart(b)
	whole := c.B.Phi(uint8(len(list)), first.Bits, preds)
	for k := range preds {
		pred := s.PhiPred(list[0], k)
		var parts [vectorComps]ir.Src
		for i, v := range list {
			for j := range preds {
				if s.PhiPred(v, j) == pred {
					parts[i] = s.Src(v, j)
				}
			}
		}
		c.B.AtEnd(pred)
		s.AddPhiSrc(whole, pred, pass.Vec(c.B, parts[:len(list)]))
	}
	for i, v := range list {
		s.ReplaceUses(v, ir.Src{Val: whole, Swz: ir.Broadcast(i), N: 1})
		s.Remove(v)
	}
}
