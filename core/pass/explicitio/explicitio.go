// SPDX-License-Identifier: MIT

package explicitio

import (
	"cmp"
	"slices"
	"strconv"

	"jacquard.example/generated/fold"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/accesses"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// ExplicitIO turns accesses through derefs into accesses at byte offsets: offsets in a binding-table entry for buffers,
// in the push constants, in workgroup memory, and in scratch memory for the remaining private variables. Images become
// entries of the binding table.
//
// It also merges accesses to neighboring elements if the simplified offsets would not show later that merging is
// allowed, see [accesses.MergeIndexed].
func ExplicitIO(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	listed := len(s.Info.Bindings)
	c.bindingTable()
	c.placeVars()
	if c.Failed() {
		return false
	}
	if c.Remarks != nil {
		c.remarkPrivate()
	}
	c.again, c.made = true, constants{}
	changed, indexed := len(s.Info.Bindings) != listed, true
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			if !pass.MayTouch(in) {
				continue
			}
			indexed = indexed && !accesses.OfBuffer(in.Intrinsic())
			changed = c.lowerAccess(v) || changed
			if c.Failed() {
				return changed
			}
		}
	}
	c.again = false
	// Lower uses of a pointer as a value last: until then they show the memory that the pointer refers to.
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Deref {
				continue
			}
			changed = c.lowerPointer(v) || changed
			if c.Failed() {
				return changed
			}
		}
	}
	return indexed && accesses.MergeIndexed(pc) || changed
}

// bindingTable lists the bindings that the shader uses, sorted by set and binding.
func (c context) bindingTable() {
	s := c.S
	list := s.Info.Bindings[:0]
	for x := range s.Vars(pass.InTable) {
		info := s.Var(x)
		access := info.Access | s.Types.BlockAccess(info.Type)
		b := ir.Binding{Set: info.Set, Binding: info.Binding, Mode: info.Mode, Count: c.DescriptorsOf(x), Access: access}
		if info.Mode&pass.Buffers == 0 {
			b.Type = s.Types.Innermost(info.Type)
			b.Index, b.Sampler = c.tablesOf(b.Type)
		}
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b ir.Binding) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Binding, b.Binding))
	})
	// Several variables may alias one binding.
	out := list[:0]
	for _, b := range list {
		if n := len(out); n > 0 && out[n-1].Set == b.Set && out[n-1].Binding == b.Binding {
			out[n-1].Count = max(out[n-1].Count, b.Count)
			out[n-1].Access = out[n-1].Access&b.Access | (out[n-1].Access|b.Access)&kind.AccessAliased
			if out[n-1].Index == ir.NoIndex {
				out[n-1].Type = b.Type
			}
			out[n-1].Index = min(out[n-1].Index, b.Index)
			out[n-1].Sampler = max(out[n-1].Sampler, b.Sampler)
			continue
		}
		out = append(out, b)
	}
	if len(s.Info.ConstData) > 0 && !c.Options.ConstantsAtAddress { // last, see lowerConstant
		out = append(out, ir.Binding{
			Set: ir.NoSet, Binding: ir.NoSet, Mode: kind.ModeConstant, Count: 1, Access: kind.AccessNonWriteable,
		})
	}
	at, samplers := c.place(out)
	if samplers > maxSamplers {
		c.Fail("%s %d samplers; the limit is %d", c.uses(), samplers, maxSamplers)
	}
	if limit := c.Target().Bindings; int64(at) > int64(limit) {
		c.Fail("%s %d descriptors; a binding table has %d", c.uses(), at, limit)
	}
	s.Info.Bindings = out
}

