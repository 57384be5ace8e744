package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// variable reads an OpVariable outside functions.
func (r *reader) variable(in []uint32) {
	if in[3] == spirvtab.StorageFunction {
		r.fail("a variable of class Function outside of a function")
	}
	r.newVariable(in, 0)
	if info := r.op(r.at); info == spirvtab.OpVariable && len(in) > 4 {
		r.initialized = append(r.initialized, in[2])
	}
}

// newVariable creates the variable of an OpVariable.
func (r *reader) newVariable(in []uint32, fn ir.Func) {
	id := in[2]
	rec := &r.ids[id]
	pt := r.typeOf(id)
	if pt.op != spirvtab.OpTypePointer || pt.n != in[3] {
		r.fail("the type is not a pointer of the same storage class")
	}
	elem, init := pt.elem, in[4:]
	if pt.untyped || r.op(r.at) == spirvtab.OpUntypedVariableKHR {
		elem, init = r.untypedVariable(pt, in)
	}
	t := r.typeAt(elem)
	class := spirvtab.StorageClasses.Lookup(in[3])
	if !class.Read || t.unsized != 0 {
		rec.kind = idOther // rejected where it is used: another entry point may need it
		return
	}
	r.needValue(t)
	if in[3] != spirvtab.StorageUniformConstant && r.typeAt(r.elements(elem)).opaque() {
		r.fail("images and samplers must be variables of class UniformConstant, not %s", class.Name)
	}
	if len(init) > 0 {
		switch r.ids[init[0]].kind {
		case idConst, idComposite, idNull, idUndef:
			if r.ids[init[0]].typ != elem {
				r.fail("the initializer, id %d, has another type", init[0])
			}
		default:
			r.fail("the initializer, id %d, is not a constant", init[0])
		}
	}
	info := ir.VarInfo{Name: r.nameOf(id), Mode: kind.Mode(class.To), Type: t.ir, Func: fn, Location: -1, Access: r.access(id, noMember)}
	switch in[3] {
	case spirvtab.StorageInput, spirvtab.StorageOutput:
		if !r.connected(&info, id, in[3]) {
			return
		}
		if info.Builtin == 0 && r.s.Types.HoldsBool(t.ir) {
			// only builtins may be bools: SPIR-V specification, "Universal Validation Rules"
			r.fail("a bool is passed between stages")
		}
	case spirvtab.StorageUniformConstant:
		r.resource(&info, id, elem)
	case spirvtab.StorageUniform, spirvtab.StorageStorageBuffer:
		r.buffer(&info, id, elem, in[3])
	case spirvtab.StorageWorkgroup:
		if len(init) > 0 {
			// VUID-StandaloneSpirv-OpVariable-04734 (Vulkan specification, "Validation Rules within a Module")
			if r.op(r.ids[init[0]].word) != spirvtab.OpConstantNull {
				r.fail("the initializer of workgroup memory, id %d, is not OpConstantNull", init[0])
			}
			info.ZeroInit = true
		}
		if r.workgroupLayout && rec.flags&flagInterface != 0 {
			r.workgroupVariable(id, t.op == spirvtab.OpTypeStruct && r.has(elem, spirvtab.DecorationBlock))
		}
		if r.untyped && info.Access&kind.AccessAliased == 0 { // without untyped pointers, all blocks share memory
			info.Access |= kind.AccessRestrict
		}
	case spirvtab.StoragePushConstant:
		if t.op != spirvtab.OpTypeStruct {
			r.fail("push constants are not a struct")
		}
	}
	rec.access = uint16(info.Access)
	rec.kind, rec.aux = idVar, uint32(r.s.NewVar(info))
}

// workgroupVariable records a variable of workgroup memory in the interface. Blocks share their memory, so either all
// variables are blocks or none is (SPIR-V extension SPV_KHR_workgroup_memory_explicit_layout).
func (r *reader) workgroupVariable(id uint32, block bool) {
	mine, other := 0, 1
	if block {
		mine, other = 1, 0
	}
	r.workgroupVars[mine] = id
	if r.workgroupVars[other] != 0 {
		r.fail("of the variables in workgroup memory, id %d is a block and id %d is not", r.workgroupVars[1], r.workgroupVars[0])
	}
}

