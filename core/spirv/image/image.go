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

// Passed returns the deref of an opaque object as an argument of a call.
func Passed(r *module.Reader, id uint32) ir.Value {
	o := value.Opaques(r, id)
	if o.Image != 0 && o.Sampler != 0 && o.Sampler != o.Image {
		r.Refuse("passing id %d, a combined image and sampler, as an argument is not supported", id)
	}
	return o.Deref()
}

// imageOf returns the image that an id refers to, and the image's type.
func imageOf(r *module.Reader, id uint32) (value.Opaque, *ir.TypeInfo) {
	o := value.OpaqueOf(r, id)
	if o.Image == 0 {
		r.Fail("id %d has no image", id)
	}
	return o, r.S.Types.At(r.S.DerefType(o.Image))
}

// ImageInstr reads the instructions that access or query images.
func ImageInstr(r *module.Reader, info *spirvtab.Op, in []uint32) {
	num, sparse := plainForm(info.Num)
	r.Tex.Sparse = sparse
	switch num {
	case spirvtab.OpSampledImage, spirvtab.OpImage:
		value.SetOpaque(r, in[2], value.OpaqueAgain(r, in[2], in))
	case spirvtab.OpImageTexelPointer:
		texelPointer(r, in)
	case spirvtab.OpImageRead:
		imageRead(r, in)
	case spirvtab.OpImageWrite:
		imageWrite(r, in)
	case spirvtab.OpImageQuerySizeLod, spirvtab.OpImageQuerySize, spirvtab.OpImageQueryLevels, spirvtab.OpImageQuerySamples:
		imageQuery(r, num, in)
	case spirvtab.OpImageSampleExplicitLod, spirvtab.OpImageSampleProjExplicitLod:
		sample(r, num, in, 0, 5)
	case spirvtab.OpImageSampleImplicitLod, spirvtab.OpImageSampleProjImplicitLod:
		Derivatives(r)
		sample(r, num, in, 0, 5)
	case spirvtab.OpImageSampleDrefImplicitLod, spirvtab.OpImageSampleProjDrefImplicitLod:
		Derivatives(r)
		sample(r, num, in, in[5], 6)
	case spirvtab.OpImageQueryLod:
		Derivatives(r)
		queryLOD(r, in)
	case spirvtab.OpImageSampleDrefExplicitLod, spirvtab.OpImageSampleProjDrefExplicitLod:
		sample(r, num, in, in[5], 6)
	case spirvtab.OpImageFetch:
		fetch(r, in)
	case spirvtab.OpImageGather, spirvtab.OpImageDrefGather:
		gather(r, num, in)
	case spirvtab.OpImageSparseTexelsResident:
		texelsResident(r, in)
	default:
		r.Refuse("is not supported")
	}
}

// Components returns the first n components of a 32-bit value: coordinates may have more components than are read.
// 16-bit floats are converted.
func Components(r *module.Reader, id uint32, n int, float bool) ir.Src {
	value.CheckID(r, id)
	s := value.Src(r, id)
	if float && value.BitsOf(r, s) == 16 && r.TypeOf(id).Base == ir.TypeFloat {
		s = value.Alu(r, op.F2F32, s)
	}
	if value.BitsOf(r, s) != 32 || (r.TypeOf(id).Base == ir.TypeFloat) != float {
		want := "integers"
		if float {
			want = "floats"
		}
		r.Fail("id %d must have components that are 32-bit %s", id, want)
	}
	if int(s.N) < n {
		r.Fail("id %d has %d components, needs %d", id, s.N, n)
	}
	return s.Take(n)
}

// texelAt extends the coordinates of a texel to four components with zeros.
func texelAt(r *module.Reader, x *ir.TypeInfo, id uint32) ir.Src {
	n := ir.CoordComps(x.Dim)
	if x.Arrayed && x.Dim != kind.DimCube {
		n++
	}
	s := Components(r, id, n, false)
	var c [4]ir.Src
	for i := range c {
		if c[i] = value.Zero(r, 1, 32); i < n {
			c[i] = s.Comp(i)
		}
	}
	return value.Vec(r, c[:])
}

