package interp

import (
	"math/bits"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
)

// subgroupOps are the operations across the invocations of a subgroup. A lane
// that is not active, or does not exist, gives an arbitrary value: its own of
// the reader is taken.
func subgroupOps(h *[intrinsic.Count]handler) {
	first := func(mask uint64) int { return bits.TrailingZeros64(mask) }
	h[intrinsic.Elect] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.each(v, mask, func(l int) uint64 { return b2u(l == first(mask)) })
	}
	vote := func(all bool) handler {
		return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
			m := g.laneMask(g.s.Operand(v, 0), mask)
			r := m != 0
			if all {
				r = m == mask
			}
			g.same(v, b2u(r))
		}
	}
	h[intrinsic.VoteAny], h[intrinsic.VoteAll] = vote(false), vote(true)
	h[intrinsic.VoteIeq] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		eq := true
		for c := range int(g.s.Operand(v, 0).N) {
			want := g.lane(v, 0, c, first(mask))
			for l := range g.width {
				eq = eq && (mask>>l&1 == 0 || g.lane(v, 0, c, l) == want)
			}
		}
		g.same(v, b2u(eq))
	}
	h[intrinsic.Ballot] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		m := g.laneMask(g.s.Operand(v, 0), mask)
		if in.Bits == 64 {
			g.same(v, m)
			return
		}
		g.same(v, []uint64{m & 0xffffffff, m >> 32, 0, 0}[:in.Comps]...)
	}
	h[intrinsic.FirstInvocation] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.same(v, uint64(first(mask)))
	}
	from := func(lane func(g *subgroup, v ir.Value, l int, mask uint64) int) handler {
		return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
			out := g.slot(v)
			n := int(in.Comps)
			tmp := make([]uint64, n*g.width)
			for l := range g.width {
				if mask>>l&1 == 0 {
					continue
				}
				k := lane(g, v, l, mask)
				if k < 0 || k >= g.width || mask>>k&1 == 0 {
					k = l
				}
				for c := range n {
					tmp[c*g.width+l] = g.lane(v, 0, c, k)
				}
			}
			for l := range g.width {
				for c := range n {
					if mask>>l&1 != 0 {
						out[c*g.width+l] = tmp[c*g.width+l]
					}
				}
			}
		}
	}
	arg := func(g *subgroup, v ir.Value, l int) int { return int(int32(g.lane(v, 1, 0, l))) }
	h[intrinsic.ReadFirstInvocation] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return first(mask) })
	h[intrinsic.ReadInvocation] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return arg(g, v, l) })
	h[intrinsic.Shuffle] = h[intrinsic.ReadInvocation]
	h[intrinsic.ShuffleXor] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return l ^ arg(g, v, l) })
	h[intrinsic.ShuffleUp] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return l - arg(g, v, l) })
	h[intrinsic.ShuffleDown] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return l + arg(g, v, l) })
	h[intrinsic.QuadBroadcast] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return l&^3 + arg(g, v, l)&3 })
	h[intrinsic.QuadSwap] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int {
		return l ^ int(g.s.Index(v, intrinsic.IxSwapDir)+1)
	})
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
