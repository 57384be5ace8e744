// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/image"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// instr emits one instruction of a block.
func instr(r *module.Reader, info *spirvtab.Op, in []uint32) {
	r.Own = module.Freedom{}
	if info.HasResult && info.HasType && (r.Fast.On || r.Ids[in[2]].Dec != 0) {
		r.Own = r.FreedomOf(in)
	}
	if info.Category == spirvtab.CategoryDerivative {
		image.Derivatives(r)
	}
	if info.Program[0] != 0 && info.Num != spirvtab.OpFConvert {
		arithmetic(r, info, in)
		return
	}
	switch info.Num {
	case spirvtab.OpNop:
	case spirvtab.OpLine, spirvtab.OpNoLine:
		r.Locate(in)
	case spirvtab.OpAssumeTrueKHR:
		value.Scalar(r, in[1], 1)
	case spirvtab.OpExpectKHR:
		value.Set(r, in[2], value.Value(r, in[3]))
	case spirvtab.OpVariable:
		localVariable(r, in)
	case spirvtab.OpUndef:
		r.Ids[in[2]].Kind = module.IdUndef
	case spirvtab.OpLoad:
		value.LoadInstr(r, in)
	case spirvtab.OpStore:
		value.StoreInstr(r, in)
	case spirvtab.OpAccessChain, spirvtab.OpInBoundsAccessChain, spirvtab.OpPtrAccessChain,
		spirvtab.OpUntypedAccessChainKHR, spirvtab.OpUntypedInBoundsAccessChainKHR, spirvtab.OpUntypedPtrAccessChainKHR,
		spirvtab.OpUntypedInBoundsPtrAccessChainKHR:
		value.AccessChain(r, in)
	case spirvtab.OpPtrEqual, spirvtab.OpPtrNotEqual, spirvtab.OpPtrDiff, spirvtab.OpConvertPtrToU, spirvtab.OpConvertUToPtr:
		value.PointerInstr(r, info, in)
	case spirvtab.OpCopyMemory:
		value.CopyMemory(r, in)
	case spirvtab.OpCopyMemorySized:
		value.CopyBytes(r, in)
	case spirvtab.OpUntypedVariableKHR:
		r.Refuse("untyped variables of storage class %s are not supported", module.ValueName(spirvtab.StorageClasses.Lookup(in[3]), in[3]))
	case spirvtab.OpArrayLength, spirvtab.OpUntypedArrayLengthKHR:
		value.ArrayLength(r, in)
	case spirvtab.OpPhi:
		phi(r, in)
	case spirvtab.OpFunctionCall:
		callInstr(r, in)
	case spirvtab.OpExtInst, spirvtab.OpExtInstWithForwardRefsKHR:
		extInst(r, in)
	case spirvtab.OpSelect:
		value.SelectInstr(r, in)
	case spirvtab.OpCopyObject, spirvtab.OpCopyLogical:
		value.CopyObject(r, info, in)
	case spirvtab.OpCompositeConstruct:
		value.Construct(r, in)
	case spirvtab.OpCompositeExtract:
		value.Extract(r, in)
	case spirvtab.OpCompositeInsert:
		value.Insert(r, in)
	case spirvtab.OpVectorShuffle:
		value.Shuffle(r, in)
	case spirvtab.OpVectorExtractDynamic:
		value.ExtractDynamic(r, in)
	case spirvtab.OpVectorInsertDynamic:
		value.InsertDynamic(r, in)
	case spirvtab.OpBitcast:
		bitcast(r, in)
	case spirvtab.OpFConvert:
		convertFloat(r, info, in)
	case spirvtab.OpSDot, spirvtab.OpUDot, spirvtab.OpSUDot, spirvtab.OpSDotAccSat, spirvtab.OpUDotAccSat, spirvtab.OpSUDotAccSat:
		integerDot(r, in)
	case spirvtab.OpMatrixTimesScalar, spirvtab.OpMatrixTimesVector, spirvtab.OpVectorTimesMatrix, spirvtab.OpMatrixTimesMatrix,
		spirvtab.OpOuterProduct, spirvtab.OpTranspose:
		value.MatrixInstr(r, in)
	case spirvtab.OpReadClockKHR:
		clock(r, in)
	case spirvtab.OpControlBarrier:
		value.Barrier(r, value.Scope(r, in[1]), value.Scope(r, in[2]), r.ConstInt(in[3], "the memory semantics"))
	case spirvtab.OpMemoryBarrier:
		value.Barrier(r, kind.ScopeNone, value.Scope(r, in[1]), r.ConstInt(in[2], "the memory semantics"))
	default:
		switch info.Category {
		case spirvtab.CategoryStage:
			stageInstr(r, info, in)
		case spirvtab.CategoryAtomic:
			atomic(r, info, in)
		case spirvtab.CategorySubgroup:
			subgroup(r, info, in)
		case spirvtab.CategoryImage:
			image.ImageInstr(r, info, in)
		default:
			r.Fail("is not expected here")
		}
	}
}

