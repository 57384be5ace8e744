// SPDX-License-Identifier: MIT

package thread

import (
	"encoding/binary"
	"math"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// srcKind is the layout of a source's lanes in the register file.
type srcKind uint8

const (
	srcNone     srcKind = iota
	SrcImm              // values expanded at load time
	SrcScalar           // one element for all lanes
	SrcPacked           // consecutive elements
	SrcRegion           // elements at a table of byte offsets
	SrcIndirect         // addresses from a0
)

// srcOp is a predecoded source.
type srcOp struct {
	Kind     srcKind
	Typ      isa.Type
	Neg, Abs bool
	Logic    bool // neg means bitwise not
	denormal bool // an immediate that is a denormal
	Arf      arfKind
	Base     int32        // first byte in the register file
	Tab      *[32]uint16  // byte offset of each lane from base
	ImmI     *[32]int64   // modifiers applied
	ImmF     *[32]float32 // likewise
	Imm      uint32       // raw bits, for messages and branches

	// Register-indirect: lane i reads its address from a0 word sub+i/group.
	sub   uint8
	group uint8
	addr  int32
}

// dstOp is a predecoded destination.
type dstOp struct {
	Typ      isa.Type
	Null     bool
	Packed   bool
	Indirect bool
	sub      uint8
	Arf      arfKind
	Base     int32
	addr     int32
	Stride   int32 // bytes between lanes
	accIdx   int8  // first wide accumulator element, or -1 if not an accumulator
}

// RegionKey identifies a table of lane offsets.
type RegionKey struct {
	size, v, w, h, n uint8
	swizzle          fields.Swizzle
}

// region returns the byte offsets of the elements of <v;w,h> by lane.
func (p *Program) region(k RegionKey) *[32]uint16 {
	if t := p.Tabs[k]; t != nil {
		return t
	}
	t := new([32]uint16)
	for i := 0; i < int(k.n); i++ {
		element := k.swizzle.Lane(i)
		row, col := element/int(k.w), element%int(k.w)
		t[i] = uint16((row*int(k.v) + col*int(k.h)) * int(k.size))
	}
	p.Tabs[k] = t
	return t
}

// Source predecodes source k of an instruction.
func (p *Program) Source(o *Op, in *isa.Inst, k int, ternary bool) *OpError {
	s, a := &o.Src[k], &in.Src[k]
	s.Typ, s.Neg, s.Abs = a.Type, a.Neg, a.Abs
	s.Logic = IsLogic(in.Op) && !p.Machine.Can(target.LogicNegates)
	if err := p.valid(a.Type); err != nil {
		return err
	}
	switch a.File {
	case isa.FileImm:
		if in.Align16 && (a.Type == isa.TypeV || a.Type == isa.TypeUV) {
			return Operr(FaultOperand, "source %d is a vector of integers, which Align16 does not take", k)
		}
		s.Kind = SrcImm
		step := elementStep(in, a)
		if step > 1 && (int(o.N)-1)*step > 7 {
			return Operr(FaultOperand, "the immediate vector has no element for lane %d of a destination with so wide a stride", o.N-1)
		}
		s.SetImm(a, step)
		s.Typ = a.Type.Elem()
		for _, v := range s.ImmF {
			s.denormal = s.denormal || v != 0 && math.Abs(float64(v)) < s.least()
		}
		return nil
	case isa.FileGRF, isa.FileARF:
	default:
		return Operr(FaultOperand, "source %d is missing", k)
	}
	size := a.Type.Size()
	v, w, h := a.VStride, a.Width, a.HStride
	if ternary {
		// <v;h>: the rows are v/h wide; source 2 is the single row <h>.
		switch {
		case k == 2 || h != 0 && v == 0:
			v, w = 0, 32
			if h == 0 {
				w = 1
			}
		case h == 0:
			w = 1
		default:
			w = v / h
			if w == 0 {
				return Operr(FaultOperand, "source %d has an invalid region <%d;%d>", k, v, h)
			}
		}
	}
	if in.Align16 && v != 0 && v != 4 && size < 8 {
		return Operr(FaultOperand, "source %d has rows %d elements apart; in Align16 they are 4 or 0 apart", k, v)
	}
	if a.Indirect {
		if in.Align16 {
			return Operr(FaultUnsupported, "indirect operands in Align16 are not supported yet")
		}
		s.Kind = SrcIndirect
		s.sub, s.addr, s.group = a.AddrSub, int32(a.AddrOff), 32
		if v == isa.VStrideVxH {
			if w == 0 {
				return Operr(FaultOperand, "indirect source %d has a region of width 0", k)
			}
			s.group = w
			v = 0
		}
		if w == 0 {
			return Operr(FaultOperand, "source %d has an invalid region <%d;%d,%d>", k, v, w, h)
		}
		if int(s.sub)+(int(o.N)-1)/int(s.group) > 15 {
			return Operr(FaultOperand, "source %d needs address words beyond a0.15", k)
		}
		s.Tab = p.region(RegionKey{uint8(size), v, w, h, o.N, 0})
		return nil
	}
	if v == isa.VStrideVxH {
		return Operr(FaultOperand, "a direct source %d cannot have the region VxH", k)
	}
	if w == 0 || !ternary && int(w) > int(o.N) && !(h == 0 && v == 0) {
		return Operr(FaultOperand, "source %d has a region <%d;%d,%d> that %d lanes cannot have", k, v, w, h, o.N)
	}
	s.Tab = p.region(RegionKey{uint8(size), v, w, h, o.N, a.Swizzle})
	last, packed, scalar := 0, true, true
	for i := 0; i < int(o.N); i++ {
		off := int(s.Tab[i])
		last = max(last, off)
		packed = packed && off == i*size
		scalar = scalar && off == 0
	}
	base, limit, arf, err := p.place(a, k)
	if err != nil {
		return err
	}
	if int(a.Sub)%size != 0 {
		return Operr(FaultOperand, "source %d is not aligned to its type", k)
	}
	if base+last+size > limit {
		return Operr(FaultOperand, "source %d ends past the last register", k)
	}
	if a.File == isa.FileGRF && base/p.GRF+1 < (base+last)/p.GRF {
		return Operr(FaultOperand, "source %d spans more than two registers", k)
	}
	s.Base, s.Arf = int32(base), arf
	switch {
	case scalar:
		s.Kind = SrcScalar
	case packed:
		s.Kind = SrcPacked
	default:
		s.Kind = SrcRegion
	}
	return nil
}

// place returns the position of a direct operand in the register file.
func (p *Program) place(a *isa.Operand, k int) (base, limit int, arf arfKind, err *OpError) {
	if a.File == isa.FileGRF {
		if int(a.Reg) >= p.Machine.Registers.Registers || int(a.Sub) >= p.GRF {
			return 0, 0, 0, Operr(FaultOperand, "there is no register r%d.%d", a.Reg, a.Sub)
		}
		return int(a.Reg)*p.GRF + int(a.Sub), p.End, ArfNone, nil
	}
	b, size, kind, ok := arfSlot(a.Reg, p.Machine)
	if !ok {
		return 0, 0, 0, Operr(FaultOperand, "architecture register 0x%02x is not modeled", a.Reg)
	}
	return b + int(a.Sub), b + size, kind, nil
}

// elementStep returns the distance, in elements, of neighboring lanes in an immediate vector of integers. The
// elements are words at the positions of the destination's lanes: if the destination has doublewords, lanes
// take every second element. The documents require destinations of words. Intel's OpenCL compiler also emits other
// destinations, for Gen9 to Gen12.1 (0x8080400:uv for the offsets 0, 4, 8 of doublewords).
func elementStep(in *isa.Inst, a *isa.Operand) int {
	if d := &in.Dst; (a.Type == isa.TypeV || a.Type == isa.TypeUV) && d.File == isa.FileGRF && !d.Indirect {
		return max(1, int(d.HStride)*d.Type.Size()/2)
	}
	return 1
}

// SetImm expands an immediate to one value per lane and applies the modifiers. step comes from elementStep.
func (s *srcOp) SetImm(a *isa.Operand, step int) {
	vi, vf := new([32]int64), new([32]float32)
	s.Imm = uint32(a.Imm)
	for i := range vi {
		switch a.Type {
		case isa.TypeUB:
			vi[i] = int64(uint8(a.Imm))
		case isa.TypeB:
			vi[i] = int64(int8(a.Imm))
		case isa.TypeUW:
			vi[i] = int64(uint16(a.Imm))
		case isa.TypeW:
			vi[i] = int64(int16(a.Imm))
		case isa.TypeUD:
			vi[i] = int64(uint32(a.Imm))
		case isa.TypeUQ, isa.TypeQ, isa.TypeDF: // the bits of the float, for DF
			vi[i] = int64(a.Imm)
		case isa.TypeD:
			vi[i] = int64(int32(a.Imm))
		case isa.TypeUV:
			vi[i] = int64(a.Imm >> (i * step % 8 * 4) & 15)
		case isa.TypeV:
			vi[i] = int64(int8(a.Imm>>(i*step%8*4)<<4) >> 4)
		case isa.TypeF:
			vf[i] = math.Float32frombits(uint32(a.Imm))
		case isa.TypeHF:
			vf[i] = Half32(uint16(a.Imm))
		case isa.TypeVF:
			vf[i] = vf32(uint8(a.Imm >> (i % 4 * 8)))
		}
	}
	s.ImmI, s.ImmF = vi, vf
	if a.Type != isa.TypeDF {
		s.modI(vi, 32)
	}
	s.modF(vf, 32)
}

// least returns the smallest normal number of the source's type.
func (s *srcOp) least() float64 {
	if s.Typ == isa.TypeHF {
		return 0x1p-14
	}
	return 0x1p-126
}

// modI applies the source modifiers to the first n values.
func (s *srcOp) modI(r *[32]int64, n int) {
	if s.Abs {
		for i := range r[:n] {
			if r[i] < 0 {
				r[i] = -r[i]
			}
		}
	}
	if s.Neg {
		if s.Logic {
			for i := range r[:n] {
				r[i] = ^r[i]
			}
			return
		}
		for i := range r[:n] {
			r[i] = -r[i]
		}
	}
}

func (s *srcOp) modF(r *[32]float32, n int) {
	if s.Abs {
		for i := range r[:n] {
			r[i] = math.Float32frombits(math.Float32bits(r[i]) &^ 0x80000000)
		}
	}
	if s.Neg {
		for i := range r[:n] {
			r[i] = math.Float32frombits(math.Float32bits(r[i]) ^ 0x80000000)
		}
	}
}

// Lanes computes the byte address of each lane of an indirect source into t.Addr[k]. It returns false after a fault. Under
// the strict rules, addresses of inactive lanes must be valid as well, as hardware requires from Gen11 on (Mesa therefore
// initializes all of them); Intel's OpenCL compiler does not keep to this.
func (t *Thread) Lanes(o *Op, k int, mask uint32) bool {
	s := &o.Src[k]
	size := int32(s.Typ.Size())
	for i := 0; i < int(o.N); i++ {
		a0 := int32(binary.LittleEndian.Uint16(t.Reg[A0Base+2*(int(s.sub)+i/int(s.group)):]))
		off := a0 + s.addr + int32(s.Tab[i])
		if s.group != 32 {
			off = a0 + s.addr + int32(s.Tab[i%int(s.group)])
		}
		if off < 0 || off+size > int32(t.Prog.End) || off%size != 0 {
			if mask>>i&1 != 0 || t.Opts.Hazards == HazardsStrict {
				t.Faultf(o, FaultOperand, "lane %d: source %d reads byte %d of the registers, type %s", i, k, off, s.Typ)
				return false
			}
			off = 0
		}
		t.Addr[k][i] = uint16(off)
	}
	return true
}

// LoadI reads source k as integers.
func (t *Thread) LoadI(o *Op, k int) *[32]int64 {
	s := &o.Src[k]
	if s.Kind == SrcImm {
		return s.ImmI
	}
	r := &t.BufI[k]
	n := int(o.N)
	if s.Arf != ArfNone {
		t.fetchARF(s.Arf, o)
	}
	switch s.Kind {
	case SrcScalar:
		v := t.IntAt(int(s.Base), s.Typ)
		for i := range r[:n] {
			r[i] = v
		}
	case SrcPacked:
		b := t.Reg[s.Base:]
		switch s.Typ {
		case isa.TypeD:
			for i := range r[:n] {
				r[i] = int64(int32(binary.LittleEndian.Uint32(b[4*i:])))
			}
		case isa.TypeUD:
			for i := range r[:n] {
				r[i] = int64(binary.LittleEndian.Uint32(b[4*i:]))
			}
		case isa.TypeUW:
			for i := range r[:n] {
				r[i] = int64(binary.LittleEndian.Uint16(b[2*i:]))
			}
		case isa.TypeW:
			for i := range r[:n] {
				r[i] = int64(int16(binary.LittleEndian.Uint16(b[2*i:])))
			}
		default:
			for i := range r[:n] {
				r[i] = t.IntAt(int(s.Base)+i*s.Typ.Size(), s.Typ)
			}
		}
	case SrcIndirect:
		for i := range r[:n] {
			r[i] = t.IntAt(int(t.Addr[k][i]), s.Typ)
		}
	default:
		for i := range r[:n] {
			r[i] = t.IntAt(int(s.Base)+int(s.Tab[i]), s.Typ)
		}
	}
	if s.Neg || s.Abs {
		s.modI(r, n)
	}
	return r
}

// IntAt reads one element of an integer type.
func (t *Thread) IntAt(at int, typ isa.Type) int64 {
	switch typ {
	case isa.TypeUB:
		return int64(t.Reg[at])
	case isa.TypeB:
		return int64(int8(t.Reg[at]))
	case isa.TypeUW:
		return int64(binary.LittleEndian.Uint16(t.Reg[at:]))
	case isa.TypeW:
		return int64(int16(binary.LittleEndian.Uint16(t.Reg[at:])))
	case isa.TypeUD:
		return int64(binary.LittleEndian.Uint32(t.Reg[at:]))
	case isa.TypeUQ, isa.TypeQ:
		return int64(binary.LittleEndian.Uint64(t.Reg[at:]))
	}
	return int64(int32(binary.LittleEndian.Uint32(t.Reg[at:])))
}

// LoadF reads source k as floats; float16 is widened. Denormals are flushed according to cr0, except in a raw
// move or select.
func (t *Thread) LoadF(o *Op, k int, raw bool) *[32]float32 {
	s := &o.Src[k]
	r := &t.BufF[k]
	n := int(o.N)
	if s.Kind == SrcImm {
		flush := t.Flush32
		if s.Typ == isa.TypeHF {
			flush = t.Flush16
		}
		if !s.denormal || raw || !flush {
			return s.ImmF
		}
		for i := range r[:n] {
			r[i] = 0
			if v := s.ImmF[i]; math.Abs(float64(v)) >= s.least() || v != v {
				r[i] = v
			} else if math.Signbit(float64(v)) {
				r[i] = float32(math.Copysign(0, -1))
			}
		}
		return r
	}
	if s.Typ == isa.TypeF {
		switch s.Kind {
		case SrcScalar:
			v := math.Float32frombits(binary.LittleEndian.Uint32(t.Reg[s.Base:]))
			for i := range r[:n] {
				r[i] = v
			}
		case SrcPacked:
			b := t.Reg[s.Base:]
			for i := range r[:n] {
				r[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
			}
		case SrcIndirect:
			for i := range r[:n] {
				r[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.Reg[t.Addr[k][i]:]))
			}
		default:
			for i := range r[:n] {
				r[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.Reg[int(s.Base)+int(s.Tab[i]):]))
			}
		}
		if t.Flush32 && !raw {
			for i := range r[:n] {
				r[i] = flushDenorm32(r[i])
			}
		}
	} else {
		for i := range r[:n] {
			at := int(s.Base) + int(s.Tab[i])
			if s.Kind == SrcIndirect {
				at = int(t.Addr[k][i])
			}
			h := binary.LittleEndian.Uint16(t.Reg[at:])
			if t.Flush16 && !raw && h&0x7C00 == 0 {
				h &= 0x8000
			}
			r[i] = Half32(h)
		}
	}
	if s.Neg || s.Abs {
		s.modF(r, n)
	}
	return r
}
