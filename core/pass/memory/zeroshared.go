// SPDX-License-Identifier: MIT

package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/generated/kind"
)

// maxZeroStores is the maximum number of unrolled stores; more stores are in a loop.
const maxZeroStores = 4

// ZeroShared zeroes the workgroup variables that are zero-initialized (SPV_KHR_zero_initialize_workgroup_memory). Each
// invocation of the workgroup zeroes a part; a barrier follows.
func ZeroShared(pc *pass.Context) bool {
	c := in(pc)
	s, b := c.S, c.B
	changed, start, end := false, ^uint32(0), uint32(0)
	for x := range s.Vars(kind.ModeShared) {
		if v := s.Var(x); v.ZeroInit {
			size, _ := s.LayoutOfVar(x).Size(v.Type)
			start, end = min(start, v.Offset), max(end, ir.SatAdd(v.Offset, size))
			changed, v.ZeroInit = true, false
		}
	}
	if start >= end {
		return changed
	}
	b.AtStart(s.FirstBlock(s.Entry()))
	b.Loc = 0
	barrier := b.Barrier(kind.ScopeWorkgroup, kind.ScopeWorkgroup, kind.SemAcquire|kind.SemRelease, kind.ModeShared)
	b.Before(barrier)
	index := b.LoadLocalInvocationIndex(32)
	group := max(s.Info.WorkgroupSize[0]*s.Info.WorkgroupSize[1]*s.Info.WorkgroupSize[2], 1)
	dwords := (end - start + 3) / 4
	if quads := dwords / 4; quads >= group {
		c.storeZeros(barrier, index, start, quads, 4, group)
		start, dwords = start+16*quads, dwords%4
	}
	c.storeZeros(barrier, index, start, dwords, 1, group)
	return true
}

// storeZeros inserts before v stores of n vectors of zeros at consecutive offsets: invocation i of the workgroup stores
// vectors i, i + group, and so on.
func (c context) storeZeros(v ir.Value, index ir.Src, start, n uint32, comps uint8, group uint32) {
	b := c.B
	size := 4 * uint32(comps)
	zeros := b.Const(32, make([]uint64, comps)...)
	at := b.IAdd(b.IMul(index, b.Imm(size)), b.Imm(start))
	store := func(offset ir.Src) {
		b.StoreShared(zeros, offset, 0, 1<<comps-1, 0, 4, 0)
	}
	turns, rest := n/group, n%group
	if turns <= maxZeroStores {
		for k := range turns {
			store(b.IAdd(at, b.Imm(k*group*size)))
		}
	} else {
		c.countLoop(v, turns, func(k ir.Src) { store(b.IAdd(at, b.IMul(k, b.Imm(group*size)))) })
	}
	if rest > 0 {
		node := flow.IfBefore(c.Context, v, b.ULt(index, b.Imm(rest)))
		b.AtEnd(c.S.Then(node))
		store(b.IAdd(at, b.Imm(turns*group*size)))
		b.Before(v)
	}
}

// countLoop inserts before v a loop that runs body n times, with the counter values 0 to n-1.
func (c context) countLoop(v ir.Value, n uint32, body func(ir.Src)) {
	s, b := c.S, c.B
	first := b.Imm(0)
	before, in := c.loopBefore(v)
	b.AtEnd(in)
	phi := b.Phi(1, 32, 2)
	body(s.All(phi))
	next := b.IAdd(s.All(phi), b.Imm(1))
	iff := s.InsertIf(in, b.UGe(next, b.Imm(n)))
	b.AtEnd(s.Then(iff))
	b.Jump(kind.JumpBreak)
	s.AddPhiSrc(phi, before, first)
	s.AddPhiSrc(phi, s.NextNode(iff), next)
	b.Before(v)
}
