package spirv

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
	member uint32 // noMember: the decoration is of the id itself
	next   uint32
}

const (
	noMember   = ^uint32(0)
	memberName = ^uint32(0) // as num: an OpMemberName, kept in the same list
)

// moduleInstr reads an instruction outside functions.
func (r *reader) moduleInstr(info *spirvtab.Op, in []uint32) {
	switch info.Num {
	case spirvtab.OpNop, spirvtab.OpSource, spirvtab.OpSourceContinued, spirvtab.OpSourceExtension, spirvtab.OpExtension,
		spirvtab.OpModuleProcessed:
	case spirvtab.OpLine, spirvtab.OpNoLine:
		r.noteLine(in)
	case spirvtab.OpMemberName:
		rec := &r.ids[in[1]]
		r.decs = append(r.decs, decoration{word: r.at, lit: 3, num: memberName, member: in[2], next: rec.dec})
		rec.dec = uint32(len(r.decs) - 1)
	case spirvtab.OpString, spirvtab.OpDecorationGroup:
		r.ids[in[1]].kind = idOther
		if info.Num == spirvtab.OpDecorationGroup {
			r.ids[in[1]].kind = idGroup
		}
	case spirvtab.OpName:
		r.ids[in[1]].name = r.at
	case spirvtab.OpCapability:
		if c := spirvtab.Capabilities.Lookup(in[1]); c == nil || !c.Read {
			r.checkStage()
			r.known("capability", spirvtab.Capabilities, in[1])
		}
		switch in[1] {
		case spirvtab.CapabilityVariablePointers, spirvtab.CapabilityVariablePointersStorageBuffer:
			r.varPointers = true
		case spirvtab.CapabilityWorkgroupMemoryExplicitLayoutKHR:
			r.workgroupLayout = true
		case spirvtab.CapabilityStorageBuffer16BitAccess, spirvtab.CapabilityUniformAndStorageBuffer16BitAccess,
			spirvtab.CapabilityStoragePushConstant16, spirvtab.CapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR:
			r.smallAccess |= 2
		case spirvtab.CapabilityStorageBuffer8BitAccess, spirvtab.CapabilityUniformAndStorageBuffer8BitAccess,
			spirvtab.CapabilityStoragePushConstant8, spirvtab.CapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR:
			r.smallAccess |= 1
		case spirvtab.CapabilityUntypedPointersKHR:
			// Decorations of a member in one view of the memory do not hold for other views.
			r.untyped, r.unclaimed = true, kind.AccessNonWriteable|kind.AccessNonReadable
		case spirvtab.CapabilityFloatControls2:
			r.floatControls2 = true
		}
	case spirvtab.OpMemoryModel:
		r.known("addressing model", spirvtab.AddressingModels, in[1])
		r.known("memory model", spirvtab.MemoryModels, in[2])
	case spirvtab.OpExtInstImport:
		r.extInstImport(in)
	case spirvtab.OpEntryPoint:
		r.entryPoint(in)
	case spirvtab.OpExecutionMode, spirvtab.OpExecutionModeId:
		r.modes = append(r.modes, r.at)
	case spirvtab.OpDecorate, spirvtab.OpDecorateId, spirvtab.OpDecorateString:
		r.decorate(in[1], in[2], noMember, 3)
	case spirvtab.OpMemberDecorate, spirvtab.OpMemberDecorateString:
		r.decorate(in[1], in[3], in[2], 4)
	case spirvtab.OpGroupDecorate, spirvtab.OpGroupMemberDecorate:
		r.groupDecorate(info, in)
	case spirvtab.OpVariable, spirvtab.OpUntypedVariableKHR:
		r.variable(in)
	case spirvtab.OpUndef:
		r.ids[in[2]].kind = idUndef
	case spirvtab.OpFunction:
		r.beginFunction(in)
	case spirvtab.OpExtInst, spirvtab.OpExtInstWithForwardRefsKHR:
		if !r.nonSemantic(in) {
			r.fail("a semantic extended instruction outside a function")
		}
		r.ids[in[2]].kind = idOther
		r.noteLine(in)
	default:
		switch info.Category {
		case spirvtab.CategoryType:
			r.typeInstr(info, in)
		case spirvtab.CategoryConstant:
			r.constant(in)
		default:
			r.fail("is not allowed outside a function")
		}
	}
}

