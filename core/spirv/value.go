package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// value is a SPIR-V value: a vector or scalar or, for an aggregate, the index of its first child in reader.tree (the
// type determines the number of children).
type value struct {
	src  ir.Src
	kids uint32
}

// Uniform aggregates are not expanded.
const (
	kidsNull  = ^uint32(0) - iota // all zero
	kidsUndef                     // undefined; below these, stored values
)

func leaf(s ir.Src) value { return value{src: s} }

// numKids returns the number of children of a value of an aggregate type.
func (r *reader) numKids(t ir.Type) uint32 { return r.s.Types.At(t).Len }

// kidType returns the type of child i of an aggregate type.
func (r *reader) kidType(t ir.Type, i int) ir.Type {
	if info := r.s.Types.At(t); info.Kind == ir.TypeStruct {
		return r.s.Types.Members(t)[i].Type
	}
	return r.s.Types.ElemType(t)
}

// isLeaf reports whether a value of the type is one SSA value.
func (r *reader) isLeaf(t ir.Type) bool { return r.s.Types.At(t).Kind <= ir.TypeVector }

// kid returns child i of a value of aggregate type t.
func (r *reader) kid(v value, t ir.Type, i int) value {
	if v.kids < kidsStored {
		return r.tree[int(v.kids)+i]
	}
	kt := r.kidType(t, i)
	if v.stored() {
		return r.storedKid(v, uint32(i), kt)
	}
	if !r.isLeaf(kt) {
		return v
	}
	_, bits, n := r.s.Types.ScalarOf(kt)
	if v.kids == kidsNull {
		return leaf(r.zero(uint8(n), bits))
	}
	return leaf(r.undef(uint8(n), bits))
}

// newKids allocates n children.
func (r *reader) newKids(n uint32) uint32 {
	r.count(n)
	at := uint32(len(r.tree))
	for range n {
		r.tree = append(r.tree, value{})
	}
	return at
}

// atEntry moves the second cursor to the end of the function's first block, which dominates every use, and returns it.
func (r *reader) atEntry() *ir.Builder {
	r.cb.AtEnd(r.s.FirstBlock(r.fn.ir))
	return &r.cb
}

// imm returns a 32-bit constant.
func (r *reader) imm(x uint32) ir.Src {
	if x < uint32(len(r.imms)) {
		if r.immSeq[x] != r.fnSeq {
			r.imms[x], r.immSeq[x] = r.atEntry().Imm(x), r.fnSeq
		}
		return r.imms[x]
	}
	return r.atEntry().Imm(x)
}

func (r *reader) zero(comps, bits uint8) ir.Src {
	z := &r.zeros[comps][sizeIndex(bits)]
	if z.Val == 0 {
		var c [4]uint64
		*z = r.atEntry().Const(bits, c[:comps]...)
	}
	return *z
}

func (r *reader) undef(comps, bits uint8) ir.Src { return r.atEntry().Undef(comps, bits) }

