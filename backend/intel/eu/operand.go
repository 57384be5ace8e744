package eu

import (
	"encoding/binary"
	"math"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// srcKind is the layout of a source's lanes in the register file.
type srcKind uint8

const (
	srcNone     srcKind = iota
	srcImm              // values expanded at load time
	srcScalar           // one element for all lanes
	srcPacked           // consecutive elements
	srcRegion           // elements at a table of byte offsets
	srcIndirect         // addresses from a0
)

// srcOp is a predecoded source.
type srcOp struct {
	kind     srcKind
	typ      isa.Type
	neg, abs bool
	logic    bool // neg means bitwise not
	denormal bool // an immediate that is a denormal
	arf      arfKind
	base     int32        // first byte in the register file
	tab      *[32]uint16  // byte offset of each lane from base
	immI     *[32]int64   // modifiers applied
	immF     *[32]float32 // likewise
	imm      uint32       // raw bits, for messages and branches

	// Register-indirect: lane i reads its address from a0 word sub+i/group.
	sub   uint8
	group uint8
	addr  int32
}

// dstOp is a predecoded destination.
type dstOp struct {
	typ      isa.Type
	null     bool
	packed   bool
	indirect bool
	sub      uint8
	arf      arfKind
	base     int32
	addr     int32
	stride   int32 // bytes between lanes
	accIdx   int8  // first wide accumulator element, -1 if not an accumulator
}

// regionKey identifies a table of lane offsets.
type regionKey struct {
	size, v, w, h, n uint8
	swizzle          fields.Swizzle
}

// region returns the byte offsets of the elements of <v;w,h> by lane.
func (p *Program) region(k regionKey) *[32]uint16 {
	if t := p.tabs[k]; t != nil {
		return t
	}
	t := new([32]uint16)
	for i := 0; i < int(k.n); i++ {
		element := k.swizzle.Lane(i)
		row, col := element/int(k.w), element%int(k.w)
		t[i] = uint16((row*int(k.v) + col*int(k.h)) * int(k.size))
	}
	p.tabs[k] = t
	return t
}

// source predecodes source k of an instruction.
func (p *Program) source(o *op, in *isa.Inst, k int, ternary bool) *opError {
	s, a := &o.src[k], &in.Src[k]
	s.typ, s.neg, s.abs = a.Type, a.Neg, a.Abs
	s.logic = isLogic(in.Op)
	if err := p.valid(a.Type); err != nil {
		return err
	}
	switch a.File {
	case isa.FileImm:
		s.kind = srcImm
		step := elementStep(in, a)
		if step > 1 && (int(o.n)-1)*step > 7 {
			return operr(FaultOperand, "the immediate vector has no element for lane %d of a destination with so wide a stride", o.n-1)
		}
		s.setImm(a, step)
		s.typ = a.Type.Elem()
		for _, v := range s.immF {
			s.denormal = s.denormal || v != 0 && math.Abs(float64(v)) < s.least()
		}
		return nil
	case isa.FileGRF, isa.FileARF:
	default:
		return operr(FaultOperand, "source %d is missing", k)
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
				return operr(FaultOperand, "region <%d;%d> of source %d", v, h, k)
			}
		}
	}
	if a.Indirect {
		s.kind = srcIndirect
		s.sub, s.addr, s.group = a.AddrSub, int32(a.AddrOff), 32
		if v == isa.VStrideVxH {
			if w == 0 {
				return operr(FaultOperand, "indirect region of width 0")
			}
			s.group = w
			v = 0
		}
		if w == 0 {
			return operr(FaultOperand, "region <%d;%d,%d> of source %d", v, w, h, k)
		}
		if int(s.sub)+(int(o.n)-1)/int(s.group) > 15 {
			return operr(FaultOperand, "source %d needs address words beyond a0.15", k)
		}
		s.tab = p.region(regionKey{uint8(size), v, w, h, o.n, 0})
		return nil
	}
	if v == isa.VStrideVxH {
		return operr(FaultOperand, "a direct source %d cannot have the region VxH", k)
	}
	if w == 0 || !ternary && int(w) > int(o.n) && !(h == 0 && v == 0) {
		return operr(FaultOperand, "region <%d;%d,%d> of source %d with %d lanes", v, w, h, k, o.n)
	}
	s.tab = p.region(regionKey{uint8(size), v, w, h, o.n, a.Swizzle})
	last, packed, scalar := 0, true, true
	for i := 0; i < int(o.n); i++ {
		off := int(s.tab[i])
		last = max(last, off)
		packed = packed && off == i*size
		scalar = scalar && off == 0
	}
	base, limit, arf, err := place(a, k)
	if err != nil {
		return err
	}
	if int(a.Sub)%size != 0 {
		return operr(FaultOperand, "source %d is not aligned to its type", k)
	}
	if base+last+size > limit {
		return operr(FaultOperand, "source %d ends past the last register", k)
	}
	if a.File == isa.FileGRF && base/grfSize+1 < (base+last)/grfSize {
		return operr(FaultOperand, "source %d spans more than two registers", k)
	}
	s.base, s.arf = int32(base), arf
	switch {
	case scalar:
		s.kind = srcScalar
	case packed:
		s.kind = srcPacked
	default:
		s.kind = srcRegion
	}
	return nil
}

