// SPDX-License-Identifier: MIT

package runner

import (
	"fmt"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Image is the shape of an image. Its levels are consecutive in the memory of its buffer, and the samples of a texel
// are adjacent. Only shaders can access the contents of samples: a script can neither set nor check them.
type Image struct {
	Format               *texture.Format
	Dim                  kind.ImageDim // 1d, 2d, 3d, buf
	Width, Height, Depth uint32
	Levels, Samples      int
	Layers               uint32 // set only by callers other than scripts, which have no arrays and no cubes
}

// Texture returns the image in the given memory, starting at level base.
func (m *Image) Texture(data []byte, base int) *texture.Image {
	t := &texture.Image{Dim: m.Dim, Format: m.Format, Layers: max(m.Layers, 1), Samples: uint32(m.Samples)}
	if m.Samples > 1 {
		t.Dim = kind.DimMs
	}
	w, h, d := m.Width, m.Height, m.Depth
	for i := range m.Levels {
		n := int(w) * int(h) * int(d) * int(t.Layers) * m.Format.Bytes * m.Samples
		if i >= base {
			t.Levels = append(t.Levels, texture.Level{Width: w, Height: h, Depth: d, Data: data[:n:n]})
		}
		data = data[n:]
		w, h, d = max(w/2, 1), max(h/2, 1), max(d/2, 1)
	}
	return t
}

// Bytes returns the size of all levels in bytes, for one layer.
func (m *Image) Bytes() int {
	n := 0
	w, h, d := int(m.Width), int(m.Height), int(m.Depth)
	for range m.Levels {
		n += w * h * d * m.Format.Bytes * m.Samples
		w, h, d = max(w/2, 1), max(h/2, 1), max(d/2, 1)
	}
	return n
}

// Memory returns the number of bytes of a buffer or of all levels of an image.
func (b *Buffer) Memory() int {
	if b.Image != nil {
		return b.Image.Bytes()
	}
	return b.Bytes()
}

// FormatType returns the type of a texel format, its layout and the format: the numbers are the
// components in memory order, or the single word of a packed format. It returns nil three times
// if the format is unknown, or packed in a word of more than 8 bytes.
func FormatType(name string) (*Type, *Layout, *texture.Format) {
	f, err := texture.Named(name)
	if err != nil {
		return nil, nil, nil
	}
	l := &Layout{Size: f.Bytes}
	whole := false
	for i, c := range f.Comps {
		scalar, ok := componentScalar(&c)
		if c.Name == 'X' {
			continue
		}
		if !ok || c.Shift%8 != 0 || i > 0 && c.Shift == 0 {
			whole = true
		}
		l.Segments = append(l.Segments, Segment{Offset: int(c.Shift) / 8, Scalar: scalar, Comp: i})
	}
	if whole {
		word, ok := map[int]Scalar{1: Uint8, 2: Uint16, 4: Uint32, 8: Uint64}[f.Bytes]
		if !ok {
			return nil, nil, nil
		}
		l.Segments = []Segment{{Scalar: word}}
	}
	t := &Type{Name: f.Name, Scalar: l.Segments[0].Scalar, Rows: len(l.Segments), Cols: 1, Format: f}
	t.Measure()
	return t, l, f
}

// componentScalar returns the scalar type of a component in a script.
func componentScalar(c *texture.Component) (Scalar, bool) {
	size, ok := map[uint8]int{8: 0, 16: 1, 32: 2, 64: 3}[c.Bits]
	switch c.Numeric {
	case texture.SFloat, texture.UFloat:
		return Float16 + Scalar(max(size-1, 0)), ok && size > 0
	case texture.SNorm, texture.SScaled, texture.SInt:
		return Int8 + Scalar(size), ok
	}
	return Uint8 + Scalar(size), ok
}

// Format returns the texel format of a buffer's elements.
func (b *Buffer) Format() (*texture.Format, error) {
	t := b.Type
	if t.Format != nil {
		return t.Format, nil
	}
	if t.Elem != nil && t.Len == 0 {
		t = t.Elem
	}
	if t.Struct || t.Elem != nil || t.Cols != 1 {
		return nil, fmt.Errorf("'%s' has type %s, which is not a texel format", b.Name, b.Type.Name)
	}
	f, err := texture.Named(t.VectorName())
	if err == nil && b.Layout.Size != f.Bytes {
		err = fmt.Errorf("the elements of '%s' have %d bytes, but texels have %d", b.Name, b.Layout.Size, f.Bytes)
	}
	return f, err
}

// VectorName returns the name of the format of a scalar or vector.
func (t *Type) VectorName() string {
	name := ""
	for _, c := range "RGBA"[:t.Rows] {
		name += fmt.Sprintf("%c%d", c, 8*t.Scalar.Bytes())
	}
	switch {
	case t.Scalar.IsFloat():
		return name + "_SFLOAT"
	case t.Scalar.IsSigned():
		return name + "_SINT"
	}
	return name + "_UINT"
}

// The words that stand for values in scripts: of filters, address modes and border colors in SAMPLER, and of comparisons
// and switches in any command.
var (
	Filters   = map[string]texture.Filter{"nearest": texture.Nearest, "linear": texture.Linear}
	Addresses = map[string]texture.Address{
		"repeat": texture.Repeat, "mirrored_repeat": texture.MirroredRepeat, "clamp_to_edge": texture.ClampToEdge,
		"clamp_to_border": texture.ClampToBorder, "mirrored_clamp_to_edge": texture.MirrorClampToEdge,
	}
	Borders = map[string]texture.Border{
		"float_transparent_black": texture.TransparentBlack, "int_transparent_black": texture.TransparentBlack,
		"float_opaque_black": texture.OpaqueBlack, "int_opaque_black": texture.OpaqueBlack,
		"float_opaque_white": texture.OpaqueWhite, "int_opaque_white": texture.OpaqueWhite,
	}
	Compares = map[string]texture.Compare{
		"never": texture.Never, "less": texture.Less, "equal": texture.Equal, "less_or_equal": texture.LessOrEqual,
		"greater": texture.Greater, "not_equal": texture.NotEqual, "greater_or_equal": texture.GreaterOrEqual, "always": texture.Always,
	}
	Switches = map[string]bool{"on": true, "off": false}
)
