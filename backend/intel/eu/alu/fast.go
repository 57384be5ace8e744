// SPDX-License-Identifier: MIT

package alu

import (
	"encoding/binary"
	"math"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

var fastInt = [isa.NumOps]func(*thread.Thread, *thread.Op){
	isa.OpMov: fastMov, isa.OpAdd: fastAddI, isa.OpAnd: fastAnd, isa.OpOr: fastOr, isa.OpXor: fastXor, isa.OpShl: fastShl,
}

var fastFloat = [isa.NumOps]func(*thread.Thread, *thread.Op){
	isa.OpAdd: fastAddF, isa.OpMul: fastMulF, isa.OpMad: fastMadF,
}

// speed replaces the handler of an instruction with a faster one if the instruction has the common form.
func speed(o *thread.Op) {
	d := &o.Dst
	var h func(*thread.Thread, *thread.Op)
	switch {
	case o.Sat || o.AccWr || o.Cmod != isa.CModNone || d.Null || d.Indirect || d.Arf != thread.ArfNone || !d.Packed || d.Typ.Size() != 4:
		return
	case o.Class == thread.ClsInt && !d.Typ.IsFloat():
		h = fastInt[o.Op]
	case o.Class == thread.ClsF32 && d.Typ == isa.TypeF:
		h = fastFloat[o.Op]
	}
	if h == nil {
		return
	}
	f := new(thread.FastOp)
	for k := 0; k < int(o.Nsrc); k++ {
		s := &o.Src[k]
		fs := &f.Src[k]
		if (s.Neg || s.Abs) && s.Kind != thread.SrcImm || s.Arf != thread.ArfNone {
			return
		}
		switch s.Kind {
		case thread.SrcImm:
			fs.Base = -1
			v := uint32(s.ImmI[0])
			if o.Class == thread.ClsF32 {
				v = math.Float32bits(s.ImmF[0])
			}
			for i := 1; i < int(o.N); i++ {
				if s.ImmI[i] != s.ImmI[0] || s.ImmF[i] != s.ImmF[0] {
					return
				}
			}
			binary.LittleEndian.PutUint32(fs.Imm[:], v)
			continue
		case thread.SrcScalar:
		case thread.SrcPacked:
			fs.Step = 4
		default:
			return
		}
		if s.Typ.Size() != 4 {
			return
		}
		fs.Base = s.Base
		// The destination may overlap the source only if lane i of the source is lane i of the result.
		end := s.Base + 4 + fs.Step*int32(o.N-1)
		if s.Base < d.Base+4*int32(o.N) && d.Base < end && !(fs.Step == 4 && s.Base == d.Base) {
			return
		}
	}
	f.Slow = o.Exec
	o.Fast, o.Exec = f, h
}

// fix is like finishF, for a single result that is zero, denormal, infinite or NaN.
func fix(t *thread.Thread, bits uint32) uint32 {
	if bits&0x7F800000 == 0 {
		if t.Flush32 {
			return bits & 0x80000000
		}
		return bits
	}
	if bits&0x007FFFFF != 0 {
		return thread.QuietNaN32
	}
	return bits
}

// special reports whether the exponent is all zeros or all ones.
func special(bits uint32) bool { return (bits&0x7F800000+0x00800000)&0x7F000000 == 0 }

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// input returns a float source. A denormal becomes a zero if the thread flushes denormals.
func input(t *thread.Thread, bits uint32) float32 {
	if bits&0x7F800000 == 0 && t.Flush32 {
		bits &= 0x80000000
	}
	return math.Float32frombits(bits)
}

func fastAddF(t *thread.Thread, o *thread.Op) {
	if t.Round != thread.RoundNearest || t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	b, sb := o.Fast.Src[1].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		r := math.Float32bits(float32(input(t, u32(a, at)) + input(t, u32(b, bt))))
		if special(r) {
			r = fix(t, r)
		}
		binary.LittleEndian.PutUint32(out[i:], r)
	}
}

func fastMulF(t *thread.Thread, o *thread.Op) {
	if t.Round != thread.RoundNearest || t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	b, sb := o.Fast.Src[1].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		r := math.Float32bits(float32(input(t, u32(a, at)) * input(t, u32(b, bt))))
		if special(r) {
			r = fix(t, r)
		}
		binary.LittleEndian.PutUint32(out[i:], r)
	}
}

func fastMadF(t *thread.Thread, o *thread.Op) {
	if t.Round != thread.RoundNearest || t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	b, sb := o.Fast.Src[1].Lanes(t)
	c, sc := o.Fast.Src[2].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	at, bt, ct := 0, 0, 0
	for i := 0; i < len(out); i += 4 {
		r := math.Float32bits(thread.Fma32(input(t, u32(b, bt)), input(t, u32(c, ct)), input(t, u32(a, at))))
		if special(r) {
			r = fix(t, r)
		}
		binary.LittleEndian.PutUint32(out[i:], r)
		at, bt, ct = at+sa, bt+sb, ct+sc
	}
}

func fastMov(t *thread.Thread, o *thread.Op) {
	if t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	if sa != 0 {
		copy(out, a)
		return
	}
	v := u32(a, 0)
	for i := 0; i < len(out); i += 4 {
		binary.LittleEndian.PutUint32(out[i:], v)
	}
}

func fastAddI(t *thread.Thread, o *thread.Op) {
	if t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	b, sb := o.Fast.Src[1].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)+u32(b, bt))
	}
}

func fastAnd(t *thread.Thread, o *thread.Op) {
	if t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	b, sb := o.Fast.Src[1].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)&u32(b, bt))
	}
}

func fastOr(t *thread.Thread, o *thread.Op) {
	if t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	b, sb := o.Fast.Src[1].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)|u32(b, bt))
	}
}

func fastXor(t *thread.Thread, o *thread.Op) {
	if t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	b, sb := o.Fast.Src[1].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)^u32(b, bt))
	}
}

func fastShl(t *thread.Thread, o *thread.Op) {
	if t.Mask(o) != o.Full {
		o.Fast.Slow(t, o)
		return
	}
	a, sa := o.Fast.Src[0].Lanes(t)
	b, sb := o.Fast.Src[1].Lanes(t)
	out := t.Reg[o.Dst.Base:][:4*int(o.N)]
	for i, at, bt := 0, 0, 0; i < len(out); i, at, bt = i+4, at+sa, bt+sb {
		binary.LittleEndian.PutUint32(out[i:], u32(a, at)<<(u32(b, bt)&31))
	}
}