// sizeIndex maps the sizes 1, 8, 16, 32, 64 to 0 … 4.
func sizeIndex(bits uint8) int {
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

// value returns the value of an id at the cursor.
func (r *reader) value(id uint32) value {
	rec := &r.ids[id]
	switch rec.kind {
	case idValue:
		if rec.epoch != r.block+1 {
			if rec.flags&flagDemoted != 0 && !rec.val.stored() {
				return r.load(r.varDeref(ir.Var(rec.aux)), 0)
			}
		}
		return rec.val
	case idConst, idComposite, idNull, idUndef:
		if rec.epoch != r.fnSeq {
			rec.val = r.materialize(id)
			rec = &r.ids[id]
			rec.epoch = r.fnSeq
		}
		return rec.val
	case idNone:
		r.fail("id %d is used where it is not defined", id)
	case idPointer, idVar, idBuiltin:
		if t := r.typeOf(id); t.comps != 0 && t.op == spirvtab.OpTypePointer {
			d, _ := r.pointer(id)
			return leaf(r.s.All(d))
		}
		r.fail("id %d is a pointer, not a value", id)
	case idTexel:
		r.fail("id %d is a pointer to a texel, not a value", id)
	case idOpaque:
		r.fail("id %d is an image or a sampler, which can only be accessed", id)
	case idOther:
		r.sized(id)
	}
	r.fail("id %d is not a value", id)
	return value{}
}

// src returns the value of an id as a scalar or vector.
func (r *reader) src(id uint32) ir.Src {
	v := r.value(id)
	if v.src.Val == 0 {
		r.fail("id %d is not a scalar or vector", id)
	}
	return v.src
}

// scalar returns the value of an id as a scalar of the given size; any size if bits is 0.
func (r *reader) scalar(id uint32, bits uint8) ir.Src {
	s := r.src(id)
	if s.N != 1 || bits != 0 && r.bitsOf(s) != bits {
		r.fail("id %d is not a scalar of the required size", id)
	}
	return s
}

// index returns an integer as 32 bits, which addresses require.
func (r *reader) index(id uint32) ir.Src {
	if c, ok := r.constScalar(id); ok {
		return r.imm(uint32(c))
	}
	s := r.scalar(id, 0)
	t := r.typeOf(id)
	switch {
	case t.base != ir.TypeInt && t.base != ir.TypeUint:
		r.fail("id %d is not an integer", id)
	case t.bits == 32:
		return s
	case t.base == ir.TypeInt:
		return r.alu(op.I2I32, s)
	}
	return r.alu(op.U2U32, s)
}

func (r *reader) bitsOf(s ir.Src) uint8 { return r.s.At(s.Val).Bits }

// materialize creates a constant or undefined value in the function's first block.
func (r *reader) materialize(id uint32) value {
	rec := &r.ids[id]
	t := r.typeOf(id)
	switch rec.kind {
	case idConst:
		return leaf(r.atEntry().Const(t.bits, r.bits[rec.aux:rec.aux+uint32(t.comps)]...))
	case idUndef:
		if t.comps == 0 {
			r.needValue(t)
			return value{kids: kidsUndef}
		}
		return leaf(r.undef(t.comps, t.bits))
	case idNull:
		r.needValue(t)
		return value{kids: kidsNull}
	}
	parts := r.constParts(id)
	kids := r.newKids(uint32(len(parts)))
	for i, p := range parts {
		v := r.value(p)
		r.tree[int(kids)+i] = v
	}
	return value{kids: kids}
}

// set sets the result of the current instruction.
func (r *reader) set(id uint32, v value) {
	rec := &r.ids[id]
	t := r.typeOf(id)
	if t.comps != 0 {
		if v.src.N != t.comps || r.bitsOf(v.src) != t.bits {
			r.fail("yields %d components of %d bits, the result type has %d of %d", v.src.N, r.bitsOf(v.src), t.comps, t.bits)
		}
	} else if v.kids == 0 && t.n != 0 {
		r.fail("does not yield an aggregate, but the result type is one")
	}
	rec.kind, rec.val, rec.epoch = idValue, v, r.block+1
	if rec.flags&flagDemoted != 0 && !v.stored() {
		r.demote(rec, t, v)
	}
}

// setSrc is like set, for a scalar or vector.
func (r *reader) setSrc(id uint32, s ir.Src) { r.set(id, leaf(s)) }

// load reads an object of any type, vector by vector. A large object is copied.
func (r *reader) load(d ir.Value, access kind.Access) value {
	t := r.s.DerefType(d)
	if r.large(t) {
		v, to := r.storage(t)
		r.copy(to, d, 0, access)
		return v
	}
	tt := &r.s.Types
	info := tt.At(t)
	switch info.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		if info.Len == 0 {
			r.fail("a runtime array cannot be a value")
		}
		n, rows := info.Len, r.layoutAt(d).RowMajor(t)
		kids := r.newKids(n)
		for i := range n {
			e := r.element(d, i)
			if rows {
				r.tree[kids+i] = leaf(r.loadByComponent(e, access))
			} else {
				v := r.load(e, access)
				r.tree[kids+i] = v
			}
		}
		return value{kids: kids}
	case ir.TypeStruct:
		n := info.Len
		kids := r.newKids(n)
		for i := range n {
			v := r.load(r.b.DerefStruct(d, int(i)), access|tt.Members(t)[i].Access)
			r.tree[kids+i] = v
		}
		if n == 0 {
			return value{kids: kidsUndef}
		}
		return value{kids: kids}
	}
	if r.rowMajorColumn(d) {
		return leaf(r.loadByComponent(d, access))
	}
	_, bits, n := tt.ScalarOf(t)
	if n == 0 {
		r.fail("an image or a sampler cannot be part of a value")
	}
	return leaf(r.loadLeaf(d, uint8(n), bits, access))
}

func (r *reader) loadLeaf(d ir.Value, n, bits uint8, access kind.Access) ir.Src {
	v := r.b.Intrinsic(intrinsic.LoadDeref, n, bits, ir.Src{Val: d, Swz: ir.Identity, N: 1})
	r.s.SetIndex(v, intrinsic.IxAccess, uint32(access))
	return ir.Src{Val: v, Swz: ir.Identity, N: n}
}

