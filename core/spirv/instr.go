package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// instr emits one instruction of a block.
func (r *reader) instr(info *spirvtab.Op, in []uint32) {
	r.own = freedom{}
	if info.HasResult && info.HasType && (r.fast.on || r.ids[in[2]].dec != 0) {
		r.own = r.freedomOf(in)
	}
	if info.Category == spirvtab.CategoryDerivative {
		r.derivatives()
	}
	if info.Program[0] != 0 && info.Num != spirvtab.OpFConvert {
		r.arithmetic(info, in)
		return
	}
	switch info.Num {
	case spirvtab.OpNop:
	case spirvtab.OpLine, spirvtab.OpNoLine:
		r.locate(in)
	case spirvtab.OpAssumeTrueKHR:
		r.scalar(in[1], 1)
	case spirvtab.OpExpectKHR:
		r.set(in[2], r.value(in[3]))
	case spirvtab.OpVariable:
		r.localVariable(in)
	case spirvtab.OpUndef:
		r.ids[in[2]].kind = idUndef
	case spirvtab.OpLoad:
		r.loadInstr(in)
	case spirvtab.OpStore:
		r.storeInstr(in)
	case spirvtab.OpAccessChain, spirvtab.OpInBoundsAccessChain, spirvtab.OpPtrAccessChain,
		spirvtab.OpUntypedAccessChainKHR, spirvtab.OpUntypedInBoundsAccessChainKHR, spirvtab.OpUntypedPtrAccessChainKHR,
		spirvtab.OpUntypedInBoundsPtrAccessChainKHR:
		r.accessChain(in)
	case spirvtab.OpPtrEqual, spirvtab.OpPtrNotEqual, spirvtab.OpPtrDiff, spirvtab.OpConvertPtrToU, spirvtab.OpConvertUToPtr:
		r.pointerInstr(info, in)
	case spirvtab.OpCopyMemory:
		r.copyMemory(in)
	case spirvtab.OpCopyMemorySized:
		r.copyBytes(in)
	case spirvtab.OpUntypedVariableKHR:
		r.refuse("untyped variables of storage class %s are not supported", valueName(spirvtab.StorageClasses.Lookup(in[3]), in[3]))
	case spirvtab.OpArrayLength, spirvtab.OpUntypedArrayLengthKHR:
		r.arrayLength(in)
	case spirvtab.OpPhi:
		r.phi(in)
	case spirvtab.OpFunctionCall:
		r.callInstr(in)
	case spirvtab.OpExtInst, spirvtab.OpExtInstWithForwardRefsKHR:
		r.extInst(in)
	case spirvtab.OpSelect:
		r.selectInstr(in)
	case spirvtab.OpCopyObject, spirvtab.OpCopyLogical:
		r.copyObject(info, in)
	case spirvtab.OpCompositeConstruct:
		r.construct(in)
	case spirvtab.OpCompositeExtract:
		r.extract(in)
	case spirvtab.OpCompositeInsert:
		r.insert(in)
	case spirvtab.OpVectorShuffle:
		r.shuffle(in)
	case spirvtab.OpVectorExtractDynamic:
		r.extractDynamic(in)
	case spirvtab.OpVectorInsertDynamic:
		r.insertDynamic(in)
	case spirvtab.OpBitcast:
		r.bitcast(in)
	case spirvtab.OpFConvert:
		r.convertFloat(info, in)
	case spirvtab.OpSDot, spirvtab.OpUDot, spirvtab.OpSUDot, spirvtab.OpSDotAccSat, spirvtab.OpUDotAccSat, spirvtab.OpSUDotAccSat:
		r.integerDot(in)
	case spirvtab.OpMatrixTimesScalar, spirvtab.OpMatrixTimesVector, spirvtab.OpVectorTimesMatrix, spirvtab.OpMatrixTimesMatrix,
		spirvtab.OpOuterProduct, spirvtab.OpTranspose:
		r.matrixInstr(in)
	case spirvtab.OpReadClockKHR:
		r.clock(in)
	case spirvtab.OpControlBarrier:
		r.barrier(r.scope(in[1]), r.scope(in[2]), r.constInt(in[3], "the memory semantics"))
	case spirvtab.OpMemoryBarrier:
		r.barrier(kind.ScopeNone, r.scope(in[1]), r.constInt(in[2], "the memory semantics"))
	default:
		switch info.Category {
		case spirvtab.CategoryStage:
			r.stageInstr(info, in)
		case spirvtab.CategoryAtomic:
			r.atomic(info, in)
		case spirvtab.CategorySubgroup:
			r.subgroup(info, in)
		case spirvtab.CategoryImage:
			r.imageInstr(info, in)
		default:
			r.fail("is not expected here")
		}
	}
}

