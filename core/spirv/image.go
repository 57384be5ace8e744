package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// opaque reports whether objects of a type are descriptors: they can be named and accessed, but are not data.
func (t *typeRec) opaque() bool {
	return t.op == spirvtab.OpTypeImage || t.op == spirvtab.OpTypeSampler || t.op == spirvtab.OpTypeSampledImage
}

// descriptors returns the type of images or samplers that t is, or is an array of; nil for data. Arrays of images or
// samplers are loaded, copied and passed as a whole, like single ones.
func (r *reader) descriptors(t *typeRec) *typeRec {
	if t.op == spirvtab.OpTypeArray {
		t = r.typeAt(t.elem)
	}
	if t.opaque() {
		return t
	}
	return nil
}

// imageType reads OpTypeImage.
func (r *reader) imageType(t *typeRec, in []uint32) {
	e := r.typeAt(in[2])
	switch {
	case e.op != spirvtab.OpTypeInt && e.op != spirvtab.OpTypeFloat:
		r.fail("texels of a non-numeric type")
	case e.base == ir.TypeFloat && e.bits != 32 || e.base != ir.TypeFloat && e.bits != 32 && e.bits != 64:
		r.refuse("texels of %d bits are not supported", e.bits)
	}
	x := ir.TypeInfo{Kind: ir.TypeImage, Elem: e.ir, Shadow: in[4] == 1, Arrayed: in[5] != 0, Multisampled: in[6] != 0, Storage: in[7] == 2}
	dim := r.known("image shape", spirvtab.Dims, in[3])
	x.Dim = kind.ImageDim(dim.To)
	if x.Dim == kind.DimSubpass && r.opt.Stage != kind.StageFragment {
		r.checkStage()
		r.fail("only fragment shaders have input attachments")
	}
	if x.Multisampled {
		switch x.Dim {
		case kind.Dim2D:
			x.Dim = kind.DimMs
		case kind.DimSubpass:
			x.Dim = kind.DimSubpassMs
		default:
			r.fail("an image of shape %s cannot be multisampled", dim.Name)
		}
	}
	if x.Arrayed && (x.Dim == kind.Dim3D || x.Dim == kind.DimBuf) {
		r.fail("an image of shape %s cannot have layers", dim.Name)
	}
	if in[7] != 1 && in[7] != 2 {
		r.refuse("images without known sampling are not supported")
	}
	x.Format = kind.Format(r.known("image format", spirvtab.ImageFormats, in[8]).To)
	t.ir, t.base, t.bits, t.leafs, t.elem = r.s.Types.Intern(x), e.base, e.bits, 1, in[2]
}

func (r *reader) sampledImageType(t *typeRec, in []uint32) {
	e := r.typeAt(in[2])
	if e.op != spirvtab.OpTypeImage {
		r.fail("id %d is not an image type", in[2])
	}
	x := *r.s.Types.At(e.ir)
	if x.Storage {
		r.fail("the image is not a sampled image")
	}
	x.Kind = ir.TypeSampledImage
	t.ir, t.base, t.bits, t.leafs, t.elem = r.s.Types.Intern(x), e.base, e.bits, 1, in[2]
}

// opaqueMode returns the mode of variables of a type.
func (r *reader) opaqueMode(t *typeRec) kind.Mode {
	if t.ir != 0 && r.s.Types.At(t.ir).Storage {
		return kind.ModeImage
	}
	return kind.ModeUniform
}

// resource fills in the binding of an image or a sampler.
func (r *reader) resource(info *ir.VarInfo, id, typ uint32) {
	t := r.typeAt(typ)
	if t.op == spirvtab.OpTypeArray || t.op == spirvtab.OpTypeRuntimeArray {
		t = r.typeAt(t.elem)
	}
	if !t.opaque() {
		r.fail("a variable of class UniformConstant must be an image or sampler, or an array of them")
	}
	info.Mode = r.opaqueMode(t)
	info.Set, _ = r.find(id, spirvtab.DecorationDescriptorSet)
	info.Binding, _ = r.find(id, spirvtab.DecorationBinding)
	if n, ok := r.find(id, spirvtab.DecorationInputAttachmentIndex); ok {
		info.Location = int32(n & 0x7fffffff)
	}
}

// opaque is an image, a sampler, a combination of both, or an array of these.
type opaque struct {
	image, sampler ir.Value // derefs, 0 if there is none
	access         kind.Access
}