// placeVars assigns offsets to the variables of workgroup memory and to the
// remaining private variables. It sets the sizes of memory in Info, and checks them
// and the size of the workgroup against the limits of the target.
func (c context) placeVars() {
	s := c.S
	t := c.Target()
	place := func(modes kind.Mode, limit int, what string) uint32 {
		at := uint32(0)
		for x := range s.Vars(modes) { // all at offset 0
			if s.Var(x).SharesMemory(&s.Types) {
				size, _ := s.LayoutOfVar(x).Size(s.Var(x).Type)
				s.Var(x).Offset = 0
				at = max(at, size)
			}
		}
		for _, zero := range [2]bool{true, false} { // zero-initialized variables are contiguous
			for x := range s.Vars(modes) {
				if s.Var(x).ZeroInit != zero || s.Var(x).SharesMemory(&s.Types) {
					continue
				}
				size, align := s.LayoutOfVar(x).Size(s.Var(x).Type)
				at = ir.RoundUp(at, max(align, 4))
				s.Var(x).Offset = at
				at = ir.SatAdd(at, size)
			}
		}
		if int64(at) > int64(limit) {
			c.Fail("the shader needs %d bytes of %s; the limit is %d", at, what, limit)
		}
		return ir.RoundUp(at, 4)
	}
	s.Info.SharedSize = place(kind.ModeShared, t.SLMBytes, "workgroup memory")
	s.Info.ScratchSize = place(pass.Promotable, t.ScratchBytes/t.Widths[0], "scratch memory for an invocation")

	n := s.Info.WorkgroupSize
	if total := uint64(n[0]) * uint64(n[1]) * uint64(n[2]); total > uint64(t.Invocations) {
		c.Fail("the workgroup has %d x %d x %d invocations; the limit is %d", n[0], n[1], n[2], t.Invocations)
	}

	// Push constant blocks all start at 0. The back end reserves registers for the size of the largest one.
	s.Info.PushConstantSize = c.Options.PushBytes
	for x := range s.Vars(kind.ModePushConstant) {
		s.Info.PushConstantSize = max(s.Info.PushConstantSize, s.LayoutOfVar(x).End(s.Var(x).Type))
	}
	if int64(s.Info.PushConstantSize) > int64(t.PushBytes) {
		c.Fail("the shader needs %d bytes of push constants; the limit is %d", s.Info.PushConstantSize, t.PushBytes)
	}
}

// address is a memory address: a constant number of bytes plus a dynamic value, relative to the start of a variable.
type address struct {
	v      ir.Var // 0 if unknown
	mode   kind.Mode
	block  ir.Src // binding-table entry, for buffers and images
	base   ir.Src // 64-bit base pointer: global memory, or several modes
	far    uint64 // added to base, in addition to offset
	known  uint32 // offset at which the address is a multiple of align
	offset uint32
	dyn    ir.Src
	align  uint32 // the dynamic part is a multiple of this power of two
	comp   uint32 // bytes between the components of a vector, or 0 if packed
	ptr    bool   // through a pointer value
}

func (c context) address(d ir.Value) (address, bool) {
	s := c.S
	in := s.At(d)
	switch in.DerefKind() {
	case kind.DerefVar:
		return c.varAddress(ir.Var(s.Words(d)[kind.FieldDerefVarVar])), true
	case kind.DerefStruct:
		p := s.Src(d, 0).Val
		a, ok := c.address(p)
		if !ok {
			return a, false
		}
		m := int(s.Words(d)[kind.FieldDerefStructMember])
		a.offset += c.layout(a, s.DerefType(p)).Offset(s.DerefType(p), m)
		return a, true
	case kind.DerefArray:
		p := s.Src(d, 0).Val
		a, ok := c.address(p)
		if !ok {
			return a, false
		}
		return c.element(a, s.DerefType(p), s.DerefType(d), s.Src(d, 1)), true
	case kind.DerefPtrAsArray:
		p := s.Src(d, 0).Val
		a, ok := c.address(p)
		if !ok {
			return a, false
		}
		if s.At(p).DerefKind() != kind.DerefCast {
			break
		}
		return c.offsetBy(a, s.Src(d, 1), s.Words(p)[kind.FieldDerefCastStride]), true
	case kind.DerefCast:
		if p := s.Src(d, 0).Val; s.At(p).Kind == kind.Deref {
			a, ok := c.address(p)
			if s.DerefType(p) != s.DerefType(d) {
				a.comp = 0 // the cast views the memory as another type, whose vectors are packed
			}
			return a, ok
		}
		if a, ok := c.unpackPointer(d); ok {
			return a, true
		}
		// 64 bits suit every mode that pointer values have
		if p := s.At(s.Src(d, 0).Val); p.Bits != 64 || p.Comps != 1 {
			size := strconv.Itoa(int(p.Bits))
			if p.Comps != 1 {
				size += "x" + strconv.Itoa(int(p.Comps))
			}
			c.FailAt(s.At(d).Loc, "a pointer to %s memory cannot be a value of %s bits", s.Modes(d), size)
			return address{}, false
		}
	}
	c.FailAt(in.Loc, "a %s deref of %s is not supported yet", kind.EnumDerefKind.String(uint32(in.Op)), s.Modes(d))
	return address{}, false
}

