// SPDX-License-Identifier: MIT

package texture

import "jacquard.example/generated/kind"

// Level is one level of detail of an image.
type Level struct {
	Width, Height, Depth uint32 // in texels, at least 1 each
	Data                 []byte
	// Unbound is the range of bytes of Data that has no memory, in a sparse image: from the first number to below the
	// second. Texels there read as zeros, and writes to them are lost (Vulkan specification, "Sparse Resources",
	// residencyNonResidentStrict).
	Unbound [2]int
}

// Image is the contents of an image or of a texel buffer.
type Image struct {
	Dim     kind.ImageDim
	Format  *Format
	Layers  uint32 // at least 1; for cubes the number of faces, six for each cube
	Samples uint32 // at least 1
	Levels  []Level
}

// NewImage returns an image of zeros. Sizes of 0 are treated as 1; every level has half the size of the previous one.
func NewImage(dim kind.ImageDim, f *Format, width, height, depth, layers, samples uint32, levels int) *Image {
	m := &Image{Dim: dim, Format: f, Layers: max(layers, 1), Samples: max(samples, 1)}
	l := Level{Width: max(width, 1), Height: max(height, 1), Depth: max(depth, 1)}
	for range max(levels, 1) {
		l.Data = make([]byte, m.bytes(&l))
		m.Levels = append(m.Levels, l)
		l.Width, l.Height, l.Depth = max(l.Width/2, 1), max(l.Height/2, 1), max(l.Depth/2, 1)
	}
	return m
}

func (m *Image) bytes(l *Level) int {
	return int(l.Width) * int(l.Height) * int(l.Depth) * int(m.Layers) * int(m.Samples) * m.Format.Bytes
}

// Bytes returns the texel at coordinates of a level (x, y, and z or the layer; for an array of cubes, face and cube as
// one number). It is nil outside the image and where the image has no memory.
func (m *Image) Bytes(level int, x, y, z, layer, sample int64) []byte {
	mem, _ := m.Resident(level, x, y, z, layer, sample)
	return mem
}

// Resident is like Bytes, and also reports whether the texel has memory; resident is true outside the image.
func (m *Image) Resident(level int, x, y, z, layer, sample int64) (mem []byte, resident bool) {
	if level < 0 || level >= len(m.Levels) {
		return nil, true
	}
	l := &m.Levels[level]
	if uint64(x) >= uint64(l.Width) || uint64(y) >= uint64(l.Height) || uint64(z) >= uint64(l.Depth) ||
		uint64(layer) >= uint64(m.Layers) || uint64(sample) >= uint64(m.Samples) {
		return nil, true
	}
	at := (((layer*int64(l.Depth)+z)*int64(l.Height)+y)*int64(l.Width) + x) * int64(m.Samples)
	n := int64(m.Format.Bytes)
	at = (at + sample) * n
	switch {
	case at+n > int64(len(l.Data)):
		return nil, true
	case at < int64(l.Unbound[1]) && at+n > int64(l.Unbound[0]):
		return nil, false
	}
	return l.Data[at : at+n], true
}

// Place converts a shader's coordinates (as many as the shape has, then the layer if the shader's type has layers) to
// the position of a texel in a level.
func Place(dim kind.ImageDim, arrayed bool, c [4]int64) (x, y, z, layer int64) {
	switch dim {
	case kind.Dim1D:
		if arrayed {
			return c[0], 0, 0, c[1]
		}
		return c[0], 0, 0, 0
	case kind.DimBuf:
		return c[0], 0, 0, 0
	case kind.Dim3D:
		return c[0], c[1], c[2], 0
	case kind.DimCube:
		return c[0], c[1], 0, c[2]
	}
	if arrayed {
		return c[0], c[1], 0, c[2]
	}
	return c[0], c[1], 0, 0
}

// Size returns the size of a level as reported to a shader: as many components as the shape has, then the number of
// layers (or of cubes) if its type has layers; zeros if there is no such level.
func (m *Image) Size(dim kind.ImageDim, arrayed bool, level int) [4]uint32 {
	if level < 0 || level >= len(m.Levels) {
		return [4]uint32{}
	}
	l := &m.Levels[level]
	var out [4]uint32
	n := 0
	for _, x := range []uint32{l.Width, l.Height, l.Depth}[:sizeComps[dim]] {
		out[n] = x
		n++
	}
	if arrayed {
		out[n] = m.Layers
		if dim == kind.DimCube {
			out[n] /= 6
		}
	}
	return out
}

var sizeComps = [...]int{
	kind.Dim1D: 1, kind.DimBuf: 1, kind.Dim2D: 2, kind.DimRect: 2, kind.DimMs: 2, kind.Dim3D: 3, kind.DimCube: 2,
	kind.DimSubpass: 2, kind.DimSubpassMs: 2,
}
