// SPDX-License-Identifier: MIT

package ir

import (
	"slices"

	"jacquard.example/generated/kind"
)

// Type names an interned type: equal types have equal handles.
type Type uint32

// TypeKind is the kind of a type.
type TypeKind uint8

// The kinds of types.
const (
	TypeVoid TypeKind = iota
	TypeBool
	TypeInt
	TypeUint
	TypeFloat
	TypeVector
	TypeMatrix
	TypeArray
	TypeStruct
	TypeImage        // storage image, texel buffer or sampled image without sampler
	TypeSampler      //
	TypeSampledImage // combined image and sampler
	TypePointer      // a pointer stored in memory
)

// NumTypeKinds is the number of kinds of types.
const NumTypeKinds = int(TypePointer) + 1

// TypeInfo describes a type. The relevant fields depend on the kind: scalars use Bits;
// vectors Elem and Len; matrices Elem (the column vector), Len (columns), Stride and
// RowMajor; arrays Elem, Len (0 if runtime-sized) and Stride (bytes; 0 means no explicit layout);
// structs members, Len, Name, Block and Size; images Dim, Arrayed, Multisampled, Shadow, Storage,
// Format and Elem (the scalar type of texels); pointers Elem, Modes and Bits.
type TypeInfo struct {
	Kind         TypeKind
	Bits         uint8
	RowMajor     bool
	Arrayed      bool
	Multisampled bool
	Shadow       bool
	Storage      bool // image: accessed as storage image, not through a sampler
	Block        bool // struct: decorated Block or BufferBlock
	Dim          kind.ImageDim
	Format       kind.Format
	Modes        kind.Mode
	Elem         Type
	Len          uint32
	Stride       uint32
	Size         uint32 // struct: explicit size in bytes if known, otherwise 0
	members      uint32 // struct: first member
	Name         Str    // struct: name
}

// Member is a member of a struct.
type Member struct {
	Type     Type
	Offset   uint32 // bytes; NoOffset without explicit layout
	Name     Str
	Stride   uint32 // matrix stride in bytes if the member is a matrix (or an array of them) with explicit layout
	RowMajor bool
	Access   kind.Access
	Builtin  uint32 // SPIR-V builtin + 1, or 0 if none
	Location uint32 // location + 1, or 0 if none
	Comp     uint8  // first component in the location
	Qual     kind.Qualifier
}

// NoOffset is the offset of a member without explicit layout.
const NoOffset = ^uint32(0)

// TypeTable interns types.
type TypeTable struct {
	types   []TypeInfo
	bools   []bool // whether each type contains a bool
	members []Member
	index   handles
	layouts layouts
}

func (t *TypeTable) reset() {
	t.members, t.types, t.bools = t.members[:0], t.types[:0], t.bools[:0]
	t.layouts.reset()
	t.index.reset()
	t.Intern(TypeInfo{})
}

// At returns the description of a type.
func (t *TypeTable) At(h Type) *TypeInfo { return &t.types[h] }

// Num returns one more than the last type: the size of a table indexed by Type.
func (t *TypeTable) Num() int { return len(t.types) }

// Intern returns the handle of a type that is not a struct.
func (t *TypeTable) Intern(info TypeInfo) Type {
	hash := hasher(seedWord)
	hash.info(&info)
	x := &t.index
	for at := x.at(hash.sum()); x.slots[at].named != 0; at = x.after(at) {
		if s := x.slots[at]; s.hash == hash.sum() && t.types[s.named-1] == info {
			return Type(s.named - 1)
		}
	}
	return t.add(info, hash)
}

func (t *TypeTable) add(info TypeInfo, hash hasher) Type {
	h := len(t.types)
	t.bools = append(t.bools, t.holdsBool(&info))
	t.types = append(t.types, info)
	t.index.add(hash.sum(), uint32(h))
	return Type(h)
}

// Struct returns the handle of a struct with these members. info provides Name, Block and Size.
func (t *TypeTable) Struct(info TypeInfo, members []Member) Type {
	info.Kind, info.Len, info.members = TypeStruct, uint32(len(members)), 0
	hash := hasher(seedWord)
	hash.info(&info)
	for i := range members {
		hash.member(&members[i])
	}
	x := &t.index
	for at := x.at(hash.sum()); x.slots[at].named != 0; at = x.after(at) {
		if s := x.slots[at]; s.hash == hash.sum() && t.isStruct(Type(s.named-1), &info, members) {
			return Type(s.named - 1)
		}
	}
	info.members = uint32(len(t.members))
	t.members = append(t.members, members...)
	return t.add(info, hash)
}

// isStruct reports whether type h is a struct with this description and these members.
func (t *TypeTable) isStruct(h Type, info *TypeInfo, members []Member) bool {
	x := t.types[h]
	x.members = 0
	return x == *info && slices.Equal(t.Members(h), members)
}