// layout returns the layout of memory at an address that contains type t. All memory that the address may refer to must
// have the same layout.
func (c context) layout(a address, t ir.Type) ir.Layout {
	if a.v != 0 {
		return c.S.LayoutOfVar(a.v)
	}
	l := c.S.LayoutOf(a.mode)
	if a.mode&(a.mode-1) != 0 {
		for m := kind.Mode(1); m <= a.mode; m <<= 1 {
			if a.mode&m != 0 && !l.Agrees(c.S.LayoutOf(m), t) {
				c.FailAt(c.B.Loc, "a pointer into memory with different layouts (%s) is not supported", a.mode)
			}
		}
	}
	return l
}

func (c context) varAddress(x ir.Var) address {
	s := c.S
	info := s.Var(x)
	a := address{v: x, mode: info.Mode, align: 16}
	if info.Mode&pass.InTable == 0 {
		a.offset = info.Offset
		return a
	}
	if b := c.binding(x); b != nil {
		a.block = c.imm(b.Index)
		if b.Index == ir.NoIndex {
			a.block = c.imm(0)
		}
	}
	return a
}

// element advances the address of an array, matrix or vector of type pt to one of its elements, of type t.
func (c context) element(a address, pt, t ir.Type, index ir.Src) address {
	s := c.S
	x := s.Types.At(pt)
	if n, ok := s.Types.Descriptors(t); ok && x.Kind == ir.TypeArray && a.v != 0 && a.mode&pass.InTable != 0 { // array of descriptors
		i := c.index32(index)
		if k, known := c.S.ConstOf(index); known && k >= uint64(cmp.Or(x.Len, c.UnknownLength())) {
			i = c.imm(0) // undefined if executed, but never an entry of another binding
		}
		if n != 1 {
			i = c.B.IMul(i, c.imm(n))
		}
		a.block = c.B.IAdd(i, a.block)
		return a
	}
	l := c.layout(a, pt)
	stride := uint32(0)
	switch {
	case x.Kind == ir.TypeVector:
		_, bits, _ := s.Types.ScalarOf(t)
		if stride = a.comp; stride == 0 {
			stride = l.Scalar(bits)
		}
		a.comp = 0
	case l.RowMajor(pt):
		_, bits, _ := s.Types.ScalarOf(t)
		stride = l.Scalar(bits)
		a.comp = l.Stride(pt)
	default:
		stride = l.Stride(pt)
	}
	return c.offsetBy(a, index, stride)
}

// offsetBy advances the address by index times stride bytes.
func (c context) offsetBy(a address, index ir.Src, stride uint32) address {
	if a.base.Val != 0 {
		return c.stepGlobal(a, index, stride)
	}
	if k, known := c.S.ConstOf(index); known {
		a.offset += uint32(k) * stride
		return a
	}
	if stride == 0 { // all elements, which contain nothing but arrays of unknown length, are at the same place
		return a
	}
	if p := stride & -stride; p < a.align {
		a.align = p
	}
	i := c.B.IMul(c.index32(index), c.imm(stride))
	if a.dyn.Val == 0 {
		a.dyn = i
	} else {
		a.dyn = c.B.IAdd(a.dyn, i)
	}
	return a
}

// index32 converts an index to 32 bits; indices are signed.
func (c context) index32(i ir.Src) ir.Src {
	if c.S.At(i.Val).Bits == 32 {
		return i
	}
	return c.B.I2I32(i)
}

func (c context) offsetOf(a address, more uint32) ir.Src {
	if a.base.Val != 0 {
		return c.globalAddress(a, more)
	}
	if a.dyn.Val == 0 {
		return c.imm(a.offset + more)
	}
	if a.offset+more == 0 {
		return a.dyn
	}
	return c.B.IAdd(a.dyn, c.imm(a.offset+more))
}

// notBytes are the modes of variables that are not memory with bytes.
const notBytes = kind.ModeImage | kind.ModeUniform | kind.ModeSystemValue | kind.ModeShaderIn | kind.ModeShaderOut

