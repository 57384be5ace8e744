// SPDX-License-Identifier: MIT

package interp

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// lane reads component c of operand i for one lane.
func (g *subgroup) lane(v ir.Value, i, c, l int) uint64 {
	r := g.s.Src(v, i)
	return g.read(r.Val)[int(r.Swz.Comp(c))*g.width+l]
}

// role reads component c of the source with the given role for one lane.
func (g *subgroup) role(v ir.Value, r intrinsic.Role, c, l int) uint64 {
	return g.lane(v, g.s.At(v).Intrinsic().Source(r), c, l)
}

// source returns the source with the given role.
func (g *subgroup) source(v ir.Value, r intrinsic.Role) ir.Src {
	return g.s.Src(v, g.s.At(v).Intrinsic().Source(r))
}

// each calls fn for every active lane. The result of fn is the lane's scalar result.
func (g *subgroup) each(v ir.Value, mask uint64, fn func(l int) uint64) {
	out := g.slot(v)
	for l := range g.width {
		if mask>>l&1 != 0 {
			out[l] = fn(l)
		}
	}
}

// same sets the result of all active lanes to the same vector. Inactive lanes keep their last result: they may have
// left a loop that continues for the rest, and read it after the loop.
func (g *subgroup) same(v ir.Value, mask uint64, x ...uint64) {
	out := g.slot(v)
	for c := range x {
		for l := range g.width {
			if mask>>l&1 != 0 {
				out[c*g.width+l] = x[c]
			}
		}
	}
}

func (g *subgroup) intrinsic(v ir.Value, in *ir.Instr, mask uint64) {
	if fn := handlers[in.Intrinsic()]; fn != nil {
		if g.stage != nil && g.stage.helpers&mask != 0 {
			mask = g.acting(v, mask)
		}
		if g.stage != nil && g.stage.killed&mask != 0 && asksOthers(in.Intrinsic()) {
			if mask &^= g.stage.killed; mask == 0 {
				return
			}
		}
		fn(g, v, in, mask)
		return
	}
	g.fail(v, "cannot be interpreted yet")
}

type handler func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64)

var handlers [intrinsic.Count]handler

func init() {
	h := &handlers
	h[intrinsic.LoadDeref] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) { g.loadDeref(v, in, mask) }
	h[intrinsic.StoreDeref] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.storeDeref(v, g.s.Index(v, intrinsic.IxWriteMask), mask)
	}
	h[intrinsic.CopyDeref] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) { g.copyDeref(v, mask) }
	accesses(h)
	h[intrinsic.LoadParam] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		call := g.calls[len(g.calls)-1]
		out := g.slot(v)
		for l := range g.width {
			for c := range int(in.Comps) {
				if mask>>l&1 != 0 {
					out[c*g.width+l] = g.lane(call, int(g.s.Index(v, intrinsic.IxParam)), c, l)
				}
			}
		}
	}
	h[intrinsic.LoadReg] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		x, out := g.reg(g.s.Index(v, intrinsic.IxReg)), g.slot(v)
		for l := range g.width {
			for c := range int(in.Comps) {
				if mask>>l&1 != 0 {
					out[c*g.width+l] = x[c*g.width+l]
				}
			}
		}
	}
	h[intrinsic.StoreReg] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		x, wm := g.reg(g.s.Index(v, intrinsic.IxReg)), g.s.Index(v, intrinsic.IxWriteMask)
		for l := range g.width {
			for c := range int(in.Comps) {
				if mask>>l&1 != 0 && wm>>c&1 != 0 {
					x[c*g.width+l] = g.role(v, intrinsic.RoleValue, c, l)
				}
			}
		}
	}
	h[intrinsic.Barrier] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		if kind.Scope(g.s.Index(v, intrinsic.IxExecutionScope)) == kind.ScopeWorkgroup && g.barrier != nil {
			g.barrier()
		}
	}
	systemValues(h)
	stageOps(h)
	subgroupOps(h)
	ballots(h)
	imageOps(h)
}

func (g *subgroup) reg(r uint32) []uint64 {
	if g.regs[r] == nil {
		x := make([]uint64, int(g.s.Regs.At(r).Comps)*g.width)
		g.hold(8 * len(x))
		for i := range x {
			x[i] = g.arbitrary(r, g.s.Regs.At(r).Bits)
		}
		g.regs[r] = x
	}
	return g.regs[r]
}
