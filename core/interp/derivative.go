// SPDX-License-Identifier: MIT

package interp

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/texture"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// A quad is four invocations of a subgroup with consecutive numbers: (0, 0), (1, 0), (0, 1)
// and (1, 1) of the plane in which derivatives are taken (SPV_KHR_compute_shader_derivatives,
// "Derivative Group"). Subgroups and workgroups consist of whole quads.

// difference returns the two lanes that are subtracted to compute the derivative for lane l.
func difference(o op.Op, l int) (from, to int) {
	quad := l &^ 3
	switch o {
	case op.FDdxFine:
		return l &^ 1, l | 1
	case op.FDdyFine:
		return l &^ 2, l | 2
	case op.FDdx, op.FDdxCoarse:
		return quad, quad + 1
	default:
		return quad, quad + 2
	}
}

// derivative executes a derivative. The result is arbitrary if one of the two lanes is inactive.
func (g *subgroup) derivative(v ir.Value, in *ir.Instr, mask uint64) {
	out := g.slot(v)
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		from, to := difference(in.ALUOp(), l)
		for c := range int(in.Comps) {
			at := c*g.width + l
			if to >= g.width || (mask>>from)&(mask>>to)&1 == 0 {
				out[at] = g.arbitrary(uint32(v)+uint32(at)<<20, in.Bits)
				continue
			}
			g.src[0][0], g.src[1][0] = g.lane(v, 0, c, to), g.lane(v, 0, c, from)
			if !fold.Eval(op.FSub, in.Bits, 1, &g.src, &g.dst, g.mode) {
				g.fail(v, "it is not defined at %d bits", in.Bits)
			}
			out[at] = g.dst[0]
		}
	}
}

// implicit sets the derivatives of a query's coordinates to the differences within the quad. If one of the lanes is
// inactive, all derivatives get the same arbitrary value, so that the first and the last level are equally likely.
func (g *subgroup) implicit(v ir.Value, l int, coord int, dim kind.ImageDim, mask uint64, q *texture.Query) {
	q.Grad = true
	n := ir.CoordComps(dim)
	from, right := difference(op.FDdx, l)
	_, down := difference(op.FDdy, l)
	if down >= g.width || (mask>>from)&(mask>>right)&(mask>>down)&1 == 0 {
		x := math.Float32frombits(uint32(g.arbitrary(uint32(v), 32)))
		for c := range n {
			q.Ddx[c], q.Ddy[c] = x, x
		}
		return
	}
	for c := range n {
		at := func(lane int) float32 { return math.Float32frombits(uint32(g.lane(v, coord, c, lane))) }
		q.Ddx[c], q.Ddy[c] = at(right)-at(from), at(down)-at(from)
	}
}