// localVariable creates a variable of the function and stores its initializer.
func (r *reader) localVariable(in []uint32) {
	r.newVariable(in, r.fn.ir)
	if len(in) > 4 && r.ids[in[4]].kind != idUndef {
		d, _ := r.pointer(in[2])
		r.store(d, r.value(in[4]), 0)
	}
}

// phi loads the variable to which the predecessors store the phi's value.
func (r *reader) phi(in []uint32) {
	r.set(in[2], r.load(r.b.DerefVar(r.phiVar(in[2])), 0))
}

// extInst reads an instruction of GLSL.std.450.
func (r *reader) extInst(in []uint32) {
	switch k := r.ids[in[3]].kind; {
	case k == idNonSemantic:
		r.ids[in[2]].kind = idOther
		if r.locates(in) {
			r.locate(in)
		}
		return
	case r.op(r.at) != spirvtab.OpExtInst:
		r.fail("is only allowed for non-semantic instructions")
	case k == idTrinary:
		r.trinaryInst(in)
		return
	case k == idGLSL:
	default:
		r.fail("id %d is not an extended instruction set", in[3])
	}
	x := spirvtab.LookupGLSL(in[4])
	if x == nil {
		r.fail("unknown instruction %d of GLSL.std.450", in[4])
	}
	if !x.Read {
		r.refuse("GLSL.std.450 %s is not supported", x.Name)
	}
	id, ops := in[2], in[5:]
	if len(ops) != int(x.Args) {
		r.fail("GLSL.std.450 %s has %d operands, not %d", x.Name, x.Args, len(ops))
	}
	switch {
	case x.Store:
		a := r.src(ops[0])
		pt := r.typeAt(r.pointee(ops[1]))
		args := []ir.Src{a}
		r.setSrc(id, r.fit(r.run(x.Program[0], args, r.typeOf(id).bits), r.typeOf(id)))
		second := r.fit(r.run(x.Program[1], args, pt.bits), pt)
		if second.N != pt.comps || r.bitsOf(second) != pt.bits {
			r.fail("GLSL.std.450 %s: the pointer points to another type than the result's", x.Name)
		}
		d, acc := r.pointer(ops[1])
		r.store(d, leaf(second), acc)
	case in[4] == spirvtab.GLSLDeterminant:
		r.determinant(id, ops[0])
	case in[4] == spirvtab.GLSLMatrixInverse:
		r.inverse(id, ops[0])
	case in[4] == spirvtab.GLSLInterpolateAtCentroid:
		r.interpolate(intrinsic.InterpDerefAtCentroid, id, ops)
	case in[4] == spirvtab.GLSLInterpolateAtSample:
		r.interpolate(intrinsic.InterpDerefAtSample, id, ops)
	case in[4] == spirvtab.GLSLInterpolateAtOffset:
		r.interpolate(intrinsic.InterpDerefAtOffset, id, ops)
	default:
		var args [4]ir.Src
		for i, o := range ops {
			args[i] = r.src(o)
		}
		if x.Wide && r.typeOf(id).bits == 16 {
			r.wide(id, x, args[:len(ops)])
			return
		}
		r.programs(id, x.Program, args[:len(ops)])
	}
}

