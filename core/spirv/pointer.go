package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// Pointer values. A pointer to a physical storage buffer is its 64-bit address. With variable pointers, pointers to
// storage buffers and to workgroup memory can also be selected, joined and kept in private variables. They are then 64
// bits wide, and their encoding is determined when accesses are lowered. All other pointers are derefs of one variable.

// pointerBits is the width of a pointer value.
const pointerBits = 64

// isPointerValue reports whether pointers of a storage class are values.
func (r *reader) isPointerValue(class uint32) bool {
	switch class {
	case spirvtab.StoragePhysicalStorageBuffer:
		return true
	case spirvtab.StorageStorageBuffer, spirvtab.StorageWorkgroup:
		return r.varPointers
	}
	return false
}

// needValue rejects types whose objects are not values.
func (r *reader) needValue(t *typeRec) {
	switch {
	case t.ir != 0:
	case t.unsized != 0:
		n, _ := r.constScalar(t.unsized)
		r.fail("an array of %d elements, whose length is the specialization constant with id %d", n, t.unsized)
	case t.op == spirvtab.OpTypePointer:
		r.fail("a pointer of storage class %s cannot be a value; those of PhysicalStorageBuffer can, and with VariablePointers those of StorageBuffer and Workgroup",
			valueName(spirvtab.StorageClasses.Lookup(t.n), t.n))
	default:
		r.fail("objects of this type cannot be values")
	}
}

// sized rejects a value or variable whose type contains an array of impossible length.
func (r *reader) sized(id uint32) {
	if r.ids[id].typ == 0 {
		return
	}
	t := r.typeOf(id)
	if t.op == spirvtab.OpTypePointer && t.elem != 0 {
		t = r.typeAt(t.elem)
	}
	if t.unsized != 0 {
		r.needValue(t)
	}
}

// pointerType reads OpTypePointer, or OpTypeForwardPointer with elem 0.
func (r *reader) pointerType(t *typeRec, class, elem uint32) {
	// Whether the class is supported is checked where the type is used: another entry point may need it.
	if spirvtab.StorageClasses.Lookup(class) == nil {
		r.fail("unknown storage class %d", class)
	}
	t.op, t.elem, t.n = spirvtab.OpTypePointer, elem, class
	if r.isPointerValue(class) {
		t.base, t.comps, t.bits = ir.TypeUint, 1, pointerBits
		t.ir = r.s.Types.Scalar(ir.TypeUint, pointerBits)
	}
}

// forwardPointer reads OpTypeForwardPointer: structs may contain the pointer before its pointee is known.
func (r *reader) forwardPointer(in []uint32) {
	rec := &r.ids[in[1]]
	if rec.kind != idNone {
		r.fail("id %d is already defined", in[1])
	}
	if in[2] != spirvtab.StoragePhysicalStorageBuffer {
		r.fail("a pointer of storage class %s declared before its type", valueName(spirvtab.StorageClasses.Lookup(in[2]), in[2]))
	}
	t := typeRec{leafs: 1}
	r.pointerType(&t, in[2], 0)
	r.types = append(r.types, t)
	rec.kind, rec.aux = idType, uint32(len(r.types)-1)
}

// definePointer completes a type declared by OpTypeForwardPointer.
func (r *reader) definePointer(in []uint32) bool {
	rec := &r.ids[in[1]]
	if rec.kind != idType {
		return false
	}
	t := &r.types[rec.aux]
	if t.op != spirvtab.OpTypePointer || t.elem != 0 || t.n != in[2] {
		r.fail("id %d was declared as another type", in[1])
	}
	r.typeAt(in[3])
	t.elem = in[3]
	return true
}

// castPointer turns a pointer value into a deref at the cursor.
func (r *reader) castPointer(id uint32) ir.Value {
	v := r.src(id)
	t := r.typeOf(id)
	return r.b.DerefCast(v, r.pointerMode(t), r.pointedTo(t), 0)
}

// pointedTo returns the IR type of a pointer type's pointee: a byte for untyped pointers.
func (r *reader) pointedTo(t *typeRec) ir.Type {
	switch {
	case t.untyped:
		return r.s.Types.Scalar(ir.TypeUint, 8)
	case t.elem == 0:
		r.fail("the pointer's type is declared but not defined")
	}
	return r.inMemory(t.elem)
}

// inMemory returns the IR type of objects of a type in memory.
func (r *reader) inMemory(typ uint32) ir.Type {
	p := r.typeAt(typ)
	if p.unsized != 0 {
		r.needValue(p)
	}
	if p.ir == 0 {
		r.fail("a pointer to a type that cannot be in memory")
	}
	return p.ir
}

