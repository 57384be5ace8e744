// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// Uniform aggregates are not expanded.
const (
	kidsNull  = ^uint32(0) - iota // all zero
	KidsUndef                     // undefined; below these, stored values
)

// Leaf makes a vector a value.
func Leaf(s ir.Src) module.Value { return module.Value{Src: s} }

// Kid returns child i of a value of aggregate type t.
func Kid(r *module.Reader, v module.Value, t ir.Type, i int) module.Value {
	if v.Kids < kidsStored {
		return r.Tree[int(v.Kids)+i]
	}
	kt := r.KidType(t, i)
	if stored(v) {
		return storedKid(r, v, uint32(i), kt)
	}
	if !r.IsLeaf(kt) {
		return v
	}
	_, bits, n := r.S.Types.ScalarOf(kt)
	if v.Kids == kidsNull {
		return Leaf(Zero(r, uint8(n), bits))
	}
	return Leaf(undef(r, uint8(n), bits))
}

// NewKids allocates n children in Reader.Tree and returns the index of the first.
func NewKids(r *module.Reader, n uint32) uint32 {
	r.Count(n)
	at := uint32(len(r.Tree))
	for range n {
		r.Tree = append(r.Tree, module.Value{})
	}
	return at
}

// AtEntry moves the second cursor to the end of the function's first block, which dominates every use, and returns it.
func AtEntry(r *module.Reader) *ir.Builder {
	r.Cb.AtEnd(r.S.FirstBlock(r.Fn.Ir))
	return &r.Cb
}

// Imm returns a 32-bit constant.
func Imm(r *module.Reader, x uint32) ir.Src {
	if x < uint32(len(r.Imms)) {
		if r.ImmSeq[x] != r.FnSeq {
			r.Imms[x], r.ImmSeq[x] = AtEntry(r).Imm(x), r.FnSeq
		}
		return r.Imms[x]
	}
	return AtEntry(r).Imm(x)
}

// Zero returns a scalar or vector zero.
func Zero(r *module.Reader, comps, bits uint8) ir.Src {
	z := &r.Zeros[comps][module.SizeIndex(bits)]
	if z.Val == 0 {
		var c [4]uint64
		*z = AtEntry(r).Const(bits, c[:comps]...)
	}
	return *z
}

func undef(r *module.Reader, comps, bits uint8) ir.Src { return AtEntry(r).Undef(comps, bits) }

// Value returns the value of an id at the cursor.
func Value(r *module.Reader, id uint32) module.Value {
	rec := &r.Ids[id]
	switch rec.Kind {
	case module.IdValue:
		if rec.Epoch != r.Block+1 {
			if rec.Flags&module.FlagDemoted != 0 && !stored(rec.Val) {
				return Load(r, varDeref(r, ir.Var(rec.Aux)), 0)
			}
		}
		return rec.Val
	case module.IdConst, module.IdComposite, module.IdNull, module.IdUndef:
		if rec.Epoch != r.FnSeq {
			rec.Val = materialize(r, id)
			rec = &r.Ids[id]
			rec.Epoch = r.FnSeq
		}
		return rec.Val
	case module.IdNone:
		r.Fail("id %d is used where it is not defined", id)
	case module.IdPointer, module.IdVar, module.IdBuiltin:
		if t := r.TypeOf(id); t.Comps != 0 && t.Op == spirvtab.OpTypePointer {
			d, _ := Pointer(r, id)
			return Leaf(r.S.All(d))
		}
		r.Fail("id %d is a pointer, not a value", id)
	case module.IdTexel:
		r.Fail("id %d is a pointer to a texel, not a value", id)
	case module.IdOpaque:
		r.Fail("id %d is an image or a sampler, which can only be accessed", id)
	case module.IdOther:
		sized(r, id)
	}
	r.Fail("id %d is not a value", id)
	return module.Value{}
}

// Src returns the value of an id as a scalar or vector.
func Src(r *module.Reader, id uint32) ir.Src {
	v := Value(r, id)
	if v.Src.Val == 0 {
		r.Fail("id %d is not a scalar or vector", id)
	}
	return v.Src
}

// Scalar returns the value of an id as a scalar of the given size; any size if bits is 0.
func Scalar(r *module.Reader, id uint32, bits uint8) ir.Src {
	s := Src(r, id)
	if s.N != 1 || bits != 0 && BitsOf(r, s) != bits {
		r.Fail("id %d is not a scalar of the required size", id)
	}
	return s
}

// Index returns an integer as 32 bits, which addresses require.
func Index(r *module.Reader, id uint32) ir.Src {
	if c, ok := r.ConstScalar(id); ok {
		return Imm(r, uint32(c))
	}
	s := Scalar(r, id, 0)
	t := r.TypeOf(id)
	switch {
	case t.Base != ir.TypeInt && t.Base != ir.TypeUint:
		r.Fail("id %d is not an integer", id)
	case t.Bits == 32:
		return s
	case t.Base == ir.TypeInt:
		return Alu(r, op.I2I32, s)
	}
	return Alu(r, op.U2U32, s)
}

