// SPDX-License-Identifier: MIT

package sched

import (
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// life is the live range of a virtual register in block order. It starts at 2·b, the start of block b, or at
// 2·b+1, its first use in the block; it ends at 2·b+1, its last use in the block, or at 2·b+2, the end of the
// block. Like the intervals of the register allocator, it includes loops that the register is live into or out
// of.
type life struct {
	birth, death int32
	uses         int32 // number of uses in the current block
	left         int32 // remaining uses in the order being followed
	before       int32 // remaining uses in source order; for flags
	bytes        int32 // size of a general register, without unread
	unread       int32 // size of the GRFs that a message fills and nothing reads; they are free after the first read
	parts        uint64
	read         bool // read before it is written, in code order
	message      bool
}

// findLives finds the live range of each register, and the number of bytes and flags that are live at the start
// of each block.
func (s *Scheduler) findLives() {
	f := s.f
	s.lives = reuse.Zeroed(s.lives, len(f.Regs))
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			for k := range in.Src {
				if r := in.Src[k].VReg(); r != 0 {
					l := &s.lives[r]
					l.mention(b, true)
					if l.message {
						l.parts |= partsOf(f.GRF, &in.Src[k], f.SrcBytes(in, k))
					}
				}
			}
			if r := in.Flag.Reg(); r != 0 && (in.ReadsFlag() || in.WritesFlag()) {
				s.lives[r].mention(b, in.ReadsFlag())
			}
			if r := in.Dst.VReg(); r != 0 {
				s.lives[r].mention(b, false)
				s.lives[r].message = in.IsSend() && in.Len[2] > 2 && f.Regs[r].Def == i
			}
		}
	}
	s.bytes, s.flags = reuse.Zeroed(s.bytes, len(f.Blocks)+1), reuse.Zeroed(s.flags, len(f.Blocks)+1)
	for r := 1; r < len(f.Regs); r++ {
		l := &s.lives[r]
		if l.death == 0 {
			continue
		}
		if l.birth != l.death || l.read {
			s.stretch(l)
		}
		n, flags := int32(0), int32(0)
		switch info := f.Reg(mir.Reg(r)); info.Class {
		case mir.General:
			n = int32(info.Bytes)
			if grfs := f.GRF.Count(info.Bytes); l.message && l.parts != 0 && l.birth == l.death && grfs <= 64 {
				l.unread = int32(f.GRF.Start(uint32(grfs - bits.OnesCount64(l.parts))))
				n -= l.unread
			}
			l.bytes = n
		case mir.FlagClass:
			flags = 1
		}
		if from, to := (l.birth+1)/2, (l.death-1)/2; from <= to {
			s.bytes[from], s.bytes[to+1] = s.bytes[from]+n, s.bytes[to+1]-n
			s.flags[from], s.flags[to+1] = s.flags[from]+flags, s.flags[to+1]-flags
		}
	}
	for b := 1; b < len(f.Blocks); b++ {
		s.bytes[b] += s.bytes[b-1]
		s.flags[b] += s.flags[b-1]
	}
}

// mention records a use of the register in a block.
func (l *life) mention(b int, read bool) {
	if l.death == 0 {
		l.birth, l.read = int32(2*b+1), read
	}
	l.death = int32(2*b + 1)
}

// stretch extends a live range over the loops that it enters or leaves, and over the innermost loop around it
// if the register holds a value of an earlier iteration.
func (s *Scheduler) stretch(l *life) {
	f := s.f
	first, last := f.LoopOf(int(l.birth/2)), f.LoopOf(int((l.death-1)/2))
	out, around := f.Apart(last, first)
	if out != 0 {
		l.death = 2*f.Constructs[out].Last + 2
	}
	if into, _ := f.Apart(first, last); into != 0 {
		l.birth = 2 * f.Constructs[into].First
	}
	if c := &f.Constructs[around]; around != 0 && l.read {
		l.birth, l.death = min(l.birth, 2*c.First), max(l.death, 2*c.Last+2)
	}
}

// pressure is the number of bytes that are live at an instruction of a block, and the maximum so far.
type pressure struct{ now, most int32 }

// start begins a block with a number of live bytes.
func (p *pressure) start(now int32) { p.now, p.most = now, now }

// track advances a pressure by one instruction.
func (s *Scheduler) track(p *pressure, in *mir.Inst) {
	here, now := int32(2*s.block+1), p.now
	for k := range in.Src {
		if r := in.Src[k].VReg(); r != 0 {
			l := &s.lives[r]
			if l.left == l.uses && l.birth == here {
				now += l.bytes
			}
			if l.left--; l.left == l.uses-2 {
				now -= l.unread
			}
			if l.left == 0 && l.death == here {
				now -= l.bytes
			}
		}
	}
	most := now
	if r := in.Dst.VReg(); r != 0 {
		l := &s.lives[r]
		if l.left == l.uses && l.birth == here {
			now += l.bytes + l.unread
		}
		most = now
		if l.left--; l.left == 0 && l.death == here {
			now -= l.bytes
		}
	}
	p.now, p.most = now, max(p.most, most)
	if r := in.Flag.Reg(); r != 0 && (in.ReadsFlag() || in.WritesFlag()) {
		s.lives[r].left--
	}
}

// mostBefore returns the maximum number of live bytes in the block in source order. The counters of remaining
// uses must be zero.
func (s *Scheduler) mostBefore() int32 {
	var p pressure
	p.start(s.liveAtStart())
	for _, i := range s.ids {
		for _, r := range mentioned(s.f.At(i)) {
			s.lives[r].left = s.lives[r].uses
		}
	}
	for _, i := range s.ids {
		s.track(&p, s.f.At(i))
	}
	return p.most
}

// liveAtStart returns the number of bytes live at the start of the block.
func (s *Scheduler) liveAtStart() int32 { return s.bytes[s.block] + s.registers(s.f.Payload) }

// registers returns the number of bytes of n GRFs.
func (s *Scheduler) registers(n int) int32 { return int32(s.f.GRF.Start(uint32(n))) }

// growth returns the change of the number of live bytes at an instruction.
func (s *Scheduler) growth(in *mir.Inst) (n int32) {
	d := in.Dst.VReg()
	for k := range in.Src {
		r := in.Src[k].VReg()
		if r == 0 || r == d || k > 0 && r == in.Src[0].VReg() || k > 1 && r == in.Src[1].VReg() {
			continue
		}
		if s.lean && s.lives[r].left == s.lives[r].uses-1 {
			n -= s.lives[r].unread
		}
		uses := int32(1)
		for j := k + 1; j < len(in.Src); j++ {
			if in.Src[j].VReg() == r {
				uses++
			}
		}
		if s.lives[r].left == uses && s.lives[r].death == int32(2*s.block+1) {
			n -= s.lives[r].bytes
		}
	}
	if d != 0 && s.lives[d].left == s.lives[d].uses && s.lives[d].birth == int32(2*s.block+1) {
		n += s.lives[d].bytes + s.lives[d].unread
	}
	return n
}

// partsOf returns the set of GRFs of a size of its register that an operand of n bytes overlaps.
func partsOf(grf mir.RegSize, o *mir.Operand, n uint32) uint64 {
	if n == 0 {
		return 0
	}
	first, last := grf.Of(o.Off), grf.Of(o.Off+n-1)
	return uint64(2)<<last - uint64(1)<<first
}
