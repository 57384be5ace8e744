// SPDX-License-Identifier: MIT

package explicitio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// maxSamplers is the maximum number of samplers of a shader: the range of the sampler index in messages.
const maxSamplers = 256

// tablesOf returns the tables in which descriptors of a type have entries. index is NoIndex if they are not in the
// binding table, otherwise 0; sampler is 1 if they are samplers, otherwise 0.
func (c context) tablesOf(t ir.Type) (index, sampler uint32) {
	switch c.S.Types.At(t).Kind {
	case ir.TypeSampler:
		return ir.NoIndex, 1
	case ir.TypeSampledImage:
		if c.S.Types.At(t).Dim == kind.DimBuf {
			return 0, 0 // texels of buffers are fetched, never sampled
		}
		return 0, 1
	}
	return 0, 0
}

// lowerTexture replaces the image deref and the sampler deref of a texture operation with the image's entry in the
// binding table and the sampler's number.
func (c context) lowerTexture(v ir.Value) bool {
	s := c.S
	c.B.Before(v)
	changed := false
	for i := range int(s.At(v).NSrc) {
		k := s.Tex(v).Kind(i)
		switch k {
		case kind.TexSrcTextureDeref:
			k = kind.TexSrcTextureIndex
		case kind.TexSrcSamplerDeref:
			k = kind.TexSrcSamplerIndex
		default:
			continue
		}
		a, ok := c.address(s.Src(v, i).Val)
		if !ok {
			return changed
		}
		if a.block.Val == 0 {
			c.FailAt(s.At(v).Loc, "tex_%v of an image in %s memory is not supported yet", kind.TexOp(s.At(v).Op), a.mode)
			return changed
		}
		x := a.block
		if k == kind.TexSrcSamplerIndex {
			x = c.samplerIndex(a)
		}
		s.SetSrc(v, i, x)
		s.Words(v)[kind.FieldTexSourceKinds+i] = uint32(k) // kinds stay sorted
		changed = true
	}
	return changed
}

// samplerIndex returns the number of the sampler at an address. The address counts from the binding's entry in the
// binding table or, if there is none, from 0.
func (c context) samplerIndex(a address) ir.Src {
	b := c.binding(a.v)
	if b.Sampler == 0 {
		c.FailAt(c.B.Loc, "texels of a buffer can be fetched, but not sampled")
		return a.block
	}
	from := b.Sampler - 1
	if b.Index != ir.NoIndex {
		from -= b.Index
	}
	if from == 0 {
		return a.block
	}
	return c.B.IAdd(a.block, c.B.Imm(from))
}

// binding returns the binding of a variable, or nil if it has none.
func (c context) binding(x ir.Var) *ir.Binding {
	info := c.S.Var(x)
	for i := range c.S.Info.Bindings {
		if b := &c.S.Info.Bindings[i]; b.Set == info.Set && b.Binding == info.Binding {
			return b
		}
	}
	return nil
}
