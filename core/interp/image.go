package interp

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Image is the memory behind a descriptor of an image: one level, its texels
// without gaps, the samples of a texel first, then x, y, and z or the layers.
type Image struct {
	Set, Binding uint32
	Element      uint32 // of an array of descriptors
	Dim          kind.ImageDim
	Format       kind.Format // unknown: as the shader says
	// Sizes in texels; what the shape does not have is 0 or 1. Layers of a cube
	// are its faces, 6 for each cube.
	Width, Height, Depth, Layers uint32
	Samples                      uint32
	Data                         []byte
}

// extent returns the sizes of an image, at least 1 each.
func (m *Image) extent() (w, h, slices, samples uint64) {
	one := func(x uint32) uint64 { return uint64(max(x, 1)) }
	slices = one(m.Depth) * one(m.Layers)
	if m.Dim == kind.DimCube && m.Layers == 0 {
		slices = 6
	}
	return uint64(m.Width), one(m.Height), slices, one(m.Samples)
}

// coordinates says how many of source 0's components a shape uses, the layer
// not counted. The face of a cube, and of an array of cubes face and cube as
// one number, is the third.
var coordinates = map[kind.ImageDim]int{
	kind.Dim1D: 1, kind.DimBuf: 1, kind.Dim2D: 2, kind.DimRect: 2, kind.DimMs: 2, kind.Dim3D: 3, kind.DimCube: 3,
	kind.DimSubpass: 2, kind.DimSubpassMs: 2,
}

// sizes says how many components image_size has before the layers.
var sizes = map[kind.ImageDim]int{
	kind.Dim1D: 1, kind.DimBuf: 1, kind.Dim2D: 2, kind.DimRect: 2, kind.DimMs: 2, kind.Dim3D: 3, kind.DimCube: 2,
	kind.DimSubpass: 2, kind.DimSubpassMs: 2,
}

// target returns the image that an instruction acts on for a lane, nil when
// there is none, and how its texels are coded.
func (g *subgroup) target(v ir.Value, l int) (*Image, *texelFormat) {
	s := g.s
	i := int(s.At(v).NSrc) - 1
	x := g.lane(v, i, 0, l)
	obj := 0
	switch form := s.TargetForm(v); form {
	case kind.FormDeref:
		obj, _ = split(x)
	case kind.FormIndex:
		if x < uint64(len(g.table)) && g.table[x] >= 0 {
			obj = g.table[x]
		}
	default:
		g.fail(v, "an image given as %s cannot be interpreted", form)
	}
	if obj >= len(g.objs) || g.objs[obj].image == nil {
		return nil, nil
	}
	m := g.objs[obj].image
	said := kind.Format(s.Index(v, intrinsic.IxFormat))
	f := m.Format
	if f == kind.FormatUnknown {
		f = said
	}
	if said != kind.FormatUnknown && said != f {
		g.fail(v, "the image has the format %s, not %s", f, said)
	}
	if dim := kind.ImageDim(s.Index(v, intrinsic.IxImageDim)); dim != m.Dim {
		g.fail(v, "the image is of shape %s, not %s", m.Dim, dim)
	}
	if int(f) >= len(texelFormats) || texelFormats[f].comps == 0 {
		g.fail(v, "images of format %s cannot be interpreted", f)
	}
	return m, &texelFormats[f]
}

// texel returns the bytes of the texel that a lane names, nil outside the
// image.
func (g *subgroup) texel(v ir.Value, l int) ([]byte, *texelFormat) {
	m, f := g.target(v, l)
	if m == nil {
		return nil, nil
	}
	n := coordinates[m.Dim]
	at := [3]uint64{}
	for c := range n {
		at[c] = g.coordinate(v, c, l)
	}
	if g.s.Index(v, intrinsic.IxImageArray) != 0 && m.Dim != kind.DimCube {
		at[2] = g.coordinate(v, n, l)
	}
	sample := uint64(0)
	if m.Dim == kind.DimMs || m.Dim == kind.DimSubpassMs {
		sample = g.lane(v, 1, 0, l)
	}
	w, h, slices, samples := m.extent()
	if at[0] >= w || at[1] >= h || at[2] >= slices || sample >= samples {
		return nil, f
	}
	size := f.bytes()
	return within(m.Data, (((at[2]*h+at[1])*w+at[0])*samples+sample)*uint64(size), size), f
}

