// SPDX-License-Identifier: MIT

package image

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// sparseForms pairs the sparse image instructions, which also tell whether the memory of the texels is resident, with
// their plain forms.
var sparseForms = [...]struct{ sparse, plain uint16 }{
	{spirvtab.OpImageSparseSampleImplicitLod, spirvtab.OpImageSampleImplicitLod},
	{spirvtab.OpImageSparseSampleExplicitLod, spirvtab.OpImageSampleExplicitLod},
	{spirvtab.OpImageSparseSampleDrefImplicitLod, spirvtab.OpImageSampleDrefImplicitLod},
	{spirvtab.OpImageSparseSampleDrefExplicitLod, spirvtab.OpImageSampleDrefExplicitLod},
	{spirvtab.OpImageSparseFetch, spirvtab.OpImageFetch},
	{spirvtab.OpImageSparseGather, spirvtab.OpImageGather},
	{spirvtab.OpImageSparseDrefGather, spirvtab.OpImageDrefGather},
	{spirvtab.OpImageSparseRead, spirvtab.OpImageRead},
}

// plainForm returns the plain form of a sparse instruction, or the instruction itself.
func plainForm(num uint16) (plain uint16, sparse bool) {
	for _, f := range sparseForms {
		if f.sparse == num {
			return f.plain, true
		}
	}
	return num, false
}

// accessed is the result of an access to an image.
type accessed struct {
	color ir.Src
	code  ir.Src // for a sparse form: 1 if the memory of all texels is resident, otherwise 0
}

// texelOf splits the result of a texture operation. The residency code is its last component.
func texelOf(r *module.Reader, v ir.Value) accessed {
	s := r.S.All(v)
	if !r.Tex.Sparse {
		return accessed{color: s}
	}
	n := int(s.N) - 1
	return accessed{s.Take(n), s.Comp(n)}
}

// texels sets the result of an access. It has as many components as the result type, of the kind of the image's texels.
// The result of a sparse form is a struct, with the texel as second member.
func texels(r *module.Reader, id uint32, x *ir.TypeInfo, v accessed) {
	t := r.TypeOf(id)
	var code module.Value
	if r.Tex.Sparse {
		if t.Op != spirvtab.OpTypeStruct || t.N != 2 {
			r.Fail("the result type is not a struct of a code and a texel")
		}
		ct := r.TypeAt(r.StructMember(r.Ids[id].Typ, 0))
		if ct.Comps != 1 || ct.Base != ir.TypeInt && ct.Base != ir.TypeUint {
			r.Fail("the code is not an integer")
		}
		code = value.Leaf(Fit(r, v.code, ct))
		t = r.TypeAt(r.StructMember(r.Ids[id].Typ, 1))
	}
	if t.Comps == 0 || (t.Base == ir.TypeFloat) != (r.S.Types.At(x.Elem).Kind == ir.TypeFloat) {
		r.Fail("the result does not have components of the base type of the image's texels")
	}
	color := v.color.Take(min(int(t.Comps), int(v.color.N)))
	if !r.Tex.Sparse {
		value.SetSrc(r, id, color)
		return
	}
	if color.N != t.Comps || value.BitsOf(r, color) != t.Bits {
		r.Fail("the texel has %d %d-bit components, but the member of the result type has %d of %d bits", color.N, value.BitsOf(r, color),
			t.Comps, t.Bits)
	}
	kids := value.NewKids(r, 2)
	r.Tree[kids], r.Tree[kids+1] = code, value.Leaf(color)
	value.Set(r, id, module.Value{Kids: kids})
}

// texelsResident reads OpImageSparseTexelsResident.
func texelsResident(r *module.Reader, in []uint32) {
	code := value.Scalar(r, in[3], 0)
	if t := r.TypeOf(in[3]); t.Base != ir.TypeInt && t.Base != ir.TypeUint {
		r.Fail("the code, id %d, is not an integer", in[3])
	}
	value.SetSrc(r, in[2], value.Alu(r, op.INe, code, value.Zero(r, 1, value.BitsOf(r, code))))
}

// storageResident returns the residency code for a texel of a storage image. Reads of storage images do not return one,
// but fetches through the same descriptor do; they access the faces of cubes as layers.
func storageResident(r *module.Reader, im value.Opaque, x *ir.TypeInfo, coord, sample ir.Src) ir.Src {
	if x.Dim == kind.DimSubpass || x.Dim == kind.DimSubpassMs {
		r.Fail("input attachments cannot be sparse")
	}
	t := &r.Tex
	t.N = 0
	as := *x
	if x.Dim == kind.DimCube {
		as.Dim, as.Arrayed = kind.Dim2D, true
	}
	n := ir.CoordComps(as.Dim)
	if as.Arrayed {
		n++
	}
	t.Add(kind.TexSrcCoord, coord.Take(n))
	o := kind.TexTxf
	switch {
	case x.Multisampled:
		o = kind.TexTxfMs
		t.Add(kind.TexSrcMsIndex, sample)
	case x.Dim != kind.DimBuf:
		t.Add(kind.TexSrcLOD, value.Imm(r, 0))
	}
	im.Sampler = 0
	return texelOf(r, texture(r, o, 4, 32, im, &as, 0, baseOf(r.S.Types.At(x.Elem).Kind), 0)).code
}

// imageRead reads OpImageRead and its sparse form.
func imageRead(r *module.Reader, in []uint32) {
	id := in[2]
	im, x := storageOf(r, in[3])
	o := readOperands(r, in, 5, storageOperands|operandMakeVisible)
	coord, sample := texelAt(r, x, in[4]), sampleIndex(r, x, &o)
	v := r.B.Intrinsic(intrinsic.ImageLoad, 4, texelBits(r, x), coord, sample, r.S.All(im.Image))
	describe(r, v, x, im.Access|o.access, texelBase(r, x, &o))
	out := accessed{color: r.S.All(v)}
	if r.Tex.Sparse {
		out.code = storageResident(r, im, x, coord, sample)
	}
	texels(r, id, x, out)
}
