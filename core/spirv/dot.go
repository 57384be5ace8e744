package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// packed4x8 is the only packed vector format: four 8-bit integers in 32 bits, the first in the lowest bits (SPIR-V
// specification 3.43).
const packed4x8 = 0

// integerDot reads the integer dot products (SPIR-V specification 3.49.13). The components are extended to the width of
// the result, multiplied and added with wraparound; the accumulator is added with saturation.
func (r *reader) integerDot(in []uint32) {
	o := r.op(r.at)
	t := r.typeOf(in[2])
	if t.comps != 1 || !isInt(t) {
		r.fail("the result is not a scalar integer")
	}
	saturates := o >= spirvtab.OpSDotAccSat
	a, b := r.src(in[3]), r.src(in[4])
	for _, id := range in[3:5] {
		if !isInt(r.typeOf(id)) {
			r.fail("id %d is not a vector of integers", id)
		}
	}
	signedA := o != spirvtab.OpUDot && o != spirvtab.OpUDotAccSat
	signedB := o == spirvtab.OpSDot || o == spirvtab.OpSDotAccSat
	rest := in[5:]
	var acc ir.Src
	if saturates {
		acc = r.scalar(rest[0], t.bits)
		rest = rest[1:]
	}
	if a.N != b.N || r.bitsOf(a) != r.bitsOf(b) {
		r.fail("vectors of %d and %d components, of %d and %d bits", a.N, b.N, r.bitsOf(a), r.bitsOf(b))
	}
	isPacked := a.N == 1
	switch {
	case isPacked && (len(rest) == 0 || rest[0] != packed4x8 || r.bitsOf(a) != 32):
		r.fail("scalars of %d bits without a known packed vector format", r.bitsOf(a))
	case !isPacked && len(rest) != 0:
		r.fail("a packed vector format, but the operands are vectors")
	}

	if d := packedOp(signedA, signedB, r.bitsOf(a), a.N, t.bits); d != nil {
		x, y := a, b
		if !isPacked {
			x, y = r.packed(a), r.packed(b)
		}
		if saturates {
			r.setSrc(in[2], r.alu(d.sat, x, y, acc))
		} else {
			r.setSrc(in[2], r.alu(d.plain, x, y, r.imm(0)))
		}
		return
	}
	if isPacked {
		a, b = r.alu(op.Unpack32_4x8, a), r.alu(op.Unpack32_4x8, b)
	}
	if r.bitsOf(a) > t.bits {
		r.fail("components of %d bits, and a result of %d", r.bitsOf(a), t.bits)
	}
	p := r.alu(op.IMul, r.toInt(a, t.bits, signedA), r.toInt(b, t.bits, signedB))
	sum := p.Comp(0)
	for i := 1; i < int(p.N); i++ {
		sum = r.alu(op.IAdd, sum, p.Comp(i))
	}
	switch {
	case saturates && signedA:
		sum = r.alu(op.IAddSat, sum, acc)
	case saturates:
		sum = r.alu(op.UAddSat, sum, acc)
	}
	r.setSrc(in[2], sum)
}

func isInt(t *typeRec) bool {
	return t.comps != 0 && (t.base == ir.TypeInt || t.base == ir.TypeUint)
}

// packedDot has the opcodes for packed vectors: without an accumulator, and with an accumulator that is added with
// wraparound or saturation.
type packedDot struct {
	bits             uint8 // of a component
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
func (r *reader) packed(v ir.Src) ir.Src {
	var part [4]ir.Src
	bits := r.bitsOf(v)
	zero := r.atEntry().Const(bits, 0)
	for i := range part {
		part[i] = zero
		if i < int(v.N) {
			part[i] = v.Comp(i)
		}
	}
	if bits == 8 {
		return r.alu(op.Pack32_4x8Split, part[0], part[1], part[2], part[3])
	}
	return r.alu(op.Pack32_2x16Split, part[0], part[1])
}
