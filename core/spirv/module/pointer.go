// SPDX-License-Identifier: MIT

package module

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/spirvtab"
)

// Pointer values. A pointer to a physical storage buffer is its 64-bit address. With variable pointers, pointers to
// storage buffers and to workgroup memory can also be selected, joined and kept in private variables. They are then 64
// bits wide, and their encoding is determined when accesses are lowered. All other pointers are derefs of one variable.

// PointerBits is the width of a pointer value.
const PointerBits = 64

// isPointerValue reports whether pointers of a storage class are values.
func (r *Reader) isPointerValue(class uint32) bool {
	switch class {
	case spirvtab.StoragePhysicalStorageBuffer:
		return true
	case spirvtab.StorageStorageBuffer, spirvtab.StorageWorkgroup:
		return r.varPointers
	}
	return false
}

// NeedValue rejects types whose objects are not values.
func (r *Reader) NeedValue(t *TypeRec) {
	switch {
	case t.Ir != 0:
	case t.Unsized != 0:
		n, _ := r.ConstScalar(t.Unsized)
		r.Fail("an array has %d elements, the value of the specialization constant with id %d, but must have from 1 to 2^28", n, t.Unsized)
	case t.Op == spirvtab.OpTypePointer:
		r.Fail("a pointer of storage class %s cannot be a value; PhysicalStorageBuffer pointers can, and with VariablePointers "+
			"StorageBuffer and Workgroup pointers",
			ValueName(spirvtab.StorageClasses.Lookup(t.N), t.N))
	default:
		r.Fail("objects of this type cannot be values")
	}
}

// pointerType reads OpTypePointer, or OpTypeForwardPointer with elem 0.
func (r *Reader) pointerType(t *TypeRec, class, elem uint32) {
	// Uses of the type check that the class is supported, since only another entry point may need it.
	if spirvtab.StorageClasses.Lookup(class) == nil {
		r.Fail("unknown storage class %d", class)
	}
	t.Op, t.Elem, t.N = spirvtab.OpTypePointer, elem, class
	if r.isPointerValue(class) {
		t.Base, t.Comps, t.Bits = ir.TypeUint, 1, PointerBits
		t.Ir = r.S.Types.Scalar(ir.TypeUint, PointerBits)
	}
}

// forwardPointer reads OpTypeForwardPointer: structs may contain the pointer before its pointee is known.
func (r *Reader) forwardPointer(in []uint32) {
	rec := &r.Ids[in[1]]
	if rec.Kind != IdNone {
		r.Fail("id %d is already defined", in[1])
	}
	if in[2] != spirvtab.StoragePhysicalStorageBuffer {
		r.Fail("a pointer of storage class %s cannot be declared before its type", ValueName(spirvtab.StorageClasses.Lookup(in[2]), in[2]))
	}
	t := TypeRec{leafs: 1}
	r.pointerType(&t, in[2], 0)
	r.Types = append(r.Types, t)
	rec.Kind, rec.Aux = idType, uint32(len(r.Types)-1)
}

// definePointer completes a type declared by OpTypeForwardPointer. It returns false if there was no declaration.
func (r *Reader) definePointer(in []uint32) bool {
	rec := &r.Ids[in[1]]
	if rec.Kind != idType {
		return false
	}
	t := &r.Types[rec.Aux]
	if t.Op != spirvtab.OpTypePointer || t.Elem != 0 || t.N != in[2] {
		r.Fail("id %d was declared as another type", in[1])
	}
	r.TypeAt(in[3])
	t.Elem = in[3]
	return true
}
