// SPDX-License-Identifier: MIT

package explicitio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// lowerConstant turns a load of constant data into a load of a uniform buffer, whose entry in the binding table is the
// last one of the shader, or into a load at an address.
func (c context) lowerConstant(v ir.Value) bool {
	s, b := c.S, c.B
	if len(s.Info.ConstData) == 0 {
		return false // instruction selection rejects it
	}
	b.Before(v)
	in := s.At(v)
	comps, bits := in.Comps, in.Bits
	offset := s.Src(v, 0)
	if base := s.Index(v, intrinsic.IxBase); base != 0 {
		offset = b.IAdd(offset, c.imm(base))
	}
	const access = kind.AccessCanReorder
	align, known := s.Index(v, intrinsic.IxAlignMul), s.Index(v, intrinsic.IxAlignOffset)
	var r ir.Src
	if c.Options.ConstantsAtAddress {
		at := c.constantAddress(offset, uint32(comps)*uint32(bits)/8, align, known)
		r = b.LoadGlobal(comps, bits, at, access|kind.AccessNonWriteable, align, known)
	} else {
		table := s.Info.Bindings[len(s.Info.Bindings)-1]
		r = b.LoadUBO(comps, bits, c.imm(table.Index), offset, access, align, known, 0, 0)
	}
	s.ReplaceUses(v, r)
	s.Remove(v)
	return true
}

// constantAddress returns the address of size bytes at an offset in the constant data. The offset modulo align is known.
// If robust access is required, no offset leads out of the data.
func (c context) constantAddress(offset ir.Src, size, align, known uint32) ir.Src {
	b := c.B
	if last := uint32(len(c.S.Info.ConstData)) - size; c.Options.Robust {
		offset = b.UMin(offset, c.imm(last-(last-known)%align))
	}
	at := b.LoadConstantAddress()
	return b.IAdd(b.Pack64_2x32Split(at.Comp(0), at.Comp(1)), b.U2U64(offset))
}