// handle returns the opaque object that a deref refers to.
func (r *reader) handle(t *typeRec, d ir.Value, a kind.Access) opaque {
	o := opaque{access: a}
	if t.op != spirvtab.OpTypeSampler {
		o.image = d
	}
	if t.op != spirvtab.OpTypeImage {
		o.sampler = d
	}
	return o
}

func (r *reader) setOpaque(id uint32, o opaque) {
	rec := &r.ids[id]
	rec.kind, rec.epoch, rec.access = idOpaque, r.block+1, uint16(o.access)
	rec.val = value{src: ir.Src{Val: o.image, Swz: ir.Identity, N: 1}, kids: uint32(o.sampler)}
}

// opaque returns the image or sampler that an id refers to, at the cursor.
func (r *reader) opaque(id uint32) opaque {
	o := r.opaques(id)
	if !r.typeOf(id).opaque() {
		r.fail("id %d is an array of images or samplers, not a single one", id)
	}
	return o
}

// opaques is opaque for ids that may also refer to an array.
func (r *reader) opaques(id uint32) opaque {
	r.checkID(id)
	rec := &r.ids[id]
	switch {
	case rec.kind == idNone:
		r.fail("id %d is used where it is not defined", id)
	case rec.kind == idUndef && r.descriptors(r.typeOf(id)) != nil:
		r.fail("id %d is an undefined image or sampler", id)
	case rec.kind != idOpaque:
		r.fail("id %d is not an image or a sampler", id)
	}
	if rec.epoch != r.block+1 {
		if rec.flags&flagDemoted != 0 && r.madeAgain(rec) {
			r.count(1)
			return r.opaqueAgain(id, r.ins(rec.word))
		}
	}
	return opaque{rec.val.src.Val, ir.Value(rec.val.kids), kind.Access(rec.access)}
}

// opaqueAgain returns the opaque object that the instruction of an id refers to.
func (r *reader) opaqueAgain(id uint32, in []uint32) opaque {
	var o opaque
	switch r.op(r.ids[id].word) {
	case spirvtab.OpLoad:
		a, _ := r.memoryAccess(in, 4)
		a &^= aligned
		d, pa := r.pointer(in[3])
		o = r.handle(r.descriptors(r.typeAt(in[1])), d, a|pa)
	case spirvtab.OpSampledImage:
		s := r.opaque(in[4])
		o = r.opaque(in[3])
		if o.image == 0 || s.sampler == 0 {
			r.fail("needs an image and a sampler")
		}
		o.sampler = s.sampler
		o.access |= s.access & kind.AccessNonUniform
	case spirvtab.OpImage:
		if o = r.opaque(in[3]); o.image == 0 {
			r.fail("id %d has no image", in[3])
		}
		o.sampler = 0
	case spirvtab.OpCompositeExtract:
		o = r.opaqueElement(in[3], in[4:])
	default: // OpCopyObject
		o = r.opaques(in[3])
	}
	o.access |= r.access(id, noMember)
	return o
}

// opaqueElement returns an element of an array of images or samplers.
func (r *reader) opaqueElement(array uint32, indices []uint32) opaque {
	o, t := r.opaques(array), r.typeOf(array)
	if len(indices) != 1 || r.part(r.ids[array].typ, indices[0]) == 0 {
		r.fail("id %d has no such part", array)
	}
	return r.handle(r.typeAt(t.elem), r.b.DerefArray(o.deref(), r.imm(indices[0])), o.access)
}

// deref returns the deref of o, which has an image or a sampler, or both in one object.
func (o opaque) deref() ir.Value {
	if o.image == 0 {
		return o.sampler
	}
	return o.image
}

// passed returns the deref of an opaque object as an argument of a call.
func (r *reader) passed(id uint32) ir.Value {
	o := r.opaques(id)
	if o.image != 0 && o.sampler != 0 && o.sampler != o.image {
		r.refuse("passing id %d, a combined image and sampler, as an argument is not supported", id)
	}
	return o.deref()
}

// checkID rejects an operand that the layout check has not recognized as an id.
func (r *reader) checkID(id uint32) {
	if id == 0 || id >= r.bound {
		r.fail("id %d is outside of the bound %d", id, r.bound)
	}
}

