// SPDX-License-Identifier: MIT

package opt

import (
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// InPlace computes values in registers that are dead meanwhile. In an unrolled loop, a sum is updated several times
// in an iteration, and only the last update writes the register that carries it around the loop. The register is
// live throughout the loop for the allocator, although its contents are dead from the first update to the last:
// the updates in between would take another register.
//
// A unit, one component of a register, is dead from its last read before a write of the whole unit, in the same
// block, to that write. If the instruction that reads it last writes a register of one unit whose accesses all are
// in this interval, the register becomes that unit; then the unit is dead again after its last read. All writes are
// masked and have the mask of the block, so lanes that do not run keep the contents of the unit.
func (m *Workspace) InPlace(f *mir.Func) {
	s := &m.inPlace
	s.f = f
	if !slices.ContainsFunc(f.Regs, s.carried) {
		return
	}
	s.find()
	s.start = 0
	for b := range f.Blocks {
		s.order = s.order[:0]
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			s.order = append(s.order, i)
		}
		if s.several[b] {
			s.dead()
			s.assign(b)
		}
		s.start += int32(len(s.order))
	}
}

type inPlace struct {
	f       *mir.Func
	several []bool // by block: it writes a register that others write too
	regs    []inPlaceReg
	units   int32
	killed  []int32 // by unit: position of the next access if it writes the whole unit; otherwise 0 or outside the block

	// Of the current block.
	start int32    // position before its first instruction
	order []mir.ID // its instructions
	gaps  []gap    // the last one first
}

// inPlaceReg describes a register. Positions of instructions count from 1.
type inPlaceReg struct {
	unit        int32 // index of its first unit, if its units may be dead in between; 0 if not
	block       int32 // block of all accesses + 1; -1 if there are several
	first, last int32 // positions of the first and the last access
	never       bool  // it is accessed in a way that depends on lanes that do not run
	fits        bool  // the first access writes the whole register, of one unit

	to   mir.Reg // the register that it becomes a part of; 0 if none
	off  uint32
	upTo int32 // position of the write that ends the gap
}

// gap is an interval in which a unit is dead, from source k of the instruction at position from to a write at position to.
type gap struct {
	from, to int32
	src      int
}

// carried reports whether a register has several writes, and units that may be dead in between.
func (s *inPlace) carried(info mir.RegInfo) bool { return info.Def == 0 && s.units4(&info) }

// units4 reports whether a register consists of units of four bytes a lane.
func (s *inPlace) units4(info *mir.RegInfo) bool {
	return !info.Uniform && info.Lane == 4 && info.Class == mir.General && !info.Piece && info.Bytes%s.f.Pitch(4) == 0
}

// find describes all registers.
func (s *inPlace) find() {
	f := s.f
	s.regs, s.several = reuse.Zeroed(s.regs, len(f.Regs)), reuse.Zeroed(s.several, len(f.Blocks))
	s.units = 1
	p := int32(0)
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			p++
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg {
					x := s.access(mir.Reg(o.Num), b, p)
					x.never = x.never || o.Swizzle != 0
				}
			}
			if in.Dst.File != mir.VReg {
				continue
			}
			r := mir.Reg(in.Dst.Num)
			info := f.Reg(r)
			if !s.units4(info) {
				continue
			}
			x := s.access(r, b, p)
			x.never = x.never || in.NoMask
			x.fits = x.fits || x.first == p && x.block == int32(b)+1 && info.Bytes == f.Pitch(4) && in.Op != mir.OpUndef && s.fills(in, 0)
			if info.Def == 0 {
				s.several[b] = true
				if x.unit == 0 {
					x.unit = s.units
					s.units += int32(info.Bytes / f.Pitch(4))
				}
			}
		}
	}
	s.killed = reuse.Zeroed(s.killed, int(s.units))
}

