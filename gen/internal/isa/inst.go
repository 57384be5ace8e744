// SPDX-License-Identifier: MIT

package isa

import (
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
)

// instFile returns the file that declares decoded instructions and opcodes.
func instFile(t *isatab.Tables) *emit.File {
	f := emit.NewFile("isa", "")
	f.Enum("Format is the kind of an instruction's word.", "Format", "uint8", "The formats.", []emit.Name{
		{Name: "FormatBasic", Doc: "one or two sources with regions"},
		{Name: "FormatTernary", Doc: "three sources"},
		{Name: "FormatSend", Doc: "message"},
		{Name: "FormatSends", Doc: "message of two payloads, where it has a separate word"},
		{Name: "FormatBranch", Doc: "JIP and UIP"},
		{Name: "FormatWait", Doc: "wait for a notification"},
		{Name: "FormatSync", Doc: "scoreboard wait"},
		{Name: "FormatMath", Doc: "as basic, with a function instead of a condition modifier"},
		{Name: "FormatNop", Doc: "nothing but the opcode"},
	})
	f.Struct("TypeRule is one allowed combination of operand types: bit sets, bit n for\nType n. An empty set does not restrict its operand.", "TypeRule", `
		On uint32 // the platforms that have it, bit n for Platform n
		Dst uint32
		Src [3]uint32`)
	f.Struct("OpInfo describes an opcode.", "OpInfo", `
		Name string
		Code [NumPlatforms]uint8 // 0xFF where the platform lacks it
		Format Format
		NumSrc uint8
		Targets uint8 // branch targets: 1 = JIP, 2 = JIP and UIP
		JIPOn uint32 // the platforms whose words have only JIP, of two targets, bit n for Platform n
		HasDst bool
		CanSat bool
		SatOn uint32 // the only platforms on which it can saturate, bit n for Platform n
		CanCMod bool
		CanPred bool
		ReadsAcc bool // besides its operands
		WritesAcc bool // besides its operands, regardless of AccWrEn
		SrcMods bool // sources may have negate (and absolute, unless LogicMods)
		LogicMods bool // negate means bitwise not, absolute is not allowed
		BranchCtrl bool // has a branch control bit
		Table bool // has a function of three bits instead of source modifiers and a condition
		Scalar bool // has no execution size and always ignores the execution mask
		RegTarget bool // the target may be in a register
		Types []TypeRule`)
	f.Returns("Saturates reports whether the opcode can saturate on a platform.", "(i *OpInfo) Saturates(p Platform) bool",
		"i.CanSat || i.SatOn>>p&1 != 0")
	f.Func("TargetsOn returns the number of branch targets on a platform.", "(i *OpInfo) TargetsOn(p Platform) int",
		emit.If("i.JIPOn>>p&1 != 0", emit.Return("1")),
		emit.Return("int(i.Targets)"))
	f.Returns("Exists reports whether the platform has the opcode.", "(i *OpInfo) Exists(p Platform) bool", "i.Code[p] != noCode")
	operand(t, f)
	inst(t, f)
	return f
}

// operand declares operands.
func operand(t *isatab.Tables, f *emit.File) {
	f.Enum("File is the register file of an operand.", "File", "uint8", "The register files.", []emit.Name{
		{Name: "FileNone", Doc: "the operand is not used"},
		{Name: "FileARF", Doc: "architecture register"},
		{Name: "FileGRF", Doc: "general register"},
		{Name: "FileImm", Doc: "immediate"},
	})
	f.Consts("", []emit.Name{
		{Name: "VStrideVxH", Is: "= 0xFF", Above: "VStrideVxH is the vertical stride of an indirect operand with an address for\neach row."},
		{Name: "NumMME", Is: "= 8", Above: "NumMME is the number of math-macro registers."},
		{Name: "NoMME", Is: "= 8", Above: "NoMME is the value of Operand.Sub for none of them."},
	})
	f.Struct("Operand is a destination or source.", "Operand", `
		File File
		Type Type
		Reg uint8 // GRF number, or ARF code: kind in bits 7:4, number in 3:0
		Sub uint8 // subregister in bytes; for math.invm and math.rsqtm the math-macro register 0..7, or NoMME
		VStride uint8 // in elements: 0, 1, 2, 4, 8, 16, 32 or VStrideVxH; 0 for a destination
		Width uint8 // 1, 2, 4, 8 or 16; 0 for a destination and in three-source formats; 4 in access mode Align16
		HStride uint8 // 0, 1, 2, 4; 1 in access mode Align16
		Neg bool // on logic opcodes bitwise not
		Abs bool
		Swizzle fields.Swizzle // swizzle of a source in access mode Align16
		Mask fields.WriteMask // write mask of a destination in access mode Align16

		// Indirect reports that the register is found through address register word a0.AddrSub plus AddrOff bytes; Reg
		// and Sub are then zero.
		Indirect bool
		AddrSub uint8
		AddrOff int16

		// Imm holds an immediate's bits at its type's width (16-bit ones in the low
		// 16 bits).
		Imm uint64`)
	f.Returns("IsNull reports the null register.", "(o *Operand) IsNull() bool", "o.File == FileARF && o.Reg == ARFNull && !o.Indirect")
}

