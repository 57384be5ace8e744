// SPDX-License-Identifier: MIT

package thread

// Span is a set of register bytes: bit i of Mask is byte i from the start of register Reg. A span of more than two
// registers consists of whole registers.
type Span struct {
	Mask uint64
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
		return s.Mask&b.Mask != 0
	case 1:
		return s.Mask&(b.Mask>>32) != 0
	case -1:
		return s.Mask>>32&b.Mask != 0
	}
	return true
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
	m := ^uint64(0)
	if n == 1 {
		m = 1<<32 - 1
	}
	return Span{Mask: m, Reg: uint8(reg), Regs: uint8(n)}
}

// Add adds size bytes at byte address at of the register file to the span. The first bytes determine its register. Add
// ignores bytes that belong neither to a general register nor to a0, or that are not in the two registers from there.
func (s *Span) Add(at, size int) {
	reg := at / GRFSize
	if at >= A0Base && at < A0Base+a0Size {
		reg, at = A0Reg, at-A0Base+A0Reg*GRFSize
	} else if at >= GrfEnd {
		return
	}
	if s.Regs == 0 {
		s.Reg = uint8(reg)
	}
	off := at - int(s.Reg)*GRFSize
	if off < 0 || off+size > 64 {
		return
	}
	s.Mask |= (1<<size - 1) << off
	s.Regs = 1
	if s.Mask>>32 != 0 {
		s.Regs = 2
	}
}