// texelBase returns the base type in which an access reads the components of texels.
func texelBase(r *module.Reader, x *ir.TypeInfo, o *imageOperands) kind.BaseType {
	switch {
	case o.mask&operandSignExtend != 0:
		return kind.BaseInt
	case o.mask&operandZeroExtend != 0:
		return kind.BaseUint
	}
	return baseOf(r.S.Types.At(x.Elem).Kind)
}

func baseOf(k ir.TypeKind) kind.BaseType {
	switch k {
	case ir.TypeFloat:
		return kind.BaseFloat
	case ir.TypeInt:
		return kind.BaseInt
	}
	return kind.BaseUint
}

// describe sets the indices of an image intrinsic.
func describe(r *module.Reader, v ir.Value, x *ir.TypeInfo, a kind.Access, base kind.BaseType) {
	arrayed := uint32(0)
	if x.Arrayed {
		arrayed = 1
	}
	r.S.SetIndex(v, intrinsic.IxImageDim, uint32(x.Dim))
	r.S.SetIndex(v, intrinsic.IxImageArray, arrayed)
	r.S.SetIndex(v, intrinsic.IxFormat, uint32(x.Format))
	r.S.SetIndex(v, intrinsic.IxAccess, uint32(a))
	if id := r.S.At(v).Intrinsic(); id.Slot(intrinsic.IxTexelBase) >= 0 {
		r.S.SetIndex(v, intrinsic.IxTexelBase, uint32(base))
	}
}

// storageOf is like imageOf, for a storage image.
func storageOf(r *module.Reader, id uint32) (value.Opaque, *ir.TypeInfo) {
	o, x := imageOf(r, id)
	if !x.Storage {
		r.Fail("id %d is not a storage image", id)
	}
	return o, x
}

// sampleIndex returns the sample that an access to a storage image selects, 0 if the image is not multisampled.
func sampleIndex(r *module.Reader, x *ir.TypeInfo, o *imageOperands) ir.Src {
	switch {
	case x.Multisampled != (o.sample != 0):
		r.Fail("a sample is required for multisampled images and only allowed there")
	case o.sample != 0:
		return value.Index(r, o.sample)
	}
	return value.Imm(r, 0)
}

const storageOperands = operandSample | operandSignExtend | operandZeroExtend | operandNonPrivate | operandVolatile | operandNontemporal

func texelBits(r *module.Reader, x *ir.TypeInfo) uint8 { return r.S.Types.At(x.Elem).Bits }

func imageWrite(r *module.Reader, in []uint32) {
	im, x := storageOf(r, in[1])
	o := readOperands(r, in, 4, storageOperands|operandMakeAvailable)
	coord, sample := texelAt(r, x, in[2]), sampleIndex(r, x, &o)
	storeTexel(r, im, x, coord, sample, value.Src(r, in[3]), im.Access|o.access, texelBase(r, x, &o))
}

// storeTexel writes a texel; the value is padded with zeros.
func storeTexel(r *module.Reader, im value.Opaque, x *ir.TypeInfo, coord, sample, data ir.Src, a kind.Access, base kind.BaseType) {
	if value.BitsOf(r, data) != texelBits(r, x) {
		r.Fail("the value has %d-bit components, but the image's texels have %d-bit ones", value.BitsOf(r, data), texelBits(r, x))
	}
	if data.N < 4 {
		var c [4]ir.Src
		for i := range c {
			if c[i] = value.Zero(r, 1, value.BitsOf(r, data)); i < int(data.N) {
				c[i] = data.Comp(i)
			}
		}
		data = value.Vec(r, c[:])
	}
	v := r.B.Intrinsic(intrinsic.ImageStore, 0, 0, coord, sample, data, r.S.All(im.Image))
	describe(r, v, x, a, base)
}

