// SPDX-License-Identifier: MIT

package vary

import (
	"math/rand/v2"

	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/reduction"
)

const (
	special  = uint16(kind.FloatNan | kind.FloatInf)
	zeros    = uint16(kind.FloatNsz)
	denorms  = uint16(kind.FloatDenorm)
	rounding = uint16(kind.FloatContract | kind.FloatReassoc | kind.FloatTransform)
)

// Open returns the properties of an opcode that the API leaves unspecified on every instruction: the precision of
// approximated functions (Vulkan, Precision and Operation of SPIR-V Instructions), which zero FMin, FMax and FSign
// return, whether packing to halves flushes denormals, Pow of a negative base, and the rounding of the divisions by
// which GLSL.std.450 defines the unpacking of normalized numbers.
func Open(o op.Op) uint16 {
	switch o {
	case op.FMin, op.FMax, op.FSign:
		return zeros
	case op.FPow:
		return special | zeros | denorms | rounding
	case op.FDiv, op.Ldexp:
		return denorms | rounding
	case op.UnpackUnorm4x8, op.UnpackSnorm4x8, op.UnpackUnorm2x16, op.UnpackSnorm2x16:
		return rounding
	}
	info := o.Info()
	switch {
	case info.Has(op.Approximate):
		return denorms | rounding
	case info.Has(op.Stepwise), info.Has(op.Halves):
		return denorms
	}
	return 0
}

// Shader makes s one of its variants. The seed chooses the variant.
func Shader(s *ir.Shader, seed uint64) {
	x := &variant{s: s, b: build.Builder{Builder: ir.NewBuilder(s)}, rng: rand.New(rand.NewPCG(seed, 0))}
	var list []ir.Value
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				switch s.At(v).Kind {
				case kind.ALU, kind.Intrinsic:
					list = append(list, v)
				}
			}
		}
	}
	for _, v := range list {
		if s.At(v).Kind == kind.Intrinsic {
			x.reduction(v)
		} else if open := x.open(v); open != 0 {
			x.instr(v, open)
		}
	}
	// The interpreter flushes denormals that it may flush; other variants keep them.
	if x.coin() {
		s.Info.DenormPreserve |= x.denormal &^ s.Info.DenormFlush
	}
}

// Exact makes all instructions of s exact, as NoContraction does.
func Exact(s *ir.Shader) (changed bool) {
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if in := s.At(v); in.Kind == kind.ALU && in.Float != 0 {
					in.Float, changed = 0, true
				}
			}
		}
	}
	return changed
}

type variant struct {
	s   *ir.Shader
	b   build.Builder
	rng *rand.Rand

	denormal uint8 // sizes of floats whose denormals an instruction may flush, as in ir.Info
}

// open returns the properties that an instruction leaves unspecified, within the limits of the shader's float controls.
func (x *variant) open(v ir.Value) uint16 {
	in := x.s.At(v)
	info := in.ALUOp().Info()
	sizes := uint8(0)
	if info.Out.Base == op.Float {
		sizes |= in.Bits >> 4
	}
	for i, want := range info.Src[:info.NumSrc] {
		if want.Base == op.Float {
			sizes |= x.s.At(x.s.Src(v, i).Val).Bits >> 4
		}
	}
	if info.Has(op.Halves) {
		sizes = 1
	}
	may, api := in.Float, Open(in.ALUOp())
	if may&denorms != 0 {
		x.denormal |= sizes
	}
	if x.s.Info.SignedZeroInfNaN&sizes != 0 {
		may &^= special | zeros
	}
	if (x.s.Info.DenormPreserve|x.s.Info.DenormFlush)&sizes != 0 {
		may &^= denorms
		api &^= denorms
	}
	return may | api
}

// coin makes a random choice between two alternatives.
func (x *variant) coin() bool { return x.rng.Uint32()&1 == 0 }

// instr varies an instruction: its operands, its result, and its result for special operands.
func (x *variant) instr(v ir.Value, open uint16) {
	info := x.s.At(v).ALUOp().Info()
	x.b.Before(v)
	unusual := ir.Src{}  // an operand is not a number, or not finite
	allZeros := ir.Src{} // all operands are zeros
	for i, want := range info.Src[:info.NumSrc] {
		if want.Base != op.Float {
			continue
		}
		r := x.s.Src(v, i)
		unusual = x.join(unusual, x.across(x.isSpecial(r, open), want, info.Out), false)
		allZeros = x.join(allZeros, x.across(x.b.FEq(r, x.zero(r)), want, info.Out), true)
		x.s.SetSrc(v, i, x.float(r, open, x.least(info, r)))
	}
	x.b.After(v)
	was := x.b.Mov(x.s.All(v))
	r := was
	switch {
	case info.Out.Base == op.Float:
		unusual = x.join(unusual, x.isSpecial(r, open), false)
		r = x.float(r, open, x.least(info, r))
		if unusual.Val != 0 {
			r = x.b.BCsel(unusual, x.float(x.one(x.bits(r)), rounding, 0), r)
		}
	case info.Out.Base == op.Bool:
		flip := unusual
		if info.Has(op.Comparison) && open&zeros != 0 {
			flip = x.join(flip, allZeros, false)
		}
		if flip.Val != 0 && x.coin() {
			r = x.b.IXor(r, flip)
		}
	case unusual.Val != 0 && x.coin():
		r = x.b.BCsel(unusual, x.b.IXor(r, x.b.Const(x.bits(r), 1)), r)
	}
	x.s.ReplaceUses(v, r)
	x.s.SetSrc(was.Val, 0, x.s.All(v))
}

