// SPDX-License-Identifier: MIT

package ir

import (
	"slices"

	"jacquard.example/generated/kind"
)

// coordComps is the number of coordinates of a texel by shape, without the layer. The third coordinate of a cube is the
// face if texels are accessed individually (face and cube as one number in an array of cubes), and the last component
// of a direction if the cube is sampled.
var coordComps = [...]uint8{
	kind.Dim1D: 1, kind.DimBuf: 1, kind.Dim2D: 2, kind.DimRect: 2, kind.DimMs: 2, kind.Dim3D: 3, kind.DimCube: 3,
	kind.DimSubpass: 2, kind.DimSubpassMs: 2,
}

// CoordComps returns the number of coordinates of a shape, without the layer.
func CoordComps(d kind.ImageDim) int { return int(coordComps[d]) }

// SizeComps returns the number of components of a shape's size, without the number of layers.
func SizeComps(d kind.ImageDim) int {
	if d == kind.DimCube {
		return 2
	}
	return int(coordComps[d])
}

// Tex gives access to the words of a texture operation. It is valid as long as the words are.
type Tex []uint32

// Tex returns the words of a texture operation.
func (s *Shader) Tex(v Value) Tex { return s.Words(v) }

// Dim returns the shape that the operation accesses.
func (t Tex) Dim() kind.ImageDim { return kind.ImageDim(t[kind.FieldTexDim]) }

// Flags returns the flags of the operation.
func (t Tex) Flags() kind.TexFlag { return kind.TexFlag(t[kind.FieldTexFlags]) }

// Kind returns the kind of source i.
func (t Tex) Kind(i int) kind.TexSrc { return kind.TexSrc(t[kind.FieldTexSourceKinds+i]) }

// Source returns the index of the source of kind k, or -1 if there is none.
func (t Tex) Source(k kind.TexSrc) int {
	return slices.Index(t[kind.FieldTexSourceKinds:], uint32(k))
}

// texSrcComps returns the number of components that source i of a texture operation reads. The coordinates of a query
// of the level of detail have no layer.
func (s *Shader) texSrcComps(v Value, i int) uint8 {
	t := s.Tex(v)
	n := coordComps[t.Dim()]
	switch t.Kind(i) {
	case kind.TexSrcCoord:
		if t.Flags()&kind.TexFlagArray != 0 && kind.TexOp(s.At(v).Op) != kind.TexLOD {
			n++
		}
		return n
	case kind.TexSrcOffset, kind.TexSrcDdx, kind.TexSrcDdy:
		return n
	}
	return 1
}

// FarOffset reports whether a texture operation has a texel offset that is not a constant from -8 to 7. known returns the value
// of a source that is constant.
func FarOffset(s *Shader, v Value, known func(Src) (x uint64, ok bool)) bool {
	i := s.Tex(v).Source(kind.TexSrcOffset)
	if i < 0 {
		return false
	}
	r := s.Src(v, i)
	for k := range int(r.N) {
		x, ok := known(r.Comp(k))
		if n := int32(x); !ok || n < -8 || n > 7 {
			return true
		}
	}
	return false
}
