// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/trips"
	"jacquard.example/generated/isa"
)

// checkInst checks a single instruction and returns an error message, or "".
func checkInst(f *mir.Func, in *mir.Inst) string {
	if msg := checkOp(in); msg != "" {
		return msg
	}
	exec := uint(in.Exec)
	switch {
	case bits.OnesCount(exec) != 1 || exec > 32:
		return fmt.Sprintf("%d lanes", exec)
	case uint(in.Chan)+exec > 32:
		return "its lanes reach past the 32 of a mask"
	case !in.NoMask && int(in.Chan)+int(exec) > f.Width && int(exec) > 1:
		return fmt.Sprintf("its lanes reach past the %d of the function", f.Width)
	case in.Flag.Reg() != 0 && (uint64(in.Flag.Reg()) >= uint64(len(f.Regs)) || f.Regs[in.Flag.Reg()].Class != mir.FlagClass):
		return fmt.Sprintf("%v is not a flag register", in.Flag)
	case in.Flag.Reg() != 0 && !in.ReadsFlag() && !in.WritesFlag():
		return fmt.Sprintf("names the flag register %v but does not use it", in.Flag)
	case in.Flag.Reg() == 0 && (in.Pred != 0 || in.CMod != 0) && in.Flag&1 != 0 && uint(in.Chan)+exec > 16:
		return "its lanes reach past the flag register"
	case !in.SWSB.Valid():
		return fmt.Sprintf("its scoreboard field %#x is invalid", uint16(in.SWSB))
	case in.EOT && !in.IsSend():
		return "ends the thread but is not a message"
	case in.Dst.Rows != 0:
		return "the destination has rows"
	}
	if msg := checkSwizzles(f, in); msg != "" {
		return msg
	}
	if in.Op == mir.OpMessage {
		return checkMessage(f, in)
	}
	if in.IsSend() {
		return checkSend(f, in)
	}
	if o := &in.Dst; o.IsReg() {
		if msg := checkDstRegion(in); msg != "" {
			return msg
		}
	} else if o.File == mir.Imm {
		return "the destination is an immediate"
	}
	if in.Dst.HasMods() {
		return "the destination has a source modifier"
	}
	if in.Op == mir.OpIndirect {
		switch o := &in.Src[1]; {
		case !isRun(f, in, 0):
			return "does not read a run of registers"
		case o.Type != isa.TypeUW || o.File == mir.ARF && !f.IsAddress(o):
			return "its index is neither words nor addresses"
		}
	}
	if in.Op == mir.OpAddress {
		switch {
		case !isRun(f, in, 1):
			return "does not take the address of a run of registers"
		case in.Src[0].Type != isa.TypeUW || in.Src[0].File == mir.ARF:
			return "its index is not words"
		case in.Dst.Type != isa.TypeUW || !f.IsAddress(&in.Dst):
			return "the destination is not an address register"
		}
	}
	if msg := checkCount(f, in); msg != "" {
		return msg
	}
	if msg := checkOperand(f, &in.Dst, f.DstBytes(in), "the destination"); msg != "" {
		return msg
	}
	for k := range in.Src {
		if msg := checkSrcRegion(in, k); msg != "" {
			return msg
		}
		n := f.SrcBytes(in, k)
		if in.Op == isa.OpSync {
			n = min(n, 4)
		}
		if msg := checkOperand(f, &in.Src[k], n, sourceNames[k]); msg != "" {
			return msg
		}
		if msg := checkRows(f, in, k); msg != "" {
			return msg
		}
	}
	if msg := checkHalves(f, in); msg != "" {
		return msg
	}
	return checkUniform(f, in)
}

var (
	operandNames = [...]string{"the destination", "source 0", "source 1", "source 2"}
	sourceNames  = operandNames[1:]
)

