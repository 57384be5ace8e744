package spirv

import (
	"jacquard.example/core/ir"
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
func (r *reader) texelOf(v ir.Value) accessed {
	s := r.s.All(v)
	if !r.tex.sparse {
		return accessed{color: s}
	}
	n := int(s.N) - 1
	return accessed{s.Take(n), s.Comp(n)}
}

// texels sets the result of an access. It has as many components as the result type, of the kind of the image's texels.
// The result of a sparse form is a struct, with the texel as second member.
func (r *reader) texels(id uint32, x *ir.TypeInfo, v accessed) {
	t := r.typeOf(id)
	var code value
	if r.tex.sparse {
		if t.op != spirvtab.OpTypeStruct || t.n != 2 {
			r.fail("the result type is not a struct of a code and a texel")
		}
		ct := r.typeAt(r.structMember(r.ids[id].typ, 0))
		if ct.comps != 1 || ct.base != ir.TypeInt && ct.base != ir.TypeUint {
			r.fail("the code is not an integer")
		}
		code = leaf(r.fit(v.code, ct))
		t = r.typeAt(r.structMember(r.ids[id].typ, 1))
	}
	if t.comps == 0 || (t.base == ir.TypeFloat) != (r.s.Types.At(x.Elem).Kind == ir.TypeFloat) {
		r.fail("the result has other components than the image's texels")
	}
	color := v.color.Take(min(int(t.comps), int(v.color.N)))
	if !r.tex.sparse {
		r.setSrc(id, color)
		return
	}
	if color.N != t.comps || r.bitsOf(color) != t.bits {
		r.fail("the texel has %d components of %d bits, the member of the result type %d of %d", color.N, r.bitsOf(color), t.comps, t.bits)
	}
	kids := r.newKids(2)
	r.tree[kids], r.tree[kids+1] = code, leaf(color)
	r.set(id, value{kids: kids})
}

// texelsResident reads OpImageSparseTexelsResident.
func (r *reader) texelsResident(in []uint32) {
	code := r.scalar(in[3], 0)
	if t := r.typeOf(in[3]); t.base != ir.TypeInt && t.base != ir.TypeUint {
		r.fail("the code, id %d, is not an integer", in[3])
	}
	r.setSrc(in[2], r.alu(op.INe, code, r.zero(1, r.bitsOf(code))))
}

// storageResident returns the residency code for a texel of a storage image. Reads of storage images do not return one,
// but fetches through the same descriptor do; they access the faces of cubes as layers.
func (r *reader) storageResident(im opaque, x *ir.TypeInfo, coord, sample ir.Src) ir.Src {
	if x.Dim == kind.DimSubpass || x.Dim == kind.DimSubpassMs {
		r.fail("input attachments cannot be sparse")
	}
	t := &r.tex
	t.n = 0
	as := *x
	if x.Dim == kind.DimCube {
		as.Dim, as.Arrayed = kind.Dim2D, true
	}
	n := ir.CoordComps(as.Dim)
	if as.Arrayed {
		n++
	}
	t.add(kind.TexSrcCoord, coord.Take(n))
	o := kind.TexTxf
	switch {
	case x.Multisampled:
		o = kind.TexTxfMs
		t.add(kind.TexSrcMsIndex, sample)
	case x.Dim != kind.DimBuf:
		t.add(kind.TexSrcLOD, r.imm(0))
	}
	im.sampler = 0
	return r.texelOf(r.texture(o, 4, 32, im, &as, 0, baseOf(r.s.Types.At(x.Elem).Kind), 0)).code
}

// imageRead reads OpImageRead and its sparse form.
func (r *reader) imageRead(in []uint32) {
	id := in[2]
	im, x := r.storageOf(in[3])
	o := r.imageOperands(in, 5, storageOperands|operandMakeVisible)
	coord, sample := r.texelAt(x, in[4]), r.sampleIndex(x, &o)
	v := r.b.Intrinsic(intrinsic.ImageLoad, 4, r.texelBits(x), coord, sample, r.s.All(im.image))
	r.describe(v, x, im.access|o.access, r.texelBase(x, &o))
	out := accessed{color: r.s.All(v)}
	if r.tex.sparse {
		out.code = r.storageResident(im, x, coord, sample)
	}
	r.texels(id, x, out)
}
