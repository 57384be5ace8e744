// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

func varDeref(r *module.Reader, v ir.Var) ir.Value { return r.B.DerefVar(v) }

// Pointer returns the deref of a pointer at the cursor, with its access qualifiers.
func Pointer(r *module.Reader, id uint32) (ir.Value, kind.Access) {
	rec := &r.Ids[id]
	switch rec.Kind {
	case module.IdVar:
		if rec.Epoch != r.FnSeq {
			v := ir.Var(rec.Aux)
			if info := r.S.Var(v); info.Mode == kind.ModeFunctionTemp && info.Func != r.Fn.Ir {
				r.Fail("id %d is a variable of another function", id)
			}
			d := AtEntry(r).DerefVar(v)
			if r.TypeOf(id).Comps != 0 {
				in := r.S.At(d)
				in.Bits, in.Comps = module.PointerBits, 1
			}
			rec.Val = module.Value{Src: ir.Src{Val: d, Swz: ir.Identity, N: 1}}
			rec.Epoch = r.FnSeq
		}
		return rec.Val.Src.Val, kind.Access(rec.Access)
	case module.IdPointer:
		if rec.Epoch != r.Block+1 && rec.Flags&module.FlagDemoted != 0 {
			return rematerialize(r, id)
		}
	case module.IdValue, module.IdConst, module.IdUndef:
		if t := r.TypeOf(id); t.Op == spirvtab.OpTypePointer && t.Comps != 0 {
			return castPointer(r, id), r.Access(id, module.NoMember)
		}
		r.Fail("id %d is not a pointer", id)
	case module.IdBuiltin:
		r.Fail("id %d, a builtin, can only be loaded", id)
	case module.IdNone:
		r.Fail("id %d is used where it is not defined", id)
	default:
		if rec.Word != 0 && (r.Op(rec.Word) == spirvtab.OpVariable || r.Op(rec.Word) == spirvtab.OpUntypedVariableKHR) {
			class := r.Words[rec.Word+3]
			sized(r, id)
			if class == spirvtab.StorageInput || class == spirvtab.StorageOutput {
				if r.Opt.Stage == kind.StageCompute {
					r.Refuse("id %d is an input or output of a compute shader that is not a builtin, which is not supported", id)
				}
				r.Fail("id %d, an input or output, is not in the interface of the entry point", id)
			}
			r.Refuse("id %d: storage class %s is not supported", id, module.ValueName(spirvtab.StorageClasses.Lookup(class), class))
		}
		r.Fail("id %d is not a pointer to a variable", id)
	}
	return rec.Val.Src.Val, kind.Access(rec.Access)
}

// Pointee returns the type id of the pointee.
func Pointee(r *module.Reader, id uint32) uint32 {
	t := r.TypeOf(id)
	if t.Op != spirvtab.OpTypePointer {
		r.Fail("id %d is not a pointer", id)
	}
	if t.Untyped {
		r.Refuse("id %d is an untyped pointer, which is not supported here", id)
	}
	return t.Elem
}

// SetPointer makes an id a pointer.
func SetPointer(r *module.Reader, id uint32, d ir.Value, a kind.Access) {
	rec := &r.Ids[id]
	rec.Kind, rec.Epoch, rec.Access = module.IdPointer, r.Block+1, uint16(a)
	rec.Val = module.Value{Src: ir.Src{Val: d, Swz: ir.Identity, N: 1}}
}

// AccessChain emits the derefs of an access chain.
func AccessChain(r *module.Reader, in []uint32) {
	id, base := in[2], in[3]
	if r.Ids[base].Kind == module.IdBuiltin {
		builtinChain(r, id, base, in[4:])
		return
	}
	d, a := chain(r, in)
	SetPointer(r, id, d, a)
}