// BitsOf returns the size of the components of a vector.
func BitsOf(r *module.Reader, s ir.Src) uint8 { return r.S.At(s.Val).Bits }

// materialize creates a constant or undefined value in the function's first block.
func materialize(r *module.Reader, id uint32) module.Value {
	rec := &r.Ids[id]
	t := r.TypeOf(id)
	switch rec.Kind {
	case module.IdConst:
		return Leaf(AtEntry(r).Const(t.Bits, r.Bits[rec.Aux:rec.Aux+uint32(t.Comps)]...))
	case module.IdUndef:
		if t.Comps == 0 {
			r.NeedValue(t)
			return module.Value{Kids: KidsUndef}
		}
		return Leaf(undef(r, t.Comps, t.Bits))
	case module.IdNull:
		r.NeedValue(t)
		return module.Value{Kids: kidsNull}
	}
	parts := r.ConstParts(id)
	kids := NewKids(r, uint32(len(parts)))
	for i, p := range parts {
		v := Value(r, p)
		r.Tree[int(kids)+i] = v
	}
	return module.Value{Kids: kids}
}

// Set sets the result of the current instruction.
func Set(r *module.Reader, id uint32, v module.Value) {
	rec := &r.Ids[id]
	t := r.TypeOf(id)
	if t.Comps != 0 {
		if v.Src.N != t.Comps || BitsOf(r, v.Src) != t.Bits {
			r.Fail("yields %d %d-bit components, but the result type has %d of %d bits", v.Src.N, BitsOf(r, v.Src), t.Comps, t.Bits)
		}
	} else if v.Kids == 0 && t.N != 0 {
		r.Fail("does not yield an aggregate, but the result type is one")
	}
	rec.Kind, rec.Val, rec.Epoch = module.IdValue, v, r.Block+1
	if rec.Flags&module.FlagDemoted != 0 && !stored(v) {
		demote(r, rec, t, v)
	}
}

// SetSrc is like Set, for a scalar or vector.
func SetSrc(r *module.Reader, id uint32, s ir.Src) { Set(r, id, Leaf(s)) }

// Load reads an object of any type, vector by vector. A large object is copied.
func Load(r *module.Reader, d ir.Value, access kind.Access) module.Value {
	t := r.S.DerefType(d)
	if r.Large(t) {
		v, to := storage(r, t)
		copy(r, to, d, 0, access)
		return v
	}
	tt := &r.S.Types
	info := tt.At(t)
	switch info.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		if info.Len == 0 {
			r.Fail("a runtime array cannot be a value")
		}
		n, rows := info.Len, layoutAt(r, d).RowMajor(t)
		kids := NewKids(r, n)
		for i := range n {
			e := element(r, d, i)
			if rows {
				r.Tree[kids+i] = Leaf(loadByComponent(r, e, access))
			} else {
				v := Load(r, e, access)
				r.Tree[kids+i] = v
			}
		}
		return module.Value{Kids: kids}
	case ir.TypeStruct:
		n := info.Len
		kids := NewKids(r, n)
		for i := range n {
			v := Load(r, r.B.DerefStruct(d, int(i)), access|tt.Members(t)[i].Access)
			r.Tree[kids+i] = v
		}
		if n == 0 {
			return module.Value{Kids: KidsUndef}
		}
		return module.Value{Kids: kids}
	}
	if rowMajorColumn(r, d) {
		return Leaf(loadByComponent(r, d, access))
	}
	_, bits, n := tt.ScalarOf(t)
	if n == 0 {
		r.Fail("an image or a sampler cannot be part of a value")
	}
	return Leaf(LoadLeaf(r, d, uint8(n), bits, access))
}

// LoadLeaf loads a vector.
func LoadLeaf(r *module.Reader, d ir.Value, n, bits uint8, access kind.Access) ir.Src {
	v := r.B.Intrinsic(intrinsic.LoadDeref, n, bits, ir.Src{Val: d, Swz: ir.Identity, N: 1})
	r.S.SetIndex(v, intrinsic.IxAccess, uint32(access))
	return ir.Src{Val: v, Swz: ir.Identity, N: n}
}

// element returns the deref of a constant element of an array, matrix or vector.
func element(r *module.Reader, d ir.Value, i uint32) ir.Value {
	ix := Imm(r, i)
	if r.S.At(d).Bits != 32 {
		ix = AtEntry(r).Const(r.S.At(d).Bits, uint64(i))
	}
	e := r.B.DerefArray(d, ix)
	r.S.Words(e)[kind.FieldDerefArrayInBounds] = 1
	return e
}

// layoutAt returns the layout of the memory that a deref refers to.
func layoutAt(r *module.Reader, d ir.Value) ir.Layout {
	if x := r.S.DerefVar(d); x != 0 {
		return r.S.LayoutOfVar(x)
	}
	return r.S.LayoutOf(r.S.Modes(d))
}