// pointerStride returns the number of bytes between the objects that a pointer steps over: the ArrayStride, otherwise
// the natural stride of objects of type elem, or of the pointee if elem is 0. The decoration is ignored in memory
// without an explicit layout.
func (r *reader) pointerStride(typ, elem uint32) uint32 {
	t := r.typeAt(typ)
	if n, ok := r.find(typ, spirvtab.DecorationArrayStride); ok && n != 0 && r.explicitLayout(r.pointerMode(t)) {
		return n
	}
	obj := r.pointedTo(t)
	if elem != 0 {
		obj = r.inMemory(elem)
	}
	size, align := r.s.LayoutOf(r.pointerMode(t)).Size(obj)
	return ir.RoundUp(size, max(align, 1))
}

// explicitLayout reports whether memory of a mode is laid out by decorations: workgroup
// memory is if its variables are blocks.
func (r *reader) explicitLayout(m kind.Mode) bool {
	if m != kind.ModeShared {
		return m&(kind.ModeFunctionTemp|kind.ModeShaderTemp) == 0
	}
	for x := range r.s.Vars(kind.ModeShared) {
		if r.s.Var(x).SharedBlock(&r.s.Types) {
			return true
		}
	}
	return false
}

// elementPointer steps from a pointer to objects of type typ, by the first index of OpPtrAccessChain.
func (r *reader) elementPointer(base, index, typ uint32) (ir.Value, kind.Access) {
	d, a := r.view(base, typ)
	if r.typeOf(base).comps == 0 {
		r.fail("stepping from pointer id %d requires the capability VariablePointers", base)
	}
	c := r.b.DerefCast(r.s.All(d), r.s.Modes(d), r.s.DerefType(d), r.pointerStride(r.ids[base].typ, typ))
	return r.b.DerefPtrAsArray(c, r.indexFor(c, index)), a
}

// indexFor returns an integer as the index of a step from deref d, converted to the deref's width.
func (r *reader) indexFor(d ir.Value, id uint32) ir.Src {
	if r.s.At(d).Bits == 32 {
		return r.index(id)
	}
	if c, ok := r.constScalar(id); ok {
		b := r.typeOf(id).bits
		return r.atEntry().Const(pointerBits, uint64(int64(c<<(64-b))>>(64-b)))
	}
	s := r.scalar(id, 0)
	switch t := r.typeOf(id); {
	case t.base != ir.TypeInt && t.base != ir.TypeUint:
		r.fail("id %d is not an integer", id)
	case t.bits == pointerBits:
		return s
	}
	return r.alu(op.I2I64, s) // indices are signed, whatever their type (OpAccessChain)
}

// pointerInstr reads comparisons and conversions of pointers.
func (r *reader) pointerInstr(info *spirvtab.Op, in []uint32) {
	id := in[2]
	t := r.typeOf(id)
	ptr := func(id uint32) ir.Src {
		if p := r.typeOf(id); p.op != spirvtab.OpTypePointer || p.comps == 0 {
			r.fail("id %d is not a pointer value", id)
		}
		return r.src(id)
	}
	switch info.Num {
	case spirvtab.OpPtrEqual:
		r.setSrc(id, r.alu(op.IEq, ptr(in[3]), ptr(in[4])))
	case spirvtab.OpPtrNotEqual:
		r.setSrc(id, r.alu(op.INe, ptr(in[3]), ptr(in[4])))
	case spirvtab.OpPtrDiff:
		if r.ids[in[3]].typ != r.ids[in[4]].typ {
			r.fail("the pointers have different types")
		}
		n := uint32(1) // differences of untyped pointers are in bytes
		if !r.typeOf(in[3]).untyped {
			n = r.pointerStride(r.ids[in[3]].typ, 0)
		}
		bytes := r.alu(op.I2I32, r.alu(op.ISub, ptr(in[3]), ptr(in[4])))
		r.setSrc(id, r.resize(r.alu(op.IDiv, bytes, r.imm(n)), t, true))
	case spirvtab.OpConvertPtrToU:
		r.setSrc(id, r.resize(ptr(in[3]), t, false))
	case spirvtab.OpConvertUToPtr:
		if t.op != spirvtab.OpTypePointer || t.comps == 0 {
			r.fail("the result is not a pointer value")
		}
		r.setSrc(id, r.resize(r.scalar(in[3], 0), t, false))
	}
}

// resize converts an integer to the width of a type.
func (r *reader) resize(s ir.Src, t *typeRec, signed bool) ir.Src {
	ops, i := [2][4]op.Op{
		{op.U2U8, op.U2U16, op.U2U32, op.U2U64},
		{op.I2I8, op.I2I16, op.I2I32, op.I2I64},
	}, 0
	if t.comps != 1 || t.bits < 8 || r.bitsOf(s) == t.bits {
		return s // a wrong type is rejected when the result is set
	}
	if signed {
		i = 1
	}
	return r.alu(ops[i][sizeIndex(t.bits)-1], s)
}