// Members returns the members of a struct.
func (t *TypeTable) Members(h Type) []Member {
	x := &t.types[h]
	return t.members[x.members : x.members+x.Len : x.members+x.Len]
}

// Scalar returns a scalar type: TypeBool (any bits), TypeInt, TypeUint or
// TypeFloat of the given size.
func (t *TypeTable) Scalar(k TypeKind, bits uint8) Type {
	if k == TypeBool {
		bits = 1
	}
	return t.Intern(TypeInfo{Kind: k, Bits: bits})
}

// Vector returns a vector of n scalars; n = 1 is the scalar itself.
func (t *TypeTable) Vector(elem Type, n uint32) Type {
	if n == 1 {
		return elem
	}
	return t.Intern(TypeInfo{Kind: TypeVector, Elem: elem, Len: n})
}

// Array returns an array; n is 0 if it is runtime-sized, stride 0 if it has no explicit layout.
func (t *TypeTable) Array(elem Type, n, stride uint32) Type {
	return t.Intern(TypeInfo{Kind: TypeArray, Elem: elem, Len: n, Stride: stride})
}

// ScalarOf returns the scalar kind and size of a scalar or of a vector's components, and the number of components; n = 0
// for other types.
func (t *TypeTable) ScalarOf(h Type) (k TypeKind, bits uint8, n uint32) {
	x := t.types[h]
	n = 1
	if x.Kind == TypeVector {
		n = x.Len
		x = t.types[x.Elem]
	}
	if x.Kind >= TypeBool && x.Kind <= TypeFloat {
		return x.Kind, x.Bits, n
	}
	if x.Kind == TypePointer {
		return TypeUint, x.Bits, n
	}
	return x.Kind, 0, 0
}

// Descriptors returns the number of descriptors of a variable of a type, and whether it has any: it is a block, an
// image, a sampler, or nested arrays of them. The number is 0 if the array has no length: then it has as many as are
// bound.
func (t *TypeTable) Descriptors(h Type) (n uint32, ok bool) {
	n = 1
	x := t.At(h)
	for x.Kind == TypeArray {
		n = SatMul(n, x.Len)
		x = t.At(x.Elem)
	}
	switch x.Kind {
	case TypeImage, TypeSampler, TypeSampledImage:
		return n, true
	case TypeStruct:
		return n, x.Block
	}
	return n, false
}

// Dwords returns the number of dwords that the scalars of a type take in registers, or most if there are more. A scalar
// takes at least one. Arrays without a length have most.
func (t *TypeTable) Dwords(h Type, most uint32) (n uint32) {
	x := t.At(h)
	switch x.Kind {
	case TypeArray, TypeMatrix, TypeVector:
		if x.Len == 0 || x.Len > most {
			return most
		}
		return uint32(min(uint64(x.Len)*uint64(t.Dwords(x.Elem, most)), uint64(most)))
	case TypeStruct:
		for _, m := range t.Members(h) {
			n = min(n+t.Dwords(m.Type, most), most)
		}
		return n
	}
	return min(max(uint32(x.Bits)/32, 1), most)
}

// Innermost returns the element type of nested arrays, or the type itself if it is not an array.
func (t *TypeTable) Innermost(h Type) Type {
	for t.At(h).Kind == TypeArray {
		h = t.At(h).Elem
	}
	return h
}

// HoldsBool reports whether a type contains a bool, other than in a member that is a builtin.
func (t *TypeTable) HoldsBool(h Type) bool { return t.bools[h] }

// holdsBool is like HoldsBool, for a type that is being added. The types in it have been added.
func (t *TypeTable) holdsBool(info *TypeInfo) bool {
	switch info.Kind {
	case TypeBool:
		return true
	case TypeVector, TypeMatrix, TypeArray:
		return t.bools[info.Elem]
	case TypeStruct:
		return slices.ContainsFunc(t.members[info.members:], func(m Member) bool { return m.Builtin == 0 && t.bools[m.Type] })
	}
	return false
}

// BlockAccess returns the access qualifiers that all members of a block have. The block may be the element of an array.
func (t *TypeTable) BlockAccess(h Type) kind.Access {
	h = t.Innermost(h)
	if t.At(h).Kind != TypeStruct || t.At(h).Len == 0 {
		return 0
	}
	all := ^kind.Access(0)
	for _, m := range t.Members(h) {
		all &= m.Access
	}
	return all
}

// IsVectorOrScalar reports whether a value of the type is one SSA value.
func (t *TypeTable) IsVectorOrScalar(h Type) bool {
	_, _, n := t.ScalarOf(h)
	return n != 0
}

// ElemType returns the type of the elements that indexing selects: an array's element, a matrix's column, a vector's
// component; 0 for other types.
func (t *TypeTable) ElemType(h Type) Type {
	switch x := &t.types[h]; x.Kind {
	case TypeArray, TypeMatrix, TypeVector:
		return x.Elem
	}
	return 0
}