// buffer fills in the binding of a uniform or storage buffer. Before SPIR-V 1.3 a storage buffer is a uniform whose
// struct is decorated BufferBlock.
func (r *reader) buffer(info *ir.VarInfo, id, typ, class uint32) {
	typ = r.elements(typ)
	if r.typeAt(typ).op != spirvtab.OpTypeStruct {
		r.fail("a buffer is not a struct")
	}
	if class == spirvtab.StorageUniform && r.has(typ, spirvtab.DecorationBufferBlock) {
		info.Mode = kind.ModeSSBO
	}
	if info.Mode == kind.ModeUBO {
		info.Access |= kind.AccessNonWriteable
	}
	info.Set, _ = r.find(id, spirvtab.DecorationDescriptorSet)
	info.Binding, _ = r.find(id, spirvtab.DecorationBinding)
}

// elements returns the type id of the innermost elements of an array.
func (r *reader) elements(typ uint32) uint32 {
	for t := r.typeAt(typ); t.op == spirvtab.OpTypeArray || t.op == spirvtab.OpTypeRuntimeArray; t = r.typeAt(typ) {
		typ = t.elem
	}
	return typ
}

func (r *reader) varDeref(v ir.Var) ir.Value { return r.b.DerefVar(v) }

// pointer returns the deref of a pointer at the cursor, with its access qualifiers.
func (r *reader) pointer(id uint32) (ir.Value, kind.Access) {
	rec := &r.ids[id]
	switch rec.kind {
	case idVar:
		if rec.epoch != r.fnSeq {
			v := ir.Var(rec.aux)
			if info := r.s.Var(v); info.Mode == kind.ModeFunctionTemp && info.Func != r.fn.ir {
				r.fail("id %d is a variable of another function", id)
			}
			d := r.atEntry().DerefVar(v)
			if r.typeOf(id).comps != 0 {
				in := r.s.At(d)
				in.Bits, in.Comps = pointerBits, 1
			}
			rec.val = value{src: ir.Src{Val: d, Swz: ir.Identity, N: 1}}
			rec.epoch = r.fnSeq
		}
		return rec.val.src.Val, kind.Access(rec.access)
	case idPointer:
		if rec.epoch != r.block+1 && rec.flags&flagDemoted != 0 {
			return r.rematerialize(id)
		}
	case idValue, idConst, idUndef:
		if t := r.typeOf(id); t.op == spirvtab.OpTypePointer && t.comps != 0 {
			return r.castPointer(id), r.access(id, noMember)
		}
		r.fail("id %d is not a pointer", id)
	case idBuiltin:
		r.fail("id %d, a builtin, can only be loaded", id)
	case idNone:
		r.fail("id %d is used where it is not defined", id)
	default:
		if rec.word != 0 && (r.op(rec.word) == spirvtab.OpVariable || r.op(rec.word) == spirvtab.OpUntypedVariableKHR) {
			class := r.words[rec.word+3]
			r.sized(id)
			if class == spirvtab.StorageInput || class == spirvtab.StorageOutput {
				if r.opt.Stage == kind.StageCompute {
					r.refuse("id %d is an input or output of a compute shader that is not a builtin, which is not supported", id)
				}
				r.fail("id %d, an input or output, is not in the interface of the entry point", id)
			}
			r.refuse("id %d: storage class %s is not supported", id, valueName(spirvtab.StorageClasses.Lookup(class), class))
		}
		r.fail("id %d is not a pointer to a variable", id)
	}
	return rec.val.src.Val, kind.Access(rec.access)
}

