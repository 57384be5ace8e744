// SPDX-License-Identifier: MIT

package module

import (
	"jacquard.example/core/ir"
)

// Value is a SPIR-V value: a vector or scalar or, for an aggregate, the index of its first child in Reader.Tree (the
// type determines the number of children). Package value gives the highest indices other meanings.
type Value struct {
	Src  ir.Src
	Kids uint32
}

// NumKids returns the number of children of a value of an aggregate type.
func (r *Reader) NumKids(t ir.Type) uint32 { return r.S.Types.At(t).Len }

// KidType returns the type of child i of an aggregate type.
func (r *Reader) KidType(t ir.Type, i int) ir.Type {
	if info := r.S.Types.At(t); info.Kind == ir.TypeStruct {
		return r.S.Types.Members(t)[i].Type
	}
	return r.S.Types.ElemType(t)
}

// IsLeaf reports whether a value of the type is one SSA value.
func (r *Reader) IsLeaf(t ir.Type) bool { return r.S.Types.At(t).Kind <= ir.TypeVector }

// SizeIndex maps the sizes 1, 8, 16, 32, 64 to 0 … 4.
func SizeIndex(bits uint8) int {
	switch bits {
	case 1:
		return 0
	case 8:
		return 1
	case 16:
		return 2
	case 32:
		return 3
	}
	return 4
}

// A value with many vectors is not loaded into SSA values. It is copied into a variable that nothing else writes, and
// the value is that variable or a part of it. Wherever the value can be used, the latest write of the variable was its
// definition, since definitions dominate uses. So the variable still contains it.

// maxVectors is the maximum number of vectors of an aggregate in SSA values, where each member of a struct counts one
// more; that many do not fit into the registers of a thread anyway.
const maxVectors = 128

// Place is the location of a stored value: a pointer that dominates all uses of the value, a variable, or part I of the
// stored value whose Kids are Whole.
type Place struct {
	Pointer  ir.Value
	Variable ir.Var
	Whole    uint32
	I        uint32
}

// Large reports whether values of the type are stored in variables.
func (r *Reader) Large(t ir.Type) bool { return r.vectors(t, maxVectors) > maxVectors }

// vectors returns the number of vectors of a type, plus 1 for each member of a struct, or some number above limit if there
// are more.
func (r *Reader) vectors(t ir.Type, limit uint64) uint64 {
	tt := &r.S.Types
	switch x := tt.At(t); x.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		return uint64(x.Len) * min(r.vectors(x.Elem, limit), limit+1)
	case ir.TypeStruct:
		n := uint64(0)
		for i := range tt.Members(t) {
			if n += 1 + r.vectors(tt.Members(t)[i].Type, limit); n > 2*limit {
				break // empty structs count too
			}
		}
		return n
	}
	return 1
}
