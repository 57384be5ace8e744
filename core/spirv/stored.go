package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// A value with many vectors is not loaded into SSA values. It is copied into a variable that nothing else writes, and
// the value is that variable or a part of it. Wherever the value can be used, its definition has been executed last
// (definitions dominate uses), so that the variable still contains it.

// maxVectors is the maximum number of vectors of an aggregate in SSA values; more do not fit into the registers of a
// thread anyway.
const maxVectors = 128

// Kids from kidsStored up to the uniform aggregates denote values in variables: see places.
const kidsStored = 1 << 31

// place is the location of a stored value: a pointer that dominates all uses of the value, a variable, or part i of the
// value with these kids.
type place struct {
	pointer  ir.Value
	variable ir.Var
	whole    uint32
	i        uint32
}

func (v value) stored() bool { return v.kids >= kidsStored && v.kids < kidsUndef }

func (r *reader) placed(p place) value {
	r.count(1)
	r.places = append(r.places, p)
	return value{kids: kidsStored + uint32(len(r.places)-1)}
}

// large reports whether values of the type are stored.
func (r *reader) large(t ir.Type) bool { return r.vectors(t, maxVectors) > maxVectors }

// vectors returns the number of vectors of a type, or a slightly larger number than limit if there are more.
func (r *reader) vectors(t ir.Type, limit uint64) uint64 {
	tt := &r.s.Types
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

// storage returns a new variable for a value, and its deref at the cursor.
func (r *reader) storage(t ir.Type) (value, ir.Value) {
	x := r.s.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Type: t, Func: r.fn.ir, Location: -1})
	return r.placed(place{variable: x}), r.b.DerefVar(x)
}

// storedAt returns the deref of a stored value at the cursor.
func (r *reader) storedAt(v value) ir.Value {
	p := r.places[v.kids-kidsStored]
	switch {
	case p.pointer != 0:
		return p.pointer
	case p.variable != 0:
		return r.b.DerefVar(p.variable)
	}
	d := r.storedAt(value{kids: p.whole})
	if r.s.Types.At(r.s.DerefType(d)).Kind == ir.TypeStruct {
		return r.b.DerefStruct(d, int(p.i))
	}
	return r.element(d, p.i)
}

// storedKid returns part i, of type kt, of a stored value.
func (r *reader) storedKid(v value, i uint32, kt ir.Type) value {
	part := r.placed(place{whole: v.kids, i: i})
	if r.isLeaf(kt) {
		return r.load(r.storedAt(part), 0)
	}
	return part
}

// stored returns a value as a value in memory.
func (r *reader) stored(v value, t ir.Type) value {
	if v.stored() {
		return v
	}
	s, d := r.storage(t)
	r.store(d, v, 0)
	return s
}

// copy copies an object.
func (r *reader) copy(dst, src ir.Value, da, sa kind.Access) {
	r.count(1)
	c := r.b.Intrinsic(intrinsic.CopyDeref, 1, 0, r.s.All(dst), r.s.All(src))
	r.s.SetIndex(c, intrinsic.IxAccess, uint32(da))
	r.s.SetIndex(c, intrinsic.IxSrcAccess, uint32(sa))
}

// insertedStored returns a copy of a stored value with another object at a path of indices.
func (r *reader) insertedStored(v value, typ uint32, obj value, objType uint32, indices []uint32) value {
	out, d := r.storage(r.typeAt(typ).ir)
	r.copy(d, r.storedAt(v), 0, 0)
	for _, i := range indices {
		pt := r.part(typ, i)
		if pt == 0 {
			r.fail("there is no part %d", i)
		}
		if r.typeAt(typ).op == spirvtab.OpTypeStruct {
			d = r.b.DerefStruct(d, int(i))
		} else {
			d = r.element(d, i)
		}
		typ = pt
	}
	if typ != objType {
		r.fail("the part has another type than the object")
	}
	r.store(d, obj, 0)
	return out
}
