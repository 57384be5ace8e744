// SPDX-License-Identifier: MIT

package opencl

import (
	"fmt"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Image is an image argument. Typed messages access its first level. A null image reads as zero, and writes to
// it are dropped.
type Image struct{ *texture.Image }

// Sampler is a sampler argument.
type Sampler struct{ *texture.Sampler }

func (Image) arg()   {}
func (Sampler) arg() {}

// imageTypes gives the requirements of each image argument type (zeinfo.md, image_type).
var imageTypes = map[string]struct {
	dim    kind.ImageDim
	layers bool // any number of layers; otherwise one
}{
	"image_buffer":              {dim: kind.DimBuf},
	"image_1d":                  {dim: kind.Dim1D},
	"image_1d_array":            {dim: kind.Dim1D, layers: true},
	"image_2d":                  {dim: kind.Dim2D},
	"image_2d_array":            {dim: kind.Dim2D, layers: true},
	"image_2d_depth":            {dim: kind.Dim2D},
	"image_2d_array_depth":      {dim: kind.Dim2D, layers: true},
	"image_2d_msaa":             {dim: kind.DimMs},
	"image_2d_array_msaa":       {dim: kind.DimMs, layers: true},
	"image_2d_msaa_depth":       {dim: kind.DimMs},
	"image_2d_array_msaa_depth": {dim: kind.DimMs, layers: true},
	"image_3d":                  {dim: kind.Dim3D},
	"image_cube_array":          {dim: kind.DimCube, layers: true},
}

// surface returns the surface of an image for an argument type. The faces of a cube can also be accessed as an
// array of 2D images.
func (m Image) surface(imageType string) (*eu.Surface, error) {
	want, ok := imageTypes[imageType]
	switch {
	case !ok:
		return nil, fmt.Errorf("has an unknown image type %q", imageType)
	case m.Image == nil:
		return nil, nil
	case want.dim == kind.Dim2D && want.layers && m.Dim == kind.DimCube:
		return thread.StorageSurface(m.Image), nil
	case m.Dim != want.dim && (m.Dim != kind.DimRect || want.dim != kind.Dim2D) || m.Layers > 1 && !want.layers:
		return nil, fmt.Errorf("is an image of shape %s with %d layers, but the kernel expects %s", m.Dim, m.Layers, imageType)
	}
	return &eu.Surface{Image: m.Image}, nil
}

// info returns the value of an implicit argument about the image, and whether there is such an argument.
func (m Image) info(what string) (uint32, bool) {
	if m.Image == nil {
		m.Image = &texture.Image{Levels: make([]texture.Level, 1)}
	}
	l := &m.Levels[0]
	switch what {
	case "image_width":
		return l.Width, true
	case "image_height":
		return l.Height, true
	case "image_depth":
		return l.Depth, true
	case "image_array_size":
		return m.Layers, true
	case "image_num_samples":
		return m.Samples, true
	case "image_num_mip_levels":
		return uint32(len(m.Levels)), true
	}
	return 0, false
}

// snap returns the implicit argument sampler_snap_wa. If it is not 0, kernels treat coordinates below 0 as border, since
// rounding would move them inside (ZEBIN.md 4.4).
func (s Sampler) snap() uint32 {
	if s.Mag == texture.Nearest && s.Address[0] == texture.ClampToBorder {
		return 0xFFFFFFFF
	}
	return 0
}

// addresses are the address modes of samplers declared in programs.
var addresses = map[string]texture.Address{
	"": texture.ClampToEdge, "none": texture.ClampToEdge, "clamp_edge": texture.ClampToEdge, "clamp_border": texture.ClampToBorder,
	"repeat": texture.Repeat, "mirror": texture.MirroredRepeat,
}

// filters are the filters of samplers declared in programs.
var filters = map[string]texture.Filter{"": texture.Nearest, "nearest": texture.Nearest, "linear": texture.Linear}

// samplers places the sampler states of the arguments and of the program.
func (b *builder) samplers() error {
	place := func(i int, s *texture.Sampler) {
		for len(b.d.Samplers) <= i {
			b.d.Samplers = append(b.d.Samplers, nil)
		}
		b.d.Samplers[i] = s
	}
	for i := range b.k.Args {
		a := &b.k.Args[i]
		if a.AddrSpace != "sampler" || a.Type != "arg_bypointer" || a.Index < 0 || a.Index >= len(b.args) {
			continue
		}
		if s, ok := b.args[a.Index].(Sampler); ok {
			place(a.Sampler, s.Sampler)
		}
	}
	for i := range b.k.Samplers {
		s, err := declared(&b.k.Samplers[i])
		if err != nil {
			return err
		}
		place(b.k.Samplers[i].Index, s)
	}
	return nil
}

// declared makes a sampler declared in a program.
func declared(z *zebin.Sampler) (*texture.Sampler, error) {
	addr, ok := addresses[z.Addr]
	filter, ok2 := filters[z.Filter]
	if !ok || !ok2 {
		return nil, fmt.Errorf("opencl: sampler %d has an unsupported address mode %q or filter %q", z.Index, z.Addr, z.Filter)
	}
	s := texture.DefaultSampler()
	s.Mag, s.Min, s.Unnormalized = filter, filter, !z.Normalized
	s.Address = [3]texture.Address{addr, addr, addr}
	return &s, nil
}
