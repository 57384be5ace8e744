// SPDX-License-Identifier: MIT

package synth

import (
	"math/rand/v2"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/ir"
	"jacquard.example/core/texture"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/picture"
)

const (
	bufferBytes = 4096 // size of a buffer without a declared size
	maxBytes    = 1 << 16
	pushBytes   = 256
	maxElements = 16 // maximum length of an array of descriptors
	extent      = 16 // texels of an image in each direction
)

// resources binds the resources that a shader declares.
type resources struct {
	s      *ir.Shader
	d      *Draw
	number uint64
	rise   float64 // see Options.Rise
	all    uint64  // see Options.Whole
	// integers reports that some sampled image has integer texels: a separate sampler may be used with it.
	integers bool
	// compares and plain are the variables of images and samplers that are used to compare, and otherwise.
	compares, plain map[ir.Var]bool

	// The following fields are for dispatches; draws have none.
	choice *Choice
	into   *Dispatch
	most   uint32    // elements of an array of descriptors; 0 means maxElements
	extent [3]uint32 // texels of an image; 0 means extent
}

// fillBlock sets the numbers in the block of a variable.
func (r *resources) fillBlock(data []byte, mode kind.Mode, t ir.Type, at Place, rng *rand.Rand) {
	if r.choice != nil {
		r.fillDispatch(data, mode, t, at, rng)
		return
	}
	r.fill(data, r.s.LayoutOf(mode), t, rng)
}

// bind generates the push constants and the contents of all descriptors.
func (r *resources) bind(width, height int) error {
	s := r.s
	for x := range s.Vars(kind.ModePushConstant) {
		r.d.PushConstants = make([]byte, pushBytes)
		r.fillBlock(r.d.PushConstants, kind.ModePushConstant, s.Var(x).Type, Place{Push: true}, rand.New(rand.NewPCG(r.number, 1)))
	}
	r.sampling()
	const modes = kind.ModeUBO | kind.ModeSSBO | kind.ModeImage | kind.ModeUniform
	for x := range s.Vars(modes) {
		r.note(s.Types.At(s.Types.Innermost(s.Var(x).Type)))
	}
	bound := map[[3]uint32]bool{}
	for x := range s.Vars(modes) {
		v := s.Var(x)
		n, ok := s.Types.Descriptors(v.Type)
		if !ok {
			return unsupported("cannot generate values for a variable that is not a descriptor")
		}
		if n == 0 {
			n = 4
		}
		if most := max(r.most, maxElements); n > most {
			return unsupported("cannot generate an array of more than %d descriptors", most)
		}
		for e := range n {
			at := [3]uint32{v.Set, v.Binding, e}
			if bound[at] {
				continue
			}
			bound[at] = true
			rng := rand.New(rand.NewPCG(r.number<<32|uint64(len(bound)), 2))
			b, err := r.binding(x, e, rng, width, height)
			if err != nil {
				return err
			}
			b.Set, b.Binding, b.Element = v.Set, v.Binding, e
			r.d.Bindings = append(r.d.Bindings, b)
		}
	}
	return nil
}

// note records the features of an image.
func (r *resources) note(t *ir.TypeInfo) {
	if t.Kind != ir.TypeImage && t.Kind != ir.TypeSampledImage || t.Storage {
		return
	}
	if base, _, _ := r.s.Types.ScalarOf(t.Elem); base != ir.TypeFloat {
		r.integers = true
	}
	if t.Dim != kind.DimBuf {
		r.d.Filters = true
	}
}

// sampling finds the images and samplers that are used to compare, since their types may not show it, and records
// features whose results Vulkan does not define exactly.
func (r *resources) sampling() {
	s := r.s
	r.compares, r.plain = map[ir.Var]bool{}, map[ir.Var]bool{}
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				switch in := s.At(v); in.Kind {
				case kind.Tex:
					r.use(v)
				case kind.Intrinsic:
					r.interpolation(v)
				}
			}
		}
	}
}

// interpolation records that inputs are interpolated at offsets or at numbered samples, if an instruction does so.
func (r *resources) interpolation(v ir.Value) {
	switch r.s.At(v).Intrinsic() {
	case intrinsic.LoadBarycentricAtOffset:
		r.d.Offsets = true
	case intrinsic.LoadBarycentricAtSample:
		if n, ok := r.s.ConstOf(r.s.Src(v, 0)); !ok || n != 0 {
			r.d.Samples = true
		}
	}
}

// use records how a texture operation uses an image and a sampler.
func (r *resources) use(v ir.Value) {
	s := r.s
	switch kind.TexOp(s.At(v).Op) {
	case kind.TexTex, kind.TexTxb, kind.TexTxd, kind.TexLOD:
		r.d.Levels = true
	}
	for _, k := range []kind.TexSrc{kind.TexSrcTextureDeref, kind.TexSrcSamplerDeref} {
		i := s.Tex(v).Source(k)
		if i < 0 {
			continue
		}
		x := variable(s, s.Src(v, i).Val)
		switch kind.TexOp(s.At(v).Op) {
		case kind.TexTxf, kind.TexTxs, kind.TexLOD, kind.TexQueryLevels:
			continue
		}
		if s.Tex(v).Source(kind.TexSrcComparator) >= 0 {
			r.compares[x] = true
		} else if k == kind.TexSrcSamplerDeref {
			r.plain[x] = true
		}
	}
}

// variable returns the variable that a chain of derefs begins with.
func variable(s *ir.Shader, d ir.Value) ir.Var {
	for s.At(d).Kind == kind.Deref && s.At(d).DerefKind() != kind.DerefVar {
		d = s.Src(d, 0).Val
	}
	return s.DerefVar(d)
}