// chain inserts the derefs of an access chain.
func chain(r *module.Reader, in []uint32) (ir.Value, kind.Access) {
	id := in[2]
	x := chainOf(r, in)
	base, t, inBounds := x.base, x.typ, x.inBounds
	var d ir.Value
	var a kind.Access
	if x.element != 0 {
		d, a = elementPointer(r, base, x.element, t)
	} else {
		d, a = View(r, base, t)
	}
	indices := x.indices
	a |= r.Access(id, module.NoMember)
	for _, ix := range indices {
		tr := r.TypeAt(t)
		switch {
		case tr.Op == spirvtab.OpTypeStruct:
			m := r.ConstInt(ix, "the index into a struct")
			if m >= tr.N {
				r.Fail("the struct has no member %d", m)
			}
			a |= r.S.Types.Members(r.S.DerefType(d))[m].Access
			t = r.StructMember(t, int(m))
			d = r.B.DerefStruct(d, int(m))
		case tr.N != 0 || tr.Op == spirvtab.OpTypeRuntimeArray:
			known := inBounds
			if c, ok := r.ConstScalar(ix); ok {
				known = 0
				if c < uint64(tr.N) {
					known = 1
				} else if tr.Op == spirvtab.OpTypeVector || tr.Op == spirvtab.OpTypeMatrix {
					// Undefined if executed: any element.
					t = tr.Elem
					d = element(r, d, 0)
					continue
				}
			}
			if r.Ids[ix].Dec != 0 { // producers may decorate only the index
				a |= r.Access(ix, module.NoMember) & kind.AccessNonUniform
			}
			t = tr.Elem
			d = r.B.DerefArray(d, indexFor(r, d, ix))
			r.S.Words(d)[kind.FieldDerefArrayInBounds] = known
		default:
			r.Fail("index id %d: the type has no parts", ix)
		}
	}
	switch pt := r.TypeOf(id); {
	case x.untyped && pt.Untyped:
		r.Ids[id].Aux = t
		fallthrough
	case pt.Op == spirvtab.OpTypePointer && pt.Elem == t:
		if pt.N != r.TypeOf(base).N {
			r.Fail("the result pointer has a different storage class than the base")
		}
	default:
		r.Fail("the result is not a pointer to the indexed type")
	}
	return d, a
}

// builtinChain reads an access chain to a component of a builtin.
func builtinChain(r *module.Reader, id, base uint32, indices []uint32) {
	b := &r.Ids[base]
	if b.Flags&module.FlagBuiltinC != 0 || len(indices) > 1 || r.TypeAt(Pointee(r, base)).Comps < 2 && len(indices) > 0 {
		r.Fail("a component of a builtin cannot be indexed")
	}
	setBuiltin(r, id, base)
	if rec := &r.Ids[id]; len(indices) == 1 {
		rec.Flags |= module.FlagBuiltinC
		rec.Val.Kids = indices[0]
	}
}

// setBuiltin makes an id refer to the same builtin, or component of a builtin, as a pointer.
func setBuiltin(r *module.Reader, id, base uint32) {
	b, rec := &r.Ids[base], &r.Ids[id]
	rec.Kind, rec.Aux, rec.Epoch = module.IdBuiltin, b.Aux, r.Block+1
	rec.Flags |= b.Flags & module.FlagBuiltinC
	rec.Val.Kids = b.Val.Kids
	rec.Access = b.Access | uint16(r.Access(base, module.NoMember)|r.Access(id, module.NoMember))
}

// loadBuiltin loads the builtin, or the component of a builtin, that a pointer refers to.
func loadBuiltin(r *module.Reader, ptr uint32, a kind.Access) ir.Src {
	rec := &r.Ids[ptr]
	if rec.Aux == spirvtab.BuiltinHelperInvocation && (a|kind.Access(rec.Access)|r.Access(ptr, module.NoMember))&kind.AccessVolatile != 0 {
		// Volatile: the value changes with demote (SPIR-V specification, "BuiltIn HelperInvocation").
		OnlyIn(r, kind.StageFragment)
		return r.S.All(r.B.Intrinsic(intrinsic.IsHelperInvocation, 1, 1))
	}
	row := spirvtab.Builtins.Lookup(rec.Aux)
	if row == nil || row.To == 0 {
		r.Refuse("builtin %s is not supported", module.ValueName(row, rec.Aux))
	}
	if row.Stages != 0 && row.Stages>>r.Opt.Stage&1 == 0 {
		r.Fail("a %s shader has no input %s", r.Opt.Stage, row.Name)
	}
	id := intrinsic.ID(row.To)
	info := id.Info()
	n := info.DestComps
	if n == 0 {
		n = 4 // subgroup masks: SPIR-V has vectors of four words
	}
	bits := uint8(32)
	if info.Bits == 1 {
		bits = 1
	}
	v := r.S.All(r.B.Intrinsic(id, n, bits))
	if rec.Flags&module.FlagBuiltinC == 0 {
		return v
	}
	if c, ok := r.ConstScalar(rec.Val.Kids); ok {
		if c >= uint64(n) {
			c = 0 // undefined if executed
		}
		return v.Comp(int(c))
	}
	return dynamicExtract(r, v, Index(r, rec.Val.Kids))
}

// memoryAligned is the memory operand Aligned, followed by a literal (SPIR-V specification 3.26).
const memoryAligned = 2

