package eu

import "jacquard.example/generated/isa"

// span is a set of register bytes: bit i of mask is byte i from the start of register reg. Long spans, which
// belong to messages, consist of whole registers.
type span struct {
	mask uint64
	reg  uint8
	regs uint8 // number of registers touched; 0 if the span is empty
}

func (s span) overlaps(b span) bool {
	if s.regs == 0 || b.regs == 0 || s.reg >= b.reg+b.regs || b.reg >= s.reg+s.regs {
		return false
	}
	if s.regs > 2 || b.regs > 2 {
		return true
	}
	switch int(s.reg) - int(b.reg) {
	case 0:
		return s.mask&b.mask != 0
	case 1:
		return s.mask&(b.mask>>32) != 0
	case -1:
		return s.mask>>32&b.mask != 0
	}
	return true
}

// footprint is the set of registers that an instruction reads and writes.
type footprint struct {
	dst      span
	dst2     span // the remainder of an integer division
	src      [3]span
	indirect bool  // the registers of some operand depend on a0
	readsA0  bool  // a0 is used as an address or a descriptor
	ctrl     bool  // writes an architecture register that the next instruction must wait for
	nsrc     uint8 // spans in src
}

// wholeRegs returns the span of n whole registers.
func wholeRegs(reg, n int) span {
	if n <= 0 || reg >= numGRF {
		return span{}
	}
	m := ^uint64(0)
	if n == 1 {
		m = 1<<32 - 1
	}
	return span{mask: m, reg: uint8(reg), regs: uint8(n)}
}

// add adds size bytes at byte address at of the register file to the span, which starts at register reg.
func (s *span) add(at, size int) {
	reg := at / grfSize
	if at >= a0Base && at < a0Base+a0Size {
		reg, at = a0Reg, at-a0Base+a0Reg*grfSize
	} else if at >= grfEnd {
		return
	}
	if s.regs == 0 {
		s.reg = uint8(reg)
	}
	off := at - int(s.reg)*grfSize
	if off < 0 || off+size > 64 {
		return
	}
	s.mask |= (1<<size - 1) << off
	s.regs = 1
	if s.mask>>32 != 0 {
		s.regs = 2
	}
}

// footprints records the registers that an ALU, math or flow instruction uses.
func (o *op) footprints(in *isa.Inst) {
	f := &o.foot
	*f = footprint{nsrc: o.nsrc}
	if o.kind == kindFlow && in.Op != isa.OpJmpi {
		f.nsrc = 0
		return
	}
	for k := 0; k < int(o.nsrc); k++ {
		s := &o.src[k]
		switch s.kind {
		case srcIndirect:
			f.indirect, f.readsA0 = true, true
		case srcScalar, srcPacked, srcRegion:
			for i := 0; i < int(o.n); i++ {
				f.src[k].add(int(s.base)+int(s.tab[i]), s.typ.Size())
			}
		}
	}
	d := &o.dst
	if o.kind == kindFlow || d.null {
		return
	}
	if d.indirect {
		f.indirect, f.readsA0 = true, true
		return
	}
	for i := 0; i < int(o.n); i++ {
		if o.written>>i&1 != 0 {
			f.dst.add(int(d.base)+i*int(d.stride), d.typ.Size())
		}
	}
	if o.kind == kindMath && in.Math == isa.MathIDiv {
		step := max(grfSize, int(o.n)*int(d.stride))
		for i := 0; i < int(o.n); i++ {
			f.dst2.add(int(d.base)+step+i*int(d.stride), d.typ.Size())
		}
	}
	switch d.arf {
	case arfSR, arfCR, arfTM, arfAccHigh, arfOther:
		f.ctrl = true
	}
}

// callFootprint records the register pair of a call or ret.
func (o *op) callFootprint() {
	f := &o.foot
	*f = footprint{}
	if o.op == isa.OpRet {
		f.nsrc = 1
		f.src[0].add(int(o.dst.base), 8)
	} else {
		f.dst.add(int(o.dst.base), 8)
	}
}

// resolve determines the registers of indirect operands in this execution: for each operand, the hull of the
// registers of the running lanes.
func (t *Thread) resolve(o *op, f *footprint) bool {
	if o.kind == kindSend { // its lengths are in a0
		m, err := t.message(o)
		if err == nil {
			*f, err = o.send.footprint(t.prog.machine, m)
		}
		if err != nil {
			t.fault(o, err)
			return false
		}
		f.readsA0 = true
		return true
	}
	mask := t.mask(o)
	if o.kind == kindALU || o.kind == kindMath {
		for k := 0; k < int(o.nsrc); k++ {
			if o.src[k].kind != srcIndirect {
				continue
			}
			if !t.lanes(o, k, mask) {
				return false
			}
			f.src[k] = t.hull(func(i int) int { return int(t.addr[k][i]) }, o, mask, o.src[k].typ.Size())
		}
		if o.dst.indirect && mask != 0 {
			at, ok := t.dstAddr(o)
			if !ok {
				return false
			}
			f.dst = t.hull(func(i int) int { return at + i*int(o.dst.stride) }, o, mask, o.dst.typ.Size())
		}
	}
	return true
}

func (t *Thread) hull(at func(int) int, o *op, mask uint32, size int) span {
	lo, hi := grfEnd, 0
	for i := 0; i < int(o.n); i++ {
		if mask>>i&1 != 0 {
			lo, hi = min(lo, at(i)), max(hi, at(i)+size)
		}
	}
	if lo >= hi {
		return span{}
	}
	first := lo / grfSize
	if n := (hi-1)/grfSize - first + 1; n > 2 {
		return wholeRegs(first, n)
	}
	var s span
	for i := 0; i < int(o.n); i++ {
		if a := at(i); mask>>i&1 != 0 {
			if s.regs == 0 {
				s.reg = uint8(first)
				s.regs = 1
			}
			s.mask |= (1<<size - 1) << (a - first*grfSize)
			if s.mask>>32 != 0 {
				s.regs = 2
			}
		}
	}
	return s
}