// binding generates the contents of element e of a descriptor variable.
func (r *resources) binding(x ir.Var, e uint32, rng *rand.Rand, width, height int) (b runner.Binding, err error) {
	s := r.s
	v := s.Var(x)
	element := s.Types.Innermost(v.Type)
	t := s.Types.At(element)
	switch t.Kind {
	case ir.TypeSampler:
		if r.compares[x] && r.plain[x] {
			return b, unsupported("a sampler is used both with and without comparison")
		}
		return runner.Binding{Kind: runner.SamplerAlone, Sampler: sampler(r.integers), Compare: r.compares[x]}, nil
	case ir.TypeImage, ir.TypeSampledImage:
		if t.Kind == ir.TypeSampledImage && r.compares[x] && r.plain[x] {
			return b, unsupported("a sampler is used both with and without comparison")
		}
		return r.image(t, r.compares[x], rng, width, height)
	}
	b.Kind = runner.Uniform
	if v.Mode == kind.ModeSSBO {
		b.Kind = runner.Storage
		r.d.Writes = true
	}
	lay := s.LayoutOf(v.Mode)
	size, _ := lay.Size(element)
	least, most := uint32(bufferBytes), uint32(maxBytes)
	if r.choice != nil {
		most = dispatchBytes
		if v.Mode == kind.ModeSSBO {
			least = uint32(r.choice.Bytes)
		}
	}
	b.Data = make([]byte, min(max(least, ir.RoundUp(size, 16)), most))
	r.fillBlock(b.Data, v.Mode, element, Place{Set: v.Set, Binding: v.Binding, Element: e}, rng)
	return b, nil
}

// sampler returns a sampler that interpolates, except between integers.
func sampler(integers bool) *texture.Sampler {
	s := texture.DefaultSampler()
	s.CompareOp = texture.LessOrEqual
	if !integers {
		s.Mag, s.Min, s.Mip = texture.Linear, texture.Linear, texture.Linear
	}
	return &s
}

// image generates an image for a type, with a sampler if the type has one.
func (r *resources) image(t *ir.TypeInfo, compares bool, rng *rand.Rand, width, height int) (b runner.Binding, err error) {
	base, _, _ := r.s.Types.ScalarOf(t.Elem)
	switch {
	case t.Multisampled || t.Dim == kind.DimMs || t.Dim == kind.DimSubpassMs:
		return b, unsupported("cannot generate multisampled images")
	case t.Dim == kind.DimRect:
		return b, unsupported("Vulkan has no rectangle images")
	case t.Dim == kind.DimSubpass:
		b.Kind = runner.InputAttachment
	case t.Storage && t.Dim == kind.DimBuf:
		b.Kind = runner.StorageTexelBuffer
	case t.Storage:
		b.Kind = runner.StorageImage
	case t.Dim == kind.DimBuf:
		b.Kind = runner.UniformTexelBuffer
	case t.Kind == ir.TypeSampledImage:
		b.Kind, b.Sampler, b.Compare = runner.CombinedImageSampler, sampler(base != ir.TypeFloat), compares
	default:
		b.Kind = runner.SampledImage
	}
	f := formatOf(t, base, compares)
	if f == nil {
		return b, unsupported("the format of an image is not known")
	}
	b.Texture = r.imageOf(t, f, width, height)
	for i := range b.Texture.Levels {
		b.Data = append(b.Data, b.Texture.Levels[i].Data...)
	}
	b.Texture = picture.Overlay(b.Texture, b.Data)
	rise := 0.0
	if r.d.Levels && base == ir.TypeFloat && !compares {
		rise = r.rise
	}
	wave(b.Texture, rise, rng)
	r.d.Writes = r.d.Writes || t.Storage && t.Dim != kind.DimSubpass
	return b, nil
}

// formatOf returns the format of an image, or nil if it is not known.
func formatOf(t *ir.TypeInfo, base ir.TypeKind, compares bool) *texture.Format {
	if t.Storage && t.Dim != kind.DimSubpass && t.Format != kind.FormatUnknown {
		return texture.Of(t.Format)
	}
	switch {
	case compares:
		return named("D32_SFLOAT")
	case base == ir.TypeInt:
		return named(formatNames[kind.BaseInt])
	case base == ir.TypeUint:
		return named(formatNames[kind.BaseUint])
	}
	return named(formatNames[kind.BaseFloat])
}

// imageOf returns an image of zeros.
func (r *resources) imageOf(t *ir.TypeInfo, f *texture.Format, width, height int) *texture.Image {
	x, y, z := uint32(extent), uint32(extent), uint32(extent)
	if r.choice != nil {
		x, y, z = r.extent[0], r.extent[1], r.extent[2]
	}
	layers, levels := uint32(1), 5
	if t.Arrayed {
		layers = 3
	}
	if t.Storage || t.Dim == kind.DimBuf || t.Dim == kind.DimSubpass {
		levels = 1
	}
	switch t.Dim {
	case kind.Dim1D, kind.DimBuf:
		return texture.NewImage(t.Dim, f, x, 1, 1, layers, 1, levels)
	case kind.Dim3D:
		return texture.NewImage(t.Dim, f, x, y, z, 1, 1, levels)
	case kind.DimCube:
		return texture.NewImage(t.Dim, f, max(x, y), max(x, y), 1, 6*layers, 1, levels)
	case kind.DimSubpass:
		return texture.NewImage(kind.Dim2D, f, uint32(width), uint32(height), 1, layers, 1, 1)
	}
	return texture.NewImage(t.Dim, f, x, y, 1, layers, 1, levels)
}
