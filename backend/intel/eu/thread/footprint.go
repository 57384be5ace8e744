// SPDX-License-Identifier: MIT

package thread

// Span is a set of register bytes: bit i of Mask[k] is byte i of register Reg+k. A span of more than two
// registers consists of whole registers.
type Span struct {
	Mask [2]uint64
	Reg  uint8
	Regs uint8 // number of registers touched; 0 if the span is empty
}

// Overlaps reports whether two spans have a byte in common.
func (s Span) Overlaps(b Span) bool {
	if s.Regs == 0 || b.Regs == 0 || s.Reg >= b.Reg+b.Regs || b.Reg >= s.Reg+s.Regs {
		return false
	}
	if s.Regs > 2 || b.Regs > 2 {
		return true
	}
	switch int(s.Reg) - int(b.Reg) {
	case 0:
		return s.Mask[0]&b.Mask[0]|s.Mask[1]&b.Mask[1] != 0
	case 1:
		return s.Mask[0]&b.Mask[1] != 0
	case -1:
		return s.Mask[1]&b.Mask[0] != 0
	}
	return true
}

// WholeWords adds the other byte of each word in the span.
func (s *Span) WholeWords() {
	const low = 0x5555555555555555
	for k, m := range s.Mask {
		s.Mask[k] = m | m&low<<1 | m>>1&low
	}
}

// Footprint is the set of registers that an instruction reads and writes.
type Footprint struct {
	Dst      Span
	Dst2     Span // the remainder of an integer division
	Src      [3]Span
	Indirect bool  // the registers of some operand depend on a0
	ReadsA0  bool  // a0 is used as an address or a descriptor
	Ctrl     bool  // writes an architecture register that the next instruction must wait for
	Nsrc     uint8 // spans in Src
}

// WholeRegs returns the span of n whole registers. It is empty if n is not positive or reg is not a general register.
func WholeRegs(reg, n int) Span {
	if n <= 0 || reg >= NumGRF {
		return Span{}
	}
	m := [2]uint64{^uint64(0)}
	if n > 1 {
		m[1] = ^uint64(0)
	}
	return Span{Mask: m, Reg: uint8(reg), Regs: uint8(n)}
}

// WholeA0 is the span of a0.
var WholeA0 = Span{Mask: [2]uint64{^uint64(0)}, Reg: A0Reg, Regs: 1}

// Add adds size bytes at byte address at of the file of registers of grf bytes to the span. The first bytes determine its
// register. Add ignores bytes that belong neither to a general register nor to a0, or that are not in the two registers
// from there.
func (s *Span) Add(grf, at, size int) {
	reg := at / grf
	if at >= A0Base && at < A0Base+a0Size {
		reg, at = A0Reg, at-A0Base+A0Reg*grf
	} else if at >= GrfEnd {
		return
	}
	if s.Regs == 0 {
		s.Reg = uint8(reg)
	}
	off := at - int(s.Reg)*grf
	if off < 0 || off+size > 2*grf {
		return
	}
	bytes := uint64(1)<<size - 1
	if off < grf {
		s.Mask[0] |= bytes << off & (1<<grf - 1)
		s.Mask[1] |= bytes >> (grf - off)
	} else {
		s.Mask[1] |= bytes << (off - grf)
	}
	s.Regs = 1
	if s.Mask[1] != 0 {
		s.Regs = 2
	}
}