// wide computes an instruction on 16-bit floats in 32 bits.
func (r *reader) wide(id uint32, x *spirvtab.Ext, args []ir.Src) {
	for i, a := range args {
		if r.bitsOf(a) != 16 {
			r.fail("GLSL.std.450 %s: an operand has %d bits, the result 16", x.Name, r.bitsOf(a))
		}
		args[i] = r.alu(op.F2F32, a)
	}
	r.setSrc(id, r.alu(op.F2F16, r.run(x.Program[0], args, 32)))
}

// Rounding modes (SPIR-V specification 3.16).
const (
	roundEven = 0
	roundZero = 1
)

// convertFloat reads OpFConvert; a decoration may specify the rounding mode.
func (r *reader) convertFloat(info *spirvtab.Op, in []uint32) {
	id := in[2]
	mode, ok := r.find(id, spirvtab.DecorationFPRoundingMode)
	if !ok {
		r.arithmetic(info, in)
		return
	}
	s := r.src(in[3])
	t := r.typeOf(id)
	switch {
	case r.bitsOf(s) <= t.bits:
		r.arithmetic(info, in)
	case t.bits == 16 && mode == roundEven:
		r.setSrc(id, r.alu(op.F2F16Rtne, s))
	case t.bits == 16 && mode == roundZero:
		r.setSrc(id, r.alu(op.F2F16Rtz, s))
	case mode == roundEven:
		r.arithmetic(info, in)
	default:
		r.refuse("rounding mode %d to %d bits is not supported", mode, t.bits)
	}
}

// bitcast reinterprets a value's bits as another type. If component sizes differ, components are split or packed, the
// lowest bits first.
func (r *reader) bitcast(in []uint32) {
	id := in[2]
	t := r.typeOf(id)
	if t.comps == 0 || t.bits == 1 {
		r.fail("the result is neither a numeric scalar or vector nor a pointer value")
	}
	s := r.src(in[3])
	from := r.bitsOf(s)
	if int(from)*int(s.N) != int(t.bits)*int(t.comps) || from == 1 {
		r.fail("the operand has %d bits, the result %d", int(from)*int(s.N), int(t.bits)*int(t.comps))
	}
	var parts []ir.Src
	for i := range int(s.N) {
		parts = append(parts, s.Comp(i))
	}
	for bits := from; bits > t.bits; bits /= 2 {
		var next []ir.Src
		for _, p := range parts {
			lo, hi := r.split(p, bits)
			next = append(next, lo, hi)
		}
		parts = next
	}
	for bits := from; bits < t.bits; bits *= 2 {
		next := parts[:0:0]
		for i := 0; i < len(parts); i += 2 {
			next = append(next, r.join(parts[i], parts[i+1], bits))
		}
		parts = next
	}
	if from == t.bits {
		r.setSrc(id, s)
		return
	}
	r.setSrc(id, r.vec(parts))
}

// split splits a scalar into its halves.
func (r *reader) split(s ir.Src, bits uint8) (lo, hi ir.Src) {
	switch bits {
	case 64:
		return r.alu(op.Unpack64_2x32SplitX, s), r.alu(op.Unpack64_2x32SplitY, s)
	case 32:
		return r.alu(op.Unpack32_2x16SplitX, s), r.alu(op.Unpack32_2x16SplitY, s)
	}
	return r.alu(op.U2U8, s), r.alu(op.U2U8, r.alu(op.UShr, s, r.imm(8)))
}

// join combines two scalars into one of twice the size.
func (r *reader) join(lo, hi ir.Src, bits uint8) ir.Src {
	switch bits {
	case 32:
		return r.alu(op.Pack64_2x32Split, lo, hi)
	case 16:
		return r.alu(op.Pack32_2x16Split, lo, hi)
	}
	return r.alu(op.IOr, r.alu(op.U2U16, lo), r.alu(op.IShl, r.alu(op.U2U16, hi), r.imm(8)))
}
