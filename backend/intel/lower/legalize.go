// SPDX-License-Identifier: MIT

package lower

import (
	"math"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/num"
	"jacquard.example/generated/isa"
)

// Legalize rewrites instructions that cannot be encoded. It moves illegal immediates to registers (which hold
// constants of the whole function, loaded at its start), and swaps the operands of commutative opcodes. halves is set if
// mad takes floats of 16 bits as immediates.
func Legalize(f *mir.Func, halves bool) {
	l := legalizer{f: f, halves: halves}
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(f.At(i)) {
			l.inst(i, in)
		}
	}
}

type legalizer struct {
	f      *mir.Func
	halves bool
	consts []constant
	last   mir.ID // last constant loaded at the start
}

// constant is a register with a constant value.
type constant struct {
	bits  uint64
	bytes int // 4 or 8
	reg   mir.Reg
}

func (l *legalizer) inst(i mir.ID, in *mir.Inst) {
	for k := range in.Src {
		if o := &in.Src[k]; o.File == mir.Imm && o.HasMods() {
			foldMods(in, k)
		}
	}
	switch in.Op {
	case isa.OpSend, isa.OpSendc, isa.OpSync, isa.OpMov, isa.OpNot:
		return
	}
	if in.Op == mir.OpMulHigh {
		l.toRegister(i, 0)
		l.oneStride(i, 1) // the stride of its words would be twice as large
		return
	}
	info := infoOf(in.Op)
	if info == nil {
		return
	}
	switch info.Format {
	case isa.FormatMath:
		l.toRegister(i, 0)
		l.toRegister(i, 1)
	case isa.FormatTernary:
		l.ternary(i)
	case isa.FormatBasic:
		if in.Src[0].File == mir.Imm && in.Src[1].File != mir.Imm {
			commute(in)
		}
		if info.NumSrc == 2 || in.Src[1].File != mir.None {
			l.toRegister(i, 0)
			if l.f.At(i).Src[1].Type.Size() == 8 { // only one-source words have room for it
				l.toRegister(i, 1)
			}
		}
		if l.f.At(i).Op == isa.OpMul {
			l.multiply(i)
		}
	}
}

// infoOf returns the row of a machine opcode, or nil for pseudo opcodes.
func infoOf(o isa.Op) *isa.OpInfo {
	if int(o) >= isa.NumOps {
		return nil
	}
	return &isa.Ops[o]
}

// foldMods applies the modifiers of an immediate source to the immediate.
func foldMods(in *mir.Inst, k int) {
	o := &in.Src[k]
	info := infoOf(in.Op)
	neg, abs := o.Neg, o.Abs
	o.Neg, o.Abs = false, false
	wide := o.Type.Size() == 8
	if info != nil && info.LogicMods {
		o.Num = ^o.Num
		if wide {
			o.Off = ^o.Off
		}
		return
	}
	switch o.Type {
	case isa.TypeF:
		if abs {
			o.Num &^= 1 << 31
		}
		if neg {
			o.Num ^= 1 << 31
		}
	case isa.TypeHF:
		if abs {
			o.Num &^= 1 << 15
		}
		if neg {
			o.Num ^= 1 << 15
		}
	case isa.TypeDF:
		if abs {
			o.Off &^= 1 << 31
		}
		if neg {
			o.Off ^= 1 << 31
		}
	default:
		x := int64(int32(o.Num))
		switch {
		case wide:
			x = int64(o.Bits())
		case o.Type == isa.TypeW:
			x = int64(int16(o.Num))
		}
		if abs && x < 0 {
			x = -x
		}
		if neg {
			x = -x
		}
		o.Num = uint32(x)
		if wide {
			o.Off = uint32(uint64(x) >> 32)
		}
		if o.Type.Size() == 2 {
			o.Num &= 0xFFFF
		}
	}
}

