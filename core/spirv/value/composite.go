// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// Construct reads OpCompositeConstruct. A vector may be built from scalars and vectors; other composites take one
// constituent per part.
func Construct(r *module.Reader, in []uint32) {
	id, parts := in[2], in[3:]
	t := r.TypeOf(id)
	if t.Comps > 1 {
		var c [4]ir.Src
		n := 0
		for _, p := range parts {
			s := Src(r, p)
			for i := range int(s.N) {
				if n == int(t.Comps) {
					r.Fail("the constituents have more than %d components", t.Comps)
				}
				c[n] = s.Comp(i)
				if BitsOf(r, s) != t.Bits {
					r.Fail("constituent id %d has components of another size", p)
				}
				n++
			}
		}
		if n != int(t.Comps) {
			r.Fail("the constituents have %d components, but the result has %d", n, t.Comps)
		}
		SetSrc(r, id, Vec(r, c[:n]))
		return
	}
	if t.Comps == 1 || t.Op == spirvtab.OpTypeRuntimeArray || t.Ir == 0 || len(parts) != int(t.N) {
		r.Fail("has %d constituents, but the type has %d", len(parts), t.N)
	}
	for i, p := range parts {
		want := t.Elem
		if t.Op == spirvtab.OpTypeStruct {
			want = r.StructMember(in[1], i)
		}
		if r.Ids[p].Typ != want {
			r.Fail("constituent id %d has a different type than the part", p)
		}
		Value(r, p) // constants first: they take space in the tree
	}
	if t.N == 0 {
		Set(r, id, module.Value{Kids: KidsUndef})
		return
	}
	kids := NewKids(r, t.N)
	for i, p := range parts {
		v := Value(r, p)
		r.Tree[int(kids)+i] = v
	}
	Set(r, id, module.Value{Kids: kids})
}

// Extract emits OpCompositeExtract.
func Extract(r *module.Reader, in []uint32) {
	id, typ := in[2], r.Ids[in[3]].Typ
	if r.Descriptors(r.TypeOf(in[3])) != nil {
		o := OpaqueAgain(r, id, in)
		if r.TypeAt(typ).Elem != in[1] {
			r.Fail("the part has a different type than the result")
		}
		SetOpaque(r, id, o)
		return
	}
	v := Value(r, in[3])
	for _, i := range in[4:] {
		pt := r.Part(typ, i)
		if pt == 0 {
			r.Fail("there is no part %d", i)
		}
		if t := r.TypeAt(typ); t.Comps != 0 {
			v = Leaf(v.Src.Comp(int(i)))
		} else {
			v = Kid(r, v, t.Ir, int(i))
		}
		typ = pt
	}
	if typ != in[1] {
		r.Fail("the part has a different type than the result")
	}
	Set(r, id, v)
}

// Insert emits OpCompositeInsert. It copies the nodes on the path to the changed part; all other nodes are shared.
func Insert(r *module.Reader, in []uint32) {
	if r.Ids[in[4]].Typ != in[1] {
		r.Fail("the composite has a different type than the result")
	}
	Set(r, in[2], inserted(r, Value(r, in[4]), in[1], Value(r, in[3]), r.Ids[in[3]].Typ, in[5:]))
}

func inserted(r *module.Reader, v module.Value, typ uint32, obj module.Value, objType uint32, indices []uint32) module.Value {
	if len(indices) == 0 {
		if typ != objType {
			r.Fail("the part has a different type than the object")
		}
		return obj
	}
	i := indices[0]
	pt := r.Part(typ, i)
	if pt == 0 {
		r.Fail("there is no part %d", i)
	}
	if stored(v) {
		return insertedStored(r, v, typ, obj, objType, indices)
	}
	t := r.TypeAt(typ)
	if t.Comps != 0 {
		part := inserted(r, Leaf(v.Src.Comp(int(i))), pt, obj, objType, indices[1:])
		var c [4]ir.Src
		for j := range int(t.Comps) {
			c[j] = v.Src.Comp(j)
		}
		c[i] = part.Src
		return Leaf(Vec(r, c[:t.Comps]))
	}
	part := inserted(r, Kid(r, v, t.Ir, int(i)), pt, obj, objType, indices[1:])
	kids := NewKids(r, t.N)
	for j := range t.N {
		k := part
		if j != i {
			k = Kid(r, v, t.Ir, int(j))
		}
		r.Tree[kids+j] = k
	}
	return module.Value{Kids: kids}
}

