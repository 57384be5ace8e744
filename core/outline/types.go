// SPDX-License-Identifier: MIT

package outline

import (
	"fmt"
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// accelerationStructure is the opcode of OpTypeAccelerationStructureKHR, of which the tables have only the name.
const accelerationStructure = 5341

// Limits on the parts of a type's name, which the name of every member's type repeats: the bytes of a struct's name, and
// the number of array lengths.
const (
	maxName    = 256
	maxLengths = 16
)

// maxDepth bounds the nesting of types (SPIR-V specification 2.17).
const maxDepth = 255

// typ is a type.
type typ struct {
	op     uint16
	scalar ir.TypeKind // kind of a scalar, or of a component of a vector or matrix; 0 for others
	bits   uint32      // size of a scalar or a component
	comps  uint32      // components of a scalar, vector, or column of a matrix
	n      uint32      // columns; elements of an array, or 0 if unknown
	elem   *typ        // element, pointee, image
	class  uint32      // storage class of a pointer
	depth  int

	stride  uint32 // stride of an array
	bytes   uint32 // in memory, or 0 if unknown
	name    string // name of a struct
	id      uint32
	members []Member
	all     mark // decorations that all members have
	has     mark // decorations of a struct

	dim              kind.ImageDim // dimensions of an image
	arrayed, storage bool
	format           string
}

// typeInstr records a type.
func (r *reader) typeInstr(at uint32, in []uint32) (err error) {
	t := &typ{op: r.op(at), id: in[1], n: 1}
	of := func(id uint32) *typ {
		e := r.types[id]
		if e == nil {
			if err == nil {
				err = r.errorf(at, "id %d is not a type", id)
			}
			return &typ{}
		}
		t.depth = max(t.depth, e.depth+1)
		return e
	}
	switch t.op {
	case spirvtab.OpTypeBool:
		t.scalar, t.bits, t.comps = ir.TypeBool, 1, 1
	case spirvtab.OpTypeInt:
		t.scalar, t.bits, t.comps = ir.TypeUint, in[2], 1
		if in[3] != 0 {
			t.scalar = ir.TypeInt
		}
	case spirvtab.OpTypeFloat:
		t.scalar, t.bits, t.comps = ir.TypeFloat, in[2], 1
	case spirvtab.OpTypeVector:
		e := of(in[2])
		t.scalar, t.bits = e.scalar, e.bits
		t.comps, t.bytes = in[3], times(e.bytes, in[3])
	case spirvtab.OpTypeMatrix:
		e := of(in[2])
		t.scalar, t.bits, t.comps = e.scalar, e.bits, e.comps
		t.n, t.bytes = in[3], times(e.bytes, in[3])
	case spirvtab.OpTypeArray, spirvtab.OpTypeRuntimeArray:
		t.elem, t.n, t.stride = of(in[2]), 0, r.marks[in[1]].stride
		if t.op == spirvtab.OpTypeArray {
			t.n = r.number(in[3])
		}
		if t.stride == 0 {
			t.stride = t.elem.bytes
		}
		t.bytes = times(t.stride, t.n)
	case spirvtab.OpTypeStruct:
		t.has = r.marks[in[1]].has
		t.name, err = r.nameOf(in[1])
		t.name = t.name[:min(len(t.name), maxName)]
		if err == nil {
			err = r.structType(t, in[2:], of)
		}
	case spirvtab.OpTypePointer:
		t.class, t.elem, t.bytes = in[2], r.types[in[3]], 8
	case spirvtab.OpTypeUntypedPointerKHR:
		t.class, t.bytes = in[2], 8
	case spirvtab.OpTypeImage:
		t.scalar = of(in[2]).scalar
		r.imageType(t, in)
	case spirvtab.OpTypeSampledImage:
		t.elem = of(in[2])
	}
	if t.bytes == 0 && t.comps == 1 {
		t.bytes = t.bits / 8
	}
	if err == nil && t.depth > maxDepth {
		err = r.errorf(at, "types nest deeper than %d", maxDepth)
	}
	r.types[in[1]] = t
	return err
}

// times multiplies sizes. The product is at most math.MaxInt32.
func times(a, b uint32) uint32 { return uint32(min(uint64(a)*uint64(b), math.MaxInt32)) }

// structType fills in the members of a struct.
func (r *reader) structType(t *typ, ids []uint32, of func(id uint32) *typ) error {
	t.all = nonWritable | nonReadable
	for i, id := range ids {
		e, key := of(id), member{t.id, uint32(i)}
		d := r.memberMarks[key]
		t.all &= d.has
		m := Member{Offset: int(d.offset), Bytes: int(e.memberBytes(d)), typ: e}
		if at := r.memberNames[key]; at != 0 {
			var err error
			if m.Name, err = r.text(at, 3); err != nil {
				return err
			}
		}
		t.bytes = uint32(min(max(int(t.bytes), m.Offset+m.Bytes), math.MaxInt32))
		t.members = append(t.members, m)
	}
	if len(ids) == 0 {
		t.all = 0
	}
	return nil
}

// memberBytes returns the size in bytes of a member with its decorations: the stride of a matrix is the distance
// between its columns or rows.
func (t *typ) memberBytes(d marks) uint32 {
	if t.op != spirvtab.OpTypeMatrix || d.stride == 0 {
		return t.bytes
	}
	if d.has&rowMajor != 0 {
		return times(d.stride, t.comps)
	}
	return times(d.stride, t.n)
}

// imageType fills in the type of an image.
func (r *reader) imageType(t *typ, in []uint32) {
	if v := spirvtab.Dims.Lookup(in[3]); v != nil && v.Read {
		t.dim = kind.ImageDim(v.To)
	}
	if in[6] != 0 {
		switch t.dim {
		case kind.Dim2D:
			t.dim = kind.DimMs
		case kind.DimSubpass:
			t.dim = kind.DimSubpassMs
		}
	}
	t.arrayed, t.storage = in[5] != 0, in[7] == 2
	if v := spirvtab.ImageFormats.Lookup(in[8]); v != nil && v.Read {
		t.format = kind.Format(v.To).String()
	}
}

// prefix returns the prefix in the name of a vector or matrix: "" for 32-bit floats.
func prefix(t *typ) string {
	switch {
	case t.scalar == ir.TypeBool:
		return "b"
	case t.scalar == ir.TypeFloat && t.bits == 64:
		return "d"
	case t.scalar == ir.TypeFloat && t.bits == 32:
		return ""
	}
	name := baseName(t.scalar)[:1]
	if t.bits != 32 {
		name += fmt.Sprint(t.bits)
	}
	return name
}

// String returns the GLSL name of a type; types with explicit sizes are named as in
// GL_EXT_shader_explicit_arithmetic_types.
func (t *typ) String() string {
	switch t.op {
	case spirvtab.OpTypeBool, spirvtab.OpTypeInt, spirvtab.OpTypeFloat:
		return scalarName(t.scalar, t.bits)
	case spirvtab.OpTypeVector:
		return fmt.Sprintf("%svec%d", prefix(t), t.comps)
	case spirvtab.OpTypeMatrix:
		if t.n == t.comps {
			return fmt.Sprintf("%smat%d", prefix(t), t.n)
		}
		return fmt.Sprintf("%smat%dx%d", prefix(t), t.n, t.comps)
	case spirvtab.OpTypeArray, spirvtab.OpTypeRuntimeArray:
		return t.array()
	case spirvtab.OpTypeStruct:
		if t.name == "" {
			return "struct"
		}
		return t.name
	case spirvtab.OpTypePointer, spirvtab.OpTypeUntypedPointerKHR:
		return "pointer"
	}
	return "opaque"
}

// array returns the name of an array: the element type, then the lengths, the outermost first.
func (t *typ) array() string {
	lengths := ""
	for n := 0; t.op == spirvtab.OpTypeArray || t.op == spirvtab.OpTypeRuntimeArray; t, n = t.elem, n+1 {
		if n == maxLengths {
			return "array" + lengths + "[…]"
		}
		if t.n == 0 {
			lengths += "[]"
		} else {
			lengths += fmt.Sprintf("[%d]", t.n)
		}
	}
	return t.String() + lengths
}

// scalarName returns the GLSL name of a scalar type.
func scalarName(base ir.TypeKind, bits uint32) string {
	name := baseName(base)
	switch {
	case base == ir.TypeBool, bits == 32:
		return name
	case base == ir.TypeFloat && bits == 64:
		return "double"
	}
	return fmt.Sprintf("%s%d_t", name, bits)
}

// baseName returns the name of a 32-bit scalar type.
func baseName(base ir.TypeKind) string {
	switch base {
	case ir.TypeBool:
		return "bool"
	case ir.TypeInt:
		return "int"
	case ir.TypeUint:
		return "uint"
	case ir.TypeFloat:
		return "float"
	}
	return "unknown"
}

// Type returns the GLSL name of a constant's type.
func (c *Constant) Type() string { return scalarName(c.Base, uint32(c.Size)) }
