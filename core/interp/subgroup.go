// SPDX-License-Identifier: MIT

package interp

import (
	"math/bits"

	"jacquard.example/core/ir"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/reduction"
)

// subgroupOps adds the handlers of subgroup operations. A lane that is inactive or does not exist provides an arbitrary value
// (SPIR-V specification, Non-Uniform Instructions: "the resulting value is undefined").
func subgroupOps(h *[intrinsic.Count]handler) {
	h[intrinsic.ShaderClock] = clock
	first := func(mask uint64) int { return bits.TrailingZeros64(mask) }
	h[intrinsic.Elect] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.each(v, mask, func(l int) uint64 { return b2u(l == first(mask)) })
	}
	vote := func(all bool) handler {
		return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
			m := g.laneMask(g.source(v, intrinsic.RoleValue), mask)
			r := m != 0
			if all {
				r = m == mask
			}
			g.same(v, mask, b2u(r))
		}
	}
	h[intrinsic.VoteAny], h[intrinsic.VoteAll] = vote(false), vote(true)
	h[intrinsic.QuadVoteAny] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) { quadVote(g, v, mask) }
	h[intrinsic.QuadVoteAll] = h[intrinsic.QuadVoteAny]
	h[intrinsic.VoteIeq] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		eq := true
		for c := range int(g.source(v, intrinsic.RoleValue).N) {
			want := g.role(v, intrinsic.RoleValue, c, first(mask))
			for l := range g.width {
				eq = eq && (mask>>l&1 == 0 || g.role(v, intrinsic.RoleValue, c, l) == want)
			}
		}
		g.same(v, mask, b2u(eq))
	}
	h[intrinsic.Ballot] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		m := g.laneMask(g.source(v, intrinsic.RoleValue), mask)
		if in.Bits == 64 {
			g.same(v, mask, m)
			return
		}
		g.same(v, mask, []uint64{m & 0xffffffff, m >> 32, 0, 0}[:in.Comps]...)
	}
	h[intrinsic.FirstInvocation] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.same(v, mask, uint64(first(mask)))
	}
	from := func(pick func(g *subgroup, v ir.Value, l int, mask uint64) int) handler {
		return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
			out := g.slot(v)
			n := int(in.Comps)
			tmp := make([]uint64, n*g.width)
			for l := range g.width {
				if mask>>l&1 == 0 {
					continue
				}
				k := pick(g, v, l, mask)
				there := k >= 0 && k < g.width && mask>>k&1 != 0
				for c := range n {
					at := c*g.width + l
					if there {
						tmp[at] = g.role(v, intrinsic.RoleValue, c, k)
					} else {
						tmp[at] = g.arbitrary(uint32(v)+uint32(at)<<20, in.Bits)
					}
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
	lane := func(g *subgroup, v ir.Value, l int) int { return int(int32(g.role(v, intrinsic.RoleLane, 0, l))) }
	delta := func(g *subgroup, v ir.Value, l int) int { return int(int32(g.role(v, intrinsic.RoleDelta, 0, l))) }
	h[intrinsic.ReadFirstInvocation] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return first(mask) })
	h[intrinsic.ReadInvocation] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return lane(g, v, l) })
	h[intrinsic.Shuffle] = h[intrinsic.ReadInvocation]
	h[intrinsic.ShuffleXor] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return l ^ delta(g, v, l) })
	h[intrinsic.ShuffleUp] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return l - delta(g, v, l) })
	h[intrinsic.ShuffleDown] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return l + delta(g, v, l) })
	h[intrinsic.Rotate] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int {
		n := int(g.s.Index(v, intrinsic.IxClusterSize))
		if n == 0 {
			n = g.width
		}
		return l - l%n + int((uint(l%n)+uint(delta(g, v, l)))%uint(n))
	})
	h[intrinsic.QuadBroadcast] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int { return l&^3 + lane(g, v, l)&3 })
	h[intrinsic.QuadSwap] = from(func(g *subgroup, v ir.Value, l int, mask uint64) int {
		return l ^ int(g.s.Index(v, intrinsic.IxSwapDir)+1)
	})
}