// Shuffle emits OpVectorShuffle.
func Shuffle(r *module.Reader, in []uint32) {
	t := r.TypeOf(in[2])
	a, b := Src(r, in[3]), Src(r, in[4])
	if int(t.Comps) != len(in)-5 {
		r.Fail("has %d components, but the result type has %d", len(in)-5, t.Comps)
	}
	var c [4]ir.Src
	defined := -1
	for i, k := range in[5:] {
		switch {
		case k < uint32(a.N):
			c[i] = a.Comp(int(k))
		case k-uint32(a.N) < uint32(b.N):
			c[i] = b.Comp(int(k - uint32(a.N)))
		case k == ^uint32(0):
			continue
		default:
			r.Fail("there is no component %d", k)
		}
		if BitsOf(r, c[i]) != t.Bits {
			r.Fail("the components have a different size than the result's")
		}
		defined = i
	}
	if defined < 0 {
		SetSrc(r, in[2], undef(r, t.Comps, t.Bits))
		return
	}
	for i := range c[:t.Comps] {
		if c[i].Val == 0 { // undefined: any component
			c[i] = c[defined]
		}
	}
	SetSrc(r, in[2], Vec(r, c[:t.Comps]))
}

// dynamicExtract extracts component index of v. Out of bounds, where the result is undefined, it is the first
// component.
func dynamicExtract(r *module.Reader, v, index ir.Src) ir.Src {
	out := v.Comp(0)
	for i := 1; i < int(v.N); i++ {
		out = Alu(r, op.BCsel, Alu(r, op.IEq, index, Imm(r, uint32(i))), v.Comp(i), out)
	}
	return out
}

// ExtractDynamic emits OpVectorExtractDynamic.
func ExtractDynamic(r *module.Reader, in []uint32) {
	v := Src(r, in[3])
	if c, ok := r.ConstScalar(in[4]); ok && c < uint64(v.N) {
		SetSrc(r, in[2], v.Comp(int(c)))
		return
	}
	SetSrc(r, in[2], dynamicExtract(r, v, Index(r, in[4])))
}

// InsertDynamic emits OpVectorInsertDynamic.
func InsertDynamic(r *module.Reader, in []uint32) {
	v, x, index := Src(r, in[3]), Scalar(r, in[4], 0), Index(r, in[5])
	if BitsOf(r, v) != BitsOf(r, x) {
		r.Fail("the component has a different size than the vector's")
	}
	var c [4]ir.Src
	for i := range int(v.N) {
		c[i] = Alu(r, op.BCsel, Alu(r, op.IEq, index, Imm(r, uint32(i))), x, v.Comp(i))
	}
	SetSrc(r, in[2], Vec(r, c[:v.N]))
}

// CopyObject reads OpCopyObject, also of pointers, and OpCopyLogical, whose types differ only in layout.
func CopyObject(r *module.Reader, info *spirvtab.Op, in []uint32) {
	from := &r.Ids[in[3]]
	switch from.Kind {
	case module.IdVar, module.IdPointer:
		if !samePointers(r, in[1], from.Typ) {
			r.Fail("the pointer has a different type than the result")
		}
		d, a := Pointer(r, in[3])
		r.Ids[in[2]].Aux = viewed(r, in[3])
		SetPointer(r, in[2], d, a|r.Access(in[2], module.NoMember))
		return
	case module.IdBuiltin:
		if Pointee(r, in[2]) != Pointee(r, in[3]) {
			r.Fail("the pointer has a different type than the result")
		}
		setBuiltin(r, in[2], in[3])
		return
	case module.IdOpaque:
		if from.Typ != in[1] {
			r.Fail("id %d has a different type than the result", in[3])
		}
		SetOpaque(r, in[2], OpaqueAgain(r, in[2], in))
		return
	}
	if info.Num == spirvtab.OpCopyObject && from.Typ != in[1] || info.Num == spirvtab.OpCopyLogical && !sameShape(r, from.Typ, in[1]) {
		r.Fail("id %d has a different type than the result", in[3])
	}
	Set(r, in[2], Value(r, in[3]))
}