// rowMajorColumn reports whether d is a column of a row-major matrix: its components are not contiguous.
func rowMajorColumn(r *module.Reader, d ir.Value) bool {
	if r.S.At(d).DerefKind() != kind.DerefArray {
		return false
	}
	p := r.S.Src(d, 0).Val
	return layoutAt(r, p).RowMajor(r.S.DerefType(p))
}

func loadByComponent(r *module.Reader, d ir.Value, access kind.Access) ir.Src {
	_, bits, n := r.S.Types.ScalarOf(r.S.DerefType(d))
	var c [4]ir.Src
	for i := range n {
		c[i] = LoadLeaf(r, element(r, d, i), 1, bits, access)
	}
	return Vec(r, c[:n])
}

// Store writes an object of any type, vector by vector.
func Store(r *module.Reader, d ir.Value, v module.Value, access kind.Access) {
	t := r.S.DerefType(d)
	tt := &r.S.Types
	info := tt.At(t)
	if stored(v) {
		copy(r, d, StoredAt(r, v), access, 0)
		return
	}
	switch info.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		n := info.Len
		if n == 0 {
			r.Fail("a runtime array cannot be a value")
		}
		r.Count(n)
		for i := range n {
			e := element(r, d, i)
			Store(r, e, Kid(r, v, t, int(i)), access)
		}
		return
	case ir.TypeStruct:
		n := info.Len
		r.Count(n)
		for i := range n {
			e := r.B.DerefStruct(d, int(i))
			Store(r, e, Kid(r, v, t, int(i)), access|tt.Members(t)[i].Access)
		}
		return
	}
	_, _, n := tt.ScalarOf(t)
	if n == 0 {
		r.Fail("an image or a sampler cannot be part of a value")
	}
	if rowMajorColumn(r, d) {
		for i := range n {
			StoreLeaf(r, element(r, d, i), v.Src.Comp(int(i)), access)
		}
		return
	}
	StoreLeaf(r, d, v.Src, access)
}

// StoreLeaf stores a vector.
func StoreLeaf(r *module.Reader, d ir.Value, v ir.Src, access kind.Access) {
	st := r.B.Intrinsic(intrinsic.StoreDeref, v.N, 0, ir.Src{Val: d, Swz: ir.Identity, N: 1}, v)
	r.S.SetIndex(st, intrinsic.IxWriteMask, 1<<v.N-1)
	r.S.SetIndex(st, intrinsic.IxAccess, uint32(access))
}

// Vec collects scalars into a vector. If they are components of one value, the result is a swizzle of it.
func Vec(r *module.Reader, c []ir.Src) ir.Src {
	out := ir.Src{Val: c[0].Val, N: uint8(len(c))}
	for i := range c {
		if c[i].Val != out.Val {
			return vecOp(r, c)
		}
	}
	for i := range 8 {
		out.Swz = out.Swz.With(i, c[min(i, len(c)-1)].Swz.Comp(0))
	}
	if r.S.At(out.Val).Comps == out.N {
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

func vecOp(r *module.Reader, c []ir.Src) ir.Src {
	r.B.Float = 0
	switch len(c) {
	case 2:
		return r.B.ALU(op.Vec2, c...)
	case 3:
		return r.B.ALU(op.Vec3, c...)
	}
	return r.B.ALU(op.Vec4, c...)
}

// Whole returns a value that equals s, with all components in order.
func Whole(r *module.Reader, s ir.Src) ir.Value {
	in := r.S.At(s.Val)
	if in.Comps == s.N {
		ok := true
		for i := range int(s.N) {
			ok = ok && s.Swz.Comp(i) == uint8(i)
		}
		if ok {
			return s.Val
		}
	}
	r.B.Float = 0
	return r.B.ALUN(op.Mov, s.N, s).Val
}

// demote stores a value that other blocks read through a variable.
func demote(r *module.Reader, rec *module.IdRec, t *module.TypeRec, v module.Value) {
	if rec.Aux == 0 {
		if t.Ir == 0 {
			return
		}
		rec.Aux = uint32(r.S.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Type: t.Ir, Func: r.Fn.Ir, Location: -1}))
	}
	Store(r, r.B.DerefVar(ir.Var(rec.Aux)), v, 0)
}

// rematerialize recomputes a pointer at the cursor.
func rematerialize(r *module.Reader, id uint32) (ir.Value, kind.Access) {
	r.Count(1)
	rec := &r.Ids[id]
	in := r.Ins(rec.Word)
	switch r.Op(rec.Word) {
	case spirvtab.OpAccessChain, spirvtab.OpInBoundsAccessChain, spirvtab.OpPtrAccessChain,
		spirvtab.OpUntypedAccessChainKHR, spirvtab.OpUntypedInBoundsAccessChainKHR, spirvtab.OpUntypedPtrAccessChainKHR,
		spirvtab.OpUntypedInBoundsPtrAccessChainKHR:
		return chain(r, in)
	case spirvtab.OpCopyObject:
		return Pointer(r, in[3])
	}
	return rec.Val.Src.Val, kind.Access(rec.Access) // a parameter: its definition dominates all uses
}