// imageOf returns the image that an id refers to, and the image's type.
func (r *reader) imageOf(id uint32) (opaque, *ir.TypeInfo) {
	o := r.opaque(id)
	if o.image == 0 {
		r.fail("id %d has no image", id)
	}
	return o, r.s.Types.At(r.s.DerefType(o.image))
}

// imageInstr reads the instructions that access or query images.
func (r *reader) imageInstr(info *spirvtab.Op, in []uint32) {
	num, sparse := plainForm(info.Num)
	r.tex.sparse = sparse
	switch num {
	case spirvtab.OpSampledImage, spirvtab.OpImage:
		r.setOpaque(in[2], r.opaqueAgain(in[2], in))
	case spirvtab.OpImageTexelPointer:
		r.texelPointer(in)
	case spirvtab.OpImageRead:
		r.imageRead(in)
	case spirvtab.OpImageWrite:
		r.imageWrite(in)
	case spirvtab.OpImageQuerySizeLod, spirvtab.OpImageQuerySize, spirvtab.OpImageQueryLevels, spirvtab.OpImageQuerySamples:
		r.imageQuery(num, in)
	case spirvtab.OpImageSampleExplicitLod, spirvtab.OpImageSampleProjExplicitLod:
		r.sample(num, in, 0, 5)
	case spirvtab.OpImageSampleImplicitLod, spirvtab.OpImageSampleProjImplicitLod:
		r.derivatives()
		r.sample(num, in, 0, 5)
	case spirvtab.OpImageSampleDrefImplicitLod, spirvtab.OpImageSampleProjDrefImplicitLod:
		r.derivatives()
		r.sample(num, in, in[5], 6)
	case spirvtab.OpImageQueryLod:
		r.derivatives()
		r.queryLOD(in)
	case spirvtab.OpImageSampleDrefExplicitLod, spirvtab.OpImageSampleProjDrefExplicitLod:
		r.sample(num, in, in[5], 6)
	case spirvtab.OpImageFetch:
		r.fetch(in)
	case spirvtab.OpImageGather, spirvtab.OpImageDrefGather:
		r.gather(num, in)
	case spirvtab.OpImageSparseTexelsResident:
		r.texelsResident(in)
	default:
		r.refuse("is not supported")
	}
}

// components returns the first n components of a 32-bit value: coordinates may have more components than are read.
// 16-bit floats are converted.
func (r *reader) components(id uint32, n int, float bool) ir.Src {
	r.checkID(id)
	s := r.src(id)
	if float && r.bitsOf(s) == 16 && r.typeOf(id).base == ir.TypeFloat {
		s = r.alu(op.F2F32, s)
	}
	if r.bitsOf(s) != 32 || (r.typeOf(id).base == ir.TypeFloat) != float {
		want := "integers"
		if float {
			want = "floats"
		}
		r.fail("id %d must have components that are %s of 32 bits", id, want)
	}
	if int(s.N) < n {
		r.fail("id %d has %d components, needs %d", id, s.N, n)
	}
	return s.Take(n)
}

// texelAt extends the coordinates of a texel to four components with zeros.
func (r *reader) texelAt(x *ir.TypeInfo, id uint32) ir.Src {
	n := ir.CoordComps(x.Dim)
	if x.Arrayed && x.Dim != kind.DimCube {
		n++
	}
	s := r.components(id, n, false)
	var c [4]ir.Src
	for i := range c {
		if c[i] = r.zero(1, 32); i < n {
			c[i] = s.Comp(i)
		}
	}
	return r.vec(c[:])
}