// inst declares instructions.
func inst(t *isatab.Tables, f *emit.File) {
	f.Const("InstSize is the size of a full instruction word in bytes; a compacted one has\nhalf of it.", "InstSize", "16")
	f.Struct("Inst is one instruction.", "Inst", `
		Op Op
		ExecSize uint8 // lanes: 1, 2, 4, 8, 16, 32
		ChanOff uint8 // first lane in the thread's mask: 0, 4, …, 28
		Pred Pred
		PredInv bool
		Flag uint8 // 0..3 = f0.0, f0.1, f1.0, f1.1; serves predicate and condition modifier
		CMod CMod
		Math MathFn
		Sync SyncFn
		SFID SFID
		Align16 bool // access mode Align16, in words that have both modes; words of three sources have one
		NoMask bool // written (W)
		Sat bool
		EOT bool
		AccWrEn bool
		Atomic bool
		Switch bool // threads take turns after it
		NoPreempt bool // the thread is not preempted here
		NoDDClr bool // leaves the hardware scoreboard of the destination set
		NoDDChk bool // does not look at the hardware scoreboard of the destination
		BranchCtrl bool
		Breakpoint bool
		SWSB fields.SWSB
		Table uint8 // bfn: the function of three bits
		Dst Operand
		Src [3]Operand // sends: Src[0], Src[1] are payloads, Reg only, and a Type where the word has one
		JIP, UIP int32 // byte offsets from the branch's own address

		// Sends. ExDesc holds bits 31:11 as far as encodable and the second
		// payload's length in GRFs in 10:6. If the extended descriptor comes from a0,
		// they are bits that the word adds to it.
		Desc, ExDesc uint32
		DescReg bool // the descriptor comes from a0.0
		ExDescReg bool // the extended descriptor comes from a0
		ExBSO bool // the length of the second payload does not: it is in ExDesc (LengthInWord: always)
		ExDescSub uint8 // its doubleword there

		// Size is the encoded size in bytes: 16, or 8 for a compacted word. Decode
		// sets it, Encode always writes 16.
		Size uint8`)
	f.Func("SetLengths puts the GRFs of a send's payloads and of its response into the\ndescriptors, which have none yet.",
		"(in *Inst) SetLengths(mlen, xlen, rlen int)",
		emit.Go("in.Desc |= DescLengths(mlen, rlen)"),
		emit.Go("in.ExDesc |= ExDescLength(xlen)"))
	f.Func("Message returns the message of a send, if its descriptors are immediates and the tables\n"+
		"describe it. A register descriptor gives ok = false.", "(in *Inst) Message(p Platform) (m MsgInfo, ok bool)",
		emit.If("f := Ops[in.Op].Format; in.DescReg || f != FormatSend && f != FormatSends", emit.Return("MsgInfo{SFID: in.SFID}, false")),
		emit.Return("DecodeMessage(p, in.SFID, in.Desc, in.ExDesc)"))
}

// lookup writes a function that finds a value by its name in a table of names.
func lookup(f *emit.File, doc, name, typ, count, at string) {
	f.Func(doc, name+"(name string) ("+typ+", bool)",
		emit.For("x := range "+typ+"("+count+")", emit.If(strings.ReplaceAll(at, "#", "x")+" == name", emit.Return("x, true"))),
		emit.Return("0, false"))
}
