// SPDX-License-Identifier: MIT

package interp

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/texture"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Image is the object of a descriptor of an image, of a texel buffer, of a sampler, or of a
// combined image and sampler.
type Image struct {
	Set, Binding uint32
	Element      uint32 // element of an array of descriptors

	Texture *texture.Image   // nil means described by the fields below
	Sampler *texture.Sampler // nil if none

	// An image of one level, its texels contiguous, the samples of a texel first, then x,
	// y, and z or the layers.
	Dim    kind.ImageDim
	Format kind.Format // unknown: as declared in the shader
	// Sizes in texels; 0 or 1 in dimensions that the shape lacks. Layers of a cube are its faces, 6 for each cube.
	Width, Height, Depth, Layers uint32
	Samples                      uint32
	Data                         []byte
}

// texture returns the texture of a descriptor's object, or nil if there is none or its format is unknown. The first call
// creates it. said is the format that the shader declares, used if the image has none.
func (o *object) texture(said kind.Format) *texture.Image {
	m := o.image
	if m == nil || o.tex != nil {
		return o.tex
	}
	if o.tex = m.Texture; o.tex != nil || m.Data == nil {
		return o.tex
	}
	f := m.Format
	if f == kind.FormatUnknown {
		f = said
	}
	format := texture.Of(f)
	if format == nil {
		return nil
	}
	layers := max(m.Layers, 1)
	if m.Dim == kind.DimCube && m.Layers == 0 {
		layers = 6
	}
	o.tex = &texture.Image{Dim: m.Dim, Format: format, Layers: layers, Samples: max(m.Samples, 1),
		Levels: []texture.Level{{Width: max(m.Width, 1), Height: max(m.Height, 1), Depth: max(m.Depth, 1), Data: m.Data}}}
	return o.tex
}

// resource returns the object of the descriptor that operand i selects for a lane: by a deref, by an index into table,
// or by a handle in by. It is nil if nothing is bound there; an undefined handle is an error.
func (g *subgroup) resource(v ir.Value, i, l int, form kind.TargetForm, table []int, by *handleTable) *object {
	x := g.lane(v, i, 0, l)
	obj := 0
	switch form {
	case kind.FormDeref:
		obj, _ = split(x)
	case kind.FormIndex:
		if x < uint64(len(table)) && table[x] >= 0 {
			obj = table[x]
		}
	default:
		if obj = by.object(x); obj == 0 {
			g.fail(v, "nothing has the handle 0x%08x", x)
		}
	}
	if obj >= len(g.objs) || g.objs[obj].image == nil {
		return nil
	}
	return &g.objs[obj]
}

// target returns the image that an intrinsic accesses for a lane, or nil if there is none.
func (g *subgroup) target(v ir.Value, l int) *texture.Image {
	s := g.s
	o := g.resource(v, int(s.At(v).NSrc)-1, l, s.TargetForm(v), g.table, &g.handles.images)
	if o == nil {
		return nil
	}
	said := kind.FormatUnknown
	if s.At(v).Intrinsic().Slot(intrinsic.IxFormat) >= 0 {
		said = kind.Format(s.Index(v, intrinsic.IxFormat))
	}
	m := o.texture(said)
	if m == nil {
		if o.image.Data != nil {
			g.fail(v, "an image of unknown format cannot be interpreted")
		}
		return nil
	}
	if f := texture.Of(said); f != nil && f != m.Format {
		g.fail(v, "the image has the format %s, not %s", m.Format.Name, said)
	}
	g.shape(v, m, kind.ImageDim(s.Index(v, intrinsic.IxImageDim)))
	return m
}

// shape rejects an access whose shape differs from the image's. A 2D image may be viewed as a rectangle or as a
// multisampled image with one sample, and a cube as an array of 2D layers. An input attachment is a 2D image.
func (g *subgroup) shape(v ir.Value, m *texture.Image, dim kind.ImageDim) {
	switch dim {
	case kind.DimSubpass:
		dim = kind.Dim2D
	case kind.DimSubpassMs:
		dim = kind.DimMs
	}
	if dim != m.Dim && (dim != kind.DimMs && dim != kind.DimRect || m.Dim != kind.Dim2D) && (dim != kind.Dim2D || m.Dim != kind.DimCube) {
		g.fail(v, "the image is of shape %s, not %s", m.Dim, dim)
	}
}

// base rejects reading floats as integers and vice versa.
func (g *subgroup) base(v ir.Value, m *texture.Image, base kind.BaseType) {
	if base != kind.BaseBool && (base == kind.BaseFloat) != (m.Format.Base == kind.BaseFloat) {
		g.fail(v, "texels of format %s cannot be read as %s", m.Format.Name, base)
	}
}