// texelBase returns the base type in which an access reads the components of texels.
func (r *reader) texelBase(x *ir.TypeInfo, o *imageOperands) kind.BaseType {
	switch {
	case o.mask&operandSignExtend != 0:
		return kind.BaseInt
	case o.mask&operandZeroExtend != 0:
		return kind.BaseUint
	}
	return baseOf(r.s.Types.At(x.Elem).Kind)
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
func (r *reader) describe(v ir.Value, x *ir.TypeInfo, a kind.Access, base kind.BaseType) {
	arrayed := uint32(0)
	if x.Arrayed {
		arrayed = 1
	}
	r.s.SetIndex(v, intrinsic.IxImageDim, uint32(x.Dim))
	r.s.SetIndex(v, intrinsic.IxImageArray, arrayed)
	r.s.SetIndex(v, intrinsic.IxFormat, uint32(x.Format))
	r.s.SetIndex(v, intrinsic.IxAccess, uint32(a))
	if id := r.s.At(v).Intrinsic(); id.Slot(intrinsic.IxTexelBase) >= 0 {
		r.s.SetIndex(v, intrinsic.IxTexelBase, uint32(base))
	}
}

// storageOf is like imageOf, for a storage image.
func (r *reader) storageOf(id uint32) (opaque, *ir.TypeInfo) {
	o, x := r.imageOf(id)
	if !x.Storage {
		r.fail("id %d is not a storage image", id)
	}
	return o, x
}

// sampleIndex returns the sample that an access to a storage image selects.
func (r *reader) sampleIndex(x *ir.TypeInfo, o *imageOperands) ir.Src {
	switch {
	case x.Multisampled != (o.sample != 0):
		r.fail("a sample is required for multisampled images and only allowed there")
	case o.sample != 0:
		return r.index(o.sample)
	}
	return r.imm(0)
}

const storageOperands = operandSample | operandSignExtend | operandZeroExtend | operandNonPrivate | operandVolatile | operandNontemporal

func (r *reader) texelBits(x *ir.TypeInfo) uint8 { return r.s.Types.At(x.Elem).Bits }

func (r *reader) imageWrite(in []uint32) {
	im, x := r.storageOf(in[1])
	o := r.imageOperands(in, 4, storageOperands|operandMakeAvailable)
	coord, sample := r.texelAt(x, in[2]), r.sampleIndex(x, &o)
	r.storeTexel(im, x, coord, sample, r.src(in[3]), im.access|o.access, r.texelBase(x, &o))
}

// storeTexel writes a texel; the value is padded with zeros.
func (r *reader) storeTexel(im opaque, x *ir.TypeInfo, coord, sample, data ir.Src, a kind.Access, base kind.BaseType) {
	if r.bitsOf(data) != r.texelBits(x) {
		r.fail("the texel has %d bits, the image's texels have %d", r.bitsOf(data), r.texelBits(x))
	}
	if data.N < 4 {
		var c [4]ir.Src
		for i := range c {
			if c[i] = r.zero(1, r.bitsOf(data)); i < int(data.N) {
				c[i] = data.Comp(i)
			}
		}
		data = r.vec(c[:])
	}
	v := r.b.Intrinsic(intrinsic.ImageStore, 0, 0, coord, sample, data, r.s.All(im.image))
	r.describe(v, x, a, base)
}

// imageQuery reads the instructions that query sizes and counts.
func (r *reader) imageQuery(num uint16, in []uint32) {
	id := in[2]
	im, x := r.imageOf(in[3])
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
			v = r.b.Intrinsic(intrinsic.ImageSize, uint8(n), 32, r.imm(0), r.s.All(im.image))
		case spirvtab.OpImageQuerySamples:
			v = r.b.Intrinsic(intrinsic.ImageSamples, 1, 32, r.s.All(im.image))
		default:
			r.fail("a storage image has one level")
		}
		r.describe(v, x, im.access, 0)
		r.setSrc(id, r.s.All(v))
		return
	}
	t := &r.tex
	t.n = 0
	o := kind.TexTxs
	switch num {
	case spirvtab.OpImageQuerySizeLod:
		t.add(kind.TexSrcLOD, r.index(in[4]))
	case spirvtab.OpImageQueryLevels:
		o = kind.TexQueryLevels
	case spirvtab.OpImageQuerySamples:
		o = kind.TexTextureSamples
	}
	im.sampler = 0
	r.setSrc(id, r.s.All(r.texture(o, uint8(n), 32, im, x, 0, kind.BaseUint, 0)))
}

// texSources collects the sources of a texture operation, in the order of their kinds.
type texSources struct {
	n      int
	kind   [16]kind.TexSrc
	src    [16]ir.Src
	sparse bool // the result also tells whether the memory of the texels is resident
}

func (t *texSources) add(k kind.TexSrc, s ir.Src) {
	t.kind[t.n], t.src[t.n] = k, s
	t.n++
}

