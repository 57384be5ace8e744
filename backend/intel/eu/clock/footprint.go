// SPDX-License-Identifier: MIT

package clock

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// Footprints records the registers that an ALU, math or flow instruction of a program uses.
func Footprints(p *thread.Program, o *thread.Op, in *isa.Inst) {
	f := &o.Foot
	*f = thread.Footprint{Nsrc: o.Nsrc}
	if o.Kind == thread.KindFlow && in.Op != isa.OpJmpi {
		f.Nsrc = 0
		return
	}
	for k := 0; k < int(o.Nsrc); k++ {
		s := &o.Src[k]
		switch s.Kind {
		case thread.SrcIndirect:
			f.Indirect, f.ReadsA0 = true, true
		case thread.SrcScalar, thread.SrcPacked, thread.SrcRegion:
			for i := 0; i < int(o.N); i++ {
				f.Src[k].Add(p.GRF, int(s.Base)+int(s.Tab[i]), s.Typ.Size())
			}
		}
	}
	d := &o.Dst
	if o.Kind == thread.KindFlow || d.Null {
		return
	}
	if d.Indirect {
		f.Indirect, f.ReadsA0 = true, true
		return
	}
	for i := 0; i < int(o.N); i++ {
		if o.Written>>i&1 != 0 {
			f.Dst.Add(p.GRF, int(d.Base)+i*int(d.Stride), d.Typ.Size())
		}
	}
	if d.Typ.Size() == 1 && p.Machine.Registers.Words {
		f.Dst.WholeWords()
	}
	if o.Kind == thread.KindMath && in.Math == isa.MathIDiv {
		step := max(p.GRF, int(o.N)*int(d.Stride))
		for i := 0; i < int(o.N); i++ {
			f.Dst2.Add(p.GRF, int(d.Base)+step+i*int(d.Stride), d.Typ.Size())
		}
	}
	switch d.Arf {
	case thread.ArfAccHigh:
		f.Ctrl = !o.Piped // IGC relies on the hardware for all accumulators of dg2
	case thread.ArfSR, thread.ArfCR, thread.ArfTM, thread.ArfOther:
		f.Ctrl = true
	}
}

// CallFootprint records the register pair of a call or ret.
func CallFootprint(p *thread.Program, o *thread.Op) {
	f := &o.Foot
	*f = thread.Footprint{}
	if o.Op == isa.OpRet {
		f.Nsrc = 1
		f.Src[0].Add(p.GRF, int(o.Dst.Base), 8)
	} else {
		f.Dst.Add(p.GRF, int(o.Dst.Base), 8)
	}
}

// resolve determines the registers of a message whose lengths are in a0, or of indirect operands in this execution: the
// bytes of the running lanes or, if these spread over more than two registers, all registers from the first to the last.
// It returns false after a fault.
func resolve(t *thread.Thread, o *thread.Op, f *thread.Footprint) bool {
	if o.Kind == thread.KindSend { // its lengths are in a0
		m, err := t.Message(o)
		if err == nil {
			*f, err = o.Send.Footprint(t.Prog.Machine, m)
		}
		if err != nil {
			t.Fault(o, err)
			return false
		}
		f.ReadsA0 = true
		return true
	}
	mask := t.Mask(o)
	if o.Kind == thread.KindALU || o.Kind == thread.KindMath {
		for k := 0; k < int(o.Nsrc); k++ {
			if o.Src[k].Kind != thread.SrcIndirect {
				continue
			}
			if !t.Lanes(o, k, mask) {
				return false
			}
			f.Src[k] = hull(t, func(i int) int { return int(t.Addr[k][i]) }, o, mask, o.Src[k].Typ.Size())
		}
		if o.Dst.Indirect && mask != 0 {
			at, ok := t.DstAddr(o)
			if !ok {
				return false
			}
			f.Dst = hull(t, func(i int) int { return at + i*int(o.Dst.Stride) }, o, mask, o.Dst.Typ.Size())
			if o.Dst.Typ.Size() == 1 && t.Prog.Machine.Registers.Words {
				f.Dst.WholeWords()
			}
		}
	}
	return true
}

func hull(t *thread.Thread, at func(int) int, o *thread.Op, mask uint32, size int) thread.Span {
	lo, hi, grf := thread.GrfEnd, 0, t.Prog.GRF
	for i := 0; i < int(o.N); i++ {
		if mask>>i&1 != 0 {
			lo, hi = min(lo, at(i)), max(hi, at(i)+size)
		}
	}
	if lo >= hi {
		return thread.Span{}
	}
	first := lo / grf
	if n := (hi-1)/grf - first + 1; n > 2 {
		return thread.WholeRegs(first, n)
	}
	var s thread.Span
	for i := 0; i < int(o.N); i++ {
		if mask>>i&1 != 0 {
			if s.Regs == 0 {
				s.Reg, s.Regs = uint8(first), 1
			}
			s.Add(grf, at(i), size)
		}
	}
	return s
}