// least returns the size in bits of the floats whose denormals an instruction may flush.
func (x *variant) least(info *op.Info, r ir.Src) uint8 {
	if info.Has(op.Halves) {
		return 16
	}
	return x.bits(r)
}

func (x *variant) bits(r ir.Src) uint8 { return x.s.At(r.Val).Bits }

// reduction varies a reduction of floats over a subgroup. The API leaves open the order of the operations, which of two
// zeros is the smaller, and whether denormals are flushed.
func (x *variant) reduction(v ir.Value) {
	in := x.s.At(v)
	if !in.Intrinsic().Is(intrinsic.TraitScan) {
		return
	}
	open := denorms | zeros
	switch r := reduction.Of(kind.ReductionOp(x.s.Index(v, intrinsic.IxReductionOp))); {
	case r.Data != op.Float:
		return
	case r.Equal != reduction.Once: // the result is not one of the operands
		open |= rounding
	}
	x.denormal |= in.Bits >> 4
	if (x.s.Info.DenormPreserve|x.s.Info.DenormFlush)&(in.Bits>>4) != 0 {
		open &^= denorms
	}
	x.b.Before(v)
	r := x.s.Src(v, 0)
	x.s.SetSrc(v, 0, x.float(r, open, x.bits(r)))
	x.replace(v, func(r ir.Src) ir.Src { return x.float(r, open, x.bits(r)) })
}

// replace replaces all uses of an instruction's result with a function of it.
func (x *variant) replace(v ir.Value, f func(ir.Src) ir.Src) {
	x.b.After(v)
	was := x.b.Mov(x.s.All(v))
	x.s.ReplaceUses(v, f(was))
	x.s.SetSrc(was.Val, 0, x.s.All(v))
}

// join combines two conditions, the first of which may be missing.
func (x *variant) join(a, b ir.Src, and bool) ir.Src {
	switch {
	case a.Val == 0:
		return b
	case b.Val == 0:
		return a
	case and:
		return x.b.IAnd(a, b)
	}
	return x.b.IOr(a, b)
}

// across converts a condition on the components of an operand to a condition on the components of the result.
func (x *variant) across(c ir.Src, operand, out op.Operand) ir.Src {
	if c.Val == 0 || operand.Comps == 0 && out.Comps == 0 {
		return c
	}
	any := c.Comp(0)
	for i := 1; i < int(c.N); i++ {
		any = x.b.IOr(any, c.Comp(i))
	}
	return any
}

// isSpecial returns the condition that a float is NaN or infinite, where the instruction leaves these results open.
func (x *variant) isSpecial(r ir.Src, open uint16) ir.Src {
	c := ir.Src{}
	if open&uint16(kind.FloatNan) != 0 {
		c = x.b.FNeu(r, r)
	}
	if open&uint16(kind.FloatInf) != 0 {
		c = x.join(c, x.b.FEq(x.b.FAbs(r), x.b.Const(x.bits(r), formatOf(x.bits(r)).infinity())), false)
	}
	return c
}

// float varies a number. Its denormals, if they are flushed, are the denormals of a float of least bits.
func (x *variant) float(r ir.Src, open uint16, least uint8) ir.Src {
	bits := x.bits(r)
	f := formatOf(bits)
	if open&rounding != 0 {
		switch x.rng.IntN(3) {
		case 0:
			r = x.b.FMul(r, x.b.Const(bits, f.one()+f.error()))
		case 1:
			r = x.b.FMul(r, x.b.Const(bits, f.one()-f.error()))
		}
	}
	if open&zeros != 0 && x.coin() {
		r = x.b.BCsel(x.b.FEq(r, x.zero(r)), x.b.IXor(r, x.b.Const(bits, f.sign())), r)
	}
	if open&denorms != 0 && x.coin() {
		small := x.b.FLt(x.b.FAbs(r), x.b.Const(bits, f.smallest(least)))
		r = x.b.BCsel(small, x.b.IAnd(r, x.b.Const(bits, f.sign())), r)
	}
	return r
}

func (x *variant) zero(r ir.Src) ir.Src { return x.b.Const(x.bits(r), 0) }

func (x *variant) one(bits uint8) ir.Src { return x.b.Const(bits, formatOf(bits).one()) }