// known returns the row of a value that the reader accepts. It refuses other values, by name if the SPIR-V registry has
// one.
func (r *reader) known(what string, values spirvtab.Enum, num uint32) *spirvtab.Value {
	v := values.Lookup(num)
	switch {
	case v == nil:
		r.fail("unknown %s %d", what, num)
	case !v.Read:
		r.refuse("%s %s is not supported", what, v.Name)
	}
	return v
}

// nonSemantic reports whether an extended instruction is of a set without semantics.
func (r *reader) nonSemantic(in []uint32) bool { return r.ids[in[3]].kind == idNonSemantic }

func (r *reader) extInstImport(in []uint32) {
	name := r.text(r.at + 2)
	rec := &r.ids[in[1]]
	switch {
	case string(name) == "GLSL.std.450":
		rec.kind = idGLSL
	case string(name) == "SPV_AMD_shader_trinary_minmax":
		rec.kind = idTrinary
	case string(name) == debugSet:
		rec.kind, rec.aux = idNonSemantic, 1
	case bytes.HasPrefix(name, []byte("NonSemantic.")), string(name) == "DebugInfo", string(name) == "OpenCL.DebugInfo.100":
		rec.kind = idNonSemantic
	default:
		r.refuse("the extended instruction set %q is not supported", name)
	}
}

func (r *reader) entryPoint(in []uint32) {
	name := r.text(r.at + 3)
	model := spirvtab.ExecutionModels.Lookup(in[1])
	if r.opt.Entry != "" && string(name) != r.opt.Entry {
		return
	}
	switch {
	case model == nil:
		r.fail("unknown execution model %d", in[1])
	case !model.Read:
		if r.opt.Entry != "" {
			r.refuse("entry point %q: execution model %s is not supported", name, model.Name)
		}
		return
	case kind.Stage(model.To) != r.opt.Stage:
		return
	case r.entryWord != 0:
		r.fail("a second entry point %q for the same stage; specify one", name)
	}
	r.entryWord, r.entryFunc = r.at, in[2]
	r.s.Info.Entry = r.s.Strs.InternBytes(name)
	for _, id := range in[3+stringWords(in[3:]):] {
		r.ids[id].flags |= flagInterface
	}
}

