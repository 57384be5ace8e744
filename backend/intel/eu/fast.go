package eu

import (
	"encoding/binary"
	"math"

	"jacquard.example/generated/isa"
)

// The common case of arithmetic: dwords; packed, scalar or immediate sources without modifiers; a packed
// destination; every lane running. These handlers work on the register file in place and leave everything else
// to the general handler.

// fastSource describes a source of a fast handler.
type fastSource struct {
	imm  [4]byte
	base int32 // in the register file; -1 for the immediate
	step int32 // bytes between lanes: 0 or 4
}

// lanes returns the bytes of a source and the step between lanes. The slice is long enough for n lanes.
func (s *fastSource) lanes(t *Thread) ([]byte, int) {
	if s.base < 0 {
		return s.imm[:], 0
	}
	return t.reg[s.base:], int(s.step)
}

type fastOp struct {
	src  [3]fastSource
	slow func(t *Thread, o *op) // the general handler
}

var fastInt = [isa.NumOps]func(*Thread, *op){
	isa.OpMov: fastMov, isa.OpAdd: fastAddI, isa.OpAnd: fastAnd, isa.OpOr: fastOr, isa.OpXor: fastXor, isa.OpShl: fastShl,
}

var fastFloat = [isa.NumOps]func(*Thread, *op){
	isa.OpAdd: fastAddF, isa.OpMul: fastMulF, isa.OpMad: fastMadF,
}

// speed replaces the handler of an instruction that has the common form.
func (o *op) speed() {
	d := &o.dst
	var h func(*Thread, *op)
	switch {
	case o.sat || o.accWr || o.cmod != isa.CModNone || d.null || d.indirect || d.arf != arfNone || !d.packed || d.typ.Size() != 4:
		return
	case o.class == clsInt && !d.typ.IsFloat():
		h = fastInt[o.op]
	case o.class == clsF32 && d.typ == isa.TypeF:
		h = fastFloat[o.op]
	}
	if h == nil {
		return
	}
	f := new(fastOp)
	for k := 0; k < int(o.nsrc); k++ {
		s := &o.src[k]
		fs := &f.src[k]
		if (s.neg || s.abs) && s.kind != srcImm || s.arf != arfNone {
			return
		}
		switch s.kind {
		case srcImm:
			fs.base = -1
			v := uint32(s.immI[0])
			if o.class == clsF32 {
				v = math.Float32bits(s.immF[0])
			}
			for i := 1; i < int(o.n); i++ {
				if s.immI[i] != s.immI[0] || s.immF[i] != s.immF[0] {
					return
				}
			}
			binary.LittleEndian.PutUint32(fs.imm[:], v)
			continue
		case srcScalar:
		case srcPacked:
			fs.step = 4
		default:
			return
		}
		if s.typ.Size() != 4 {
			return
		}
		fs.base = s.base
		// In place only if lane i of the source is lane i of the result.
		end := s.base + 4 + fs.step*int32(o.n-1)
		if s.base < d.base+4*int32(o.n) && d.base < end && !(fs.step == 4 && s.base == d.base) {
			return
		}
	}
	f.slow = o.exec
	o.fast, o.exec = f, h
}

// fix is finishF for one result that is zero, denormal, infinite or NaN.
func (t *Thread) fix(bits uint32) uint32 {
	if bits&0x7F800000 == 0 {
		if t.flush32 {
			return bits & 0x80000000
		}
		return bits
	}
	if bits&0x007FFFFF != 0 {
		return quietNaN32
	}
	return bits
}

// special reports whether the exponent is all zeros or all ones.
func special(bits uint32) bool { return (bits&0x7F800000+0x00800000)&0x7F000000 == 0 }

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// input returns a float source with denormals flushed.
func (t *Thread) input(bits uint32) float32 {
	if bits&0x7F800000 == 0 && t.flush32 {
		bits &= 0x80000000
	}
	return math.Float32frombits(bits)
}

func fastAddF(t *Thread, o *op) {
	if t.round != roundNearest || t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	b, sb := o.fast.src[1].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		r := math.Float32bits(float32(t.input(u32(a, at)) + t.input(u32(b, bt))))
		if special(r) {
			r = t.fix(r)
		}
		binary.LittleEndian.PutUint32(out[i:], r)
	}
}

func fastMulF(t *Thread, o *op) {
	if t.round != roundNearest || t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	b, sb := o.fast.src[1].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		r := math.Float32bits(float32(t.input(u32(a, at)) * t.input(u32(b, bt))))
		if special(r) {
			r = t.fix(r)
		}
		binary.LittleEndian.PutUint32(out[i:], r)
	}
}

func fastMadF(t *Thread, o *op) {
	if t.round != roundNearest || t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	b, sb := o.fast.src[1].lanes(t)
	c, sc := o.fast.src[2].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	for i, at, bt, ct := 0, 0, 0, 0; i < len(out); i, at, bt, ct = i+4, at+sa, bt+sb, ct+sc {
		r := math.Float32bits(fma32(t.input(u32(b, bt)), t.input(u32(c, ct)), t.input(u32(a, at))))
		if special(r) {
			r = t.fix(r)
		}
		binary.LittleEndian.PutUint32(out[i:], r)
	}
}

func fastMov(t *Thread, o *op) {
	if t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	if sa != 0 {
		copy(out, a)
		return
	}
	v := u32(a, 0)
	for i := 0; i < len(out); i += 4 {
		binary.LittleEndian.PutUint32(out[i:], v)
	}
}

func fastAddI(t *Thread, o *op) {
	if t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	b, sb := o.fast.src[1].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)+u32(b, bt))
	}
}

func fastAnd(t *Thread, o *op) {
	if t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	b, sb := o.fast.src[1].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)&u32(b, bt))
	}
}

func fastOr(t *Thread, o *op) {
	if t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	b, sb := o.fast.src[1].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)|u32(b, bt))
	}
}

func fastXor(t *Thread, o *op) {
	if t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	b, sb := o.fast.src[1].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)^u32(b, bt))
	}
}

func fastShl(t *Thread, o *op) {
	if t.mask(o) != o.full {
		o.fast.slow(t, o)
		return
	}
	a, sa := o.fast.src[0].lanes(t)
	b, sb := o.fast.src[1].lanes(t)
	out := t.reg[o.dst.base:][:4*int(o.n)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)<<(u32(b, bt)&31))
	}
}