// texel returns the bytes of the texel that a lane selects, or nil outside the image, and the image, or nil if none is
// bound.
func (g *subgroup) texel(v ir.Value, l int) ([]byte, *texture.Image) {
	m := g.target(v, l)
	if m == nil {
		return nil, nil
	}
	g.base(v, m, kind.BaseType(g.s.Index(v, intrinsic.IxTexelBase)))
	id := g.s.At(v).Intrinsic()
	var at [4]int64
	for c := range at {
		at[c] = g.signed(v, id.Source(intrinsic.RoleCoord), c, l)
	}
	g.attached(v, l, &at)
	sample := int64(0)
	if m.Samples > 1 {
		sample = g.signed(v, id.Source(intrinsic.RoleSample), 0, l)
	}
	x, y, z, layer := texture.Place(m.Dim, g.s.Index(v, intrinsic.IxImageArray) != 0, at)
	mem := m.Bytes(0, x, y, z, layer, sample)
	if mem == nil {
		g.stats.Outside++
	}
	return mem, m
}

// attached adjusts the coordinates of an access to an input attachment: it adds the pixel of the fragment, to which
// they are relative, and sets the layer to the fragment's (Vulkan specification, "Image Operations", OpImageRead of
// SubpassData).
func (g *subgroup) attached(v ir.Value, l int, at *[4]int64) {
	switch kind.ImageDim(g.s.Index(v, intrinsic.IxImageDim)) {
	case kind.DimSubpass, kind.DimSubpassMs:
	default:
		return
	}
	f := g.fixed(v)
	for c := range 2 {
		x, _ := f.System(l, intrinsic.LoadFragCoord, c)
		at[c] += int64(math.Floor(float64(math.Float32frombits(uint32(x)))))
	}
	layer, _ := f.System(l, intrinsic.LoadLayerID, 0)
	at[2] = int64(layer)
}

// signed reads component c of operand i as a signed number.
func (g *subgroup) signed(v ir.Value, i, c, l int) int64 {
	bits := g.s.At(g.s.Src(v, i).Val).Bits
	return int64(g.lane(v, i, c, l)<<(64-bits)) >> (64 - bits)
}

// give stores a texel as the result of a lane.
func (g *subgroup) give(v ir.Value, in *ir.Instr, l int, f *texture.Format, t *texture.Texel) {
	out := g.slot(v)
	mask := ^uint64(0) >> (64 - in.Bits)
	for c := range min(int(in.Comps), len(t)) {
		x := t[c]
		if f != nil && f.Base == kind.BaseFloat {
			switch in.Bits {
			case 32:
			case 16:
				x = uint64(num.F32ToF16RNE(t.Float(c)))
			default:
				g.fail(v, "%d-bit floats cannot be read from an image", in.Bits)
			}
		}
		out[c*g.width+l] = x & mask
	}
}

func imageLoad(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		mem, m := g.texel(v, l)
		if mem == nil {
			g.give(v, in, l, nil, &texture.Texel{})
			continue
		}
		t := m.Format.Decode(mem)
		g.give(v, in, l, m.Format, &t)
	}
}

func imageStore(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	bits := g.s.At(g.source(v, intrinsic.RoleValue).Val).Bits
	for i := range g.width {
		l := g.turn(i)
		if mask>>l&1 == 0 {
			continue
		}
		mem, m := g.texel(v, l)
		if mem == nil {
			continue
		}
		var t texture.Texel
		for c := range t {
			switch t[c] = g.role(v, intrinsic.RoleValue, c, l); {
			case m.Format.Base == kind.BaseInt:
				t[c] = uint64(g.signed(v, in.Intrinsic().Source(intrinsic.RoleValue), c, l))
			case bits == 16 && m.Format.Base == kind.BaseFloat:
				t.SetFloat(c, num.F16ToF32(uint16(t[c])))
			}
		}
		m.Format.Encode(mem, &t)
	}
}

// imageLoadRaw reads the bits of texels as numbers.
func imageLoadRaw(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		var t texture.Texel
		mem, m := g.texel(v, l)
		if m != nil && m.Format.Bytes > 4*int(in.Comps) {
			g.fail(v, "texels of %d bytes do not fit into %d numbers", m.Format.Bytes, in.Comps)
		}
		for i, b := range mem {
			t[i/4] |= uint64(b) << (8 * (i % 4))
		}
		g.give(v, in, l, nil, &t)
	}
}

func imageAtomic(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	o, ok := atomic.Texel(in.Intrinsic(), kind.BaseType(g.s.Index(v, intrinsic.IxTexelBase)))
	if !ok {
		g.fail(v, "texels of this type cannot be interpreted")
		return
	}
	out := g.slot(v)
	for i := range g.width {
		l := g.turn(i)
		if mask>>l&1 == 0 {
			continue
		}
		mem, m := g.texel(v, l)
		if m != nil && 8*m.Format.Bytes != int(in.Bits) {
			g.fail(v, "atomics require texels of one %d-bit component", in.Bits)
		}
		old := load(mem)
		data, compare := g.atomicData(v, l)
		nu, ok := fold.Atomic(o, in.Bits, old, data, compare)
		if !ok {
			g.fail(v, "%s on %d bits cannot be interpreted", o, in.Bits)
		}
		store(mem, nu)
		out[l] = old
	}
}

