// SPDX-License-Identifier: MIT

package interp

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
)

// quads returns all invocations of the quads that have an invocation in mask.
func quads(mask uint64) uint64 {
	const first = 0x1111_1111_1111_1111
	return ((mask | mask>>1 | mask>>2 | mask>>3) & first) * 0xf
}

// kill ends the invocations in mask, which have executed OpKill, and returns the ones that continue: with
// Call.KeepQuads, an invocation continues as a helper while another invocation of its quad is alive.
func (g *subgroup) kill(mask uint64) uint64 {
	st := g.stage
	if st == nil || !g.call.KeepQuads {
		g.halted |= mask
		return 0
	}
	st.helpers |= mask
	st.killed |= mask
	on := mask & quads(st.all&^(g.halted|st.helpers))
	g.halted |= mask &^ on
	return on
}

// abandoned returns the invocations in mask that leave a loop instead of repeating it: killed ones, if no live
// invocation of their quad repeats it. The loop need not terminate for them.
func (g *subgroup) abandoned(mask uint64) uint64 {
	if g.stage == nil || g.stage.killed == 0 {
		return 0
	}
	return mask & g.stage.killed &^ quads(mask&^g.stage.helpers)
}

// killOps adds the handlers of the intrinsics that replace OpKill when quads are kept.
func killOps(h *[intrinsic.Count]handler) {
	h[intrinsic.Kill] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.fixed(v)
		g.stage.helpers |= mask
		g.stage.killed |= mask
	}
	h[intrinsic.IsKilled] = lanesIn(func(g *subgroup, mask uint64) uint64 { return g.stage.killed })
	h[intrinsic.QuadIsGone] = lanesIn(func(g *subgroup, mask uint64) uint64 { return ^quads(g.stage.all &^ (g.halted | g.stage.helpers)) })
	h[intrinsic.IsAbandoned] = lanesIn((*subgroup).abandoned)
}

// quadVote evaluates a vote within quads. Killed invocations have no vote.
func quadVote(g *subgroup, v ir.Value, mask uint64) {
	votes := mask
	if g.stage != nil {
		votes &^= g.stage.killed
	}
	decides := g.laneMask(g.source(v, intrinsic.RoleValue), votes)
	all := g.s.At(v).Intrinsic() == intrinsic.QuadVoteAll
	if all {
		decides ^= votes
	}
	set := quads(decides)
	g.each(v, mask, func(l int) uint64 { return b2u(set>>l&1 != 0 != all) })
}

// lanesIn returns the handler of an intrinsic that tells whether an invocation is in a set.
func lanesIn(set func(g *subgroup, mask uint64) uint64) handler {
	return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.fixed(v)
		x := set(g, mask)
		g.each(v, mask, func(l int) uint64 { return x >> l & 1 })
	}
}

// killed reports whether an invocation was killed but continues as a helper.
func (g *subgroup) killed(l int) bool { return g.stage != nil && g.stage.killed>>l&1 != 0 }

// asksOthers reports whether an operation depends on the set of active invocations of the subgroup. Killed invocations
// do not count as active: they continue only for their quads. They take part in quad operations and in the shuffles
// that quad operations may be lowered to.
func asksOthers(id intrinsic.ID) bool {
	return id.Info().Flags&intrinsic.Convergent != 0 && !id.Is(intrinsic.TraitByKilled)
}