// memoryAccess reads the optional memory operands at position i. It returns the access qualifiers and the position after
// the operands.
func memoryAccess(r *module.Reader, in []uint32, i int) (kind.Access, int) {
	if i >= len(in) {
		return 0, i
	}
	m := in[i]
	i++
	var a kind.Access
	if m&1 != 0 {
		a |= kind.AccessVolatile
	}
	if m&memoryAligned != 0 {
		if i < len(in) {
			a |= alignedTo(in[i])
		}
		i++
	}
	for _, bit := range []uint32{8, 16} { // MakePointerAvailable, MakePointerVisible: a scope each
		if m&bit != 0 {
			a |= kind.AccessCoherent
			i++
		}
	}
	if x := m &^ 0x3f; x != 0 {
		r.Known("memory operand", spirvtab.MemoryOperands, x&-x)
	}
	if i > len(in) {
		r.Fail("memory operands %#x are truncated", m)
	}
	return a, i
}

// aligned has all flags for alignments.
const aligned = kind.AccessAligned4 | kind.AccessAligned8 | kind.AccessAligned16

// alignedTo returns the flag for an alignment in bytes, or 0 if it is not a power of two or less than 4.
func alignedTo(n uint32) kind.Access {
	switch {
	case n&(n-1) != 0 || n < 4:
		return 0
	case n < 8:
		return kind.AccessAligned4
	case n < 16:
		return kind.AccessAligned8
	}
	return kind.AccessAligned16
}

// atOnce removes the alignment from the flags of an access, unless it is a single access to a scalar or vector at a
// physical address. Other accesses become several, or are to variables, whose alignment follows from the layout.
func atOnce(r *module.Reader, d ir.Value, a kind.Access) kind.Access {
	if a&aligned == 0 {
		return a
	}
	s := r.S
	_, _, n := s.Types.ScalarOf(s.DerefType(d))
	t := s.Types.At(s.DerefType(d)).Kind
	if n == 0 || t == ir.TypeMatrix || t == ir.TypeArray || s.Modes(d) != kind.ModeGlobal || rowMajorColumn(r, d) {
		return a &^ aligned
	}
	return a
}

// LoadInstr emits OpLoad: a load_deref for each vector of the object.
func LoadInstr(r *module.Reader, in []uint32) {
	id, ptr := in[2], in[3]
	a, _ := memoryAccess(r, in, 4)
	if !PointsTo(r, ptr, in[1]) {
		r.Fail("the pointer, id %d, points to a different type than the result's", ptr)
	}
	if r.Ids[ptr].Kind == module.IdBuiltin {
		SetSrc(r, id, loadBuiltin(r, ptr, a&^aligned))
		return
	}
	d, pa := View(r, ptr, in[1])
	if t := r.Descriptors(r.TypeAt(in[1])); t != nil {
		SetOpaque(r, id, Handle(r, t, d, a&^aligned|pa|r.Access(id, module.NoMember)))
		return
	}
	Set(r, id, Load(r, d, atOnce(r, d, a)|pa))
}

// StoreInstr emits OpStore.
func StoreInstr(r *module.Reader, in []uint32) {
	a, _ := memoryAccess(r, in, 3)
	typ := r.Ids[in[2]].Typ
	if !PointsTo(r, in[1], typ) {
		r.Fail("the pointer, id %d, points to a different type than the object's", in[1])
	}
	d, pa := View(r, in[1], typ)
	Store(r, d, Value(r, in[2]), atOnce(r, d, a)|pa)
}

// copyAccess reads the optional memory operands of a copy at position i: one set for both sides, or one for the target
// and one for the source. It drops the alignment, since the copy may become several accesses.
func copyAccess(r *module.Reader, in []uint32, i int) (target, source kind.Access) {
	target, i = memoryAccess(r, in, i)
	source = target
	if i < len(in) {
		source, _ = memoryAccess(r, in, i)
	}
	return target &^ aligned, source &^ aligned
}

// CopyMemory reads OpCopyMemory, as a load and a store.
func CopyMemory(r *module.Reader, in []uint32) {
	ta, sa := copyAccess(r, in, 3)
	from := in[1]
	if r.TypeOf(from).Untyped {
		from = in[2]
	}
	typ := Pointee(r, from)
	if !PointsTo(r, in[1], typ) || !PointsTo(r, in[2], typ) {
		r.Fail("target and source have different types")
	}
	d, da := View(r, in[1], typ)
	if r.Ids[in[2]].Kind == module.IdBuiltin {
		Store(r, d, Leaf(loadBuiltin(r, in[2], sa)), ta|da)
		return
	}
	s, ssa := View(r, in[2], typ)
	Store(r, d, Load(r, s, sa|ssa), ta|da)
}