// texture inserts a texture operation with the collected sources and the resources.
func (r *reader) texture(o kind.TexOp, comps, bits uint8, im opaque, x *ir.TypeInfo, flags kind.TexFlag, base kind.BaseType, component uint32) ir.Value {
	t := &r.tex
	t.add(kind.TexSrcTextureDeref, r.s.All(im.image))
	if im.sampler != 0 {
		t.add(kind.TexSrcSamplerDeref, r.s.All(im.sampler))
	}
	if x.Arrayed {
		flags |= kind.TexFlagArray
	}
	if im.access&kind.AccessNonUniform != 0 {
		flags |= kind.TexFlagNonUniform
	}
	if t.sparse {
		if bits != 32 {
			r.refuse("sparse texels of %d bits are not supported", bits)
		}
		flags |= kind.TexFlagSparse
		comps++
	}
	s := r.s
	v := s.New(kind.Tex, uint16(o), t.n, kind.FieldTexSourceKinds+t.n)
	in := s.At(v)
	in.Loc = r.b.Loc
	in.Bits, in.Comps = bits, comps
	s.Words(v)[kind.FieldTexDim] = uint32(x.Dim)
	s.Words(v)[kind.FieldTexFlags] = uint32(flags)
	s.Words(v)[kind.FieldTexDestBase] = uint32(base)
	s.Words(v)[kind.FieldTexComponent] = component
	for i := range t.n {
		s.Words(v)[kind.FieldTexSourceKinds+i] = uint32(t.kind[i])
		s.SetSrc(v, i, t.src[i])
	}
	r.b.Insert(v)
	return v
}

// sampledOf is like imageOf, for an image with a sampler.
func (r *reader) sampledOf(id uint32) (opaque, *ir.TypeInfo) {
	o, x := r.imageOf(id)
	if o.sampler == 0 {
		r.fail("id %d has no sampler", id)
	}
	if x.Dim == kind.DimBuf || x.Multisampled {
		r.fail("an image of shape %s cannot be sampled", x.Dim)
	}
	return o, x
}

// queryLOD reads OpImageQueryLod.
func (r *reader) queryLOD(in []uint32) {
	im, x := r.sampledOf(in[3])
	t := &r.tex
	t.n = 0
	t.add(kind.TexSrcCoord, r.components(in[4], ir.CoordComps(x.Dim), true))
	v := r.texture(kind.TexLOD, 2, 32, im, x, 0, kind.BaseFloat, 0)
	r.setSrc(in[2], r.s.All(v))
}

// sample reads the sampling instructions, with an explicit level of detail or derivatives or, where invocations are in
// quads, an implicit level. dref is the comparison reference, 0 for none; image operands start at word at.
func (r *reader) sample(num uint16, in []uint32, dref uint32, at int) {
	id := in[2]
	im, x := r.sampledOf(in[3])
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
	o := r.imageOperands(in, at, level|operandConstOffset|operandOffset|operandMinLod|operandSignExtend|operandZeroExtend|
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
			r.fail("projection is not allowed for an image with layers or faces")
		}
		c := r.components(in[4], n+1, true)
		q = c.Comp(n)
		coord = r.alu(op.FDiv, c.Take(n), q)
	} else {
		coord = r.components(in[4], n, true)
	}
	t := &r.tex
	t.n = 0
	t.add(kind.TexSrcCoord, coord)
	flags := kind.TexFlag(0)
	if dref != 0 {
		flags |= kind.TexFlagShadow
		d := r.components(dref, 1, true)
		if q.Val != 0 {
			d = r.alu(op.FDiv, d, q)
		}
		t.add(kind.TexSrcComparator, d)
	}
	if o.offset != 0 {
		t.add(kind.TexSrcOffset, r.components(o.offset, dims, false))
	}
	tex := kind.TexTxl
	if implicit {
		tex = kind.TexTex
	}
	if o.mask&operandBias != 0 {
		tex = kind.TexTxb
		t.add(kind.TexSrcBias, r.components(o.bias, 1, true))
	}
	if o.mask&operandLod != 0 {
		t.add(kind.TexSrcLOD, r.components(o.lod, 1, true))
	}
	if o.minLod != 0 {
		t.add(kind.TexSrcMinLOD, r.components(o.minLod, 1, true))
	}
	if o.mask&operandGrad != 0 {
		tex = kind.TexTxd
		t.add(kind.TexSrcDdx, r.components(o.ddx, dims, true))
		t.add(kind.TexSrcDdy, r.components(o.ddy, dims, true))
	}
	if !implicit && (o.mask&operandLod != 0) == (o.mask&operandGrad != 0) {
		r.fail("needs exactly one of a level of detail and derivatives")
	}
	comps := uint8(4)
	if dref != 0 {
		comps = 1
	}
	v := r.texture(tex, comps, r.texelBits(x), im, x, flags, r.texelBase(x, &o), 0)
	r.texels(id, x, r.texelOf(v))
}

