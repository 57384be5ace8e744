// SPDX-License-Identifier: MIT

package validate

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// needsCoord has the operations that access texels; other operations query the texture.
var needsCoord = map[kind.TexOp]bool{
	kind.TexTex: true, kind.TexTxb: true, kind.TexTxl: true, kind.TexTxd: true, kind.TexTxf: true, kind.TexTxfMs: true,
	kind.TexLOD: true, kind.TexTg4: true,
}

// tex checks a texture operation: its sources are sorted by kind, each at most once; it has a texture, and a sampler if
// it filters or compares.
func (c *checker) tex(v ir.Value) {
	s := c.s
	in := s.At(v)
	o := kind.TexOp(in.Op)
	flags := s.Tex(v).Flags()
	for i := 1; i < int(in.NSrc); i++ {
		c.need(s.Tex(v).Kind(i-1) < s.Tex(v).Kind(i), "tex-order", "its sources are not sorted by kind or not unique")
	}
	if o == kind.TexTex || o == kind.TexTxb || o == kind.TexLOD {
		c.derivative()
	}
	has := func(k kind.TexSrc) bool { return s.Tex(v).Source(k) >= 0 }
	c.need(c.given(v, kind.TexSrcTextureDeref, kind.TexSrcTextureIndex, kind.TexSrcTextureHandle) == 1, "tex-texture",
		"it must have exactly one texture")
	c.need(has(kind.TexSrcCoord) == needsCoord[o], "tex-coord", "%s %s coordinates", o, mustHave(needsCoord[o]))
	samples := needsCoord[o] && o != kind.TexTxf && o != kind.TexTxfMs
	n := c.given(v, kind.TexSrcSamplerDeref, kind.TexSrcSamplerIndex, kind.TexSrcSamplerHandle)
	c.need(n != 0 == samples && n <= 1, "tex-sampler", "%s %s a sampler, and at most one", o, mustHave(samples))
	c.need(has(kind.TexSrcComparator) == (flags&kind.TexFlagShadow != 0), "tex-comparator",
		"it must have a comparator if and only if it compares")
	c.need(has(kind.TexSrcDdx) == (o == kind.TexTxd) && has(kind.TexSrcDdy) == (o == kind.TexTxd), "tex-derivatives",
		"derivatives are required by txd and only allowed there")
	c.need(has(kind.TexSrcMsIndex) == (o == kind.TexTxfMs), "tex-sample", "a sample is required by txf_ms and only allowed there")
	sparse := needsCoord[o] && o != kind.TexLOD && in.Bits == 32 && in.Comps > 1 && in.Comps <= 5
	c.need(flags&kind.TexFlagSparse == 0 || sparse, "tex-sparse",
		"only operations that read texels can be sparse, with up to four 32-bit components before the code")
	c.need(s.Words(v)[kind.FieldTexComponent] < 4, "tex-component", "there is no component %d", s.Words(v)[kind.FieldTexComponent])
	for i := range int(in.NSrc) {
		switch s.Tex(v).Kind(i) {
		case kind.TexSrcTextureDeref:
			x := c.resource(v, i, "tex-texture-deref")
			// input attachments, and storage images that samplers read, are fetched
			fetched := needsCoord[o] && !samples
			c.need(x.Kind != ir.TypeSampler && (!x.Storage || fetched), "tex-image",
				"the texture is not a sampled image")
			c.need(sampledShape(x, s.Tex(v).Dim(), flags&kind.TexFlagArray != 0), "tex-dim",
				"the texture and the operation have different shapes")
		case kind.TexSrcTextureHandle, kind.TexSrcSamplerHandle:
			x := s.At(s.Src(v, i).Val)
			c.need(x.Comps == 1 && x.Bits == 32, "tex-handle", "a handle is a scalar of 32 bits")
		case kind.TexSrcSamplerDeref:
			x := c.resource(v, i, "tex-sampler-deref")
			c.need(x.Kind != ir.TypeImage, "tex-sampler-type", "the sampler is an image without one")
		}
	}
}

// sampledShape reports whether a texture has the shape that an operation names. It is the shape of the texture's type,
// except that rectangles with normalized coordinates are 2d, and subpass attachments and the faces of storage cubes are
// arrays.
func sampledShape(x *ir.TypeInfo, dim kind.ImageDim, arrayed bool) bool {
	switch x.Dim {
	case kind.DimSubpass:
		return dim == kind.Dim2D && arrayed
	case kind.DimSubpassMs:
		return dim == kind.DimMs && arrayed
	case kind.DimRect:
		return (dim == kind.DimRect || dim == kind.Dim2D) && x.Arrayed == arrayed
	}
	if x.Dim == kind.DimCube && x.Storage {
		return dim == kind.Dim2D && arrayed
	}
	return x.Dim == dim && x.Arrayed == arrayed
}

// given returns the number of a texture operation's sources of the given kinds.
func (c *checker) given(v ir.Value, kinds ...kind.TexSrc) (n int) {
	for _, k := range kinds {
		if c.s.Tex(v).Source(k) >= 0 {
			n++
		}
	}
	return n
}

// resource returns the type of the image or sampler that source i refers to.
func (c *checker) resource(v ir.Value, i int, check string) *ir.TypeInfo {
	s := c.s
	d := s.Src(v, i).Val
	c.need(s.At(d).Kind == kind.Deref, check, "source %d must be a deref", i)
	x := s.Types.At(s.DerefType(d))
	c.need(x.Kind == ir.TypeImage || x.Kind == ir.TypeSampler || x.Kind == ir.TypeSampledImage, check,
		"source %d is not an image or sampler", i)
	return x
}