// imageQuery reads the instructions that query sizes and counts.
func imageQuery(r *module.Reader, num uint16, in []uint32) {
	id := in[2]
	im, x := imageOf(r, in[3])
	n := 1
	if num == spirvtab.OpImageQuerySize || num == spirvtab.OpImageQuerySizeLod {
		if n = ir.SizeComps(x.Dim); x.Arrayed {
			n++
		}
	}
	if x.Storage {
		var v ir.Value
		switch num {
		case spirvtab.OpImageQuerySize:
			v = r.B.Intrinsic(intrinsic.ImageSize, uint8(n), 32, value.Imm(r, 0), r.S.All(im.Image))
		case spirvtab.OpImageQuerySamples:
			v = r.B.Intrinsic(intrinsic.ImageSamples, 1, 32, r.S.All(im.Image))
		default:
			r.Fail("the levels of a storage image cannot be queried")
		}
		describe(r, v, x, im.Access, 0)
		value.SetSrc(r, id, r.S.All(v))
		return
	}
	t := &r.Tex
	t.N = 0
	o := kind.TexTxs
	switch num {
	case spirvtab.OpImageQuerySizeLod:
		t.Add(kind.TexSrcLOD, value.Index(r, in[4]))
	case spirvtab.OpImageQueryLevels:
		o = kind.TexQueryLevels
	case spirvtab.OpImageQuerySamples:
		o = kind.TexTextureSamples
	}
	im.Sampler = 0
	value.SetSrc(r, id, r.S.All(texture(r, o, uint8(n), 32, im, x, 0, kind.BaseUint, 0)))
}

// texture inserts a texture operation with the collected sources and the resources.
func texture(r *module.Reader, o kind.TexOp, comps, bits uint8, im value.Opaque, x *ir.TypeInfo, flags kind.TexFlag,
	base kind.BaseType, component uint32) ir.Value {
	t := &r.Tex
	t.Add(kind.TexSrcTextureDeref, r.S.All(im.Image))
	if im.Sampler != 0 {
		t.Add(kind.TexSrcSamplerDeref, r.S.All(im.Sampler))
	}
	if x.Arrayed {
		flags |= kind.TexFlagArray
	}
	if im.Access&kind.AccessNonUniform != 0 {
		flags |= kind.TexFlagNonUniform
	}
	if t.Sparse {
		if bits != 32 {
			r.Refuse("sparse %d-bit texels are not supported", bits)
		}
		flags |= kind.TexFlagSparse
		comps++
	}
	s := r.S
	v := s.New(kind.Tex, uint16(o), t.N, kind.FieldTexSourceKinds+t.N)
	in := s.At(v)
	in.Loc = r.B.Loc
	in.Bits, in.Comps = bits, comps
	s.Words(v)[kind.FieldTexDim] = uint32(x.Dim)
	s.Words(v)[kind.FieldTexFlags] = uint32(flags)
	s.Words(v)[kind.FieldTexDestBase] = uint32(base)
	s.Words(v)[kind.FieldTexComponent] = component
	for i := range t.N {
		s.Words(v)[kind.FieldTexSourceKinds+i] = uint32(t.Kind[i])
		s.SetSrc(v, i, t.Src[i])
	}
	r.B.Insert(v)
	return v
}

// sampledOf is like imageOf, for an image with a sampler.
func sampledOf(r *module.Reader, id uint32) (value.Opaque, *ir.TypeInfo) {
	o, x := imageOf(r, id)
	if o.Sampler == 0 {
		r.Fail("id %d has no sampler", id)
	}
	if x.Dim == kind.DimBuf || x.Multisampled {
		r.Fail("an image of shape %s cannot be sampled", x.Dim)
	}
	return o, x
}

// queryLOD reads OpImageQueryLod.
func queryLOD(r *module.Reader, in []uint32) {
	im, x := sampledOf(r, in[3])
	t := &r.Tex
	t.N = 0
	t.Add(kind.TexSrcCoord, Components(r, in[4], ir.CoordComps(x.Dim), true))
	v := texture(r, kind.TexLOD, 2, 32, im, x, 0, kind.BaseFloat, 0)
	value.SetSrc(r, in[2], r.S.All(v))
}