// pointee returns the type id of the pointee.
func (r *reader) pointee(id uint32) uint32 {
	t := r.typeOf(id)
	if t.op != spirvtab.OpTypePointer {
		r.fail("id %d is not a pointer", id)
	}
	if t.untyped {
		r.refuse("id %d is an untyped pointer, which is not supported here", id)
	}
	return t.elem
}

func (r *reader) setPointer(id uint32, d ir.Value, a kind.Access) {
	rec := &r.ids[id]
	rec.kind, rec.epoch, rec.access = idPointer, r.block+1, uint16(a)
	rec.val = value{src: ir.Src{Val: d, Swz: ir.Identity, N: 1}}
}

// accessChain reads OpAccessChain and OpInBoundsAccessChain.
func (r *reader) accessChain(in []uint32) {
	id, base := in[2], in[3]
	if r.ids[base].kind == idBuiltin {
		r.builtinChain(id, base, in[4:])
		return
	}
	d, a := r.chain(in)
	r.setPointer(id, d, a)
}

// chain inserts the derefs of an access chain.
func (r *reader) chain(in []uint32) (ir.Value, kind.Access) {
	id := in[2]
	x := r.chainOf(in)
	base, t, inBounds := x.base, x.typ, x.inBounds
	var d ir.Value
	var a kind.Access
	if x.element != 0 {
		d, a = r.elementPointer(base, x.element, t)
	} else {
		d, a = r.view(base, t)
	}
	indices := x.indices
	a |= r.access(id, noMember)
	for _, ix := range indices {
		tr := r.typeAt(t)
		switch {
		case tr.op == spirvtab.OpTypeStruct:
			m := r.constInt(ix, "the index into a struct")
			if m >= tr.n {
				r.fail("the struct has no member %d", m)
			}
			a |= r.s.Types.Members(r.s.DerefType(d))[m].Access
			t = r.structMember(t, int(m))
			d = r.b.DerefStruct(d, int(m))
		case tr.n != 0 || tr.op == spirvtab.OpTypeRuntimeArray:
			known := inBounds
			if c, ok := r.constScalar(ix); ok {
				known = 0
				if c < uint64(tr.n) {
					known = 1
				} else if tr.op == spirvtab.OpTypeVector || tr.op == spirvtab.OpTypeMatrix {
					// Undefined if executed: any element.
					t = tr.elem
					d = r.element(d, 0)
					continue
				}
			}
			if r.ids[ix].dec != 0 { // producers may decorate only the index
				a |= r.access(ix, noMember) & kind.AccessNonUniform
			}
			t = tr.elem
			d = r.b.DerefArray(d, r.indexFor(d, ix))
			r.s.Words(d)[kind.FieldDerefArrayInBounds] = known
		default:
			r.fail("index %d: the type has no parts", ix)
		}
	}
	switch pt := r.typeOf(id); {
	case x.untyped && pt.untyped:
		r.ids[id].aux = t
		fallthrough
	case pt.op == spirvtab.OpTypePointer && pt.elem == t:
		if pt.n != r.typeOf(base).n {
			r.fail("the result pointer has another storage class than the base")
		}
	default:
		r.fail("the result is not a pointer to the indexed type")
	}
	return d, a
}

// builtinChain reads an access chain to a component of a builtin.
func (r *reader) builtinChain(id, base uint32, indices []uint32) {
	b := &r.ids[base]
	if b.flags&flagBuiltinC != 0 || len(indices) > 1 || r.typeAt(r.pointee(base)).comps < 2 && len(indices) > 0 {
		r.fail("index into a component of a builtin")
	}
	r.setBuiltin(id, base)
	if rec := &r.ids[id]; len(indices) == 1 {
		rec.flags |= flagBuiltinC
		rec.val.kids = indices[0]
	}
}

// setBuiltin makes an id refer to the same builtin, or component of a builtin, as a pointer.
func (r *reader) setBuiltin(id, base uint32) {
	b, rec := &r.ids[base], &r.ids[id]
	rec.kind, rec.aux, rec.epoch = idBuiltin, b.aux, r.block+1
	rec.flags |= b.flags & flagBuiltinC
	rec.val.kids = b.val.kids
	rec.access = b.access | uint16(r.access(base, noMember)|r.access(id, noMember))
}

