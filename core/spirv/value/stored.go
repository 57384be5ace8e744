// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// Kids from kidsStored up to the uniform aggregates denote stored values: kidsStored plus an index into Reader.Places.
const kidsStored = 1 << 31

func stored(v module.Value) bool { return v.Kids >= kidsStored && v.Kids < KidsUndef }

// Placed returns the value that is stored at a place.
func Placed(r *module.Reader, p module.Place) module.Value {
	r.Count(1)
	r.Places = append(r.Places, p)
	return module.Value{Kids: kidsStored + uint32(len(r.Places)-1)}
}

// storage returns a new variable for a value, and its deref at the cursor.
func storage(r *module.Reader, t ir.Type) (module.Value, ir.Value) {
	x := r.S.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Type: t, Func: r.Fn.Ir, Location: -1})
	return Placed(r, module.Place{Variable: x}), r.B.DerefVar(x)
}

// StoredAt returns the deref of a stored value at the cursor.
func StoredAt(r *module.Reader, v module.Value) ir.Value {
	p := r.Places[v.Kids-kidsStored]
	switch {
	case p.Pointer != 0:
		return p.Pointer
	case p.Variable != 0:
		return r.B.DerefVar(p.Variable)
	}
	d := StoredAt(r, module.Value{Kids: p.Whole})
	if r.S.Types.At(r.S.DerefType(d)).Kind == ir.TypeStruct {
		return r.B.DerefStruct(d, int(p.I))
	}
	return element(r, d, p.I)
}

// storedKid returns part i, of type kt, of a stored value.
func storedKid(r *module.Reader, v module.Value, i uint32, kt ir.Type) module.Value {
	part := Placed(r, module.Place{Whole: v.Kids, I: i})
	if r.IsLeaf(kt) {
		return Load(r, StoredAt(r, part), 0)
	}
	return part
}

// Stored returns v if it is a stored value, otherwise a copy of it in a new variable.
func Stored(r *module.Reader, v module.Value, t ir.Type) module.Value {
	if stored(v) {
		return v
	}
	s, d := storage(r, t)
	Store(r, d, v, 0)
	return s
}

// copy emits a copy of the object at src to dst; da and sa are the access qualifiers of the two.
func copy(r *module.Reader, dst, src ir.Value, da, sa kind.Access) {
	r.Count(1)
	c := r.B.Intrinsic(intrinsic.CopyDeref, 1, 0, r.S.All(dst), r.S.All(src))
	r.S.SetIndex(c, intrinsic.IxAccess, uint32(da))
	r.S.SetIndex(c, intrinsic.IxSrcAccess, uint32(sa))
}

// insertedStored returns a copy of a stored value with another object at a path of indices.
func insertedStored(r *module.Reader, v module.Value, typ uint32, obj module.Value, objType uint32, indices []uint32) module.Value {
	out, d := storage(r, r.TypeAt(typ).Ir)
	copy(r, d, StoredAt(r, v), 0, 0)
	for _, i := range indices {
		pt := r.Part(typ, i)
		if pt == 0 {
			r.Fail("there is no part %d", i)
		}
		if r.TypeAt(typ).Op == spirvtab.OpTypeStruct {
			d = r.B.DerefStruct(d, int(i))
		} else {
			d = element(r, d, i)
		}
		typ = pt
	}
	if typ != objType {
		r.Fail("the part has a different type than the object")
	}
	Store(r, d, obj, 0)
	return out
}
