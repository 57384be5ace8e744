// SPDX-License-Identifier: MIT

package sched

import (
	"jacquard.example/backend/intel/mir"
)

// flagSlots tracks the machine's flag registers along the source order of a block. A virtual flag takes a slot
// at its first use and frees it after its last one. In the schedule, the next flag in the slot waits until then
// too, so no more flags are live at once than there are slots.
type flagSlots struct {
	reg    [mir.ArchFlags]mir.Reg // last flag in the slot
	free   [mir.ArchFlags]bool
	since  [mir.ArchFlags]int32 // by slot: when it became free
	others int                  // number of flags that are live at the start of the block and not used yet
	now    int32
	serial bool // there are not enough slots: all uses of flags keep their order
}

// start begins a block at whose start n flags are live.
func (x *flagSlots) start(n int) {
	*x = flagSlots{others: min(n, mir.ArchFlags), serial: n > mir.ArchFlags}
	for k := range x.free {
		x.free[k] = k >= x.others
	}
}

// flagLives adds edges that keep a node's flags from sharing a register with other live flags, and counts down
// their remaining uses.
func (s *Scheduler) flagLives(k int32, in *mir.Inst) {
	uses := false
	if in.ReadsFlag() || in.WritesFlag() {
		s.flagUse(k, in.Flag.Reg(), 1)
		uses = true
	}
	for i := range in.Src {
		if o := &in.Src[i]; o.File == mir.VReg && s.f.Regs[o.Num].Class == mir.FlagClass {
			s.flagUse(k, mir.Reg(o.Num), 1)
			uses = true
		}
	}
	if o := &in.Dst; o.File == mir.VReg && s.f.Regs[o.Num].Class == mir.FlagClass {
		s.flagUse(k, mir.Reg(o.Num), 1)
		uses = true
	}
	if !uses {
		return
	}
	if s.slots.serial {
		s.write(k, only(unitFlagUse))
	}
	s.usedFlags(in)
}

// usedFlags counts down the remaining uses of an instruction's flags. Counters of other registers are affected
// too, but not used.
func (s *Scheduler) usedFlags(in *mir.Inst) {
	if r := in.Flag.Reg(); r != 0 && (in.ReadsFlag() || in.WritesFlag()) {
		s.lives[r].before--
	}
	for i := range in.Src {
		s.lives[in.Src[i].VReg()].before--
	}
	s.lives[in.Dst.VReg()].before--
}

// flagUse records n uses of a virtual flag; r is 0 for a physical one.
func (s *Scheduler) flagUse(k int32, r mir.Reg, n int32) {
	x := &s.slots
	if r == 0 {
		x.serial = true
		return
	}
	l := &s.lives[r]
	slot := -1
	for j := range x.reg {
		if x.reg[j] == r && !x.free[j] {
			slot = j
		}
	}
	switch {
	case slot >= 0:
	case l.birth != int32(2*s.block+1): // live at the start of the block
		for j := range x.reg {
			if x.reg[j] == 0 && !x.free[j] {
				slot = j
			}
		}
	default:
		for j := range x.reg {
			if x.free[j] && (slot < 0 || x.since[j] < x.since[slot]) {
				slot = j
			}
		}
		if slot >= 0 && x.reg[slot] != 0 {
			s.after(k, int(s.base[x.reg[slot]]))
		}
	}
	if slot < 0 {
		x.serial = true
		return
	}
	x.reg[slot], x.free[slot] = r, false
	// The instruction may use the flag more than once; later uses find the slot again.
	if l.before <= n && l.death == int32(2*s.block+1) {
		x.now++
		x.free[slot], x.since[slot] = true, x.now
	}
}

// after adds edges to a node from all nodes that use a unit.
func (s *Scheduler) after(k int32, u int) {
	x := s.at(u)
	if w := x.writer; w >= 0 && w != k {
		s.edge(w, k, 0)
	}
	for n := x.readers; n != 0; n = s.uses[n].next {
		if r := s.uses[n].node; r != k {
			s.edge(r, k, 0)
		}
	}
}