// loadBuiltin loads the builtin, or the component of a builtin, that a pointer refers to.
func (r *reader) loadBuiltin(ptr uint32, a kind.Access) ir.Src {
	rec := &r.ids[ptr]
	if rec.aux == spirvtab.BuiltinHelperInvocation && (a|kind.Access(rec.access)|r.access(ptr, noMember))&kind.AccessVolatile != 0 {
		// Volatile: the value changes with demote (SPIR-V specification, "BuiltIn HelperInvocation").
		r.onlyIn(kind.StageFragment)
		return r.s.All(r.b.Intrinsic(intrinsic.IsHelperInvocation, 1, 1))
	}
	row := spirvtab.Builtins.Lookup(rec.aux)
	if row == nil || row.To == 0 {
		r.refuse("builtin %s is not supported", valueName(row, rec.aux))
	}
	if row.Stages != 0 && row.Stages>>r.opt.Stage&1 == 0 {
		r.fail("a %s shader has no input %s", r.opt.Stage, row.Name)
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
	v := r.s.All(r.b.Intrinsic(id, n, bits))
	if rec.flags&flagBuiltinC == 0 {
		return v
	}
	if c, ok := r.constScalar(rec.val.kids); ok {
		if c >= uint64(n) {
			c = 0 // undefined if executed
		}
		return v.Comp(int(c))
	}
	return r.dynamicExtract(v, r.index(rec.val.kids))
}

// memoryAligned is the memory operand Aligned, followed by a literal (SPIR-V specification 3.26).
const memoryAligned = 2

// memoryAccess reads the optional memory operands after position i.
func (r *reader) memoryAccess(in []uint32, i int) (kind.Access, int) {
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
		r.known("memory operand", spirvtab.MemoryOperands, x&-x)
	}
	if i > len(in) {
		r.fail("memory operands %#x are truncated", m)
	}
	return a, i
}

// aligned are the flags for alignments.
const aligned = kind.AccessAligned4 | kind.AccessAligned8 | kind.AccessAligned16

// alignedTo returns the flag for an alignment in bytes.
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
func (r *reader) atOnce(d ir.Value, a kind.Access) kind.Access {
	if a&aligned == 0 {
		return a
	}
	s := r.s
	_, _, n := s.Types.ScalarOf(s.DerefType(d))
	t := s.Types.At(s.DerefType(d)).Kind
	if n == 0 || t == ir.TypeMatrix || t == ir.TypeArray || s.Modes(d) != kind.ModeGlobal || r.rowMajorColumn(d) {
		return a &^ aligned
	}
	return a
}

func (r *reader) loadInstr(in []uint32) {
	id, ptr := in[2], in[3]
	a, _ := r.memoryAccess(in, 4)
	if !r.pointsTo(ptr, in[1]) {
		r.fail("the pointer, id %d, points to another type than the result's", ptr)
	}
	if r.ids[ptr].kind == idBuiltin {
		r.setSrc(id, r.loadBuiltin(ptr, a&^aligned))
		return
	}
	d, pa := r.view(ptr, in[1])
	if t := r.descriptors(r.typeAt(in[1])); t != nil {
		r.setOpaque(id, r.handle(t, d, a&^aligned|pa|r.access(id, noMember)))
		return
	}
	r.set(id, r.load(d, r.atOnce(d, a)|pa))
}

func (r *reader) storeInstr(in []uint32) {
	a, _ := r.memoryAccess(in, 3)
	typ := r.ids[in[2]].typ
	if !r.pointsTo(in[1], typ) {
		r.fail("the pointer, id %d, points to another type than the object's", in[1])
	}
	d, pa := r.view(in[1], typ)
	r.store(d, r.value(in[2]), r.atOnce(d, a)|pa)
}

