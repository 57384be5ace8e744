package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// construct reads OpCompositeConstruct. A vector may be built from scalars and vectors; other composites take one
// constituent per part.
func (r *reader) construct(in []uint32) {
	id, parts := in[2], in[3:]
	t := r.typeOf(id)
	if t.comps > 1 {
		var c [4]ir.Src
		n := 0
		for _, p := range parts {
			s := r.src(p)
			for i := range int(s.N) {
				if n == int(t.comps) {
					r.fail("the constituents have more than %d components", t.comps)
				}
				c[n] = s.Comp(i)
				if r.bitsOf(s) != t.bits {
					r.fail("constituent id %d has components of another size", p)
				}
				n++
			}
		}
		if n != int(t.comps) {
			r.fail("the constituents have %d components, the result %d", n, t.comps)
		}
		r.setSrc(id, r.vec(c[:n]))
		return
	}
	if t.comps == 1 || t.op == spirvtab.OpTypeRuntimeArray || t.ir == 0 || len(parts) != int(t.n) {
		r.fail("has %d constituents, the type has %d", len(parts), t.n)
	}
	for i, p := range parts {
		want := t.elem
		if t.op == spirvtab.OpTypeStruct {
			want = r.structMember(in[1], i)
		}
		if r.ids[p].typ != want {
			r.fail("constituent id %d has another type than the part", p)
		}
		r.value(p) // constants first: they take space in the tree
	}
	if t.n == 0 {
		r.set(id, value{kids: kidsUndef})
		return
	}
	kids := r.newKids(t.n)
	for i, p := range parts {
		v := r.value(p)
		r.tree[int(kids)+i] = v
	}
	r.set(id, value{kids: kids})
}

// part returns the type of part i of a type, or 0 if there is none.
func (r *reader) part(typ uint32, i uint32) uint32 {
	t := r.typeAt(typ)
	switch {
	case i >= t.n:
		return 0
	case t.op == spirvtab.OpTypeStruct:
		return r.structMember(typ, int(i))
	case t.op == spirvtab.OpTypeVector || t.op == spirvtab.OpTypeMatrix || t.op == spirvtab.OpTypeArray:
		return t.elem
	}
	return 0
}

func (r *reader) extract(in []uint32) {
	id, typ := in[2], r.ids[in[3]].typ
	if r.descriptors(r.typeOf(in[3])) != nil {
		o := r.opaqueAgain(id, in)
		if r.typeAt(typ).elem != in[1] {
			r.fail("the part has another type than the result")
		}
		r.setOpaque(id, o)
		return
	}
	v := r.value(in[3])
	for _, i := range in[4:] {
		pt := r.part(typ, i)
		if pt == 0 {
			r.fail("there is no part %d", i)
		}
		if t := r.typeAt(typ); t.comps != 0 {
			v = leaf(v.src.Comp(int(i)))
		} else {
			v = r.kid(v, t.ir, int(i))
		}
		typ = pt
	}
	if typ != in[1] {
		r.fail("the part has another type than the result")
	}
	r.set(id, v)
}

// insert copies the nodes on the path to the changed part; all other nodes are shared.
func (r *reader) insert(in []uint32) {
	if r.ids[in[4]].typ != in[1] {
		r.fail("the composite has another type than the result")
	}
	r.set(in[2], r.inserted(r.value(in[4]), in[1], r.value(in[3]), r.ids[in[3]].typ, in[5:]))
}

func (r *reader) inserted(v value, typ uint32, obj value, objType uint32, indices []uint32) value {
	if len(indices) == 0 {
		if typ != objType {
			r.fail("the part has another type than the object")
		}
		return obj
	}
	i := indices[0]
	pt := r.part(typ, i)
	if pt == 0 {
		r.fail("there is no part %d", i)
	}
	if v.stored() {
		return r.insertedStored(v, typ, obj, objType, indices)
	}
	t := r.typeAt(typ)
	if t.comps != 0 {
		part := r.inserted(leaf(v.src.Comp(int(i))), pt, obj, objType, indices[1:])
		var c [4]ir.Src
		for j := range int(t.comps) {
			c[j] = v.src.Comp(j)
		}
		c[i] = part.src
		return leaf(r.vec(c[:t.comps]))
	}
	part := r.inserted(r.kid(v, t.ir, int(i)), pt, obj, objType, indices[1:])
	kids := r.newKids(t.n)
	for j := range t.n {
		k := part
		if j != i {
			k = r.kid(v, t.ir, int(j))
		}
		r.tree[kids+j] = k
	}
	return value{kids: kids}
}