// coordinate returns a component of source 0; negative ones are far outside.
func (g *subgroup) coordinate(v ir.Value, c, l int) uint64 {
	bits := g.s.At(g.s.SrcVal(v, 0)).Bits
	return uint64(int64(g.lane(v, 0, c, l)<<(64-bits)) >> (64 - bits))
}

func imageLoad(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	out := g.slot(v)
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		mem, f := g.texel(v, l)
		for c := range int(in.Comps) {
			x := uint64(0)
			if mem != nil {
				var ok bool
				if x, ok = f.load(mem, c, in.Bits); !ok {
					g.fail(v, "texels of %d bits cannot be interpreted", in.Bits)
				}
			}
			out[c*g.width+l] = x
		}
	}
}

func imageStore(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	bits := g.s.At(g.s.SrcVal(v, 2)).Bits
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		mem, f := g.texel(v, l)
		for c := 0; mem != nil && c < f.comps; c++ {
			if !f.store(mem, c, bits, g.lane(v, 2, c, l)) {
				g.fail(v, "texels of %d bits cannot be interpreted", bits)
			}
		}
	}
}

// typedAtomic says which atomic the smaller or larger of unsigned and of
// floating texels is, and their sum: the names of the intrinsics say only what
// signed ones do.
var typedAtomic = map[kind.BaseType]map[kind.AtomicOp]kind.AtomicOp{
	kind.BaseUint:  {kind.AtomicImin: kind.AtomicUmin, kind.AtomicImax: kind.AtomicUmax},
	kind.BaseFloat: {kind.AtomicImin: kind.AtomicFmin, kind.AtomicImax: kind.AtomicFmax, kind.AtomicIadd: kind.AtomicFadd},
}

func imageAtomic(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	o := kind.AtomicOp(in.Intrinsic().Info().Atomic)
	if t, ok := typedAtomic[kind.BaseType(g.s.Index(v, intrinsic.IxTexelBase))][o]; ok {
		o = t
	}
	out := g.slot(v)
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		mem, f := g.texel(v, l)
		if f != nil && (f.comps != 1 || f.bits != in.Bits) {
			g.fail(v, "atomics are on texels of one component of %d bits", in.Bits)
		}
		old, x, y := load(mem), g.lane(v, 2, 0, l), uint64(0)
		if o == kind.AtomicCmpxchg {
			y = g.lane(v, 3, 0, l)
		}
		nu, ok := Atomic(o, old, x, y, in.Bits)
		if !ok {
			g.fail(v, "%s on %d bits cannot be interpreted", o, in.Bits)
		}
		store(mem, nu)
		out[l] = old
	}
}

func imageSize(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	out := g.slot(v)
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		var x [4]uint64
		if m, _ := g.target(v, l); m != nil && g.lane(v, 0, 0, l) == 0 {
			w, h, slices, _ := m.extent()
			x = [4]uint64{w, h, slices}
			if g.s.Index(v, intrinsic.IxImageArray) != 0 {
				if m.Dim == kind.DimCube {
					slices /= 6
				}
				x[sizes[m.Dim]] = slices
			}
		}
		for c := range min(int(in.Comps), len(x)) {
			out[c*g.width+l] = x[c]
		}
	}
}

func imageSamples(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	g.each(v, mask, func(l int) uint64 {
		if m, _ := g.target(v, l); m != nil {
			return uint64(max(m.Samples, 1))
		}
		return 0
	})
}

func imageOps(h *[intrinsic.Count]handler) {
	h[intrinsic.ImageLoad] = imageLoad
	h[intrinsic.ImageStore] = imageStore
	h[intrinsic.ImageSize] = imageSize
	h[intrinsic.ImageSamples] = imageSamples
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		if id.Info().Family == intrinsic.FamilyImageAtomic {
			h[id] = imageAtomic
		}
	}
}