// sameShape reports whether two types differ only in their layout.
func sameShape(r *module.Reader, a, b uint32) bool {
	if a == b {
		return true
	}
	x, y := r.TypeAt(a), r.TypeAt(b)
	if x.Op != y.Op || x.N != y.N || x.Comps != y.Comps || x.Bits != y.Bits {
		return false
	}
	switch x.Op {
	case spirvtab.OpTypeArray:
		return sameShape(r, x.Elem, y.Elem)
	case spirvtab.OpTypeStruct:
		r.Count(x.N)
		for i := range int(x.N) {
			if !sameShape(r, r.StructMember(a, i), r.StructMember(b, i)) {
				return false
			}
		}
		return true
	}
	return x.Comps != 0
}

// SelectInstr reads OpSelect; since SPIR-V 1.4 a scalar condition may select between composites.
func SelectInstr(r *module.Reader, in []uint32) {
	t := r.TypeOf(in[2])
	if r.Descriptors(t) != nil {
		r.Refuse("selecting between images or samplers is not supported")
	}
	r.NeedValue(t)
	if r.Ids[in[4]].Typ != in[1] || r.Ids[in[5]].Typ != in[1] {
		r.Fail("the objects have different types than the result")
	}
	c := Src(r, in[3])
	if t.Comps == 0 && c.N != 1 {
		r.Fail("the condition is not a scalar")
	}
	Set(r, in[2], selected(r, c, Value(r, in[4]), Value(r, in[5]), t.Ir))
}

func selected(r *module.Reader, c ir.Src, a, b module.Value, t ir.Type) module.Value {
	if r.IsLeaf(t) {
		return Leaf(Alu(r, op.BCsel, c, a.Src, b.Src))
	}
	n := r.NumKids(t)
	if n == 0 {
		return a
	}
	kids := NewKids(r, n)
	for i := range n {
		v := selected(r, c, Kid(r, a, t, int(i)), Kid(r, b, t, int(i)), r.KidType(t, int(i)))
		r.Tree[kids+i] = v
	}
	return module.Value{Kids: kids}
}

// Alu inserts an ALU operation after checking its sources, which an invalid module may give any type.
func Alu(r *module.Reader, o op.Op, src ...ir.Src) ir.Src {
	info := o.Info()
	bits := uint8(0)
	float := info.Out.Base == op.Float
	n := uint8(1)
	for i := range src {
		want := &info.Src[i]
		b := BitsOf(r, src[i])
		if want.Bits == 0 {
			if bits == 0 {
				bits = b
			}
			if b != bits || info.Sizes&op.SizeOf(b) == 0 {
				r.Fail("a %d-bit operand does not fit %v", b, o)
			}
		} else if b != want.Bits {
			r.Fail("a %d-bit operand does not fit %v", b, o)
		}
		if want.Comps == 0 {
			if src[i].N != 1 {
				if n != 1 && n != src[i].N {
					r.Fail("the operands have %d and %d components", n, src[i].N)
				}
				n = src[i].N
			}
		} else if src[i].N != want.Comps {
			r.Fail("an operand of %d components does not fit %v", src[i].N, o)
		}
		float = float || want.Base == op.Float
	}
	r.B.Float = 0
	if float {
		if bits == 0 {
			bits = max(info.Out.Bits, info.Src[0].Bits)
		}
		r.B.Float = r.Mask(bits)&^r.Own.Drop | r.Own.Give
	}
	return r.B.ALU(o, src...)
}
