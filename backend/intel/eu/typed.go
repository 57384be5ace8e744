package eu

import (
	"fmt"
	"slices"

	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// typedSurface is a surface as accessed by typed messages.
type typedSurface struct {
	image   *texture.Image  // nil: the null surface
	format  *texture.Format // format that writes encode; nil: neither reads nor writes can access the surface
	read    *texture.Format // format that reads decode, or nil if reads cannot access the surface
	atomics isa.TypedAtomics
}

// rawFormats are the formats of texels read without conversion, by size in bytes.
var rawFormats = map[int]string{1: "R8_UINT", 2: "R16_UINT", 4: "R32_UINT", 8: "R32G32_UINT"}

// typed returns a surface in the form in which typed messages of a machine access it. The formats come from the
// machine's own table; the compiler uses separate rows for texels and reads.
func typed(machine *target.Target, surface *Surface) (typedSurface, error) {
	m := surface.Image
	s := typedSurface{image: m}
	row, format := surface.Format, m.Format
	if row == nil {
		row = isa.SurfaceFormatOf(m.Format.Name)
	}
	if row == nil {
		return s, nil
	}
	if !slices.Contains(row.Texels, format.Name) {
		var err error
		if format, err = texture.Named(row.Texels[0]); err != nil {
			return s, err
		}
		if format.Bytes != m.Format.Bytes {
			return s, fmt.Errorf("surface format %s has texels of %d bytes, the image has texels of %d (%s)", row.Name, format.Bytes, m.Format.Bytes, m.Format.Name)
		}
	}
	s.format, s.atomics = format, row.Atomics[machine.Platform]
	switch {
	case row.WriteOnly:
	case row.Raw[machine.Platform]:
		f, err := texture.Named(rawFormats[format.Bytes])
		if err != nil {
			return s, err
		}
		s.read = f
	default:
		s.read = format
	}
	return s, nil
}

// layered reports whether one of the coordinates of a typed message is a layer. Surfaces of one layer may or
// may not be arrays: the layer is used if it is the last of the message's coordinates.
func (s *typedSurface) layered(coords int) bool { return s.image.Layers > 1 || coords < 4 }

// needs returns the minimum number of coordinates in a message for the surface.
func (s *typedSurface) needs() int {
	n := 2
	switch s.image.Dim {
	case irkind.DimBuf:
		return 1
	case irkind.Dim1D:
		n = 1
	case irkind.Dim3D, irkind.DimCube:
		return 3
	}
	if s.image.Layers > 1 {
		n++
	}
	return n
}

// texel returns the bytes of the texel at the coordinates of a message, in the order u, v, r, level, or nil
// outside of the surface. Coordinates are unsigned; those beyond the shape's are ignored. The layer of a 1D
// array is v.
func (s *typedSurface) texel(c [4]uint32, coords int) []byte {
	x, y, z, layer := int64(c[0]), int64(0), int64(0), int64(0)
	switch s.image.Dim {
	case irkind.DimBuf:
	case irkind.Dim1D:
		if coords > 1 && s.layered(coords) {
			layer = int64(c[1])
		}
	case irkind.Dim3D:
		y, z = int64(c[1]), int64(c[2])
	default:
		y = int64(c[1])
		if coords > 2 && s.layered(coords) {
			layer = int64(c[2])
		}
	}
	return s.image.Bytes(int(c[3]), x, y, z, layer, 0)
}
