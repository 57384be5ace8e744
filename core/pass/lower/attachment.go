// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// fetched turns a load that has no message into a fetch, and reports whether it did.
func (c context) fetched(v ir.Value) bool {
	return c.attachment(v) || c.sampled(v)
}

// sampled turns a load from a multisampled storage image into a fetch of the sample, and where only samplers read images,
// any load that need not see writes into a fetch. It reports whether it did.
func (c context) sampled(v ir.Value) bool {
	s := c.S
	id := s.At(v).Intrinsic()
	access := kind.Access(s.Index(v, intrinsic.IxAccess))
	t := &tex{op: kind.TexTxfMs, comps: 4, bits: s.At(v).Bits, dim: kind.ImageDim(s.Index(v, intrinsic.IxImageDim)),
		base: kind.BaseType(s.Index(v, intrinsic.IxTexelBase))}
	samples := t.dim == kind.DimMs
	if !samples {
		t.op = kind.TexTxf
	}
	const sees = kind.AccessCoherent | kind.AccessVolatile
	if s.TargetForm(v) != kind.FormDeref || !samples && (c.Target().Can(target.Images) || access&sees != 0) {
		return false
	}
	c.B.Before(v)
	n := ir.CoordComps(t.dim)
	switch {
	case t.dim == kind.DimCube: // coordinates address an array of faces
		t.dim = kind.Dim2D
		t.flags |= kind.TexFlagArray
	case s.Index(v, intrinsic.IxImageArray) != 0:
		t.flags |= kind.TexFlagArray
		n++
	}
	if access&kind.AccessNonUniform != 0 {
		t.flags |= kind.TexFlagNonUniform
	}
	t.set(kind.TexSrcCoord, s.Src(v, id.Source(intrinsic.RoleCoord)).Take(n))
	switch {
	case samples:
		t.set(kind.TexSrcMsIndex, s.Src(v, id.Source(intrinsic.RoleSample)))
	case t.dim != kind.DimBuf:
		t.set(kind.TexSrcLOD, c.B.Imm(0))
	}
	t.set(kind.TexSrcTextureDeref, s.Src(v, int(s.At(v).NSrc)-1))
	c.replace(v, t)
	return true
}

// attachment turns a load from an input attachment into a fetch at the pixel and layer of the fragment (Vulkan
// specification, "Image Operations", OpImageRead of SubpassData), and reports whether it did.
func (c context) attachment(v ir.Value) bool {
	s, b := c.S, c.B
	id := s.At(v).Intrinsic()
	dim := kind.ImageDim(s.Index(v, intrinsic.IxImageDim))
	if dim != kind.DimSubpass && dim != kind.DimSubpassMs || s.TargetForm(v) != kind.FormDeref {
		return false
	}
	b.Before(v)
	by := s.Src(v, id.Source(intrinsic.RoleCoord))
	pixel := b.LoadFragCoord(32)
	at := b.Vec3(b.IAdd(b.F2I32(pixel.Comp(0)), by.Comp(0)), b.IAdd(b.F2I32(pixel.Comp(1)), by.Comp(1)), b.LoadLayerID(32))
	t := &tex{op: kind.TexTxf, comps: 4, bits: s.At(v).Bits, dim: kind.Dim2D, flags: kind.TexFlagArray,
		base: kind.BaseType(s.Index(v, intrinsic.IxTexelBase))}
	t.set(kind.TexSrcCoord, at)
	t.set(kind.TexSrcTextureDeref, s.Src(v, int(s.At(v).NSrc)-1))
	if dim == kind.DimSubpass {
		t.set(kind.TexSrcLOD, b.Imm(0))
	} else {
		t.op, t.dim = kind.TexTxfMs, kind.DimMs
		t.set(kind.TexSrcMsIndex, s.Src(v, id.Source(intrinsic.RoleSample)))
	}
	c.replace(v, t)
	return true
}