func (r *reader) fetch(in []uint32) {
	id := in[2]
	im, x := r.imageOf(in[3])
	if x.Storage || x.Dim == kind.DimCube {
		r.fail("texels can only be fetched from sampled images other than cubes")
	}
	o := r.imageOperands(in, 5, operandLod|operandConstOffset|operandOffset|operandSample|operandSignExtend|operandZeroExtend|
		operandNonPrivate|operandVolatile|operandNontemporal)
	n := ir.CoordComps(x.Dim)
	t := &r.tex
	t.n = 0
	if x.Arrayed {
		t.add(kind.TexSrcCoord, r.components(in[4], n+1, false))
	} else {
		t.add(kind.TexSrcCoord, r.components(in[4], n, false))
	}
	if o.offset != 0 {
		t.add(kind.TexSrcOffset, r.components(o.offset, n, false))
	}
	if o.lod != 0 {
		t.add(kind.TexSrcLOD, r.index(o.lod))
	}
	tex := kind.TexTxf
	if x.Multisampled != (o.sample != 0) {
		r.fail("a sample is required for multisampled images and only allowed there")
	}
	if o.sample != 0 {
		tex = kind.TexTxfMs
		t.add(kind.TexSrcMsIndex, r.index(o.sample))
	}
	im.sampler = 0
	v := r.texture(tex, 4, r.texelBits(x), im, x, 0, r.texelBase(x, &o), 0)
	r.texels(id, x, r.texelOf(v))
}

// gather reads OpImageGather and OpImageDrefGather. A gather with a separate offset for each of the four texels becomes
// four gathers, each of which contributes one texel: the texel at the coordinate itself, which is the last component
// (Vulkan specification, "Texel Gathering").
func (r *reader) gather(num uint16, in []uint32) {
	id := in[2]
	im, x := r.sampledOf(in[3])
	o := r.imageOperands(in, 6, operandConstOffset|operandOffset|operandConstOffsets|operandSignExtend|operandZeroExtend|operandNonPrivate|operandVolatile|operandNontemporal)
	if x.Dim != kind.Dim2D && x.Dim != kind.DimCube && x.Dim != kind.DimRect {
		r.fail("texels cannot be gathered from an image of shape %s", x.Dim)
	}
	dims := ir.CoordComps(x.Dim)
	n := dims
	if x.Arrayed {
		n++
	}
	coord := r.components(in[4], n, true)
	flags, component := kind.TexFlag(0), uint32(0)
	var dref ir.Src
	if num == spirvtab.OpImageDrefGather {
		flags = kind.TexFlagShadow
		dref = r.components(in[5], 1, true)
	} else if component = r.constInt(in[5], "the component"); component > 3 {
		r.fail("there is no component %d", component)
	}
	one := func(offset ir.Src) accessed {
		t := &r.tex
		t.n = 0
		t.add(kind.TexSrcCoord, coord)
		if dref.Val != 0 {
			t.add(kind.TexSrcComparator, dref)
		}
		if offset.Val != 0 {
			t.add(kind.TexSrcOffset, offset)
		}
		return r.texelOf(r.texture(kind.TexTg4, 4, r.texelBits(x), im, x, flags, r.texelBase(x, &o), component))
	}
	switch {
	case o.constOffsets != 0:
		pt := r.typeOf(o.constOffsets)
		if pt.op != spirvtab.OpTypeArray || pt.n != 4 || r.typeAt(pt.elem).comps != 2 || r.typeAt(pt.elem).bits != 32 {
			r.fail("the offsets, id %d, are not four pairs of integers of 32 bits", o.constOffsets)
		}
		offsets := r.value(o.constOffsets)
		var c [4]ir.Src
		var code ir.Src
		for i := range c {
			t := one(r.kid(offsets, pt.ir, i).src)
			c[i] = t.color.Comp(3)
			if i == 0 || !r.tex.sparse {
				code = t.code
			} else {
				code = r.alu(op.IAnd, code, t.code)
			}
		}
		r.texels(id, x, accessed{r.vec(c[:]), code})
	case o.offset != 0:
		r.texels(id, x, one(r.components(o.offset, dims, false)))
	default:
		r.texels(id, x, one(ir.Src{}))
	}
}