func (r *reader) decorate(target, num, member uint32, lit uint32) {
	d := r.known("decoration", spirvtab.Decorations, num)
	if d.Skip {
		return
	}
	if need := decorationLiterals(num); int(lit+need) > len(r.ins(r.at)) {
		r.fail("decoration %s needs %d literals", d.Name, need)
	}
	rec := &r.ids[target]
	r.decs = append(r.decs, decoration{word: r.at, lit: lit, num: num, member: member, next: rec.dec})
	rec.dec = uint32(len(r.decs) - 1)
	if num == spirvtab.DecorationBuiltIn && member == noMember && r.words[r.at+lit] == workgroupSize {
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
func (r *reader) groupDecorate(info *spirvtab.Op, in []uint32) {
	if r.ids[in[1]].kind != idGroup {
		r.fail("id %d is not a decoration group", in[1])
	}
	step := 1
	if info.Num == spirvtab.OpGroupMemberDecorate {
		step = 2
	}
	for i := 2; i+step <= len(in); i += step {
		target, member := in[i], noMember
		if step == 2 {
			member = in[i+1]
		}
		if target == 0 || target >= r.bound || target == in[1] {
			r.fail("word %d: id %d cannot be decorated", i, target)
		}
		for d := r.ids[in[1]].dec; d != 0; d = r.decs[d].next {
			r.count(1)
			c := r.decs[d]
			c.member, c.next = member, r.ids[target].dec
			r.decs = append(r.decs, c)
			r.ids[target].dec = uint32(len(r.decs) - 1)
		}
	}
}

// find returns the first literal of a decoration of id.
func (r *reader) find(id, num uint32) (lit uint32, ok bool) {
	for d := r.ids[id].dec; d != 0; d = r.decs[d].next {
		if x := &r.decs[d]; x.num == num && x.member == noMember {
			if int(x.lit) < len(r.ins(x.word)) {
				lit = r.words[x.word+x.lit]
			}
			return lit, true
		}
	}
	return 0, false
}

// has reports whether id itself has a decoration.
func (r *reader) has(id, num uint32) bool {
	_, ok := r.find(id, num)
	return ok
}

// access returns the access qualifiers of id, or of a member of it.
func (r *reader) access(id, member uint32) kind.Access {
	var a kind.Access
	for d := r.ids[id].dec; d != 0; d = r.decs[d].next {
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

// nameOf returns the OpName of an id.
func (r *reader) nameOf(id uint32) ir.Str {
	w := r.ids[id].name
	if w == 0 {
		return 0
	}
	return r.s.Strs.InternBytes(r.text(w + 2))
}

// setUp processes the parts of the module that need all of it: the entry point, execution modes, the workgroup size.
func (r *reader) setUp() {
	if r.entryWord == 0 {
		r.at = uint32(len(r.words))
		r.checkStage()
		if r.opt.Entry != "" {
			r.fail("no entry point %q", r.opt.Entry)
		}
		r.fail("no entry point")
	}
	r.at = r.entryWord
	if r.ids[r.entryFunc].kind != idFunc {
		r.fail("id %d is not a function", r.entryFunc)
	}
	r.s.Info.Stage = r.opt.Stage
	info := &r.s.Info
	for _, w := range r.modes {
		if r.words[w+1] == r.entryFunc {
			r.at = w
			r.executionMode(info, r.ins(w))
		}
	}
	if id := r.sizeBuiltin; id != 0 {
		r.at = max(r.ids[id].word, headerWords)
		for i := range info.WorkgroupSize {
			info.WorkgroupSize[i] = r.constElem(id, i)
		}
	}
	r.derivativeGroup()
	r.at = r.entryWord
	for _, n := range info.WorkgroupSize {
		if r.opt.Stage != kind.StageCompute {
			break
		}
		if n == 0 || n > 1<<16 {
			r.fail("the size of a workgroup is %d x %d x %d", info.WorkgroupSize[0], info.WorkgroupSize[1], info.WorkgroupSize[2])
		}
	}
	r.setFloatMask()
	entry := r.ids[r.entryFunc].aux
	if f := &r.funcs[entry]; f.nparams != 0 || r.typeAt(r.words[f.word+1]).op != spirvtab.OpTypeVoid {
		r.fail("an entry point must not have parameters or a result")
	}
	r.checkCalls(entry)
	r.declare(entry)
	r.s.Func(r.funcs[entry].ir).Entry = true
}

// constElem returns component i of a constant vector or composite of scalars.
func (r *reader) constElem(id uint32, i int) uint32 {
	rec := &r.ids[id]
	switch rec.kind {
	case idConst:
		if t := r.typeOf(id); i < int(t.comps) {
			return uint32(r.bits[int(rec.aux)+i])
		}
	}
	r.fail("WorkgroupSize is not a constant vector of three integers")
	return 0
}

func (r *reader) executionMode(info *ir.Info, in []uint32) {
	m := r.known("execution mode", spirvtab.ExecutionModes, in[2])
	number := func() uint32 {
		if len(in) < 4 {
			r.fail("execution mode %s needs a number", m.Name)
		}
		return in[3]
	}
	info.Modes |= kind.StageMode(m.To)
	size := func() uint8 {
		if len(in) < 4 {
			r.fail("execution mode %s needs a width", m.Name)
		}
		switch in[3] {
		case 16:
			return 1
		case 32:
			return 2
		case 64:
			return 4
		}
		r.refuse("execution mode %s: floats of %d bits are not supported", m.Name, in[3])
		return 0
	}
	switch in[2] {
	case spirvtab.ModeLocalSize, spirvtab.ModeLocalSizeId:
		if len(in) < 6 {
			r.fail("execution mode %s needs three sizes", m.Name)
		}
		for i := range info.WorkgroupSize {
			info.WorkgroupSize[i] = in[3+i]
			if in[2] == spirvtab.ModeLocalSizeId {
				n, ok := r.constScalar(in[3+i])
				if !ok {
					r.fail("id %d is not a constant integer", in[3+i])
				}
				info.WorkgroupSize[i] = uint32(n)
			}
		}
	case spirvtab.ModeDerivativeGroupQuadsNV, spirvtab.ModeDerivativeGroupLinearNV:
		r.groupWord = r.at
	case spirvtab.ModeRequireFullQuadsKHR:
		if r.opt.Stage != kind.StageFragment {
			r.refuse("execution mode %s is not supported in a %s shader, only in a fragment shader", m.Name, r.opt.Stage)
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
func (r *reader) setFloatMask() {
	info := &r.s.Info
	if r.fast.on && info.SignedZeroInfNaN != 0 {
		r.fail("the entry point uses both FPFastMathDefault and SignedZeroInfNanPreserve")
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