// swapped gives the condition that replaces a condition when the operands of a comparison are swapped.
var swapped = [...]isa.CMod{
	isa.CModEQ: isa.CModEQ, isa.CModNE: isa.CModNE, isa.CModGT: isa.CModLT, isa.CModGE: isa.CModLE,
	isa.CModLT: isa.CModGT, isa.CModLE: isa.CModGE, isa.CModOV: isa.CModOV, isa.CModUN: isa.CModUN,
}

// commute swaps the sources if the opcode allows it.
func commute(in *mir.Inst) {
	switch in.Op {
	case isa.OpAdd, isa.OpAnd, isa.OpOr, isa.OpXor, isa.OpAvg:
	case isa.OpMul: // in 32×16-bit products the 32-bit source comes first
		if in.Src[1].Type.Size() < in.Src[0].Type.Size() {
			return
		}
	case isa.OpCmp:
		in.CMod = swapped[in.CMod]
	case isa.OpSel:
		if in.Pred != 0 {
			in.PredInv = !in.PredInv
		}
	default:
		return
	}
	in.Src[0], in.Src[1] = in.Src[1], in.Src[0]
}

// toRegister moves source k to a register if it is an immediate.
func (l *legalizer) toRegister(i mir.ID, k int) {
	if l.f.At(i).Src[k].File == mir.Imm {
		l.move(i, k)
	}
}

// move is like toRegister, for an immediate.
func (l *legalizer) move(i mir.ID, k int) {
	o := l.f.At(i).Src[k]
	r := l.constant(widen(o), max(o.Type.Size(), 4))
	l.f.At(i).Src[k] = mir.Scalar(r, 0, o.Type)
}

// widen returns the 32 or 64 bits of an immediate; a narrower one is in the low bits.
func widen(o mir.Operand) uint64 {
	if o.Type.Size() == 2 {
		return o.Bits() & 0xFFFF
	}
	return o.Bits()
}

// constant returns a register with a constant value. It is loaded one doubleword at a time, since some machines have no
// wider moves.
func (l *legalizer) constant(bits uint64, bytes int) mir.Reg {
	for _, c := range l.consts {
		if c.bits == bits && c.bytes == bytes {
			return c.reg
		}
	}
	r := l.f.NewScalar(bytes)
	for at := 0; at < bytes; at += 4 {
		in := mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: mir.V(r, isa.TypeUD).At(uint32(at)),
			Src: [3]mir.Operand{mir.UD(uint32(bits >> (8 * at)))}}
		if l.last != 0 {
			l.last = l.f.After(l.last, in)
		} else {
			l.last = l.f.AtStart(0, in)
		}
	}
	if bytes == 4 {
		l.f.Reg(r).Def = l.last
	}
	l.consts = append(l.consts, constant{bits, bytes, r})
	return r
}

// ternary moves illegal immediates to registers. Only the first and the last source may be an immediate, of 16 bits.
func (l *legalizer) ternary(i mir.ID) {
	in := l.f.At(i)
	if in.Op == isa.OpMad && in.Src[1].File == mir.Imm && in.Src[2].File != mir.Imm && in.Src[1].Type.Size() == in.Src[2].Type.Size() {
		in.Src[1], in.Src[2] = in.Src[2], in.Src[1]
	}
	for k := range 3 {
		l.oneStride(i, k)
		if o := l.f.At(i).Src[k]; o.File == mir.Imm {
			if k == 1 || !l.ternaryImm(i, k) {
				l.toRegister(i, k)
			}
		}
	}
	// Scalar results of three-source instructions start at a multiple of 8 bytes.
	if d := l.f.At(i).Dst; d.File == mir.VReg {
		if d.Off%8 != 0 {
			d = l.ownResult(i)
		}
		if r := l.f.Reg(mir.Reg(d.Num)); r.Align < 8 {
			r.Align = 8
		}
	}
}

