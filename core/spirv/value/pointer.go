// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// sized rejects a value or variable whose type contains an array of impossible length.
func sized(r *module.Reader, id uint32) {
	if r.Ids[id].Typ == 0 {
		return
	}
	t := r.TypeOf(id)
	if t.Op == spirvtab.OpTypePointer && t.Elem != 0 {
		t = r.TypeAt(t.Elem)
	}
	if t.Unsized != 0 {
		r.NeedValue(t)
	}
}

// castPointer turns a pointer value into a deref at the cursor.
func castPointer(r *module.Reader, id uint32) ir.Value {
	v := Src(r, id)
	t := r.TypeOf(id)
	return r.B.DerefCast(v, PointerMode(r, t), PointedTo(r, t), 0)
}

// PointedTo returns the IR type of a pointer type's pointee: a byte for untyped pointers.
func PointedTo(r *module.Reader, t *module.TypeRec) ir.Type {
	switch {
	case t.Untyped:
		return r.S.Types.Scalar(ir.TypeUint, 8)
	case t.Elem == 0:
		r.Fail("the pointer's type is declared but not defined")
	}
	return inMemory(r, t.Elem)
}

// inMemory returns the IR type of objects of a type in memory.
func inMemory(r *module.Reader, typ uint32) ir.Type {
	p := r.TypeAt(typ)
	if p.Unsized != 0 {
		r.NeedValue(p)
	}
	if p.Ir == 0 {
		r.Fail("the pointer points to a type that cannot be in memory")
	}
	return p.Ir
}

// pointerStride returns the number of bytes between the objects that a pointer steps over: the ArrayStride, otherwise
// the natural stride of objects of type elem, or of the pointee if elem is 0. The decoration is ignored in memory
// without an explicit layout.
func pointerStride(r *module.Reader, typ, elem uint32) uint32 {
	t := r.TypeAt(typ)
	if n, ok := r.Find(typ, spirvtab.DecorationArrayStride); ok && n != 0 && explicitLayout(r, PointerMode(r, t)) {
		return n
	}
	obj := PointedTo(r, t)
	if elem != 0 {
		obj = inMemory(r, elem)
	}
	size, align := r.S.LayoutOf(PointerMode(r, t)).Size(obj)
	return ir.RoundUp(size, max(align, 1))
}

// explicitLayout reports whether memory of a mode is laid out by decorations. Workgroup memory is if one of its variables
// is a block.
func explicitLayout(r *module.Reader, m kind.Mode) bool {
	if m != kind.ModeShared {
		return m&(kind.ModeFunctionTemp|kind.ModeShaderTemp) == 0
	}
	for x := range r.S.Vars(kind.ModeShared) {
		if r.S.Var(x).SharedBlock(&r.S.Types) {
			return true
		}
	}
	return false
}

// elementPointer steps from a pointer to objects of type typ, by the first index of OpPtrAccessChain.
func elementPointer(r *module.Reader, base, index, typ uint32) (ir.Value, kind.Access) {
	d, a := View(r, base, typ)
	if r.TypeOf(base).Comps == 0 {
		r.Fail("stepping from pointer id %d requires the capability VariablePointers", base)
	}
	c := r.B.DerefCast(r.S.All(d), r.S.Modes(d), r.S.DerefType(d), pointerStride(r, r.Ids[base].Typ, typ))
	return r.B.DerefPtrAsArray(c, indexFor(r, c, index)), a
}

// indexFor returns an integer as the index of a step from deref d, converted to the deref's width.
func indexFor(r *module.Reader, d ir.Value, id uint32) ir.Src {
	if r.S.At(d).Bits == 32 {
		return Index(r, id)
	}
	if c, ok := r.ConstScalar(id); ok {
		b := r.TypeOf(id).Bits
		return AtEntry(r).Const(module.PointerBits, uint64(int64(c<<(64-b))>>(64-b)))
	}
	s := Scalar(r, id, 0)
	switch t := r.TypeOf(id); {
	case t.Base != ir.TypeInt && t.Base != ir.TypeUint:
		r.Fail("id %d is not an integer", id)
	case t.Bits == module.PointerBits:
		return s
	}
	return Alu(r, op.I2I64, s) // indices are signed, whatever their type (OpAccessChain)
}

// PointerInstr reads comparisons and conversions of pointers.
func PointerInstr(r *module.Reader, info *spirvtab.Op, in []uint32) {
	id := in[2]
	t := r.TypeOf(id)
	ptr := func(id uint32) ir.Src {
		if p := r.TypeOf(id); p.Op != spirvtab.OpTypePointer || p.Comps == 0 {
			r.Fail("id %d is not a pointer value", id)
		}
		return Src(r, id)
	}
	switch info.Num {
	case spirvtab.OpPtrEqual:
		SetSrc(r, id, Alu(r, op.IEq, ptr(in[3]), ptr(in[4])))
	case spirvtab.OpPtrNotEqual:
		SetSrc(r, id, Alu(r, op.INe, ptr(in[3]), ptr(in[4])))
	case spirvtab.OpPtrDiff:
		if r.Ids[in[3]].Typ != r.Ids[in[4]].Typ {
			r.Fail("the pointers have different types")
		}
		n := uint32(1) // differences of untyped pointers are in bytes
		if !r.TypeOf(in[3]).Untyped {
			n = pointerStride(r, r.Ids[in[3]].Typ, 0)
		}
		bytes := Alu(r, op.I2I32, Alu(r, op.ISub, ptr(in[3]), ptr(in[4])))
		SetSrc(r, id, resize(r, Alu(r, op.IDiv, bytes, Imm(r, n)), t, true))
	case spirvtab.OpConvertPtrToU:
		SetSrc(r, id, resize(r, ptr(in[3]), t, false))
	case spirvtab.OpConvertUToPtr:
		if t.Op != spirvtab.OpTypePointer || t.Comps == 0 {
			r.Fail("the result is not a pointer value")
		}
		SetSrc(r, id, resize(r, Scalar(r, in[3], 0), t, false))
	}
}

// resize converts an integer to the width of a type.
func resize(r *module.Reader, s ir.Src, t *module.TypeRec, signed bool) ir.Src {
	ops, i := [2][4]op.Op{
		{op.U2U8, op.U2U16, op.U2U32, op.U2U64},
		{op.I2I8, op.I2I16, op.I2I32, op.I2I64},
	}, 0
	if t.Comps != 1 || t.Bits < 8 || BitsOf(r, s) == t.Bits {
		return s // a wrong type is rejected when the result is set
	}
	if signed {
		i = 1
	}
	return Alu(r, ops[i][module.SizeIndex(t.Bits)-1], s)
}

// PointerMode returns the mode of the memory that a pointer type points to.
func PointerMode(r *module.Reader, t *module.TypeRec) kind.Mode {
	switch t.N {
	case spirvtab.StorageUniformConstant:
		return r.OpaqueMode(r.TypeAt(r.Elements(t.Elem)))
	case spirvtab.StorageUniform:
		if t.Untyped {
			return kind.ModeSSBO | kind.ModeUBO
		}
		e := r.Elements(t.Elem)
		if r.Has(e, spirvtab.DecorationBufferBlock) {
			return kind.ModeSSBO
		}
		if !r.Has(e, spirvtab.DecorationBlock) {
			return kind.ModeSSBO | kind.ModeUBO
		}
	}
	c := spirvtab.StorageClasses.Lookup(t.N)
	if !c.Read {
		r.Refuse("storage class %s is not supported", c.Name)
	}
	return kind.Mode(c.To)
}