// copyAccess reads the optional memory operands of a copy after position i: one set for both sides, or one for the
// target and one for the source. It drops the alignment, since the copy may become several accesses.
func (r *reader) copyAccess(in []uint32, i int) (target, source kind.Access) {
	target, i = r.memoryAccess(in, i)
	source = target
	if i < len(in) {
		source, _ = r.memoryAccess(in, i)
	}
	return target &^ aligned, source &^ aligned
}

// copyMemory reads OpCopyMemory, as a load and a store.
func (r *reader) copyMemory(in []uint32) {
	ta, sa := r.copyAccess(in, 3)
	from := in[1]
	if r.typeOf(from).untyped {
		from = in[2]
	}
	typ := r.pointee(from)
	if !r.pointsTo(in[1], typ) || !r.pointsTo(in[2], typ) {
		r.fail("target and source have different types")
	}
	d, da := r.view(in[1], typ)
	if r.ids[in[2]].kind == idBuiltin {
		r.store(d, leaf(r.loadBuiltin(in[2], sa)), ta|da)
		return
	}
	s, ssa := r.view(in[2], typ)
	r.store(d, r.load(s, sa|ssa), ta|da)
}

// arrayLength reads OpArrayLength and OpUntypedArrayLengthKHR.
func (r *reader) arrayLength(in []uint32) {
	ptr, typ, member := in[3], uint32(0), in[4]
	if r.op(r.at) == spirvtab.OpUntypedArrayLengthKHR {
		typ, ptr, member = in[3], in[4], in[5]
	} else {
		typ = r.pointee(ptr)
	}
	st := r.typeAt(typ)
	if st.op != spirvtab.OpTypeStruct || member >= st.n || r.typeAt(r.structMember(typ, int(member))).op != spirvtab.OpTypeRuntimeArray {
		r.fail("member %d is not a runtime array", member)
	}
	d, a := r.view(ptr, typ)
	v := r.b.Intrinsic(intrinsic.DerefBufferArrayLength, 1, 32, ir.Src{Val: r.b.DerefStruct(d, int(member)), Swz: ir.Identity, N: 1})
	r.s.SetIndex(v, intrinsic.IxAccess, uint32(a))
	r.setSrc(in[2], r.s.All(v))
}

// atomic reads the atomics. Barriers around an atomic implement the ordering of its semantics; the access itself is
// relaxed.
func (r *reader) atomic(info *spirvtab.Op, in []uint32) {
	if info.Num == spirvtab.OpAtomicStore {
		typ := r.ids[in[4]].typ
		if !r.pointsTo(in[1], typ) {
			r.fail("the value has another type than the pointer points to")
		}
		if r.ids[in[1]].kind == idTexel {
			r.order(in[2], in[3], releaseBits)
			r.texelStore(r.texel(in[1]), r.src(in[4]), kind.AccessCoherent)
			return
		}
		d, a := r.view(in[1], typ)
		r.order(in[2], in[3], releaseBits)
		r.storeLeaf(d, r.src(in[4]), a|kind.AccessCoherent)
		return
	}
	if !r.pointsTo(in[3], in[1]) {
		r.fail("the result has another type than the pointer points to")
	}
	id, t := in[2], r.typeOf(in[2])
	if t.comps != 1 || t.base == ir.TypeBool {
		r.fail("the result is not a number")
	}
	switch info.Num {
	case spirvtab.OpAtomicLoad, spirvtab.OpAtomicExchange:
	case spirvtab.OpAtomicFAddEXT, spirvtab.OpAtomicFMinEXT, spirvtab.OpAtomicFMaxEXT:
		if t.base != ir.TypeFloat {
			r.fail("the result is not a float")
		}
	default:
		if t.base == ir.TypeFloat {
			r.fail("the result is not an integer")
		}
	}
	if r.ids[in[3]].kind == idTexel {
		r.texelAtomic(info, in, t)
		return
	}
	d, a := r.view(in[3], in[1])
	r.order(in[4], in[5], releaseBits)
	ptr := ir.Src{Val: d, Swz: ir.Identity, N: 1}
	var v ir.Value
	switch info.Num {
	case spirvtab.OpAtomicLoad:
		r.setSrc(id, r.loadLeaf(d, 1, t.bits, a|kind.AccessCoherent))
		r.order(in[4], in[5], acquireBits)
		return
	case spirvtab.OpAtomicCompareExchange:
		data, cmp := r.scalar(in[7], t.bits), r.scalar(in[8], t.bits)
		v = r.b.Intrinsic(intrinsic.DerefAtomicSwap, 1, t.bits, ptr, cmp, data)
	default:
		v = r.b.Intrinsic(intrinsic.DerefAtomic, 1, t.bits, ptr, r.atomicData(info.Num, in, t.bits))
	}
	r.s.SetIndex(v, intrinsic.IxAtomicOp, uint32(info.Atomic-1))
	r.s.SetIndex(v, intrinsic.IxAccess, uint32(a))
	r.setSrc(id, r.s.All(v))
	r.order(in[4], in[5], acquireBits)
}