// sample reads the sampling instructions, with an explicit level of detail or derivatives or, where invocations are in
// quads, an implicit level. dref is the comparison reference, or 0 for none; image operands start at word at.
func sample(r *module.Reader, num uint16, in []uint32, dref uint32, at int) {
	id := in[2]
	im, x := sampledOf(r, in[3])
	implicit, proj := false, false
	switch num {
	case spirvtab.OpImageSampleImplicitLod, spirvtab.OpImageSampleDrefImplicitLod:
		implicit = true
	case spirvtab.OpImageSampleProjImplicitLod, spirvtab.OpImageSampleProjDrefImplicitLod:
		implicit, proj = true, true
	case spirvtab.OpImageSampleProjExplicitLod, spirvtab.OpImageSampleProjDrefExplicitLod:
		proj = true
	}
	level := uint32(operandLod | operandGrad)
	if implicit {
		level = operandBias
	}
	o := readOperands(r, in, at, level|operandConstOffset|operandOffset|operandMinLod|operandSignExtend|operandZeroExtend|
		operandNonPrivate|operandVolatile|operandNontemporal)
	n := ir.CoordComps(x.Dim)
	dims := n
	if x.Arrayed {
		n++
	}
	var q ir.Src
	var coord ir.Src
	if proj {
		if x.Arrayed || x.Dim == kind.DimCube {
			r.Fail("projection is not allowed for an image with layers or faces")
		}
		c := Components(r, in[4], n+1, true)
		q = c.Comp(n)
		coord = value.Alu(r, op.FDiv, c.Take(n), q)
	} else {
		coord = Components(r, in[4], n, true)
	}
	t := &r.Tex
	t.N = 0
	t.Add(kind.TexSrcCoord, coord)
	flags := kind.TexFlag(0)
	if dref != 0 {
		flags |= kind.TexFlagShadow
		d := Components(r, dref, 1, true)
		if q.Val != 0 {
			d = value.Alu(r, op.FDiv, d, q)
		}
		t.Add(kind.TexSrcComparator, d)
	}
	if o.offset != 0 {
		t.Add(kind.TexSrcOffset, Components(r, o.offset, dims, false))
	}
	tex := kind.TexTxl
	if implicit {
		tex = kind.TexTex
	}
	if o.mask&operandBias != 0 {
		tex = kind.TexTxb
		t.Add(kind.TexSrcBias, Components(r, o.bias, 1, true))
	}
	if o.mask&operandLod != 0 {
		t.Add(kind.TexSrcLOD, Components(r, o.lod, 1, true))
	}
	if o.minLod != 0 {
		t.Add(kind.TexSrcMinLOD, Components(r, o.minLod, 1, true))
	}
	if o.mask&operandGrad != 0 {
		tex = kind.TexTxd
		t.Add(kind.TexSrcDdx, Components(r, o.ddx, dims, true))
		t.Add(kind.TexSrcDdy, Components(r, o.ddy, dims, true))
	}
	if !implicit && (o.mask&operandLod != 0) == (o.mask&operandGrad != 0) {
		r.Fail("needs exactly one of a level of detail and derivatives")
	}
	comps := uint8(4)
	if dref != 0 {
		comps = 1
	}
	v := texture(r, tex, comps, texelBits(r, x), im, x, flags, texelBase(r, x, &o), 0)
	texels(r, id, x, texelOf(r, v))
}

