// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// chainRec is an access chain.
type chainRec struct {
	base     uint32
	typ      uint32 // type that the first index selects from
	element  uint32 // index of the step over whole objects of this type, or 0 if none
	indices  []uint32
	inBounds uint32
	untyped  bool
}

// chainOf decodes an access chain.
func chainOf(r *module.Reader, in []uint32) chainRec {
	x := chainRec{}
	o := r.Op(r.Ids[in[2]].Word)
	switch o {
	case spirvtab.OpAccessChain, spirvtab.OpInBoundsAccessChain, spirvtab.OpPtrAccessChain:
		x.base, x.indices = in[3], in[4:]
		x.typ = Pointee(r, x.base)
	default:
		x.typ, x.base = in[3], in[4]
		x.indices, x.untyped = in[5:], true
		if t := r.TypeAt(x.typ); t.Op == spirvtab.OpTypePointer {
			r.Fail("the base type, id %d, is a pointer", x.typ)
		}
		if r.TypeOf(x.base).Op != spirvtab.OpTypePointer {
			r.Fail("id %d is not a pointer", x.base)
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

// PointsTo reports whether objects of type typ may be accessed through a pointer.
func PointsTo(r *module.Reader, id, typ uint32) bool {
	return r.TypeOf(id).Untyped || Pointee(r, id) == typ
}

// viewed returns the type that the deref of a pointer refers to, or 0 if the pointer is untyped and its pointee type is
// unknown.
func viewed(r *module.Reader, id uint32) uint32 {
	rec, t := &r.Ids[id], r.TypeOf(id)
	switch {
	case !t.Untyped:
		return t.Elem
	case rec.Kind == module.IdVar:
		return r.Words[rec.Word+4]
	case rec.Kind == module.IdPointer:
		return rec.Aux
	}
	return 0
}

// View returns the deref of a pointer at the cursor, converted to type typ, and its access qualifiers.
func View(r *module.Reader, id, typ uint32) (ir.Value, kind.Access) {
	d, a := Pointer(r, id)
	if viewed(r, id) == typ {
		return d, a
	}
	return viewAs(r, d, inMemory(r, typ)), a
}

// viewAs returns a deref converted to type t, by a cast if needed.
func viewAs(r *module.Reader, d ir.Value, t ir.Type) ir.Value {
	s := r.S
	modes := s.Modes(d)
	src := s.All(d)
	for s.At(src.Val).Kind == kind.Deref && s.DerefType(src.Val) != t && s.At(src.Val).DerefKind() == kind.DerefCast &&
		s.Words(src.Val)[kind.FieldDerefCastStride] == 0 {
		src = s.Src(src.Val, 0)
	}
	if s.At(src.Val).Kind == kind.Deref && s.DerefType(src.Val) == t && s.Modes(src.Val) == modes {
		return src.Val
	}
	return r.B.DerefCast(src, modes, t, 0)
}

// samePointers reports whether two pointer types differ at most in decorations.
func samePointers(r *module.Reader, a, b uint32) bool {
	x, y := r.TypeAt(a), r.TypeAt(b)
	return x.Op == spirvtab.OpTypePointer && y.Op == spirvtab.OpTypePointer && x.Elem == y.Elem && x.N == y.N && x.Untyped == y.Untyped
}

// CopyBytes reads OpCopyMemorySized. It copies in the largest units that the alignment of the pointers allows or, if
// the alignment is unknown, in the smallest units that the module may access.
func CopyBytes(r *module.Reader, in []uint32) {
	ta, sa := copyAccess(r, in, 4)
	n := r.ConstInt(in[3], "the size")
	unit := unitOfCopies(r, in, 4)
	for n%unit != 0 {
		unit /= 2
	}
	if n == 0 {
		return
	}
	tt := &r.S.Types
	t := tt.Array(tt.Scalar(ir.TypeUint, uint8(8*unit)), n/unit, unit)
	d, da := Pointer(r, in[1])
	s, ssa := Pointer(r, in[2])
	d, s = viewAs(r, d, t), viewAs(r, s, t)
	Store(r, d, Load(r, s, sa|ssa), ta|da)
}

// unitOfCopies returns the number of bytes that a copy may access at once, up to 4: the alignment in the memory operands,
// which start at position i, or, without one, the smallest unit that the module may access.
func unitOfCopies(r *module.Reader, in []uint32, i int) uint32 {
	unit := uint32(4)
	for some := false; i < len(in) || !some; some = true {
		at := i
		_, i = memoryAccess(r, in, i)
		if at < len(in) && in[at]&memoryAligned != 0 {
			unit = min(unit, max(in[at+1], 1))
		} else {
			unit = min(unit, leastUnit(r))
		}
	}
	return unit & -unit
}

// leastUnit returns the size in bytes of the smallest scalars that the module may access in memory.
func leastUnit(r *module.Reader) uint32 {
	switch {
	case r.SmallAccess&1 != 0:
		return 1
	case r.SmallAccess&2 != 0:
		return 2
	}
	return 4
}