// place returns the position of a direct operand in the register file.
func place(a *isa.Operand, k int) (base, limit int, arf arfKind, err *opError) {
	if a.File == isa.FileGRF {
		if a.Reg >= numGRF || a.Sub >= grfSize {
			return 0, 0, 0, operr(FaultOperand, "there is no register r%d.%d", a.Reg, a.Sub)
		}
		return int(a.Reg)*grfSize + int(a.Sub), grfEnd, arfNone, nil
	}
	b, size, kind, ok := arfSlot(a.Reg)
	if !ok {
		return 0, 0, 0, operr(FaultOperand, "architecture register 0x%02x is not modeled", a.Reg)
	}
	return b + int(a.Sub), b + size, kind, nil
}

// elementStep returns the distance, in elements, of neighbouring lanes in an immediate vector of integers. The
// elements are words at the positions of the destination's lanes: if the destination has doublewords, lanes
// take every second element. The documents require destinations of words. Intel's OpenCL compiler also emits
// other ones, for Gen9 to Gen12.1 (0x8080400:uv for the offsets 0, 4, 8 of doublewords).
func elementStep(in *isa.Inst, a *isa.Operand) int {
	if d := &in.Dst; (a.Type == isa.TypeV || a.Type == isa.TypeUV) && d.File == isa.FileGRF && !d.Indirect {
		return max(1, int(d.HStride)*d.Type.Size()/2)
	}
	return 1
}

// setImm expands an immediate to one value per lane and applies the modifiers. step comes from elementStep.
func (s *srcOp) setImm(a *isa.Operand, step int) {
	vi, vf := new([32]int64), new([32]float32)
	s.imm = uint32(a.Imm)
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
		case isa.TypeUQ, isa.TypeQ, isa.TypeDF: // bits of a float
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
			vf[i] = half32(uint16(a.Imm))
		case isa.TypeVF:
			vf[i] = vf32(uint8(a.Imm >> (i % 4 * 8)))
		}
	}
	s.immI, s.immF = vi, vf
	if a.Type != isa.TypeDF {
		s.modI(vi, 32)
	}
	s.modF(vf, 32)
}

// least returns the smallest normal number of the source's type.
func (s *srcOp) least() float64 {
	if s.typ == isa.TypeHF {
		return 0x1p-14
	}
	return 0x1p-126
}