// ArrayLength reads OpArrayLength and OpUntypedArrayLengthKHR.
func ArrayLength(r *module.Reader, in []uint32) {
	ptr, typ, member := in[3], uint32(0), in[4]
	if r.Op(r.At) == spirvtab.OpUntypedArrayLengthKHR {
		typ, ptr, member = in[3], in[4], in[5]
	} else {
		typ = Pointee(r, ptr)
	}
	st := r.TypeAt(typ)
	if st.Op != spirvtab.OpTypeStruct || member >= st.N || r.TypeAt(r.StructMember(typ, int(member))).Op != spirvtab.OpTypeRuntimeArray {
		r.Fail("member %d is not a runtime array", member)
	}
	d, a := View(r, ptr, typ)
	v := r.B.Intrinsic(intrinsic.DerefBufferArrayLength, 1, 32, ir.Src{Val: r.B.DerefStruct(d, int(member)), Swz: ir.Identity, N: 1})
	r.S.SetIndex(v, intrinsic.IxAccess, uint32(a))
	SetSrc(r, in[2], r.S.All(v))
}

// Memory semantics (SPIR-V specification 3.25).
const (
	SemAcquire        = 0x2
	SemRelease        = 0x4
	semAcquireRelease = 0x8
	semSequential     = 0x10
	SemUniform        = 0x40
	semSubgroup       = 0x80
	semWorkgroup      = 0x100
	SemImage          = 0x800
	semOutput         = 0x1000
	semAvailable      = 0x2000
	semVisible        = 0x4000

	AcquireBits = SemAcquire | semAcquireRelease | semSequential | semVisible
	ReleaseBits = SemRelease | semAcquireRelease | semSequential | semAvailable
)

// AtomicBarrier emits a memory barrier before or after an atomic if its semantics have one of the bits.
func AtomicBarrier(r *module.Reader, scope, semantics, bits uint32) {
	s := r.ConstInt(semantics, "the memory semantics")
	if s&bits == 0 {
		r.ConstInt(scope, "the memory scope")
		return
	}
	Barrier(r, kind.ScopeNone, Scope(r, scope), s&(bits|^uint32(AcquireBits|ReleaseBits)))
}

// Scope returns the scope that a constant names.
func Scope(r *module.Reader, id uint32) kind.Scope {
	switch s := r.ConstInt(id, "the scope"); s {
	case 0, 1:
		return kind.ScopeDevice
	case 2:
		return kind.ScopeWorkgroup
	case 3:
		return kind.ScopeSubgroup
	case 4:
		return kind.ScopeInvocation
	case 5:
		return kind.ScopeQueueFamily
	default:
		r.Known("scope", spirvtab.Scopes, s)
		return 0
	}
}

// Barrier emits a control barrier or, if exec is ScopeNone, a memory barrier. A memory barrier that orders no memory is
// omitted.
func Barrier(r *module.Reader, exec, mem kind.Scope, semantics uint32) {
	var s kind.Semantics
	if semantics&AcquireBits != 0 {
		s |= kind.SemAcquire
	}
	if semantics&ReleaseBits != 0 {
		s |= kind.SemRelease
	}
	if semantics&semAvailable != 0 {
		s |= kind.SemMakeAvailable
	}
	if semantics&semVisible != 0 {
		s |= kind.SemMakeVisible
	}
	var m kind.Mode
	if semantics&SemUniform != 0 {
		m |= kind.ModeSSBO | kind.ModeGlobal
	}
	if semantics&semWorkgroup != 0 {
		m |= kind.ModeShared
	}
	if semantics&SemImage != 0 {
		m |= kind.ModeImage
	}
	if semantics&semOutput != 0 {
		m |= kind.ModeShaderOut
	}
	if s == 0 || m == 0 {
		s, m, mem = 0, 0, kind.ScopeNone
	}
	if exec == kind.ScopeNone && m == 0 {
		return
	}
	v := r.B.Intrinsic(intrinsic.Barrier, 0, 0)
	r.S.SetIndex(v, intrinsic.IxExecutionScope, uint32(exec))
	r.S.SetIndex(v, intrinsic.IxMemoryScope, uint32(mem))
	r.S.SetIndex(v, intrinsic.IxMemorySemantics, uint32(s))
	r.S.SetIndex(v, intrinsic.IxMemoryModes, uint32(m))
}

// OnlyIn rejects an instruction or builtin in any other stage.
func OnlyIn(r *module.Reader, stage kind.Stage) {
	if r.Opt.Stage != stage {
		r.Refuse("is not supported in a %s shader, only in a %s shader", r.Opt.Stage, stage)
	}
}
