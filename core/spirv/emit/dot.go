// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/image"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// packed4x8 is the only packed vector format: four 8-bit integers in 32 bits, the first in the lowest bits (SPIR-V
// specification 3.43).
const packed4x8 = 0

// integerDot reads the integer dot products (SPIR-V specification 3.49.13). The components are extended to the width of
// the result, multiplied and added with wraparound; the accumulator is added with saturation.
func integerDot(r *module.Reader, in []uint32) {
	o := r.Op(r.At)
	t := r.TypeOf(in[2])
	if t.Comps != 1 || !isInt(t) {
		r.Fail("the result is not a scalar integer")
	}
	saturates := o >= spirvtab.OpSDotAccSat
	a, b := value.Src(r, in[3]), value.Src(r, in[4])
	for _, id := range in[3:5] {
		if !isInt(r.TypeOf(id)) {
			r.Fail("id %d is not a vector of integers", id)
		}
	}
	signedA := o != spirvtab.OpUDot && o != spirvtab.OpUDotAccSat
	signedB := o == spirvtab.OpSDot || o == spirvtab.OpSDotAccSat
	rest := in[5:]
	var acc ir.Src
	if saturates {
		acc = value.Scalar(r, rest[0], t.Bits)
		rest = rest[1:]
	}
	if a.N != b.N || value.BitsOf(r, a) != value.BitsOf(r, b) {
		r.Fail("the operands have %d and %d components, of %d and %d bits; they must have the same",
			a.N, b.N, value.BitsOf(r, a), value.BitsOf(r, b))
	}
	isPacked := a.N == 1
	switch {
	case isPacked && (len(rest) == 0 || rest[0] != packed4x8 || value.BitsOf(r, a) != 32):
		r.Fail("the operands are %d-bit scalars; they must have 32 bits and a known packed vector format", value.BitsOf(r, a))
	case !isPacked && len(rest) != 0:
		r.Fail("has a packed vector format, but the operands are vectors")
	}

	if d := packedOp(signedA, signedB, value.BitsOf(r, a), a.N, t.Bits); d != nil {
		x, y := a, b
		if !isPacked {
			x, y = packed(r, a), packed(r, b)
		}
		if saturates {
			value.SetSrc(r, in[2], value.Alu(r, d.sat, x, y, acc))
		} else {
			value.SetSrc(r, in[2], value.Alu(r, d.plain, x, y, value.Imm(r, 0)))
		}
		return
	}
	if isPacked {
		a, b = value.Alu(r, op.Unpack32_4x8, a), value.Alu(r, op.Unpack32_4x8, b)
	}
	if value.BitsOf(r, a) > t.Bits {
		r.Fail("the components have %d bits, but the result has only %d", value.BitsOf(r, a), t.Bits)
	}
	p := value.Alu(r, op.IMul, image.ToInt(r, a, t.Bits, signedA), image.ToInt(r, b, t.Bits, signedB))
	sum := p.Comp(0)
	for i := 1; i < int(p.N); i++ {
		sum = value.Alu(r, op.IAdd, sum, p.Comp(i))
	}
	switch {
	case saturates && signedA:
		sum = value.Alu(r, op.IAddSat, sum, acc)
	case saturates:
		sum = value.Alu(r, op.UAddSat, sum, acc)
	}
	value.SetSrc(r, in[2], sum)
}

func isInt(t *module.TypeRec) bool {
	return t.Comps != 0 && (t.Base == ir.TypeInt || t.Base == ir.TypeUint)
}

// packedDot has the opcodes for packed vectors. Both add an accumulator: plain with wraparound, sat with saturation.
type packedDot struct {
	bits             uint8 // size of a component
	signedA, signedB bool
	plain, sat       op.Op
}

var packedDots = [...]packedDot{
	{8, true, true, op.SDot4x8IAdd, op.SDot4x8IAddSat},
	{8, false, false, op.UDot4x8UAdd, op.UDot4x8UAddSat},
	{8, true, false, op.SUDot4x8IAdd, op.SUDot4x8IAddSat},
	{16, true, true, op.SDot2x16IAdd, op.SDot2x16IAddSat},
	{16, false, false, op.UDot2x16UAdd, op.UDot2x16UAddSat},
}

// packedOp returns the opcodes for vectors of n components (or one packed vector of bytes) and a result of the given
// width; nil if there are none.
func packedOp(signedA, signedB bool, bits, n, result uint8) *packedDot {
	if n == 1 {
		bits, n = 8, 4
	}
	for i := range packedDots {
		if d := &packedDots[i]; result == 32 && d.bits == bits && n*bits <= 32 && d.signedA == signedA && d.signedB == signedB {
			return d
		}
	}
	return nil
}

// packed packs a vector of bytes or words into 32 bits, with zeros above.
func packed(r *module.Reader, v ir.Src) ir.Src {
	var part [4]ir.Src
	bits := value.BitsOf(r, v)
	zero := value.AtEntry(r).Const(bits, 0)
	for i := range part {
		part[i] = zero
		if i < int(v.N) {
			part[i] = v.Comp(i)
		}
	}
	if bits == 8 {
		return value.Alu(r, op.Pack32_4x8Split, part[0], part[1], part[2], part[3])
	}
	return value.Alu(r, op.Pack32_2x16Split, part[0], part[1])
}