// modI applies the source modifiers.
func (s *srcOp) modI(r *[32]int64, n int) {
	if s.abs {
		for i := range r[:n] {
			if r[i] < 0 {
				r[i] = -r[i]
			}
		}
	}
	if s.neg {
		if s.logic {
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
	if s.abs {
		for i := range r[:n] {
			r[i] = math.Float32frombits(math.Float32bits(r[i]) &^ 0x80000000)
		}
	}
	if s.neg {
		for i := range r[:n] {
			r[i] = math.Float32frombits(math.Float32bits(r[i]) ^ 0x80000000)
		}
	}
}

// lanes computes the byte address of each lane of an indirect source into t.addr[k]. From Gen11 on, addresses
// of inactive lanes must be valid as well (Mesa therefore initializes all of them); code of Intel's OpenCL
// compiler is exempt.
func (t *Thread) lanes(o *op, k int, mask uint32) bool {
	s := &o.src[k]
	size := int32(s.typ.Size())
	for i := 0; i < int(o.n); i++ {
		a0 := int32(binary.LittleEndian.Uint16(t.reg[a0Base+2*(int(s.sub)+i/int(s.group)):]))
		off := a0 + s.addr + int32(s.tab[i])
		if s.group != 32 {
			off = a0 + s.addr + int32(s.tab[i%int(s.group)])
		}
		if off < 0 || off+size > grfEnd || off%size != 0 {
			if mask>>i&1 != 0 || t.opts.Hazards == HazardsStrict {
				t.faultf(o, FaultOperand, "lane %d: source %d reads byte %d of the registers, type %s", i, k, off, s.typ)
				return false
			}
			off = 0
		}
		t.addr[k][i] = uint16(off)
	}
	return true
}

// loadI reads source k as integers.
func (t *Thread) loadI(o *op, k int) *[32]int64 {
	s := &o.src[k]
	if s.kind == srcImm {
		return s.immI
	}
	r := &t.bufI[k]
	n := int(o.n)
	if s.arf != arfNone {
		t.fetchARF(s.arf, o)
	}
	switch s.kind {
	case srcScalar:
		v := t.intAt(int(s.base), s.typ)
		for i := range r[:n] {
			r[i] = v
		}
	case srcPacked:
		b := t.reg[s.base:]
		switch s.typ {
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
				r[i] = t.intAt(int(s.base)+i*s.typ.Size(), s.typ)
			}
		}
	case srcIndirect:
		for i := range r[:n] {
			r[i] = t.intAt(int(t.addr[k][i]), s.typ)
		}
	default:
		for i := range r[:n] {
			r[i] = t.intAt(int(s.base)+int(s.tab[i]), s.typ)
		}
	}
	if s.neg || s.abs {
		s.modI(r, n)
	}
	return r
}

// intAt reads one element of an integer type.
func (t *Thread) intAt(at int, typ isa.Type) int64 {
	switch typ {
	case isa.TypeUB:
		return int64(t.reg[at])
	case isa.TypeB:
		return int64(int8(t.reg[at]))
	case isa.TypeUW:
		return int64(binary.LittleEndian.Uint16(t.reg[at:]))
	case isa.TypeW:
		return int64(int16(binary.LittleEndian.Uint16(t.reg[at:])))
	case isa.TypeUD:
		return int64(binary.LittleEndian.Uint32(t.reg[at:]))
	case isa.TypeUQ, isa.TypeQ:
		return int64(binary.LittleEndian.Uint64(t.reg[at:]))
	}
	return int64(int32(binary.LittleEndian.Uint32(t.reg[at:])))
}

// loadF reads source k as floats; float16 is widened. Denormals are flushed according to cr0, except in a raw
// move or select.
func (t *Thread) loadF(o *op, k int, raw bool) *[32]float32 {
	s := &o.src[k]
	r := &t.bufF[k]
	n := int(o.n)
	if s.kind == srcImm {
		flush := t.flush32
		if s.typ == isa.TypeHF {
			flush = t.flush16
		}
		if !s.denormal || raw || !flush {
			return s.immF
		}
		for i := range r[:n] {
			r[i] = 0
			if v := s.immF[i]; math.Abs(float64(v)) >= s.least() || v != v {
				r[i] = v
			} else if math.Signbit(float64(v)) {
				r[i] = float32(math.Copysign(0, -1))
			}
		}
		return r
	}
	if s.typ == isa.TypeF {
		switch s.kind {
		case srcScalar:
			v := math.Float32frombits(binary.LittleEndian.Uint32(t.reg[s.base:]))
			for i := range r[:n] {
				r[i] = v
			}
		case srcPacked:
			b := t.reg[s.base:]
			for i := range r[:n] {
				r[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
			}
		case srcIndirect:
			for i := range r[:n] {
				r[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.reg[t.addr[k][i]:]))
			}
		default:
			for i := range r[:n] {
				r[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.reg[int(s.base)+int(s.tab[i]):]))
			}
		}
		if t.flush32 && !raw {
			for i := range r[:n] {
				r[i] = flushDenorm32(r[i])
			}
		}
	} else {
		for i := range r[:n] {
			at := int(s.base) + int(s.tab[i])
			if s.kind == srcIndirect {
				at = int(t.addr[k][i])
			}
			h := binary.LittleEndian.Uint16(t.reg[at:])
			if t.flush16 && !raw && h&0x7C00 == 0 {
				h &= 0x8000
			}
			r[i] = half32(h)
		}
	}
	if s.neg || s.abs {
		s.modF(r, n)
	}
	return r
}