// lowerAccess replaces v if it accesses memory through a deref, or constant data, and reports whether it did.
// pass.MayTouch must hold for v.
func (c context) lowerAccess(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	if in.Kind == kind.Tex {
		return c.lowerTexture(v)
	}
	if in.Intrinsic().Info().Target == intrinsic.TargetImage {
		return c.lowerImage(v)
	}
	if in.Intrinsic() == intrinsic.LoadConstant {
		return c.lowerConstant(v)
	}
	if id := in.Intrinsic(); id.Source(intrinsic.RoleDeref) < 0 || id.Slot(intrinsic.IxAccess) < 0 {
		return false
	}
	d := s.Src(v, 0).Val
	if s.At(d).Kind == kind.Deref && ir.ModeMayBe(s.Modes(d), notBytes) {
		c.FailAt(in.Loc, "%s of a variable of mode %s is not supported yet", in.Intrinsic(), s.Modes(d))
		return false
	}
	c.B.Before(v)
	a, ok := c.address(d)
	if !ok {
		return false
	}
	if a.mode == kind.ModePushConstant && in.Intrinsic() != intrinsic.LoadDeref {
		c.FailAt(in.Loc, "push constants are read-only")
		return false
	}
	var r ir.Src
	switch {
	case a.mode&(a.mode-1) != 0:
		r = c.byTag(v, d, a)
	case a.mode&pass.Buffers != 0:
		switch f := c.BufferFormat(a.mode, c.atomicBits(v)); f {
		case pass.Address64, pass.Bounded64:
			r = c.byAddress(v, d, a, f == pass.Bounded64)
		default:
			r = c.accessAt(v, d, a)
		}
	default:
		r = c.accessAt(v, d, a)
	}
	if c.Failed() {
		return false
	}
	if r.Val != 0 {
		s.ReplaceUses(v, r)
	}
	s.Remove(v)
	return true
}

// atomicBits returns the size of an atomic in bits, or 0 for other accesses.
func (c context) atomicBits(v ir.Value) uint8 {
	if c.S.At(v).Intrinsic().Is(intrinsic.TraitAtomic) {
		return c.S.At(v).Bits
	}
	return 0
}

// accessAt inserts access v, through deref d, at an address.
func (c context) accessAt(v, d ir.Value, a address) ir.Src {
	s, b := c.S, c.B
	switch s.At(v).Intrinsic() {
	case intrinsic.LoadDeref:
		return c.loadDeref(v, d, a)
	case intrinsic.StoreDeref:
		c.storeDeref(v, d, a)
		return ir.Src{}
	case intrinsic.DerefBufferArrayLength:
		return c.arrayLength(d, a, b.GetSSBOSize(32, a.block, 0))
	}
	return c.atomic(v, a)
}

// arrayLength returns the length of the runtime array at the end of a buffer; size is the size of the buffer in bytes.
func (c context) arrayLength(d ir.Value, a address, size ir.Src) ir.Src {
	b := c.B
	off, stride := b.Imm(a.offset), c.layout(a, c.S.DerefType(d)).Stride(c.S.DerefType(d))
	return b.UDiv(b.BCsel(b.ULt(size, off), b.Imm(0), b.ISub(size, off)), b.Imm(stride))
}

func (c context) atomic(v ir.Value, a address) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	op := kind.AtomicOp(s.Index(v, intrinsic.IxAtomicOp))
	acc := kind.Access(s.Index(v, intrinsic.IxAccess))
	off := c.offsetOf(a, 0)
	x := s.Src(v, 1)
	swap := in.Intrinsic() == intrinsic.DerefAtomicSwap
	var y ir.Src
	if swap {
		y = s.Src(v, 2)
	}
	switch {
	case a.mode == kind.ModeSSBO && swap:
		return b.SSBOAtomicSwap(in.Bits, a.block, off, x, y, acc, op)
	case a.mode == kind.ModeSSBO:
		return b.SSBOAtomic(in.Bits, a.block, off, x, acc, op)
	case a.mode == kind.ModeShared && swap:
		return b.SharedAtomicSwap(in.Bits, off, x, y, 0, op)
	case a.mode == kind.ModeShared:
		return b.SharedAtomic(in.Bits, off, x, 0, op)
	case a.mode == kind.ModeGlobal && swap:
		return b.GlobalAtomicSwap(in.Bits, off, x, y, acc, op)
	case a.mode == kind.ModeGlobal:
		return b.GlobalAtomic(in.Bits, off, x, acc, op)
	}
	c.FailAt(in.Loc, "atomics on %s memory are not supported", a.mode)
	return ir.Src{}
}