// giveSize stores the size of a level as the result of a lane.
func (g *subgroup) giveSize(v ir.Value, in *ir.Instr, l int, m *texture.Image, dim kind.ImageDim, arrayed bool, level int64) {
	var x [4]uint32
	if m != nil && level >= 0 && level < int64(len(m.Levels)) {
		x = m.Size(dim, arrayed, int(level))
	}
	out := g.slot(v)
	for c := range min(int(in.Comps), len(x)) {
		out[c*g.width+l] = uint64(x[c])
	}
}

func imageSize(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	dim, arrayed := kind.ImageDim(g.s.Index(v, intrinsic.IxImageDim)), g.s.Index(v, intrinsic.IxImageArray) != 0
	for l := range g.width {
		if mask>>l&1 != 0 {
			g.giveSize(v, in, l, g.target(v, l), dim, arrayed, g.signed(v, in.Intrinsic().Source(intrinsic.RoleLOD), 0, l))
		}
	}
}

func imageSamples(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	g.each(v, mask, func(l int) uint64 {
		if m := g.target(v, l); m != nil {
			return uint64(m.Samples)
		}
		return 0
	})
}

func imageOps(h *[intrinsic.Count]handler) {
	h[intrinsic.ImageLoad] = imageLoad
	h[intrinsic.ImageLoadRaw] = imageLoadRaw
	h[intrinsic.ImageStore] = imageStore
	h[intrinsic.ImageSize] = imageSize
	h[intrinsic.ImageSamples] = imageSamples
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		if id.Is(intrinsic.TraitImageAtomic) {
			h[id] = imageAtomic
		}
	}
}

// texSources returns the indices of a texture operation's operands, by kind, with -1 for absent ones.
func (g *subgroup) texSources(v ir.Value) (at [kind.TexSrcSamplerHandle + 1]int) {
	for k := range at {
		at[k] = -1
	}
	for i := range int(g.s.At(v).NSrc) {
		at[g.s.Tex(v).Kind(i)] = i
	}
	return at
}

// texture executes a texture operation.
func (g *subgroup) texture(v ir.Value, in *ir.Instr, mask uint64) {
	s := g.s
	src := g.texSources(v)
	o := kind.TexOp(in.Op)
	dim := s.Tex(v).Dim()
	arrayed := s.Tex(v).Flags()&kind.TexFlagArray != 0
	base := kind.BaseType(s.Words(v)[kind.FieldTexDestBase])
	named := func(l int, deref, index, handle kind.TexSrc, table []int, by *handleTable) *object {
		if i := src[deref]; i >= 0 {
			return g.resource(v, i, l, kind.FormDeref, nil, by)
		}
		if i := src[handle]; i >= 0 {
			return g.resource(v, i, l, kind.FormBindless, nil, by)
		}
		return g.resource(v, src[index], l, kind.FormIndex, table, by)
	}
	number := func(k kind.TexSrc, l int) int64 {
		if src[k] < 0 {
			return 0
		}
		return g.signed(v, src[k], 0, l)
	}
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		var m *texture.Image
		if r := named(l, kind.TexSrcTextureDeref, kind.TexSrcTextureIndex, kind.TexSrcTextureHandle, g.table, &g.handles.images); r != nil {
			m = r.texture(kind.FormatUnknown)
		}
		if m == nil { // nothing is bound
			g.giveTexel(v, in, l, nil, &texture.Texel{}, true)
			continue
		}
		g.shape(v, m, dim)
		switch o {
		case kind.TexTxs:
			g.giveSize(v, in, l, m, dim, arrayed, number(kind.TexSrcLOD, l))
			continue
		case kind.TexQueryLevels:
			g.slot(v)[l] = uint64(len(m.Levels))
			continue
		case kind.TexTextureSamples:
			g.slot(v)[l] = uint64(m.Samples)
			continue
		}
		g.base(v, m, base)
		if o == kind.TexTxf || o == kind.TexTxfMs {
			t, resident := g.fetch(v, l, m, &src, arrayed)
			g.giveTexel(v, in, l, m.Format, &t, resident)
			continue
		}
		r := named(l, kind.TexSrcSamplerDeref, kind.TexSrcSamplerIndex, kind.TexSrcSamplerHandle, g.samplers, &g.handles.samplers)
		if r == nil || r.image.Sampler == nil {
			g.fail(v, "no sampler is bound")
		}
		sampler := r.image.Sampler
		if dim == kind.DimRect {
			sampler = inTexels(sampler)
		}
		q := g.query(v, l, &src, dim, arrayed && o != kind.TexLOD) // a LOD query has no layer
		var t texture.Texel
		switch o {
		case kind.TexTex, kind.TexTxb:
			g.implicit(v, l, src[kind.TexSrcCoord], dim, mask, &q)
			t = m.Sample(sampler, &q)
		case kind.TexLOD:
			g.implicit(v, l, src[kind.TexSrcCoord], dim, mask, &q)
			level, lod := m.QueryLOD(sampler, &q)
			t.SetFloat(0, level)
			t.SetFloat(1, lod)
			g.give(v, in, l, nil, &t)
			continue
		case kind.TexTxl, kind.TexTxd:
			q.Grad = o == kind.TexTxd
			t = m.Sample(sampler, &q)
		case kind.TexTg4:
			component := int(s.Words(v)[kind.FieldTexComponent])
			t = m.Gather(sampler, &q, component)
		default:
			g.fail(v, "it cannot be interpreted")
		}
		g.giveTexel(v, in, l, m.Format, &t, !q.Unbound)
	}
}