func (r *reader) atomicData(num uint16, in []uint32, bits uint8) ir.Src {
	switch num {
	case spirvtab.OpAtomicIIncrement:
		return r.atEntry().Const(bits, 1)
	case spirvtab.OpAtomicIDecrement:
		return r.atEntry().Const(bits, mask(bits))
	}
	v := r.scalar(in[6], bits)
	if num == spirvtab.OpAtomicISub {
		v = r.alu(op.INeg, v)
	}
	return v
}

// Memory semantics (SPIR-V specification 3.25).
const (
	semAcquire        = 0x2
	semRelease        = 0x4
	semAcquireRelease = 0x8
	semSequential     = 0x10
	semUniform        = 0x40
	semSubgroup       = 0x80
	semWorkgroup      = 0x100
	semImage          = 0x800
	semOutput         = 0x1000
	semAvailable      = 0x2000
	semVisible        = 0x4000

	acquireBits = semAcquire | semAcquireRelease | semSequential | semVisible
	releaseBits = semRelease | semAcquireRelease | semSequential | semAvailable
)

// order emits a memory barrier before or after an atomic if its semantics have one of the bits.
func (r *reader) order(scope, semantics, bits uint32) {
	s := r.constInt(semantics, "the memory semantics")
	if s&bits == 0 {
		r.constInt(scope, "the memory scope")
		return
	}
	r.barrier(kind.ScopeNone, r.scope(scope), s&(bits|^uint32(acquireBits|releaseBits)))
}

func (r *reader) scope(id uint32) kind.Scope {
	switch s := r.constInt(id, "the scope"); s {
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
		r.known("scope", spirvtab.Scopes, s)
		return 0
	}
}

func (r *reader) barrier(exec, mem kind.Scope, semantics uint32) {
	var s kind.Semantics
	if semantics&acquireBits != 0 {
		s |= kind.SemAcquire
	}
	if semantics&releaseBits != 0 {
		s |= kind.SemRelease
	}
	if semantics&semAvailable != 0 {
		s |= kind.SemMakeAvailable
	}
	if semantics&semVisible != 0 {
		s |= kind.SemMakeVisible
	}
	var m kind.Mode
	if semantics&semUniform != 0 {
		m |= kind.ModeSSBO | kind.ModeGlobal
	}
	if semantics&semWorkgroup != 0 {
		m |= kind.ModeShared
	}
	if semantics&semImage != 0 {
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
	v := r.b.Intrinsic(intrinsic.Barrier, 0, 0)
	r.s.SetIndex(v, intrinsic.IxExecutionScope, uint32(exec))
	r.s.SetIndex(v, intrinsic.IxMemoryScope, uint32(mem))
	r.s.SetIndex(v, intrinsic.IxMemorySemantics, uint32(s))
	r.s.SetIndex(v, intrinsic.IxMemoryModes, uint32(m))
}