// clock reads the clock, which all invocations of the dispatch share. Each read advances it by a number that depends
// only on the seed. A pass that keeps the reads and their order thus keeps the results, and results that depend on
// elapsed time vary with the seed.
func clock(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	g.clock += 1 + g.arbitrary(0, 8)
	g.same(v, mask, g.clock&(1<<32-1), g.clock>>32)
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// scan computes an inclusive scan over the lanes of each cluster. SPIR-V leaves the order of operations open. Here, as
// on the machine, lanes are combined in pairs, then pairs of pairs: each lane of the upper half is combined with the
// last lane of the lower half. Inactive lanes have the identity. It returns the results of component c.
func (g *subgroup) scan(v ir.Value, in *ir.Instr, mask uint64, c, cluster int) []uint64 {
	r := reduction.Of(kind.ReductionOp(g.s.Index(v, intrinsic.IxReductionOp)))
	t := make([]uint64, g.width)
	for l := range t {
		t[l] = r.Unit(in.Bits)
		if mask>>l&1 != 0 {
			t[l] = g.role(v, intrinsic.RoleValue, c, l)
		}
	}
	for half := 1; half < cluster; half *= 2 {
		for l := range t {
			if l&half == 0 {
				continue
			}
			g.src[0][0], g.src[1][0] = t[l&^(2*half-1)+half-1], t[l]
			if !fold.Eval(r.Op, in.Bits, 1, &g.src, &g.dst, g.mode) {
				g.fail(v, "%s is not defined at %d bits", r.Op, in.Bits)
			}
			t[l] = g.dst[0]
		}
	}
	return t
}

// combined sets the result of each active lane to the element that pick selects from a scan over clusters.
func (g *subgroup) combined(v ir.Value, in *ir.Instr, mask uint64, cluster int, pick func(t []uint64, l int) uint64) {
	out := g.slot(v)
	res := make([][]uint64, in.Comps)
	for c := range res {
		res[c] = g.scan(v, in, mask, c, cluster)
	}
	for c, t := range res {
		for l := range g.width {
			if mask>>l&1 != 0 {
				out[c*g.width+l] = pick(t, l)
			}
		}
	}
}

// ballots adds the handlers of reductions and scans, of operations on ballots, of the subgroup masks and of vote_feq.
func ballots(h *[intrinsic.Count]handler) {
	h[intrinsic.Reduce] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		size := int(g.s.Index(v, intrinsic.IxClusterSize))
		if size == 0 || size > g.width {
			size = g.width
		}
		g.combined(v, in, mask, size, func(t []uint64, l int) uint64 { return t[l|(size-1)] })
	}
	h[intrinsic.InclusiveScan] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.combined(v, in, mask, g.width, func(t []uint64, l int) uint64 { return t[l] })
	}
	h[intrinsic.ExclusiveScan] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.combined(v, in, mask, g.width, func(t []uint64, l int) uint64 {
			if l == 0 {
				return reduction.Of(kind.ReductionOp(g.s.Index(v, intrinsic.IxReductionOp))).Unit(in.Bits)
			}
			return t[l-1]
		})
	}
	// bitsOf collects a ballot, whose components hold 32 or 64 lanes each.
	bitsOf := func(g *subgroup, v ir.Value, l int) uint64 {
		r := g.source(v, intrinsic.RoleValue)
		x := g.role(v, intrinsic.RoleValue, 0, l)
		if g.s.At(r.Val).Bits == 32 && r.N > 1 {
			x |= g.role(v, intrinsic.RoleValue, 1, l) << 32
		}
		return x & (^uint64(0) >> (64 - g.width))
	}
	count := func(part func(l int) uint64) handler {
		return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
			g.each(v, mask, func(l int) uint64 { return uint64(popcount(bitsOf(g, v, l) & part(l))) })
		}
	}
	h[intrinsic.BallotBitCountReduce] = count(func(l int) uint64 { return ^uint64(0) })
	h[intrinsic.BallotBitCountInclusive] = count(func(l int) uint64 { return ^uint64(0) >> (63 - l) })
	h[intrinsic.BallotBitCountExclusive] = count(func(l int) uint64 { return 1<<l - 1 })
	h[intrinsic.BallotFindLSB] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.each(v, mask, func(l int) uint64 {
			if x := bitsOf(g, v, l); x != 0 {
				return uint64(bits.TrailingZeros64(x))
			}
			return g.arbitrary(uint32(v), in.Bits)
		})
	}
	h[intrinsic.BallotFindMSB] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.each(v, mask, func(l int) uint64 {
			if x := bitsOf(g, v, l); x != 0 {
				return uint64(63 - bits.LeadingZeros64(x))
			}
			return g.arbitrary(uint32(v), in.Bits)
		})
	}
	h[intrinsic.InverseBallot] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.each(v, mask, func(l int) uint64 { return bitsOf(g, v, l) >> l & 1 })
	}
	h[intrinsic.BallotBitfieldExtract] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.each(v, mask, func(l int) uint64 { return bitsOf(g, v, l) >> (g.role(v, intrinsic.RoleLane, 0, l) & 63) & 1 })
	}
	maskOf := func(part func(l int) uint64) handler {
		return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
			out := g.slot(v)
			for l := range g.width {
				if mask>>l&1 == 0 {
					continue
				}
				x := part(l) & (^uint64(0) >> (64 - g.width))
				if in.Bits == 64 {
					out[l] = x
					continue
				}
				for c := range int(in.Comps) {
					out[c*g.width+l] = x >> (32 * c) & 0xffffffff
				}
			}
		}
	}
	h[intrinsic.LoadSubgroupEqMask] = maskOf(func(l int) uint64 { return 1 << l })
	h[intrinsic.LoadSubgroupLtMask] = maskOf(func(l int) uint64 { return 1<<l - 1 })
	h[intrinsic.LoadSubgroupLeMask] = maskOf(func(l int) uint64 { return ^uint64(0) >> (63 - l) })
	h[intrinsic.LoadSubgroupGeMask] = maskOf(func(l int) uint64 { return ^uint64(1<<l - 1) })
	h[intrinsic.LoadSubgroupGtMask] = maskOf(func(l int) uint64 { return ^(^uint64(0) >> (63 - l)) })
	h[intrinsic.VoteFeq] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		eq := true
		size := g.s.At(g.source(v, intrinsic.RoleValue).Val).Bits
		for c := range int(g.source(v, intrinsic.RoleValue).N) {
			for l := range g.width {
				if mask>>l&1 == 0 {
					continue
				}
				g.src[0][0], g.src[1][0] = g.role(v, intrinsic.RoleValue, c, bits.TrailingZeros64(mask)),
					g.role(v, intrinsic.RoleValue, c, l)
				fold.Eval(op.FEq, size, 1, &g.src, &g.dst, g.mode)
				eq = eq && g.dst[0] != 0
			}
		}
		g.same(v, mask, b2u(eq))
	}
}
