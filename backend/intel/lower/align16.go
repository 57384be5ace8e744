// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Align16 makes the operands of three-source instructions encodable in Align16 words: in general registers, all
// sources of the same type, and packed at a multiple of 16 bytes or one doubleword for all lanes (SKL PRM vol.
// 2a, "Three-Source Instruction Format"). Other operands are copied to separate registers.
func Align16(f *mir.Func) {
	registers := len(f.Regs)
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			if info := infoOf(f.At(i).Op); info != nil && info.Format == isa.FormatTernary {
				a := align16{f: f, at: i, one: *f.At(i)}
				a.lower()
			}
		}
	}
	if len(f.Regs) > registers {
		f.MarkSingle() // moves have become the definitions of registers
	}
}

// align16 lowers one instruction.
type align16 struct {
	f   *mir.Func
	at  mir.ID
	one mir.Inst // the original instruction
	typ isa.Type // common type of the sources
}

// halfLanes is the number of lanes that compute a uniform 16-bit value, since words cannot encode a single
// 16-bit element.
const halfLanes = 8

func (a *align16) lower() {
	a.typ = commonType(&a.one)
	in := a.one
	if a.typ.Size() < 4 && in.Exec == 1 {
		in.Exec = halfLanes
	}
	for k := range in.Src {
		o := &in.Src[k]
		if in.Exec == 1 {
			*o = o.WithStride(0) // one lane has no stride
		}
		if !a.names(o, &in) || o.Type != a.typ {
			*o = a.source(*o, &in)
		}
	}
	if in.Dst.Stride > 1 && in.Exec == 1 {
		in.Dst.Stride = 1
	}
	switch {
	case in.Dst.IsNull():
		mask := in.Dst.Mask
		in.Dst = a.temp(in.Dst.Type, &in)
		in.Dst.Mask = mask
	case in.Exec != a.one.Exec || !a.names(&in.Dst, &in) || in.Exec == 1 && !a.first(&in.Dst) &&
		(!in.NoMask || in.Pred != 0 || in.CMod != 0):
		in.Dst = a.result(&in)
	}
	a.f.Replace(a.at, in)
}

// commonType returns a type for all sources of an instruction: the widest float type, or doublewords for
// integers.
func commonType(in *mir.Inst) isa.Type {
	t := in.Src[0].Type
	for k := range in.Src {
		if s := in.Src[k].Type; s.Size() > t.Size() {
			t = s
		}
	}
	switch t {
	case isa.TypeW, isa.TypeB:
		return isa.TypeD
	case isa.TypeUW, isa.TypeUB:
		return isa.TypeUD
	}
	return t
}

// names reports whether a word can encode an operand in place.
func (a *align16) names(o *mir.Operand, in *mir.Inst) bool {
	size := uint32(o.Type.Size())
	switch {
	case !o.IsReg() || size < 2:
		return false
	case o.HasStride(0) || in.Exec == 1:
		return size == 4 && o.Off%4 == 0
	}
	return o.Stride == 1 && o.Rows == 0 && a.first(o)
}

// first reports whether an operand starts at a multiple of 16 bytes. A single lane is one of a group of four,
// and only the first lane of the group has its own mask, flag and predicate.
func (a *align16) first(o *mir.Operand) bool {
	return o.Off%16 == 0 && (o.File == mir.GRF || a.f.Reg(mir.Reg(o.Num)).Align%16 == 0)
}

// source returns a register that holds source o in the common type. Modifiers stay on the instruction if the
// type does not change.
func (a *align16) source(o mir.Operand, in *mir.Inst) mir.Operand {
	move := mir.Inst{Op: isa.OpMov, Exec: in.Exec, Chan: in.Chan, NoMask: in.NoMask, Loc: in.Loc}
	to := mir.Operand{}
	scalar := o.IsScalar() && a.typ.Size() == 4
	if scalar {
		move.Exec, move.Chan, move.NoMask = 1, 0, true
		to = mir.V(a.f.NewScalar(4), a.typ)
	} else {
		to = a.temp(a.typ, in)
	}
	from := o
	from.Swizzle = 0
	result := to
	result.Swizzle = o.Swizzle
	if o.Type.Size() == a.typ.Size() {
		from.Neg, from.Abs = false, false
		from.Type, to.Type = raw(o.Type), raw(a.typ)
		result.Neg, result.Abs = o.Neg, o.Abs
	}
	if scalar {
		result.Stride = 0
	}
	move.Dst, move.Src[0] = to, from
	a.f.Before(a.at, move)
	return result
}

// result returns a register for the instruction's result. A move copies it to the destination, under the
// predicate of the instruction, and sets the flag if the instruction does.
func (a *align16) result(in *mir.Inst) mir.Operand {
	to := a.temp(in.Dst.Type, in)
	move := mir.Inst{Op: isa.OpMov, Exec: a.one.Exec, Chan: in.Chan, NoMask: in.NoMask, Loc: in.Loc,
		Pred: in.Pred, PredInv: in.PredInv, Flag: in.Flag, SideEff: in.SideEff, Dst: in.Dst}
	from := to
	if in.WritesFlag() {
		move.CMod, in.CMod = in.CMod, 0
	} else {
		move.Dst.Type, from.Type = raw(move.Dst.Type), raw(from.Type)
	}
	if move.Exec == 1 {
		from.Stride = 0
	}
	move.Src[0] = from
	a.f.After(a.at, move)
	in.Pred, in.PredInv, in.Flag = 0, false, 0
	return to
}

// raw returns an integer type for copying the bits of a type.
func raw(t isa.Type) isa.Type {
	if t.Size() == 2 {
		return isa.TypeUW
	}
	return isa.TypeUD
}

// temp returns a register of packed elements, one for each lane of an instruction. Its live range is too short
// to be spilled.
func (a *align16) temp(t isa.Type, in *mir.Inst) mir.Operand {
	bytes := a.f.GRF.Round(uint32(in.Exec) * uint32(t.Size()))
	return mir.V(a.f.AddReg(mir.RegInfo{Bytes: bytes, Lane: uint8(t.Size()), Align: a.f.GRF.Align(), Uniform: in.NoMask, NoSpill: true}), t)
}
