package eu

import (
	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// typedSurface is a surface as accessed by typed messages.
type typedSurface struct {
	image   *texture.Image  // nil: the null surface
	read    *texture.Format // the format that reads decode texels as, or nil if they cannot
	write   bool
	atomics typedAtomics
}

// typedAtomics are the atomics that a format allows.
type typedAtomics uint8

const (
	atomicsNone     typedAtomics = iota
	atomicsExchange              // moves, and compare and write
	atomicsAll
)

// typedRead is the effect of a typed read on texels of a format.
type typedRead uint8

const (
	readConverts typedRead = iota
	readNorm               // converts where the machine has TypedNormReads, else as readRaw
	readRaw                // returns the bits of a texel as if it were an unsigned integer
	readNever
)

// typedFormat is a row of the formats that typed messages can access. All writes convert.
type typedFormat struct {
	name    string // of package texture
	read    typedRead
	atomics typedAtomics
	needs   target.Capability // for atomics
}

// typedFormats are the formats that typed messages can access (IMAGES.md 1.1, 1.2; SKL and
// TGL PRM vol. 5, "Surface Formats", columns of typed reads, writes and atomics).
var typedFormats = []typedFormat{
	{name: "R32G32B32A32_UINT"}, {name: "R32G32B32A32_SINT"}, {name: "R32G32B32A32_SFLOAT"},
	{name: "R32G32_UINT"}, {name: "R32G32_SINT"}, {name: "R32G32_SFLOAT"},
	{name: "R32_UINT", atomics: atomicsAll}, {name: "R32_SINT", atomics: atomicsAll},
	{name: "R32_SFLOAT", atomics: atomicsExchange, needs: target.TypedFloatExchange},
	{name: "R16G16B16A16_UINT"}, {name: "R16G16B16A16_SINT"}, {name: "R16G16B16A16_SFLOAT"},
	{name: "R16G16_UINT"}, {name: "R16G16_SINT"}, {name: "R16G16_SFLOAT"},
	{name: "R16_UINT"}, {name: "R16_SINT"}, {name: "R16_SFLOAT"},
	{name: "R8G8B8A8_UINT"}, {name: "R8G8B8A8_SINT"},
	{name: "A8B8G8R8_UINT_PACK32"}, {name: "A8B8G8R8_SINT_PACK32"},
	{name: "R8G8_UINT"}, {name: "R8G8_SINT"},
	{name: "R8_UINT"}, {name: "R8_SINT"},
	{name: "R16G16B16A16_UNORM", read: readNorm}, {name: "R16G16B16A16_SNORM", read: readNorm},
	{name: "R16G16_UNORM", read: readNorm}, {name: "R16G16_SNORM", read: readNorm},
	{name: "R16_UNORM", read: readNorm}, {name: "R16_SNORM", read: readNorm},
	{name: "R8G8B8A8_UNORM", read: readNorm}, {name: "R8G8B8A8_SNORM", read: readNorm},
	{name: "A8B8G8R8_UNORM_PACK32", read: readNorm}, {name: "A8B8G8R8_SNORM_PACK32", read: readNorm},
	{name: "R8G8_UNORM", read: readNorm}, {name: "R8G8_SNORM", read: readNorm},
	{name: "R8_UNORM", read: readNorm}, {name: "R8_SNORM", read: readNorm}, {name: "A8_UNORM", read: readNorm},
	{name: "B10G11R11_UFLOAT_PACK32", read: readRaw},
	{name: "A2B10G10R10_UNORM_PACK32", read: readRaw}, {name: "A2B10G10R10_UINT_PACK32", read: readRaw},
	{name: "R5G6B5_UNORM_PACK16", read: readNever}, {name: "A1R5G5B5_UNORM_PACK16", read: readNever},
	{name: "A4R4G4B4_UNORM_PACK16", read: readNever},
}

// rawFormats are the formats that texels are read as without conversion, by size in bytes.
var rawFormats = map[int]string{1: "R8_UINT", 2: "R16_UINT", 4: "R32_UINT", 8: "R32G32_UINT"}

// typed returns how typed messages of a machine access an image.
func typed(machine *target.Target, m *texture.Image) (typedSurface, error) {
	s := typedSurface{image: m}
	for i := range typedFormats {
		row := &typedFormats[i]
		if row.name != m.Format.Name {
			continue
		}
		s.write = true
		if machine.Can(row.needs) {
			s.atomics = row.atomics
		}
		switch {
		case row.read == readConverts, row.read == readNorm && machine.Can(target.TypedNormReads):
			s.read = m.Format
		case row.read != readNever:
			f, err := texture.Named(rawFormats[m.Format.Bytes])
			if err != nil {
				return s, err
			}
			s.read = f
		}
	}
	return s, nil
}

// layered reports whether one of the coordinates of a typed message is a layer. Surfaces
// of one layer may be arrays or not: a layer is taken if the message has one and nothing
// after it.
func (s *typedSurface) layered(coords int) bool { return s.image.Layers > 1 || coords < 4 }

// needs returns the minimum number of coordinates of a message for the surface.
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

// texel returns the bytes of the texel at the coordinates of a message, in the order u, v,
// r, level; nil outside of the surface. Coordinates are unsigned, those that the shape does
// not have are ignored, and the layer of a 1D array is in v.
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
