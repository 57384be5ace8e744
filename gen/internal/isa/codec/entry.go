// SPDX-License-Identifier: MIT

package codec

import (
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
)

// Entry returns the file of the functions by which others encode and decode.
func Entry(t *isatab.Tables) *emit.File {
	f := emit.NewFile("isa", "")
	problems(f, "encodeProblem is the reason why an instruction has no encoding.", "encodeProblem", "encodeProblems", encodeProblems)
	f.Struct("EncodeError reports an instruction without an encoding, and the reason.", "EncodeError", `
		Op Op
		Msg string`)
	f.Returns("", "(e *EncodeError) Error() string", `"cannot encode " + e.Op.String() + ": " + e.Msg`)
	f.Func("Encode writes the instruction's full form, InstSize bytes, to out.", "Encode(p Platform, in *Inst, out []byte) error",
		emit.Go("w0, w1, why := encodeWord(p, in)"),
		emit.If("why != encodeOK", emit.Return("&EncodeError{in.Op, encodeProblems[why]}")),
		emit.If("len(out) < InstSize", emit.Return(`&EncodeError{in.Op, "no room for 16 bytes"}`)),
		emit.Go("binary.LittleEndian.PutUint64(out, w0)"),
		emit.Go("binary.LittleEndian.PutUint64(out[8:], w1)"),
		emit.Return("nil"))
	problems(f, "decodeProblem is the reason why a word is not an instruction.", "decodeProblem", "decodeProblems", decodeProblems)
	f.Struct("DecodeError reports bytes that are not an instruction, and the reason.", "DecodeError", `
		Code uint8 // the opcode field
		Msg string`)
	f.Returns("", "(e *DecodeError) Error() string", `e.Msg + " (opcode 0x" + strconv.FormatUint(uint64(e.Code), 16) + ")"`)
	f.Func("Decode reads the instruction at the start of code, full or compacted; its\nSize is the number of bytes that it takes.",
		"Decode(p Platform, code []byte) (Inst, error)",
		emit.Go("var in Inst"),
		emit.If("why := decode(p, code, &in); why != decodeOK", emit.Return("in, &DecodeError{opcodeAt(p, code), decodeProblems[why]}")),
		emit.Return("in, nil"))
	f.Func("opcodeAt is the number of the opcode at the start of code.", "opcodeAt(p Platform, code []byte) uint8",
		emit.Go("var word [InstSize]byte"),
		emit.Go("copy(word[:], code)"),
		emit.Return("opcodeBits(p, binary.LittleEndian.Uint64(word[:]), binary.LittleEndian.Uint64(word[8:]))"))
	f.Func("", "decode(p Platform, code []byte, in *Inst) decodeProblem",
		emit.If("p >= NumPlatforms", emit.Return("unknownPlatform")),
		emit.If("len(code) < InstSize/2", emit.Return("truncated")),
		emit.Go("w0 := binary.LittleEndian.Uint64(code)"),
		emit.If("w0>>words[p].Compacted&1 != 0",
			emit.Go("w0, w1, why := expandWord(p, w0)"),
			emit.If("why != decodeOK", emit.Return("why")),
			emit.Go("in.Size = InstSize / 2"),
			emit.Return("decodeWord(p, w0, w1, in)")),
		emit.If("len(code) < InstSize", emit.Return("truncated")),
		emit.Go("in.Size = InstSize"),
		emit.Return("decodeWord(p, w0, binary.LittleEndian.Uint64(code[8:]), in)"))
	f.Returns("IsCompacted reports whether the word at the start of code has the 64-bit form.", "IsCompacted(p Platform, code []byte) bool",
		"len(code) >= 8 && binary.LittleEndian.Uint64(code)>>words[p].Compacted&1 != 0")
	codeFuncs(f)
	operandFuncs(f)
	waitFuncs(f)
	return f
}

// codeFuncs writes how types are encoded, and registers known.
func codeFuncs(f *emit.File) {
	f.Consts("", []emit.Name{
		{Name: "noCode", Is: "= 0xFF", Above: "noCode marks a row that a platform lacks, and a value without a code."},
		{Name: "noValue", Is: "= 0xFE", Above: "noValue marks a code that means nothing."},
	})
	for _, x := range []struct{ name, table string }{{"regType", "typeCode"}, {"immType", "typeImm"}, {"ternaryType", "typeTernary"}} {
		f.Func("", x.name+"(p Platform, t Type) uint8",
			emit.If("int(t) >= NumTypes", emit.Return("noCode")),
			emit.Return(x.table+"[p][t]"))
	}
	f.Returns("known reports whether the platform has the register of a file.", "known(p Platform, f File, reg uint8) bool",
		"f != FileARF || reg&15 < ARFCounts[p][reg>>4]")
	f.Func("orARF is the file of a register that may be left out, and then is the null one.", "orARF(f File) File",
		emit.If("f == FileNone", emit.Return("FileARF")),
		emit.Return("f"))
}

// operandFuncs writes the operand predicates that all layouts share.
func operandFuncs(f *emit.File) {
	f.Returns("mathDirect reports that no operand of a math instruction is indirect.", "(in *Inst) mathDirect() bool",
		"!in.Dst.Indirect && !in.Src[0].Indirect && !in.Src[1].Indirect")
	f.Returns("macroOperands reports that the operands of a math macro have math-macro registers\n"+
		"that exist, and its destination the stride 1, which has no place in assembly.", "(in *Inst) macroOperands() bool",
		"in.Dst.HStride == 1 && in.Dst.Sub <= NoMME && in.Src[0].Sub <= NoMME && in.Src[1].Sub <= NoMME")
	f.Func("shared returns the type of source 1 or 2 in encodings that hold only source 0's type and, for each\n"+
		"of the others, whether it is a half float.",
		"(in *Inst) shared(half bool) Type",
		emit.Switch("t := in.Src[0].Type; ",
			emit.Case("t != TypeF && t != TypeHF", emit.Return("t")),
			emit.Case("half", emit.Return("TypeHF"))),
		emit.Return("TypeF"))
	f.Returns("swizzled reports whether a source has a swizzle.", "(in *Inst) swizzled() bool",
		"in.Src[0].Swizzle|in.Src[1].Swizzle|in.Src[2].Swizzle != 0")
	f.Func("inFours reports whether swizzles and write masks have four lanes to choose from, in\noperands whose elements they can choose.",
		"(in *Inst) inFours() bool",
		emit.If("in.Dst.Mask == 0 && !in.swizzled()", emit.Return("true")),
		emit.If("in.ExecSize < 4 || in.Dst.Mask > fields.FullMask || in.Dst.Mask != 0 && !fields.Align16Size(in.Dst.Type.Size())",
			emit.Return("false")),
		emit.For("i := range in.Src",
			emit.If("o := &in.Src[i]; o.Swizzle != 0 && (!fields.Align16Size(o.Type.Size()) || o.HStride == 0)", emit.Return("false"))),
		emit.Return("true"))
	f.Func("foldLane turns one active lane of four into an execution size of 1, as in texts. The result\n"+
		"has no swizzle, which would select the lane's component by its place among the four.", "(in *Inst) foldLane() bool",
		emit.Go("sub, one := fields.MaskLane(in.Dst.Sub, in.Dst.Mask, in.Dst.Type.Size())"),
		emit.If("in.ExecSize != 4 || in.swizzled() || !one", emit.Return("false")),
		emit.Go("in.ExecSize, in.Dst.Sub, in.Dst.Mask = 1, sub, 0"),
		emit.Return("true"))
}