// localVariable creates a variable of the function and stores its initializer, if it has one.
func localVariable(r *module.Reader, in []uint32) {
	r.NewVariable(in, r.Fn.Ir)
	if len(in) > 4 && r.Ids[in[4]].Kind != module.IdUndef {
		d, _ := value.Pointer(r, in[2])
		value.Store(r, d, value.Value(r, in[4]), 0)
	}
}

// phi loads the variable to which the predecessors store the phi's value.
func phi(r *module.Reader, in []uint32) {
	value.Set(r, in[2], value.Load(r, r.B.DerefVar(phiVar(r, in[2])), 0))
}

// extInst reads an extended instruction: from GLSL.std.450, SPV_AMD_shader_trinary_minmax or a non-semantic set.
func extInst(r *module.Reader, in []uint32) {
	switch k := r.Ids[in[3]].Kind; {
	case k == module.IdNonSemantic:
		r.Ids[in[2]].Kind = module.IdOther
		if r.Locates(in) {
			r.Locate(in)
		}
		return
	case r.Op(r.At) != spirvtab.OpExtInst:
		r.Fail("is only allowed for non-semantic instructions")
	case k == module.IdTrinary:
		trinaryInst(r, in)
		return
	case k == module.IdGLSL:
	default:
		r.Fail("id %d is not an extended instruction set", in[3])
	}
	x := spirvtab.LookupGLSL(in[4])
	if x == nil {
		r.Fail("unknown instruction %d of GLSL.std.450", in[4])
	}
	if !x.Read {
		r.Refuse("GLSL.std.450 %s is not supported", x.Name)
	}
	id, ops := in[2], in[5:]
	if len(ops) != int(x.Args) {
		r.Fail("GLSL.std.450 %s needs %d operands, not %d", x.Name, x.Args, len(ops))
	}
	switch {
	case x.Store:
		a := value.Src(r, ops[0])
		pt := r.TypeAt(value.Pointee(r, ops[1]))
		args := []ir.Src{a}
		value.SetSrc(r, id, image.Fit(r, run(r, x.Program[0], args, r.TypeOf(id).Bits), r.TypeOf(id)))
		second := image.Fit(r, run(r, x.Program[1], args, pt.Bits), pt)
		if second.N != pt.Comps || value.BitsOf(r, second) != pt.Bits {
			r.Fail("GLSL.std.450 %s: the pointer points to a different type than the result's", x.Name)
		}
		d, acc := value.Pointer(r, ops[1])
		value.Store(r, d, value.Leaf(second), acc)
	case in[4] == spirvtab.GLSLDeterminant:
		value.Determinant(r, id, ops[0])
	case in[4] == spirvtab.GLSLMatrixInverse:
		value.Inverse(r, id, ops[0])
	case in[4] == spirvtab.GLSLInterpolateAtCentroid:
		interpolate(r, intrinsic.InterpDerefAtCentroid, id, ops)
	case in[4] == spirvtab.GLSLInterpolateAtSample:
		interpolate(r, intrinsic.InterpDerefAtSample, id, ops)
	case in[4] == spirvtab.GLSLInterpolateAtOffset:
		interpolate(r, intrinsic.InterpDerefAtOffset, id, ops)
	default:
		var args [4]ir.Src
		for i, o := range ops {
			args[i] = value.Src(r, o)
		}
		if x.Wide && r.TypeOf(id).Bits == 16 {
			wide(r, id, x, args[:len(ops)])
			return
		}
		programs(r, id, x.Program, args[:len(ops)])
	}
}

// wide computes an instruction on 16-bit floats in 32 bits.
func wide(r *module.Reader, id uint32, x *spirvtab.Ext, args []ir.Src) {
	for i, a := range args {
		if value.BitsOf(r, a) != 16 {
			r.Fail("GLSL.std.450 %s: an operand has %d bits, but the result has 16", x.Name, value.BitsOf(r, a))
		}
		args[i] = value.Alu(r, op.F2F32, a)
	}
	value.SetSrc(r, id, value.Alu(r, op.F2F16, run(r, x.Program[0], args, 32)))
}

