package ir

import "jacquard.example/generated/kind"

// coordComps says how many coordinates name a texel of a shape, the layer not
// counted. The third of a cube is the face where texels are accessed one by one
// (of an array of cubes, face and cube as one number), and a direction's last
// component where it is sampled.
var coordComps = [...]uint8{
	kind.Dim1D: 1, kind.DimBuf: 1, kind.Dim2D: 2, kind.DimRect: 2, kind.DimMs: 2, kind.Dim3D: 3, kind.DimCube: 3,
	kind.DimSubpass: 2, kind.DimSubpassMs: 2,
}

// CoordComps returns how many coordinates a shape has, the layer not counted.
func CoordComps(d kind.ImageDim) int { return int(coordComps[d]) }

// SizeComps returns how many components the size of a shape has, the number of
// layers not counted.
func SizeComps(d kind.ImageDim) int {
	if d == kind.DimCube {
		return 2
	}
	return int(coordComps[d])
}

// TexDim returns the shape that a texture operation is on.
func (s *Shader) TexDim(v Value) kind.ImageDim {
	return kind.ImageDim(s.Word(v, kind.FieldTexDim))
}

// TexFlags returns the properties of a texture operation.
func (s *Shader) TexFlags(v Value) kind.TexFlag {
	return kind.TexFlag(s.Word(v, kind.FieldTexFlags))
}

// TexSrcKind says what source i of a texture operation is.
func (s *Shader) TexSrcKind(v Value, i int) kind.TexSrc {
	return kind.TexSrc(s.Word(v, kind.FieldTexSourceKinds+i))
}

// TexSrcIndex returns which source of a texture operation is of a kind, -1 when
// it has none.
func (s *Shader) TexSrcIndex(v Value, k kind.TexSrc) int {
	for i := range int(s.At(v).NSrc) {
		if s.TexSrcKind(v, i) == k {
			return i
		}
	}
	return -1
}

// texSrcComps returns how many components source i of a texture operation
// reads.
func (s *Shader) texSrcComps(v Value, i int) uint8 {
	n := coordComps[s.TexDim(v)]
	switch s.TexSrcKind(v, i) {
	case kind.TexSrcCoord:
		if s.TexFlags(v)&kind.TexFlagArray != 0 {
			n++
		}
		return n
	case kind.TexSrcOffset, kind.TexSrcDdx, kind.TexSrcDdy:
		return n
	}
	return 1
}