// checkOp checks the opcode and the fields that depend on it.
func checkOp(in *mir.Inst) string {
	if int(in.Op) >= isa.NumOps && (in.Op < mir.OpLoop || int(in.Op-mir.OpLoop) >= len(mir.Pseudo)) || in.Op == isa.OpIllegal {
		return "unknown opcode"
	}
	if in.Trips != trips.Unknown && in.Op != mir.OpLoop {
		return "has trips, but is not a loop"
	}
	if int(in.Op) < isa.NumOps {
		switch f := isa.Ops[in.Op].Format; {
		case f == isa.FormatBranch && mir.Places[in.Op] == 0:
			return "is not control flow of machine IR"
		case f == isa.FormatSends:
			return "is written as a send: the encoder chooses the word"
		}
	}
	if p, _ := mir.PredByName(in.Pred.String()); in.Pred != isa.PredNone && in.Pred != isa.PredNormal && p != in.Pred {
		return fmt.Sprintf("there is no predicate %d", in.Pred)
	}
	if c, _ := mir.CModByName(in.CMod.String()); c != in.CMod {
		return fmt.Sprintf("there is no condition %d", in.CMod)
	}
	if fn := mir.FunctionOf(in.Op); fn != nil {
		if _, ok := fn.ByName(fn.String(fn.Get(in))); !ok {
			return fmt.Sprintf("there is no function %d of it", fn.Get(in))
		}
	}
	return ""
}

// isRun reports whether source k is a run of whole GRFs: fixed ones, or a virtual register that is never
// spilled, because its address is taken.
func isRun(f *mir.Func, in *mir.Inst, k int) bool {
	o := &in.Src[k]
	if in.Len[k] == 0 || o.File == mir.VReg && f.GRF.In(o.Off) != 0 {
		return false
	}
	return o.File == mir.GRF || o.File == mir.VReg && int(o.Num) < len(f.Regs) && f.Regs[o.Num].NoSpill
}

// checkCount checks that an instruction has as many sources as its opcode requires.
func checkCount(f *mir.Func, in *mir.Inst) string {
	want := 0
	switch in.Op {
	case mir.OpLoop, mir.OpUndef, mir.OpHaltTarget, mir.OpMessage, mir.OpCompose:
	case mir.OpIndirect, mir.OpMulHigh, mir.OpAddress:
		want = 2
	case isa.OpSync: // a wait, if there is a source
		return ""
	case isa.OpMath:
		want = in.Math.Sources()
	default:
		want = int(isa.Ops[in.Op].NumSrc)
	}
	if in.Is(mir.ReadsAcc) && in.Src[2].File == mir.VReg { // a virtual accumulator: see checkAccumulator
		want = 3
	}
	if in.Op == mir.OpCompose {
		want = max(in.Composed(), 1)
	}
	for k := range in.Src {
		if has := in.Src[k].File != mir.None; has != (k < want) {
			return fmt.Sprintf("takes %d sources", want)
		}
	}
	if !mir.HasDst(in.Op) && in.Dst.File != mir.None {
		return "takes no destination"
	}
	return ""
}

// checkOperand checks that n bytes of an operand are within its register.
func checkOperand(f *mir.Func, o *mir.Operand, n uint32, name string) string {
	if o.File > mir.Imm || int(o.Type) >= isa.NumTypes {
		return name + " is not an operand"
	}
	if o.File == mir.None {
		return ""
	}
	if o.Type == isa.TypeNone {
		return name + " has no type"
	}
	switch o.File {
	case mir.VReg:
		if o.Num == 0 || uint64(o.Num) >= uint64(len(f.Regs)) {
			return name + " names no register"
		}
		if end := uint64(o.Off) + uint64(n); end > uint64(f.Regs[o.Num].Bytes) {
			return fmt.Sprintf("%s reaches %d bytes into a register of %d", name, end, f.Regs[o.Num].Bytes)
		}
	case mir.GRF:
		if pastByte(f, o, n, f.GRF.Start(mir.NumGRFs)) {
			return fmt.Sprintf("%s reaches past r%d", name, mir.NumGRFs-1)
		}
	case mir.Imm:
		if o.Off != 0 && o.Type.Size() < 8 {
			return name + " has more than 32 bits"
		}
	case mir.ARF:
		if o.Num > 0xFF || !isa.ARFExists(uint8(o.Num)) || o.Off >= f.GRF.Bytes() {
			return name + " is not an architecture register"
		}
	}
	return ""
}

// pastByte reports whether n bytes of a general register end after a byte of the register file.
func pastByte(f *mir.Func, o *mir.Operand, n, last uint32) bool {
	return uint64(o.Num)*uint64(f.GRF.Bytes())+uint64(o.Off)+uint64(n) > uint64(last)
}

