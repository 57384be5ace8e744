package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// An untyped pointer (SPV_KHR_untyped_pointers) is a deref of some type, like any other pointer. Each use states the
// type of the memory; if it differs from the deref's type, the use is through a cast of the deref. The explicit layout
// of the memory makes that right: passes assume that casts may overlap.

// untypedVariable reads the type of an untyped variable, and its initializer.
func (r *reader) untypedVariable(pt *typeRec, in []uint32) (typ uint32, init []uint32) {
	if !pt.untyped || r.op(r.at) != spirvtab.OpUntypedVariableKHR {
		r.fail("the variable and the pointer type must both be typed or both be untyped")
	}
	switch in[3] {
	case spirvtab.StorageUniform, spirvtab.StorageStorageBuffer, spirvtab.StoragePushConstant, spirvtab.StorageWorkgroup:
	default:
		r.refuse("untyped variables of storage class %s are not supported", valueName(spirvtab.StorageClasses.Lookup(in[3]), in[3]))
	}
	if len(in) < 5 {
		r.refuse("untyped variables without a data type are not supported")
	}
	block := r.typeAt(in[4]).op == spirvtab.OpTypeStruct && r.has(in[4], spirvtab.DecorationBlock)
	if in[3] == spirvtab.StorageWorkgroup && !block {
		r.fail("an untyped variable in workgroup memory is not a block")
	}
	return in[4], in[5:]
}

// chainRec is an access chain.
type chainRec struct {
	base     uint32
	typ      uint32 // type that the first index selects from
	element  uint32 // index of the step over whole objects of this type, 0: none
	indices  []uint32
	inBounds uint32
	untyped  bool
}

// chainOf decodes an access chain.
func (r *reader) chainOf(in []uint32) chainRec {
	x := chainRec{}
	o := r.op(r.ids[in[2]].word)
	switch o {
	case spirvtab.OpAccessChain, spirvtab.OpInBoundsAccessChain, spirvtab.OpPtrAccessChain:
		x.base, x.indices = in[3], in[4:]
		x.typ = r.pointee(x.base)
	default:
		x.typ, x.base, x.indices, x.untyped = in[3], in[4], in[5:], true
		if t := r.typeAt(x.typ); t.op == spirvtab.OpTypePointer {
			r.fail("the base type, id %d, is a pointer", x.typ)
		}
		if r.typeOf(x.base).op != spirvtab.OpTypePointer {
			r.fail("id %d is not a pointer", x.base)
		}
	}
	switch o {
	case spirvtab.OpInBoundsAccessChain, spirvtab.OpUntypedInBoundsAccessChainKHR:
		x.inBounds = 1
	case spirvtab.OpPtrAccessChain, spirvtab.OpUntypedPtrAccessChainKHR, spirvtab.OpUntypedInBoundsPtrAccessChainKHR:
		x.element, x.indices = x.indices[0], x.indices[1:]
	}
	return x
}

// pointsTo reports whether objects of type typ may be accessed through a pointer.
func (r *reader) pointsTo(id, typ uint32) bool {
	return r.typeOf(id).untyped || r.pointee(id) == typ
}

// viewed returns the type that the deref of a pointer refers to, 0 if the pointer is untyped and its type unknown.
func (r *reader) viewed(id uint32) uint32 {
	rec, t := &r.ids[id], r.typeOf(id)
	switch {
	case !t.untyped:
		return t.elem
	case rec.kind == idVar:
		return r.words[rec.word+4]
	case rec.kind == idPointer:
		return rec.aux
	}
	return 0
}

// view returns the deref of a pointer at the cursor, converted to type typ, and its access qualifiers.
func (r *reader) view(id, typ uint32) (ir.Value, kind.Access) {
	d, a := r.pointer(id)
	if r.viewed(id) == typ {
		return d, a
	}
	return r.viewAs(d, r.inMemory(typ)), a
}

// viewAs returns a deref converted to type t, by a cast if needed.
func (r *reader) viewAs(d ir.Value, t ir.Type) ir.Value {
	s := r.s
	modes := s.Modes(d)
	src := s.All(d)
	for s.At(src.Val).Kind == kind.Deref && s.DerefType(src.Val) != t && s.At(src.Val).DerefKind() == kind.DerefCast &&
		s.Words(src.Val)[kind.FieldDerefCastStride] == 0 {
		src = s.Src(src.Val, 0)
	}
	if s.At(src.Val).Kind == kind.Deref && s.DerefType(src.Val) == t && s.Modes(src.Val) == modes {
		return src.Val
	}
	return r.b.DerefCast(src, modes, t, 0)
}

// samePointers reports whether two pointer types differ at most in decorations.
func (r *reader) samePointers(a, b uint32) bool {
	x, y := r.typeAt(a), r.typeAt(b)
	return x.op == spirvtab.OpTypePointer && y.op == spirvtab.OpTypePointer && x.elem == y.elem && x.n == y.n && x.untyped == y.untyped
}

// copyBytes reads OpCopyMemorySized. It copies in the largest units that the alignment of the pointers allows or, if
// the alignment is unknown, in the smallest units that the module may access.
func (r *reader) copyBytes(in []uint32) {
	ta, sa := r.copyAccess(in, 4)
	n := r.constInt(in[3], "the size")
	unit := r.unitOfCopies(in, 4)
	for n%unit != 0 {
		unit /= 2
	}
	if n == 0 {
		return
	}
	tt := &r.s.Types
	t := tt.Array(tt.Scalar(ir.TypeUint, uint8(8*unit)), n/unit, unit)
	d, da := r.pointer(in[1])
	s, ssa := r.pointer(in[2])
	d, s = r.viewAs(d, t), r.viewAs(s, t)
	r.store(d, r.load(s, sa|ssa), ta|da)
}

// unitOfCopies returns the number of bytes that a copy may access at once, up to 4: the alignment in the memory
// operands from position i on or, without one, the smallest unit that the module may access.
func (r *reader) unitOfCopies(in []uint32, i int) uint32 {
	unit := uint32(4)
	for some := false; i < len(in) || !some; some = true {
		at := i
		_, i = r.memoryAccess(in, i)
		if at < len(in) && in[at]&memoryAligned != 0 {
			unit = min(unit, max(in[at+1], 1))
		} else {
			unit = min(unit, r.leastUnit())
		}
	}
	return unit & -unit
}

// leastUnit returns the size in bytes of the smallest scalars that the module may access in memory.
func (r *reader) leastUnit() uint32 {
	switch {
	case r.smallAccess&1 != 0:
		return 1
	case r.smallAccess&2 != 0:
		return 2
	}
	return 4
}