// element returns the deref of a constant element of an array, matrix or vector.
func (r *reader) element(d ir.Value, i uint32) ir.Value {
	ix := r.imm(i)
	if r.s.At(d).Bits != 32 {
		ix = r.atEntry().Const(r.s.At(d).Bits, uint64(i))
	}
	e := r.b.DerefArray(d, ix)
	r.s.Words(e)[kind.FieldDerefArrayInBounds] = 1
	return e
}

// layoutAt returns the layout of the memory that a deref refers to.
func (r *reader) layoutAt(d ir.Value) ir.Layout {
	if x := r.s.DerefVar(d); x != 0 {
		return r.s.LayoutOfVar(x)
	}
	return r.s.LayoutOf(r.s.Modes(d))
}

// rowMajorColumn reports whether d is a column of a row-major matrix: its components are
// not contiguous.
func (r *reader) rowMajorColumn(d ir.Value) bool {
	if r.s.At(d).DerefKind() != kind.DerefArray {
		return false
	}
	p := r.s.Src(d, 0).Val
	return r.layoutAt(p).RowMajor(r.s.DerefType(p))
}

func (r *reader) loadByComponent(d ir.Value, access kind.Access) ir.Src {
	_, bits, n := r.s.Types.ScalarOf(r.s.DerefType(d))
	var c [4]ir.Src
	for i := range n {
		c[i] = r.loadLeaf(r.element(d, i), 1, bits, access)
	}
	return r.vec(c[:n])
}

// store writes an object of any type, vector by vector.
func (r *reader) store(d ir.Value, v value, access kind.Access) {
	t := r.s.DerefType(d)
	tt := &r.s.Types
	info := tt.At(t)
	if v.stored() {
		r.copy(d, r.storedAt(v), access, 0)
		return
	}
	switch info.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		n := info.Len
		if n == 0 {
			r.fail("a runtime array cannot be a value")
		}
		r.count(n)
		for i := range n {
			e := r.element(d, i)
			r.store(e, r.kid(v, t, int(i)), access)
		}
		return
	case ir.TypeStruct:
		n := info.Len
		r.count(n)
		for i := range n {
			e := r.b.DerefStruct(d, int(i))
			r.store(e, r.kid(v, t, int(i)), access|tt.Members(t)[i].Access)
		}
		return
	}
	_, _, n := tt.ScalarOf(t)
	if n == 0 {
		r.fail("an image or a sampler cannot be part of a value")
	}
	if r.rowMajorColumn(d) {
		for i := range n {
			r.storeLeaf(r.element(d, i), v.src.Comp(int(i)), access)
		}
		return
	}
	r.storeLeaf(d, v.src, access)
}

func (r *reader) storeLeaf(d ir.Value, v ir.Src, access kind.Access) {
	st := r.b.Intrinsic(intrinsic.StoreDeref, v.N, 0, ir.Src{Val: d, Swz: ir.Identity, N: 1}, v)
	r.s.SetIndex(st, intrinsic.IxWriteMask, 1<<v.N-1)
	r.s.SetIndex(st, intrinsic.IxAccess, uint32(access))
}

// vec collects scalars into a vector. If they are components of one value, the result is a swizzle of it.
func (r *reader) vec(c []ir.Src) ir.Src {
	out := ir.Src{Val: c[0].Val, N: uint8(len(c))}
	for i := range c {
		if c[i].Val != out.Val {
			return r.vecOp(c)
		}
	}
	for i := range 8 {
		out.Swz = out.Swz.With(i, c[min(i, len(c)-1)].Swz.Comp(0))
	}
	if r.s.At(out.Val).Comps == out.N {
		same := true
		for i := range c {
			same = same && c[i].Swz.Comp(0) == uint8(i)
		}
		if same {
			out.Swz = ir.Identity
		}
	}
	return out
}

func (r *reader) vecOp(c []ir.Src) ir.Src {
	r.b.Float = 0
	switch len(c) {
	case 2:
		return r.b.ALU(op.Vec2, c...)
	case 3:
		return r.b.ALU(op.Vec3, c...)
	}
	return r.b.ALU(op.Vec4, c...)
}

// whole returns a value that equals s, with all components in order.
func (r *reader) whole(s ir.Src) ir.Value {
	in := r.s.At(s.Val)
	if in.Comps == s.N {
		ok := true
		for i := range int(s.N) {
			ok = ok && s.Swz.Comp(i) == uint8(i)
		}
		if ok {
			return s.Val
		}
	}
	r.b.Float = 0
	return r.b.ALUN(op.Mov, s.N, s).Val
}