// WithinFile returns an error message if an operand of an instruction reaches past the last register of a file.
func WithinFile(f *mir.Func, in *mir.Inst, file *mir.RegFile) string {
	past := func(o *mir.Operand, n uint32, name string) string {
		if o.File == mir.GRF && pastByte(f, o, n, f.GRF.Start(uint32(file.Registers))) {
			return fmt.Sprintf("%s reaches past r%d", name, file.Registers-1)
		}
		return ""
	}
	if msg := past(&in.Dst, f.DstBytes(in), "the destination"); msg != "" {
		return msg
	}
	for k := range in.Src {
		if msg := past(&in.Src[k], f.SrcBytes(in, k), sourceNames[k]); msg != "" {
			return msg
		}
	}
	return ""
}

// checkSend checks the operands of a send.
func checkSend(f *mir.Func, in *mir.Inst) string {
	if msg := checkPayload(f, &in.Src[0], in.Len[0], "the payload"); msg != "" {
		return msg
	}
	if in.Len[1] != 0 || !in.Src[1].IsNull() {
		if msg := checkPayload(f, &in.Src[1], in.Len[1], "the second payload"); msg != "" {
			return msg
		}
	}
	if o := &in.Src[2]; o.File != mir.None && !isDescriptor(f, o) {
		return "the descriptor is not in an address register"
	}
	return checkResult(f, in)
}

// isDescriptor reports whether an operand is a virtual address register, or a doubleword of a0.
func isDescriptor(f *mir.Func, o *mir.Operand) bool {
	if o.File == mir.ARF {
		return o.Num == isa.ARFA0 && o.Off%4 == 0 && o.Off < addressBytes
	}
	return f.IsAddress(o) && o.IsScalar()
}

// checkResult checks the result of a message.
func checkResult(f *mir.Func, in *mir.Inst) string {
	if in.Len[2] == 0 && in.Dst.IsNull() {
		return ""
	}
	if msg := checkPayload(f, &in.Dst, in.Len[2], "the result"); msg != "" {
		return msg
	}
	return checkUniform(f, in)
}

// checkPayload checks that an operand is n whole registers.
func checkPayload(f *mir.Func, o *mir.Operand, n uint8, name string) string {
	switch {
	case n == 0:
		return name + " has no registers"
	case !o.IsReg():
		return name + " is not a register"
	case o.HasMods():
		return name + " has a source modifier"
	case o.Rows != 0:
		return name + " has rows"
	case f.GRF.In(o.Off) != 0 || o.File == mir.VReg && uint64(o.Num) < uint64(len(f.Regs)) && f.Regs[o.Num].Align != f.GRF.Align():
		return name + " does not start at a whole register"
	}
	return checkOperand(f, o, f.GRF.Start(uint32(n)), name)
}

// checkUniform checks that uniform registers are written without a mask.
func checkUniform(f *mir.Func, in *mir.Inst) string {
	if in.Dst.File == mir.VReg && f.Regs[in.Dst.Num].Uniform && !in.NoMask {
		return "writes a uniform register under the mask"
	}
	for _, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if o.File == mir.VReg && f.Regs[o.Num].Class == mir.AddressClass && !takesAddress(in, o) {
			return "an address register may only be written, as a scalar or words, or used as the descriptor of a send " +
				"or the addresses of an indirect read"
		}
		if o.File == mir.VReg && f.Regs[o.Num].Class == mir.FlagClass &&
			(in.Op != isa.OpMov || in.Exec != 1 || !in.NoMask || o.Type != isa.TypeUD) {
			return "a flag register may only be copied, whole and as a scalar"
		}
	}
	return checkAccumulator(f, in)
}

// takesAddress reports whether an operand of the instruction may be an address register.
func takesAddress(in *mir.Inst, o *mir.Operand) bool {
	switch {
	case in.IsSend():
		return o == &in.Src[2]
	case o.Off != 0:
		return false
	case in.Op == mir.OpIndirect:
		return o == &in.Src[1]
	}
	return o == &in.Dst && o.HasStride(1) && (o.Type == isa.TypeUW || o.Type == isa.TypeUD && in.Exec == 1)
}