func fetch(r *module.Reader, in []uint32) {
	id := in[2]
	im, x := imageOf(r, in[3])
	if x.Storage || x.Dim == kind.DimCube {
		r.Fail("texels can only be fetched from sampled images other than cubes")
	}
	o := readOperands(r, in, 5, operandLod|operandConstOffset|operandOffset|operandSample|operandSignExtend|operandZeroExtend|
		operandNonPrivate|operandVolatile|operandNontemporal)
	n := ir.CoordComps(x.Dim)
	t := &r.Tex
	t.N = 0
	if x.Arrayed {
		t.Add(kind.TexSrcCoord, Components(r, in[4], n+1, false))
	} else {
		t.Add(kind.TexSrcCoord, Components(r, in[4], n, false))
	}
	if o.offset != 0 {
		t.Add(kind.TexSrcOffset, Components(r, o.offset, n, false))
	}
	if o.lod != 0 {
		t.Add(kind.TexSrcLOD, value.Index(r, o.lod))
	}
	tex := kind.TexTxf
	if x.Multisampled != (o.sample != 0) {
		r.Fail("a sample is required for multisampled images and only allowed there")
	}
	if o.sample != 0 {
		tex = kind.TexTxfMs
		t.Add(kind.TexSrcMsIndex, value.Index(r, o.sample))
	}
	im.Sampler = 0
	v := texture(r, tex, 4, texelBits(r, x), im, x, 0, texelBase(r, x, &o), 0)
	texels(r, id, x, texelOf(r, v))
}

// gather reads OpImageGather and OpImageDrefGather. A gather with a separate offset for each of the four texels becomes
// four gathers, each of which contributes one texel: the texel at the coordinate itself, which is the last component
// (Vulkan specification, "Texel Gathering").
func gather(r *module.Reader, num uint16, in []uint32) {
	id := in[2]
	im, x := sampledOf(r, in[3])
	o := readOperands(r, in, 6, operandConstOffset|operandOffset|operandConstOffsets|operandSignExtend|operandZeroExtend|
		operandNonPrivate|operandVolatile|operandNontemporal)
	if x.Dim != kind.Dim2D && x.Dim != kind.DimCube && x.Dim != kind.DimRect {
		r.Fail("texels cannot be gathered from an image of shape %s", x.Dim)
	}
	dims := ir.CoordComps(x.Dim)
	n := dims
	if x.Arrayed {
		n++
	}
	coord := Components(r, in[4], n, true)
	flags, component := kind.TexFlag(0), uint32(0)
	var dref ir.Src
	if num == spirvtab.OpImageDrefGather {
		flags = kind.TexFlagShadow
		dref = Components(r, in[5], 1, true)
	} else if component = r.ConstInt(in[5], "the component"); component > 3 {
		r.Fail("there is no component %d", component)
	}
	one := func(offset ir.Src) accessed {
		t := &r.Tex
		t.N = 0
		t.Add(kind.TexSrcCoord, coord)
		if dref.Val != 0 {
			t.Add(kind.TexSrcComparator, dref)
		}
		if offset.Val != 0 {
			t.Add(kind.TexSrcOffset, offset)
		}
		return texelOf(r, texture(r, kind.TexTg4, 4, texelBits(r, x), im, x, flags, texelBase(r, x, &o), component))
	}
	switch {
	case o.constOffsets != 0:
		pt := r.TypeOf(o.constOffsets)
		if pt.Op != spirvtab.OpTypeArray || pt.N != 4 || r.TypeAt(pt.Elem).Comps != 2 || r.TypeAt(pt.Elem).Bits != 32 {
			r.Fail("the offsets, id %d, are not four pairs of 32-bit integers", o.constOffsets)
		}
		offsets := value.Value(r, o.constOffsets)
		var c [4]ir.Src
		var code ir.Src
		for i := range c {
			t := one(value.Kid(r, offsets, pt.Ir, i).Src)
			c[i] = t.color.Comp(3)
			if i == 0 || !r.Tex.Sparse {
				code = t.code
			} else {
				code = value.Alu(r, op.IAnd, code, t.code)
			}
		}
		texels(r, id, x, accessed{value.Vec(r, c[:]), code})
	case o.offset != 0:
		texels(r, id, x, one(Components(r, o.offset, dims, false)))
	default:
		texels(r, id, x, one(ir.Src{}))
	}
}