// Rounding modes (SPIR-V specification 3.16).
const (
	roundEven = 0
	roundZero = 1
)

// convertFloat reads OpFConvert; a decoration may specify the rounding mode.
func convertFloat(r *module.Reader, info *spirvtab.Op, in []uint32) {
	id := in[2]
	mode, ok := r.Find(id, spirvtab.DecorationFPRoundingMode)
	if !ok {
		arithmetic(r, info, in)
		return
	}
	s := value.Src(r, in[3])
	t := r.TypeOf(id)
	switch {
	case value.BitsOf(r, s) <= t.Bits:
		arithmetic(r, info, in)
	case t.Bits == 16 && mode == roundEven:
		value.SetSrc(r, id, value.Alu(r, op.F2F16Rtne, s))
	case t.Bits == 16 && mode == roundZero:
		value.SetSrc(r, id, value.Alu(r, op.F2F16Rtz, s))
	case mode == roundEven:
		arithmetic(r, info, in)
	default:
		r.Refuse("rounding mode %d to %d bits is not supported", mode, t.Bits)
	}
}

// bitcast reinterprets a value's bits as another type. If component sizes differ, components are split or packed, the
// lowest bits first.
func bitcast(r *module.Reader, in []uint32) {
	id := in[2]
	t := r.TypeOf(id)
	if t.Comps == 0 || t.Bits == 1 {
		r.Fail("the result is neither a numeric scalar or vector nor a pointer value")
	}
	s := value.Src(r, in[3])
	from := value.BitsOf(r, s)
	if int(from)*int(s.N) != int(t.Bits)*int(t.Comps) || from == 1 {
		r.Fail("the operand has %d bits, but the result has %d", int(from)*int(s.N), int(t.Bits)*int(t.Comps))
	}
	var parts []ir.Src
	for i := range int(s.N) {
		parts = append(parts, s.Comp(i))
	}
	for bits := from; bits > t.Bits; {
		var next []ir.Src
		for _, p := range parts {
			next = split(r, next, p, bits, t.Bits)
		}
		parts = next
		bits = uint8(int(from) * int(s.N) / len(parts))
	}
	for bits := from; bits < t.Bits; {
		parts = join(r, parts, bits, t.Bits)
		bits = uint8(int(from) * int(s.N) / len(parts))
	}
	if from == t.Bits {
		value.SetSrc(r, id, s)
		return
	}
	value.SetSrc(r, id, value.Vec(r, parts))
}

// split appends the halves of a scalar to parts, or the bytes of a doubleword if the result has bytes.
func split(r *module.Reader, parts []ir.Src, s ir.Src, from, to uint8) []ir.Src {
	switch {
	case from == 64:
		return append(parts, value.Alu(r, op.Unpack64_2x32SplitX, s), value.Alu(r, op.Unpack64_2x32SplitY, s))
	case from == 32 && to == 16:
		return append(parts, value.Alu(r, op.Unpack32_2x16SplitX, s), value.Alu(r, op.Unpack32_2x16SplitY, s))
	case from == 32:
		x := value.Alu(r, op.Unpack32_4x8, s)
		return append(parts, x.Comp(0), x.Comp(1), x.Comp(2), x.Comp(3))
	}
	return append(parts, value.Alu(r, op.U2U8, s), value.Alu(r, op.U2U8, value.Alu(r, op.UShr, s, value.Imm(r, 8))))
}

// join combines scalars in pairs, or bytes in fours if the result's components have at least 32 bits.
func join(r *module.Reader, parts []ir.Src, from, to uint8) []ir.Src {
	var next []ir.Src
	for ; len(parts) > 0; parts = parts[2:] {
		x, y := parts[0], parts[1]
		switch {
		case from == 32:
			x = value.Alu(r, op.Pack64_2x32Split, x, y)
		case from == 16:
			x = value.Alu(r, op.Pack32_2x16Split, x, y)
		case to == 16:
			x = value.Alu(r, op.IOr, value.Alu(r, op.U2U16, x), value.Alu(r, op.IShl, value.Alu(r, op.U2U16, y), value.Imm(r, 8)))
		default:
			x = value.Alu(r, op.Pack32_4x8Split, x, y, parts[2], parts[3])
			parts = parts[2:]
		}
		next = append(next, x)
	}
	return next
}
