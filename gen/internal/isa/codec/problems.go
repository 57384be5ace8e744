// SPDX-License-Identifier: MIT

package codec

import "jacquard.example/gen/internal/emit"

// problem is a reason why there is no encoding or no instruction.
type problem struct{ name, text string }

// encodeProblems are the reasons for which an instruction has no encoding.
var encodeProblems = []problem{
	{"encodeOK", ""},
	{"badPlatform", "unknown platform"},
	{"badOpcode", "the platform has no such opcode"},
	{"badSWSB", "the scoreboard field of the instruction cannot hold these waits together"},
	{"noSWSB", "the platform has no software scoreboard"},
	{"noAtomic", "the platform has no Atomic"},
	{"noSwitch", "the platform has no Switch here"},
	{"noNoPreempt", "the platform has no NoPreempt here"},
	{"noDep", "the platform has no NoDDClr and NoDDChk here"},
	{"noAlign16", "the platform has no choice of access mode here"},
	{"badThread", "Atomic, Switch and NoPreempt exclude each other"},
	{"badExecSize", "execution size is not 1, 2, 4, 8, 16 or 32"},
	{"badChanOff", "channel offset is not a multiple of 4, or of 8 on some platforms, below 32"},
	{"badPred", "undefined predicate or flag"},
	{"noPred", "the opcode cannot be predicated"},
	{"badCMod", "undefined condition modifier"},
	{"noCMod", "the opcode takes no condition modifier"},
	{"noTable", "the opcode has no function of three bits"},
	{"noAccWr", "the platform has no AccWrEn"},
	{"noSat", "the opcode cannot saturate"},
	{"badMath", "undefined math function"},
	{"mathIndirect", "math takes no indirect operands"},
	{"badMacro", "a math macro's operands have math-macro registers 0 to 7 or none, and its destination stride 1"},
	{"badSync", "undefined sync function"},
	{"badSFID", "undefined shared function"},
	{"badDstType", "the destination's type has no encoding here"},
	{"badDstStride", "destination stride is not encodable"},
	{"badDstFile", "the destination is not a register this format can name"},
	{"badReg", "the platform has no such architecture register"},
	{"badSub", "subregister is not encodable"},
	{"badAddress", "address subregister or offset out of range"},
	{"badSrcType", "a source's type has no encoding here"},
	{"badSrcFile", "a source is not a register this format can name"},
	{"badRegion", "a source's region is not encodable"},
	{"badMods", "the opcode has no such source modifier"},
	{"noSwizzle", "these words have no swizzle and no write mask"},
	{"badSwizzle", "swizzles and write masks are of four lanes or more, of elements of 2 or 4 bytes, and of vectors"},
	{"loneLane", "one of four lanes without a swizzle is an execution size of 1"},
	{"badImm", "an immediate of this type has no encoding here"},
	{"badImm64", "a 64-bit immediate excludes a condition modifier"},
	{"badPayload", "a message's operands are whole registers"},
	{"badDesc", "the descriptor comes from a0, so the immediate must be 0"},
	{"wideDesc", "the descriptor has more bits than the word holds"},
	{"badExDesc", "extended descriptor is not encodable"},
	{"badBranchCtrl", "the opcode has no branch control"},
	{"badTarget", "a branch's target is too far away, or not at a multiple of 8 bytes"},
}

// decodeProblems are the reasons why a word is not an instruction.
var decodeProblems = []problem{
	{"decodeOK", ""},
	{"unknownPlatform", "unknown platform"},
	{"unknownOpcode", "unknown opcode"},
	{"unknownSWSB", "undefined scoreboard field"},
	{"unknownAccess", "no words of the opcode are known in this access mode, Align1 or Align16"},
	{"unknownThread", "undefined thread control"},
	{"unknownExecSize", "undefined execution size"},
	{"unknownPred", "undefined predicate"},
	{"unknownCMod", "undefined condition modifier"},
	{"unknownMath", "undefined math function"},
	{"unknownMacro", "math with an indirect operand, or a macro with an undefined math-macro register or a stride"},
	{"unknownSync", "undefined sync function"},
	{"unknownSFID", "undefined shared function"},
	{"unknownType", "undefined operand type"},
	{"unknownRegion", "undefined region"},
	{"unknownSwizzle", "a swizzle or write mask of fewer than four lanes, or of elements that have neither 2 nor 4 bytes"},
	{"unknownFile", "undefined register file"},
	{"unknownReg", "the platform has no such architecture register"},
	{"unknownMods", "a source modifier where the opcode has none"},
	{"unknownDesc", "the descriptor is neither an immediate nor in a0.0"},
	{"unknownOption", "undefined option of a message"},
	{"twoImmediates", "an immediate where the format has none"},
	{"unknownCompact", "this opcode has no compacted form"},
	{"truncated", "truncated instruction"},
}

// problems declares the reasons and their texts.
func problems(f *emit.File, doc, typ, table string, list []problem) {
	var names []emit.Name
	var texts emit.Rows
	for _, p := range list {
		names = append(names, emit.Name{Name: p.name})
		if p.text != "" {
			texts.F("%s: %q,\n", p.name, p.text)
		}
	}
	f.Enum(doc, typ, "uint8", "", names)
	f.Table("", table, "[...]string", &texts)
}