func (r *reader) shuffle(in []uint32) {
	t := r.typeOf(in[2])
	a, b := r.src(in[3]), r.src(in[4])
	if int(t.comps) != len(in)-5 {
		r.fail("has %d components, the result type %d", len(in)-5, t.comps)
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
			r.fail("there is no component %d", k)
		}
		if r.bitsOf(c[i]) != t.bits {
			r.fail("the components have another size than the result's")
		}
		defined = i
	}
	if defined < 0 {
		r.setSrc(in[2], r.undef(t.comps, t.bits))
		return
	}
	for i := range c[:t.comps] {
		if c[i].Val == 0 { // undefined: any component
			c[i] = c[defined]
		}
	}
	r.setSrc(in[2], r.vec(c[:t.comps]))
}

// dynamicExtract extracts component index of v. Out of bounds, where the result is undefined, it is the first
// component.
func (r *reader) dynamicExtract(v, index ir.Src) ir.Src {
	out := v.Comp(0)
	for i := 1; i < int(v.N); i++ {
		out = r.alu(op.BCsel, r.alu(op.IEq, index, r.imm(uint32(i))), v.Comp(i), out)
	}
	return out
}

func (r *reader) extractDynamic(in []uint32) {
	v := r.src(in[3])
	if c, ok := r.constScalar(in[4]); ok && c < uint64(v.N) {
		r.setSrc(in[2], v.Comp(int(c)))
		return
	}
	r.setSrc(in[2], r.dynamicExtract(v, r.index(in[4])))
}

func (r *reader) insertDynamic(in []uint32) {
	v, x, index := r.src(in[3]), r.scalar(in[4], 0), r.index(in[5])
	if r.bitsOf(v) != r.bitsOf(x) {
		r.fail("the component has another size than the vector's")
	}
	var c [4]ir.Src
	for i := range int(v.N) {
		c[i] = r.alu(op.BCsel, r.alu(op.IEq, index, r.imm(uint32(i))), x, v.Comp(i))
	}
	r.setSrc(in[2], r.vec(c[:v.N]))
}

// copyObject reads OpCopyObject, also of pointers, and OpCopyLogical, whose types differ only in layout.
func (r *reader) copyObject(info *spirvtab.Op, in []uint32) {
	from := &r.ids[in[3]]
	switch from.kind {
	case idVar, idPointer:
		if !r.samePointers(in[1], from.typ) {
			r.fail("the pointer has another type than the result")
		}
		d, a := r.pointer(in[3])
		r.ids[in[2]].aux = r.viewed(in[3])
		r.setPointer(in[2], d, a|r.access(in[2], noMember))
		return
	case idBuiltin:
		if r.pointee(in[2]) != r.pointee(in[3]) {
			r.fail("the pointer has another type than the result")
		}
		r.setBuiltin(in[2], in[3])
		return
	case idOpaque:
		if from.typ != in[1] {
			r.fail("id %d has another type than the result", in[3])
		}
		r.setOpaque(in[2], r.opaqueAgain(in[2], in))
		return
	}
	if info.Num == spirvtab.OpCopyObject && from.typ != in[1] || info.Num == spirvtab.OpCopyLogical && !r.sameShape(from.typ, in[1]) {
		r.fail("id %d has another type than the result", in[3])
	}
	r.set(in[2], r.value(in[3]))
}

// sameShape reports whether two types differ only in their layout.
func (r *reader) sameShape(a, b uint32) bool {
	if a == b {
		return true
	}
	x, y := r.typeAt(a), r.typeAt(b)
	if x.op != y.op || x.n != y.n || x.comps != y.comps || x.bits != y.bits {
		return false
	}
	switch x.op {
	case spirvtab.OpTypeArray:
		return r.sameShape(x.elem, y.elem)
	case spirvtab.OpTypeStruct:
		r.count(x.n)
		for i := range int(x.n) {
			if !r.sameShape(r.structMember(a, i), r.structMember(b, i)) {
				return false
			}
		}
		return true
	}
	return x.comps != 0
}

// selectInstr reads OpSelect; since SPIR-V 1.4 a scalar condition may select between
// composites.
func (r *reader) selectInstr(in []uint32) {
	t := r.typeOf(in[2])
	if r.descriptors(t) != nil {
		r.refuse("selecting between images or samplers is not supported")
	}
	r.needValue(t)
	if r.ids[in[4]].typ != in[1] || r.ids[in[5]].typ != in[1] {
		r.fail("the objects have other types than the result")
	}
	c := r.src(in[3])
	if t.comps == 0 && c.N != 1 {
		r.fail("the condition is not a scalar")
	}
	r.set(in[2], r.selected(c, r.value(in[4]), r.value(in[5]), t.ir))
}

func (r *reader) selected(c ir.Src, a, b value, t ir.Type) value {
	if r.isLeaf(t) {
		return leaf(r.alu(op.BCsel, c, a.src, b.src))
	}
	n := r.numKids(t)
	if n == 0 {
		return a
	}
	kids := r.newKids(n)
	for i := range n {
		v := r.selected(c, r.kid(a, t, int(i)), r.kid(b, t, int(i)), r.kidType(t, int(i)))
		r.tree[kids+i] = v
	}
	return value{kids: kids}
}
