// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// LowerDerivatives lowers derivatives to differences between the values of invocations of a quad. Derivatives that are
// or may be coarse are taken in the quad's first row and column.
func LowerDerivatives(c *pass.Context) bool { return c.Rewrite(in(c).derivative) }

func (c context) derivative(v ir.Value) (ir.Src, bool) {
	s, b := c.S, c.B
	in := s.At(v)
	if in.Kind != kind.ALU || !in.ALUOp().Info().Has(op.Derivative) {
		return ir.Src{}, false
	}
	b.Before(v)
	x := s.Src(v, 0)
	quad := func(lane uint32) ir.Src { return b.QuadBroadcast(in.Bits, x, b.Imm(lane)) }
	fine := func(bit uint32) (ir.Src, bool) {
		other := b.QuadSwap(in.Bits, x, bit-1) // bit is the direction: the bit of the lane's number that differs
		last := b.INe(b.IAnd(b.LoadSubgroupInvocation(32), b.Imm(bit)), b.Imm(0))
		var parts [16]ir.Src
		for i := range int(x.N) {
			x, y := x.Comp(i), other.Comp(i)
			parts[i] = b.FSub(b.BCsel(last, x, y), b.BCsel(last, y, x))
		}
		return pass.Vec(b, parts[:x.N]), true
	}
	switch in.ALUOp() {
	case op.FDdxFine:
		return fine(1)
	case op.FDdyFine:
		return fine(2)
	case op.FDdx, op.FDdxCoarse:
		return b.FSub(quad(1), quad(0)), true
	default:
		return b.FSub(quad(2), quad(0)), true
	}
}