// ternaryImm reports whether the first or the last source of a three-source instruction can be the immediate that it is.
// It shortens floats to 16 bits if they keep their value.
func (l *legalizer) ternaryImm(i mir.ID, k int) bool {
	in := l.f.At(i)
	o := &in.Src[k]
	switch o.Type {
	case isa.TypeW, isa.TypeUW:
		return true
	case isa.TypeHF:
		return l.halves && in.Op == isa.OpMad
	case isa.TypeF:
		if h, ok := half(math.Float32frombits(o.Num)); ok && l.halves && in.Op == isa.OpMad {
			*o = mir.Operand{File: mir.Imm, Type: isa.TypeHF, Num: uint32(h)}
			return true
		}
	}
	return false
}

// half returns a number as a 16-bit float. ok is set if the value is the same, and zero or normal.
func half(x float32) (h uint16, ok bool) {
	const least, most = 0x1p-14, 65504
	h = num.F32ToF16RNE(x)
	size := math.Abs(float64(x))
	return h, num.F16ToF32(h) == x && (x == 0 || size >= least && size <= most)
}

// ownResult makes a scalar instruction write a new register, copies that to the original destination, and returns the new
// register.
func (l *legalizer) ownResult(i mir.ID) mir.Operand {
	in := l.f.At(i)
	typ := isa.TypeUD
	if in.Dst.Type.Size() == 2 {
		typ = isa.TypeUW
	}
	was := in.Dst.As(typ)
	own := mir.V(l.f.NewScalar(4), typ)
	move := mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Loc: in.Loc, Dst: own, Src: [3]mir.Operand{was.WithStride(0)}}
	if in.Pred != 0 {
		l.f.Before(i, move)
	}
	move.Dst, move.Src[0] = was, own.WithStride(0)
	in = l.f.At(i)
	in.Dst = own.As(in.Dst.Type)
	if in.Pred == 0 {
		l.f.Reg(mir.Reg(own.Num)).Def = i
	}
	if r := l.f.Reg(mir.Reg(was.Num)); r.Def == i {
		r.Def = l.f.After(i, move)
	} else {
		l.f.After(i, move)
	}
	return own
}

// oneStride moves source k to a new register if its region has rows, which three-source words cannot encode (TGL PRM vol.
// 2a, three-source words: the width follows from the strides).
func (l *legalizer) oneStride(i mir.ID, k int) {
	in := l.f.At(i)
	o := in.Src[k]
	if o.Rows == 0 {
		return
	}
	size := o.Type.Size()
	slot := max(size, 4)
	info := mir.RegInfo{Bytes: l.f.GRF.Round(uint32(int(in.Exec) * slot)), Lane: uint8(slot), Align: l.f.GRF.Align(), Uniform: true}
	if !in.NoMask {
		info.Uniform, info.Bytes = false, l.f.Pitch(slot)
	}
	typ := [...]isa.Type{1: isa.TypeUB, 2: isa.TypeUW, 4: isa.TypeUD, 8: isa.TypeUQ}[size]
	to := mir.V(l.f.AddReg(info), typ).WithStride(uint8(slot / size))
	from := o.As(typ)
	from.Neg, from.Abs = false, false
	define(l.f, i, mir.Inst{Op: isa.OpMov, Exec: in.Exec, Chan: in.Chan, NoMask: in.NoMask, Loc: in.Loc, Dst: to,
		Src: [3]mir.Operand{from}})
	s := &l.f.At(i).Src[k]
	*s = to.As(o.Type)
	s.Neg, s.Abs = o.Neg, o.Abs
}

// multiply puts the 32-bit source of an integer product first.
func (l *legalizer) multiply(i mir.ID) {
	in := l.f.At(i)
	a, b := &in.Src[0], &in.Src[1]
	if a.Type.Size() == 2 && b.Type.Size() == 4 && !a.Type.IsFloat() {
		in.Src[0], in.Src[1] = in.Src[1], in.Src[0]
		l.toRegister(i, 0)
	}
}
