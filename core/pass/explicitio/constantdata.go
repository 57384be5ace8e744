package explicitio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// lowerConstant turns a load of constant data into a load of a uniform buffer, whose entry in the binding table is the
// last one of the shader.
func (c context) lowerConstant(v ir.Value) bool {
	s, b := c.S, c.B
	if len(s.Info.ConstData) == 0 {
		return false // instruction selection refuses it
	}
	table := s.Info.Bindings[len(s.Info.Bindings)-1]
	b.Before(v)
	in := s.At(v)
	offset := s.Src(v, 0)
	if base := s.Index(v, intrinsic.IxBase); base != 0 {
		offset = b.IAdd(offset, c.imm(base))
	}
	s.ReplaceUses(v, b.LoadUBO(in.Comps, in.Bits, c.imm(table.Index), offset, kind.AccessCanReorder,
		s.Index(v, intrinsic.IxAlignMul), s.Index(v, intrinsic.IxAlignOffset), 0, 0))
	s.Remove(v)
	return true
}