// memBits returns the size in bits of a component in memory.
func memBits(mode kind.Mode, bits uint8) uint8 {
	if bits == 1 || mode&pass.Promotable != 0 && bits < 32 {
		return 32
	}
	return bits
}

func (c context) loadDeref(v, d ir.Value, a address) ir.Src {
	s := c.S
	in := s.At(v)
	mb := memBits(a.mode, in.Bits)
	acc := c.natural(&a, mb, kind.Access(s.Index(v, intrinsic.IxAccess))) | c.varAccess(a)
	var r ir.Src
	if a.comp == 0 || in.Comps == 1 {
		r = c.load(a, in.Comps, mb, 0, acc)
	} else {
		var parts [fold.MaxComps]ir.Src
		for i := range uint32(in.Comps) {
			parts[i] = c.load(a, 1, mb, i*a.comp, acc)
		}
		r = pass.Vec(c.B, parts[:in.Comps])
	}
	switch {
	case mb == in.Bits:
		return r
	case in.Bits == 1:
		return c.B.INe(r, c.imm(0))
	case in.Bits == 8:
		return c.B.U2U8(r)
	}
	return c.B.U2U16(r)
}

func (c context) load(a address, comps, bits uint8, more uint32, acc kind.Access) ir.Src {
	b := c.B
	off := c.offsetOf(a, more)
	at := (a.offset - a.known + more) % a.align
	switch a.mode {
	case kind.ModeUBO:
		return b.LoadUBO(comps, bits, a.block, off, acc, a.align, at, 0, 0)
	case kind.ModeSSBO:
		return b.LoadSSBO(comps, bits, a.block, off, acc, a.align, at)
	case kind.ModePushConstant:
		return b.LoadPushConstant(comps, bits, off, 0, 0, a.align, at)
	case kind.ModeShared:
		return b.LoadShared(comps, bits, off, 0, acc, a.align, at)
	case kind.ModeGlobal:
		return b.LoadGlobal(comps, bits, off, acc, a.align, at)
	}
	return b.LoadScratch(comps, bits, off, acc, a.align, at)
}

func (c context) storeDeref(v, d ir.Value, a address) {
	s, b := c.S, c.B
	mask := s.Index(v, intrinsic.IxWriteMask)
	val := s.Src(v, 1)
	bits := s.At(val.Val).Bits
	mb := memBits(a.mode, bits)
	acc := c.natural(&a, mb, kind.Access(s.Index(v, intrinsic.IxAccess))) | c.varAccess(a)
	switch {
	case bits == 1:
		val = b.B2I32(val)
	case mb != bits:
		val = b.U2U32(val)
	}
	size := uint32(mb) / 8
	if a.comp != 0 {
		for i := range uint32(val.N) {
			if mask>>i&1 != 0 {
				c.store(a, val.Comp(int(i)), i*a.comp, acc)
			}
		}
		return
	}
	// Write adjacent components together.
	for i := uint32(0); i < uint32(val.N); {
		if mask>>i&1 == 0 {
			i++
			continue
		}
		n := uint32(1)
		for i+n < uint32(val.N) && mask>>(i+n)&1 != 0 {
			n++
		}
		part := val
		if n < uint32(val.N) {
			part = pass.Slice(val, int(i), int(n))
		}
		c.store(a, part, i*size, acc)
		i += n
	}
}

func (c context) store(a address, val ir.Src, more uint32, acc kind.Access) {
	b := c.B
	off := c.offsetOf(a, more)
	at := (a.offset - a.known + more) % a.align
	full := uint32(1)<<val.N - 1
	switch a.mode {
	case kind.ModeSSBO:
		b.StoreSSBO(val, a.block, off, full, acc, a.align, at)
	case kind.ModeShared:
		b.StoreShared(val, off, 0, full, acc, a.align, at)
	case kind.ModeGlobal:
		b.StoreGlobal(val, off, full, acc, a.align, at)
	case kind.ModeUBO:
		c.FailAt(c.B.Loc, "uniform buffers are read-only")
	default:
		b.StoreScratch(val, off, full, acc, a.align, at)
	}
}