// giveTexel stores the texel that a texture operation read as the result of a lane. The last component of a sparse
// operation tells whether all texels are resident.
func (g *subgroup) giveTexel(v ir.Value, in *ir.Instr, l int, f *texture.Format, t *texture.Texel, resident bool) {
	g.give(v, in, l, f, t)
	if g.s.Tex(v).Flags()&kind.TexFlagSparse != 0 {
		code := uint64(0)
		if resident {
			code = 1
		}
		g.slot(v)[int(in.Comps-1)*g.width+l] = code
	}
}

// inTexels returns the sampler with unnormalized coordinates, which images of shape Rect take (OpenGL specification,
// "Rectangle Textures").
func inTexels(s *texture.Sampler) *texture.Sampler {
	x := *s
	x.Unnormalized = true
	return &x
}

// fetch reads one texel of a sampled image. The texel is zero outside the image and where the image has no memory.
func (g *subgroup) fetch(v ir.Value, l int, m *texture.Image, src *[kind.TexSrcSamplerHandle + 1]int,
	arrayed bool) (t texture.Texel, resident bool) {
	var at [4]int64
	i := src[kind.TexSrcCoord]
	n := int(g.s.Src(v, i).N)
	for c := range n {
		at[c] = g.signed(v, i, c, l)
	}
	if i := src[kind.TexSrcOffset]; i >= 0 {
		for c := range int(g.s.Src(v, i).N) {
			at[c] += g.signed(v, i, c, l)
		}
	}
	level, sample := int64(0), int64(0)
	if i := src[kind.TexSrcLOD]; i >= 0 {
		level = g.signed(v, i, 0, l)
	}
	if i := src[kind.TexSrcMsIndex]; i >= 0 {
		sample = g.signed(v, i, 0, l)
	}
	x, y, z, layer := texture.Place(m.Dim, arrayed, at)
	if level < 0 || level >= int64(len(m.Levels)) {
		g.stats.Outside++
		return t, true
	}
	mem, resident := m.Resident(int(level), x, y, z, layer, sample)
	if mem != nil {
		return m.Format.Decode(mem), true
	}
	g.stats.Outside++
	return t, resident
}

// query collects the parameters of sampling.
func (g *subgroup) query(v ir.Value, l int, src *[kind.TexSrcSamplerHandle + 1]int, dim kind.ImageDim, arrayed bool) texture.Query {
	var q texture.Query
	float := func(k kind.TexSrc, c int) float32 {
		i := src[k]
		if i < 0 {
			return 0
		}
		if bits := g.s.At(g.s.Src(v, i).Val).Bits; bits != 32 {
			g.fail(v, "a %d-bit source cannot be interpreted", bits)
		}
		return math.Float32frombits(uint32(g.lane(v, i, c, l)))
	}
	n := ir.CoordComps(dim)
	for c := range n {
		q.Coord[c] = float(kind.TexSrcCoord, c)
		q.Ddx[c], q.Ddy[c] = float(kind.TexSrcDdx, c), float(kind.TexSrcDdy, c)
		if i := src[kind.TexSrcOffset]; i >= 0 {
			q.Offset[c] = int32(g.signed(v, i, c, l))
		}
	}
	if arrayed {
		q.Layer = float(kind.TexSrcCoord, n)
	}
	q.LOD, q.Bias, q.MinLOD = float(kind.TexSrcLOD, 0), float(kind.TexSrcBias, 0), float(kind.TexSrcMinLOD, 0)
	if src[kind.TexSrcComparator] >= 0 {
		q.Compare, q.Ref = true, float(kind.TexSrcComparator, 0)
	}
	return q
}
