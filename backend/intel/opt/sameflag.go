// SPDX-License-Identifier: MIT

package opt

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
)

// SameFlag removes comparisons whose result is already in a flag. Readers of the second flag then read the
// first.
func (m *Workspace) SameFlag(f *mir.Func) {
	if !comparesTwice(f) {
		return
	}
	s := &m.sameFlag
	s.count(f)
	for b := range f.Blocks {
		s.block(f, b)
	}
}

// comparesTwice reports whether a comparison equals the previous one in its block.
func comparesTwice(f *mir.Func) bool {
	for b := range f.Blocks {
		last := mir.ID(0)
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Op == isa.OpCmp && in.Pred == 0 {
				if last != 0 && sameCompare(f.At(last), in) {
					return true
				}
				last = i
			}
		}
	}
	return false
}

// sameFlag records where flags are read and how often they are written. Positions are instruction numbers in
// code order, counted from 1.
type sameFlag struct {
	stands []mir.Flag // by register: flag that replaces it; 0 if none
	uses   []flagUses // by register
	place  int32
	last   int32 // position of the last comparison in the block
}

// flagUses records the uses of a flag.
type flagUses struct {
	first     int32 // position of the first instruction that reads or writes it
	firstRead int32 // 0 if never read
	lastRead  int32
	writes    int32
}

func (u *flagUses) read(place int32) {
	if u.first == 0 {
		u.first = place
	}
	if u.firstRead == 0 {
		u.firstRead = place
	}
	u.lastRead = place
}

func (u *flagUses) write(place int32) {
	if u.first == 0 {
		u.first = place
	}
	u.writes++
}

func (s *sameFlag) count(f *mir.Func) {
	n := len(f.Regs)
	s.stands, s.uses = reuse.Zeroed(s.stands, n), reuse.Zeroed(s.uses, n)
	s.place, s.last = 0, 0
	place := int32(0)
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			place++
			in := f.At(i)
			if r := in.Flag.Reg(); r != 0 {
				if in.ReadsFlag() {
					s.uses[r].read(place)
				}
				if in.WritesFlag() {
					s.uses[r].write(place)
				}
			}
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg && f.IsFlag(o) {
					s.uses[o.Num].read(place)
				}
			}
			if in.Dst.File == mir.VReg && f.IsFlag(&in.Dst) {
				s.uses[in.Dst.Num].write(place)
			}
		}
	}
}

func (s *sameFlag) block(f *mir.Func, b int) {
	last := mir.ID(0)
	for i := f.Blocks[b].First; i != 0; {
		next := f.Next(i)
		s.place++
		in := f.At(i)
		s.rename(f, in)
		if in.Op == isa.OpCmp && in.Pred == 0 {
			switch {
			case last != 0 && in.Dst.IsNull() && sameCompare(f.At(last), in) && s.join(f, f.At(last).Flag, in.Flag):
				f.Remove(i)
			case in.Src[0].SameReg(&in.Dst) || in.Src[1].SameReg(&in.Dst):
				last = 0
			default:
				last, s.last = i, s.place
			}
			i = next
			continue
		}
		if in.WritesFlag() || f.IsFlag(&in.Dst) {
			last = 0
		}
		if last != 0 && in.Dst.IsReg() {
			for k := range 2 {
				if f.At(last).Src[k].SameReg(&in.Dst) {
					last = 0
					break
				}
			}
		}
		i = next
	}
}

// rename replaces the flags of an instruction.
func (s *sameFlag) rename(f *mir.Func, in *mir.Inst) {
	if r := in.Flag.Reg(); r != 0 && s.stands[r] != 0 {
		in.Flag = s.stands[r]
	}
	for _, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if o.File == mir.VReg && s.stands[o.Num] != 0 {
			o.Num = uint32(s.stands[o.Num].Reg())
		}
	}
}

// join replaces the flag of the comparison at place with the flag of the last one. The comparison must be the
// first use of its flag. If its flag is written again, the other flag may be read only between the two.
func (s *sameFlag) join(f *mir.Func, early, late mir.Flag) bool {
	e, l := early.Reg(), late.Reg()
	if e == 0 || l == 0 {
		return early == late
	}
	if e == l {
		return true
	}
	x, y := &s.uses[e], &s.uses[l]
	if y.first != s.place || y.writes > 1 && x.firstRead != 0 && (x.firstRead < s.last || x.lastRead > s.place) {
		return false
	}
	s.stands[l] = early
	if y.writes > 1 {
		f.Reg(e).Def = 0
	}
	x.writes += y.writes - 1
	if x.firstRead == 0 {
		x.firstRead = y.firstRead
	}
	x.lastRead = max(x.lastRead, y.lastRead)
	return true
}

func sameCompare(a, b *mir.Inst) bool {
	return a.CMod == b.CMod && a.Exec == b.Exec && a.Chan == b.Chan && a.NoMask == b.NoMask &&
		a.Src[0] == b.Src[0] && a.Src[1] == b.Src[1]
}