// access records an access to a register at a position of a block.
func (s *inPlace) access(r mir.Reg, b int, p int32) *inPlaceReg {
	x := &s.regs[r]
	switch x.block {
	case 0:
		x.block, x.first = int32(b)+1, p
	case int32(b) + 1:
	default:
		x.block = -1
	}
	x.last = p
	return x
}

// fills reports whether an instruction writes, in all active lanes, the whole k-th unit of its destination.
func (s *inPlace) fills(in *mir.Inst, k uint32) bool {
	p := s.f.Pitch(4)
	return int(in.Exec) == s.f.Width && !in.Partial() && in.Dst.Off%p == 0 && s.f.DstBytes(in)+3 >= (k+1)*p &&
		elementBytes(&in.Dst, in.IsSend()) == 0xF
}

// span returns the units that n bytes of an operand overlap. It is empty if units of the register are of no interest.
func (s *inPlace) span(o *mir.Operand, n uint32) (first, last int32) {
	if o.File != mir.VReg || n == 0 || s.regs[o.Num].unit == 0 || s.regs[o.Num].never {
		return 1, 0
	}
	first = s.regs[o.Num].unit
	p := s.f.Pitch(4)
	return first + int32(o.Off/p), first + int32((o.Off+n-1)/p)
}

// dead finds the gaps in which units are dead, from the end of the block to its start.
func (s *inPlace) dead() {
	s.gaps = s.gaps[:0]
	for at := len(s.order) - 1; at >= 0; at-- {
		p := s.start + int32(at) + 1
		in := s.f.At(s.order[at])
		n := s.f.Bytes(in)
		first, last := s.span(&in.Dst, n.Dst)
		for u := first; u <= last; u++ {
			if s.killed[u] = 0; s.fills(in, uint32(u-first)) {
				s.killed[u] = p
			}
		}
		late := s.f.Late(in, n)
		for k := range in.Src {
			first, last := s.span(&in.Src[k], n.Src[k])
			if first == last && s.killed[first] > s.start && late == 0 {
				s.gaps = append(s.gaps, gap{from: p, to: s.killed[first], src: k})
			}
			for u := first; u <= last; u++ {
				s.killed[u] = 0
			}
		}
	}
}

// assign gives registers to the gaps of a block.
func (s *inPlace) assign(b int) {
	f := s.f
	gaps := len(s.gaps)
	for at, i := range s.order {
		p := s.start + int32(at) + 1
		in := f.At(i)
		var place *mir.Operand
		upTo := int32(0)
		for ; gaps > 0 && s.gaps[gaps-1].from == p; gaps-- {
			place, upTo = &in.Src[s.gaps[gaps-1].src], s.gaps[gaps-1].to
		}
		for k := range in.Src {
			o := &in.Src[k]
			if o.File != mir.VReg {
				continue
			}
			if x := &s.regs[o.Num]; x.to != 0 {
				o.Num, o.Off = uint32(x.to), x.off+o.Off
				if x.last == p && s.f.LateSrcs(in) == 0 {
					place, upTo = o, x.upTo
				}
			}
		}
		if in.Dst.File != mir.VReg {
			continue
		}
		d := &s.regs[in.Dst.Num]
		if d.to == 0 && place != nil && d.fits && !d.never && d.block == int32(b)+1 && d.first == p && s.within(d, upTo) {
			d.to, d.off, d.upTo = mir.Reg(place.Num), place.Off/f.Pitch(4)*f.Pitch(4), upTo
			f.Reg(mir.Reg(in.Dst.Num)).Def = 0
		}
		if d.to != 0 {
			in.Dst.Num, in.Dst.Off = uint32(d.to), d.off+in.Dst.Off
		}
	}
}

// within reports whether the accesses to a register end before a position, or are in order with the write there.
func (s *inPlace) within(d *inPlaceReg, to int32) bool {
	return d.last < to || d.last == to && s.f.LateSrcs(s.f.At(s.order[to-s.start-1])) == 0
}
