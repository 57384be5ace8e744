package ir

import "jacquard.example/generated/kind"

// coordComps is the number of coordinates of a texel by shape, excluding the layer. The
// third of a cube is the face if texels are accessed individually (for an array of cubes,
// face and cube as one number), and a direction's last component if it is sampled.
var coordComps = [...]uint8{
	kind.Dim1D: 1, kind.DimBuf: 1, kind.Dim2D: 2, kind.DimRect: 2, kind.DimMs: 2, kind.Dim3D: 3, kind.DimCube: 3,
	kind.DimSubpass: 2, kind.DimSubpassMs: 2,
}

// CoordComps returns the number of coordinates of a shape, excluding the layer.
func CoordComps(d kind.ImageDim) int { return int(coordComps[d]) }

// SizeComps returns the number of components of a shape's size, excluding the number of
// layers.
func SizeComps(d kind.ImageDim) int {
	if d == kind.DimCube {
		return 2
	}
	return int(coordComps[d])
}

// TexDim returns the shape that a texture operation accesses.
func (s *Shader) TexDim(v Value) kind.ImageDim {
	return kind.ImageDim(s.Word(v, kind.FieldTexDim))
}

// TexFlags returns the flags of a texture operation.
func (s *Shader) TexFlags(v Value) kind.TexFlag {
	return kind.TexFlag(s.Word(v, kind.FieldTexFlags))
}

// TexSrcKind returns the kind of source i of a texture operation.
func (s *Shader) TexSrcKind(v Value, i int) kind.TexSrc {
	return kind.TexSrc(s.Word(v, kind.FieldTexSourceKinds+i))
}

// TexSrcIndex returns the index of a texture operation's source of a kind, -1 if it has
// none.
func (s *Shader) TexSrcIndex(v Value, k kind.TexSrc) int {
	for i := range int(s.At(v).NSrc) {
		if s.TexSrcKind(v, i) == k {
			return i
		}
	}
	return -1
}

// texSrcComps returns how many components source i of a texture operation
// reads. The coordinates of a query of the level of detail have no layer.
func (s *Shader) texSrcComps(v Value, i int) uint8 {
	n := coordComps[s.TexDim(v)]
	switch s.TexSrcKind(v, i) {
	case kind.TexSrcCoord:
		if s.TexFlags(v)&kind.TexFlagArray != 0 && kind.TexOp(s.At(v).Op) != kind.TexLOD {
			n++
		}
		return n
	case kind.TexSrcOffset, kind.TexSrcDdx, kind.TexSrcDdy:
		return n
	}
	return 1
}
