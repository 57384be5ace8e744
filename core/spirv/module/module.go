// SPDX-License-Identifier: MIT

package module

import (
	"bytes"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// decoration is a decoration of an id or of a member, in a linked list.
type decoration struct {
	word   uint32 // the instruction; its literals start at lit
	lit    uint32
	num    uint32
	member uint32 // NoMember: the decoration is of the id itself
	next   uint32
}

const (
	NoMember   = ^uint32(0) // as member: the decoration is of the whole id
	memberName = ^uint32(0) // as num: an OpMemberName, kept in the same list
)

// moduleInstr reads an instruction outside functions.
func (r *Reader) moduleInstr(info *spirvtab.Op, in []uint32) {
	switch info.Num {
	case spirvtab.OpNop, spirvtab.OpSource, spirvtab.OpSourceContinued, spirvtab.OpSourceExtension, spirvtab.OpExtension,
		spirvtab.OpModuleProcessed:
	case spirvtab.OpLine, spirvtab.OpNoLine:
		r.noteLine(in)
	case spirvtab.OpMemberName:
		rec := &r.Ids[in[1]]
		r.decs = append(r.decs, decoration{word: r.At, lit: 3, num: memberName, member: in[2], next: rec.Dec})
		rec.Dec = uint32(len(r.decs) - 1)
	case spirvtab.OpString, spirvtab.OpDecorationGroup:
		r.Ids[in[1]].Kind = IdOther
		if info.Num == spirvtab.OpDecorationGroup {
			r.Ids[in[1]].Kind = idGroup
		}
	case spirvtab.OpName:
		r.Ids[in[1]].name = r.At
	case spirvtab.OpCapability:
		if c := spirvtab.Capabilities.Lookup(in[1]); c == nil || !c.Read {
			r.checkStage()
			r.Known("capability", spirvtab.Capabilities, in[1])
		}
		switch in[1] {
		case spirvtab.CapabilityVariablePointers, spirvtab.CapabilityVariablePointersStorageBuffer:
			r.varPointers = true
		case spirvtab.CapabilityWorkgroupMemoryExplicitLayoutKHR:
			r.workgroupLayout = true
		case spirvtab.CapabilityStorageBuffer16BitAccess, spirvtab.CapabilityUniformAndStorageBuffer16BitAccess,
			spirvtab.CapabilityStoragePushConstant16, spirvtab.CapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR:
			r.SmallAccess |= 2
		case spirvtab.CapabilityStorageBuffer8BitAccess, spirvtab.CapabilityUniformAndStorageBuffer8BitAccess,
			spirvtab.CapabilityStoragePushConstant8, spirvtab.CapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR:
			r.SmallAccess |= 1
		case spirvtab.CapabilityUntypedPointersKHR:
			// Decorations of a member in one view of the memory do not hold for other views.
			r.untyped, r.unclaimed = true, kind.AccessNonWriteable|kind.AccessNonReadable
		case spirvtab.CapabilityFloatControls2:
			r.floatControls2 = true
		}
	case spirvtab.OpMemoryModel:
		r.Known("addressing model", spirvtab.AddressingModels, in[1])
		r.Known("memory model", spirvtab.MemoryModels, in[2])
	case spirvtab.OpExtInstImport:
		r.extInstImport(in)
	case spirvtab.OpEntryPoint:
		r.entryPoint(in)
	case spirvtab.OpExecutionMode, spirvtab.OpExecutionModeId:
		r.modes = append(r.modes, r.At)
	case spirvtab.OpDecorate, spirvtab.OpDecorateId, spirvtab.OpDecorateString:
		r.decorate(in[1], in[2], NoMember, 3)
	case spirvtab.OpMemberDecorate, spirvtab.OpMemberDecorateString:
		r.decorate(in[1], in[3], in[2], 4)
	case spirvtab.OpGroupDecorate, spirvtab.OpGroupMemberDecorate:
		r.groupDecorate(info, in)
	case spirvtab.OpVariable, spirvtab.OpUntypedVariableKHR:
		r.variable(in)
	case spirvtab.OpUndef:
		r.Ids[in[2]].Kind = IdUndef
	case spirvtab.OpFunction:
		r.beginFunction(in)
	case spirvtab.OpExtInst, spirvtab.OpExtInstWithForwardRefsKHR:
		if !r.NonSemantic(in) {
			r.Fail("an extended instruction that is not non-semantic is only allowed in a function")
		}
		r.Ids[in[2]].Kind = IdOther
		r.noteLine(in)
	default:
		switch info.Category {
		case spirvtab.CategoryType:
			r.typeInstr(info, in)
		case spirvtab.CategoryConstant:
			r.constant(in)
		default:
			r.Fail("is not allowed outside a function")
		}
	}
}

// Known returns the row of a value that the reader accepts. It rejects other values, by name if the SPIR-V registry has
// one.
func (r *Reader) Known(what string, values spirvtab.Enum, num uint32) *spirvtab.Value {
	v := values.Lookup(num)
	switch {
	case v == nil:
		r.Fail("unknown %s %d", what, num)
	case !v.Read:
		r.Refuse("%s %s is not supported", what, v.Name)
	}
	return v
}

// NonSemantic reports whether an extended instruction is of a set without semantics.
func (r *Reader) NonSemantic(in []uint32) bool { return r.Ids[in[3]].Kind == IdNonSemantic }

func (r *Reader) extInstImport(in []uint32) {
	name := r.text(r.At + 2)
	rec := &r.Ids[in[1]]
	switch {
	case string(name) == "GLSL.std.450":
		rec.Kind = IdGLSL
	case string(name) == "SPV_AMD_shader_trinary_minmax":
		rec.Kind = IdTrinary
	case string(name) == debugSet:
		rec.Kind, rec.Aux = IdNonSemantic, 1
	case bytes.HasPrefix(name, []byte("NonSemantic.")), string(name) == "DebugInfo", string(name) == "OpenCL.DebugInfo.100":
		rec.Kind = IdNonSemantic
	default:
		r.Refuse("the extended instruction set %q is not supported", name)
	}
}

func (r *Reader) entryPoint(in []uint32) {
	name := r.text(r.At + 3)
	model := spirvtab.ExecutionModels.Lookup(in[1])
	if r.Opt.Entry != "" && string(name) != r.Opt.Entry {
		return
	}
	switch {
	case model == nil:
		r.Fail("unknown execution model %d", in[1])
	case !model.Read:
		if r.Opt.Entry != "" {
			r.Refuse("entry point %q: execution model %s is not supported", name, model.Name)
		}
		return
	case kind.Stage(model.To) != r.Opt.Stage:
		return
	case r.entryWord != 0:
		r.Fail("a second entry point %q for the same stage; specify one", name)
	}
	r.entryWord, r.entryFunc = r.At, in[2]
	r.S.Info.Entry = r.S.Strs.InternBytes(name)
	for _, id := range in[3+stringWords(in[3:]):] {
		r.Ids[id].Flags |= flagInterface
	}
}

func (r *Reader) decorate(target, num, member uint32, lit uint32) {
	d := r.Known("decoration", spirvtab.Decorations, num)
	if d.Skip {
		return
	}
	if need := decorationLiterals(num); int(lit+need) > len(r.Ins(r.At)) {
		r.Fail("decoration %s has too few literals; it needs %d", d.Name, need)
	}
	rec := &r.Ids[target]
	r.decs = append(r.decs, decoration{word: r.At, lit: lit, num: num, member: member, next: rec.Dec})
	rec.Dec = uint32(len(r.decs) - 1)
	if num == spirvtab.DecorationBuiltIn && member == NoMember && r.Words[r.At+lit] == workgroupSize {
		r.sizeBuiltin = target
	}
}

// workgroupSize is the builtin WorkgroupSize, a constant that sets the workgroup size.
const workgroupSize = 25

func decorationLiterals(num uint32) uint32 {
	switch num {
	case spirvtab.DecorationSpecId, spirvtab.DecorationArrayStride, spirvtab.DecorationMatrixStride, spirvtab.DecorationBuiltIn,
		spirvtab.DecorationBinding, spirvtab.DecorationLocation, spirvtab.DecorationComponent, spirvtab.DecorationIndex,
		spirvtab.DecorationDescriptorSet, spirvtab.DecorationOffset, spirvtab.DecorationFPRoundingMode, spirvtab.DecorationFPFastMathMode,
		spirvtab.DecorationInputAttachmentIndex, spirvtab.DecorationXfbBuffer, spirvtab.DecorationXfbStride:
		return 1
	}
	return 0
}

// groupDecorate copies the decorations of a group to its targets.
func (r *Reader) groupDecorate(info *spirvtab.Op, in []uint32) {
	if r.Ids[in[1]].Kind != idGroup {
		r.Fail("id %d is not a decoration group", in[1])
	}
	step := 1
	if info.Num == spirvtab.OpGroupMemberDecorate {
		step = 2
	}
	for i := 2; i+step <= len(in); i += step {
		target, member := in[i], NoMember
		if step == 2 {
			member = in[i+1]
		}
		if target == 0 || target >= r.Bound || target == in[1] {
			r.Fail("word %d: id %d cannot be decorated", i, target)
		}
		for d := r.Ids[in[1]].Dec; d != 0; d = r.decs[d].next {
			r.Count(1)
			c := r.decs[d]
			c.member, c.next = member, r.Ids[target].Dec
			r.decs = append(r.decs, c)
			r.Ids[target].Dec = uint32(len(r.decs) - 1)
		}
	}
}

// Find returns the first literal of a decoration of id itself, or 0 if it has no literals. It returns false if id does
// not have the decoration.
func (r *Reader) Find(id, num uint32) (lit uint32, ok bool) {
	for d := r.Ids[id].Dec; d != 0; d = r.decs[d].next {
		if x := &r.decs[d]; x.num == num && x.member == NoMember {
			if int(x.lit) < len(r.Ins(x.word)) {
				lit = r.Words[x.word+x.lit]
			}
			return lit, true
		}
	}
	return 0, false
}

// Has reports whether id itself has a decoration.
func (r *Reader) Has(id, num uint32) bool {
	_, ok := r.Find(id, num)
	return ok
}

// Access returns the access qualifiers of id, or of a member of it.
func (r *Reader) Access(id, member uint32) kind.Access {
	var a kind.Access
	for d := r.Ids[id].Dec; d != 0; d = r.decs[d].next {
		if x := &r.decs[d]; x.member == member {
			a |= accessOf(x.num)
		}
	}
	return a
}

func accessOf(num uint32) kind.Access {
	switch num {
	case spirvtab.DecorationCoherent:
		return kind.AccessCoherent
	case spirvtab.DecorationVolatile:
		return kind.AccessVolatile
	case spirvtab.DecorationRestrict:
		return kind.AccessRestrict
	case spirvtab.DecorationAliased:
		return kind.AccessAliased
	case spirvtab.DecorationNonWritable:
		return kind.AccessNonWriteable
	case spirvtab.DecorationNonReadable:
		return kind.AccessNonReadable
	case spirvtab.DecorationNonUniform:
		return kind.AccessNonUniform
	}
	return 0
}

// NameOf returns the OpName of an id, or 0 if it has none.
func (r *Reader) NameOf(id uint32) ir.Str {
	w := r.Ids[id].name
	if w == 0 {
		return 0
	}
	return r.S.Strs.InternBytes(r.text(w + 2))
}

// SetUp processes the parts that depend on the whole module: the entry point, execution modes, the workgroup size.
func (r *Reader) SetUp() {
	if r.entryWord == 0 {
		r.At = uint32(len(r.Words))
		r.checkStage()
		if r.Opt.Entry != "" {
			r.Fail("no entry point %q", r.Opt.Entry)
		}
		r.Fail("no entry point")
	}
	r.At = r.entryWord
	if r.Ids[r.entryFunc].Kind != idFunc {
		r.Fail("id %d is not a function", r.entryFunc)
	}
	r.S.Info.Stage = r.Opt.Stage
	info := &r.S.Info
	for _, w := range r.modes {
		if r.Words[w+1] == r.entryFunc {
			r.At = w
			r.executionMode(info, r.Ins(w))
		}
	}
	if id := r.sizeBuiltin; id != 0 {
		r.At = max(r.Ids[id].Word, headerWords)
		for i := range info.WorkgroupSize {
			info.WorkgroupSize[i] = r.constElem(id, i)
		}
	}
	r.derivativeGroup()
	r.At = r.entryWord
	for _, n := range info.WorkgroupSize {
		if r.Opt.Stage != kind.StageCompute {
			break
		}
		if n == 0 || n > 1<<16 {
			r.Fail("the size of a workgroup is %d x %d x %d; each number must be from 1 to 65536",
				info.WorkgroupSize[0], info.WorkgroupSize[1], info.WorkgroupSize[2])
		}
	}
	r.setFloatMask()
	entry := r.Ids[r.entryFunc].Aux
	if f := &r.Funcs[entry]; f.Nparams != 0 || r.TypeAt(r.Words[f.Word+1]).Op != spirvtab.OpTypeVoid {
		r.Fail("an entry point must not have parameters or a result")
	}
	r.checkCalls(entry)
	r.Declare(entry)
	r.S.Func(r.Funcs[entry].Ir).Entry = true
}

// constElem returns component i of WorkgroupSize, a constant vector.
func (r *Reader) constElem(id uint32, i int) uint32 {
	rec := &r.Ids[id]
	switch rec.Kind {
	case IdConst:
		if t := r.TypeOf(id); i < int(t.Comps) {
			return uint32(r.Bits[int(rec.Aux)+i])
		}
	}
	r.Fail("WorkgroupSize is not a constant vector of three integers")
	return 0
}

func (r *Reader) executionMode(info *ir.Info, in []uint32) {
	m := r.Known("execution mode", spirvtab.ExecutionModes, in[2])
	number := func() uint32 {
		if len(in) < 4 {
			r.Fail("execution mode %s needs a number", m.Name)
		}
		return in[3]
	}
	info.Modes |= kind.StageMode(m.To)
	size := func() uint8 {
		if len(in) < 4 {
			r.Fail("execution mode %s needs a width", m.Name)
		}
		switch in[3] {
		case 16:
			return 1
		case 32:
			return 2
		case 64:
			return 4
		}
		r.Refuse("execution mode %s: %d-bit floats are not supported", m.Name, in[3])
		return 0
	}
	switch in[2] {
	case spirvtab.ModeLocalSize, spirvtab.ModeLocalSizeId:
		if len(in) < 6 {
			r.Fail("execution mode %s needs three sizes", m.Name)
		}
		for i := range info.WorkgroupSize {
			info.WorkgroupSize[i] = in[3+i]
			if in[2] == spirvtab.ModeLocalSizeId {
				n, ok := r.ConstScalar(in[3+i])
				if !ok {
					r.Fail("id %d is not a constant integer", in[3+i])
				}
				info.WorkgroupSize[i] = uint32(n)
			}
		}
	case spirvtab.ModeDerivativeGroupQuadsNV, spirvtab.ModeDerivativeGroupLinearNV:
		r.groupWord = r.At
	case spirvtab.ModeRequireFullQuadsKHR:
		if r.Opt.Stage != kind.StageFragment {
			r.Refuse("execution mode %s is not supported in a %s shader, only in a fragment shader", m.Name, r.Opt.Stage)
		}
	case spirvtab.ModeInvocations:
		info.Invocations = number()
	case spirvtab.ModeOutputVertices:
		info.VerticesOut = number()
	case spirvtab.ModeDenormPreserve:
		info.DenormPreserve |= size()
	case spirvtab.ModeDenormFlushToZero:
		info.DenormFlush |= size()
	case spirvtab.ModeSignedZeroInfNanPreserve:
		info.SignedZeroInfNaN |= size()
	case spirvtab.ModeRoundingModeRTE:
		info.RoundTiesEven |= size()
	case spirvtab.ModeRoundingModeRTZ:
		info.RoundTowardZero |= size()
	case spirvtab.ModeFPFastMathDefault:
		r.fastDefault(in)
	}
}

// setFloatMask determines which guarantees float arithmetic may relax by default. Without NoContraction, operations may
// be combined and reassociated (SPIR-V specification 3.20, NoContraction). Without SignedZeroInfNanPreserve, the sign
// of zero need not be kept; Vulkan would permit dropping NaN and infinity too, but shaders test for them. Without a
// denorm mode, denormals may be flushed or kept (Vulkan specification, appendix "Precision and Operation of SPIR-V
// Instructions").
func (r *Reader) setFloatMask() {
	info := &r.S.Info
	if r.Fast.On && info.SignedZeroInfNaN != 0 {
		r.Fail("the entry point uses both FPFastMathDefault and SignedZeroInfNanPreserve")
	}
	if r.floatControls2 {
		r.findChoices()
	}
	for i := range r.floatMask {
		bit := uint8(1) << i
		m := kind.FloatContract | kind.FloatReassoc | kind.FloatTransform
		if info.SignedZeroInfNaN&bit == 0 {
			m |= kind.FloatNsz
		}
		if (info.DenormPreserve|info.DenormFlush)&bit == 0 {
			m |= kind.FloatDenorm
		}
		r.floatMask[i] = uint16(m)
	}
}
