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

// difference returns the two lanes whose difference is a derivative for lane l.
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

// derivative executes a derivative. Where a lane that it needs does not run, it is arbitrary.
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

// implicit sets the derivatives of the coordinates of a query to those of the quad. Where a lane that they need does
// not run, all of them are arbitrary, and alike, so that the level is as often the first as the last.
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
