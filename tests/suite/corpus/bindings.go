// SPDX-License-Identifier: MIT

package corpus

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle/lavapipe"
)

// unfit returns the reason why lavapipe cannot take a shader's inputs, or "" if it can.
func (in *inputs) unfit() string {
	for i := range in.images {
		switch t := &in.imageTypes[i]; {
		case t.Multisampled:
			return "multisampled images cannot be filled"
		case t.Shadow:
			return "it compares depths, which are not generated"
		}
	}
	return ""
}

// imageBinding returns the lavapipe.Binding of an image.
func (in *inputs) imageBinding(i int) (b lavapipe.Binding) {
	m, t := &in.images[i], &in.imageTypes[i]
	b = lavapipe.Binding{Set: m.Set, Binding: m.Binding, Element: m.Element, Data: m.Data, Sampler: m.Sampler}
	texels := t.Dim == kind.DimBuf
	switch {
	case t.Kind == ir.TypeSampler:
		b.Kind = lavapipe.Sampler
		return b
	case t.Storage && texels:
		b.Kind = lavapipe.StorageTexelBuffer
	case t.Storage:
		b.Kind = lavapipe.StorageImage
	case texels:
		b.Kind, b.Sampler = lavapipe.UniformTexelBuffer, nil
	case t.Kind == ir.TypeSampledImage:
		b.Kind = lavapipe.CombinedImageSampler
	default:
		b.Kind = lavapipe.SampledImage
	}
	f := texture.Of(m.Format)
	b.Format = f
	b.IntBorder = f.Base != kind.BaseFloat
	if texels {
		return b
	}
	b.Dims = map[kind.ImageDim]int{kind.Dim1D: 1, kind.Dim2D: 2, kind.DimCube: 2, kind.Dim3D: 3}[m.Dim]
	b.Layers, b.Arrayed, b.Cube = m.Layers, t.Arrayed, m.Dim == kind.DimCube
	b.Levels = []texture.Level{{Width: m.Width, Height: max(m.Height, 1), Depth: max(m.Depth, 1)}}
	return b
}
