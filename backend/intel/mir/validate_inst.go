package mir

import (
	"fmt"
	"math/bits"

	"jacquard.example/core/trips"
	"jacquard.example/generated/isa"
)

// checkInst checks a single instruction and returns an error message, or "".
func (f *Func) checkInst(in *Inst) string {
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
	case in.Flag.Reg() != 0 && (uint64(in.Flag.Reg()) >= uint64(len(f.Regs)) || f.Regs[in.Flag.Reg()].Class != FlagClass):
		return fmt.Sprintf("%v is not a flag register", in.Flag)
	case in.Flag.Reg() != 0 && !in.ReadsFlag() && !in.WritesFlag():
		return fmt.Sprintf("names the flag register %v but does not use it", in.Flag)
	case in.Flag.Reg() == 0 && (in.Pred != 0 || in.CMod != 0) && in.Flag&1 != 0 && uint(in.Chan)+exec > 16:
		return "its lanes reach past the flag register"
	case !in.SWSB.Valid():
		return fmt.Sprintf("its scoreboard field %#x is invalid", uint8(in.SWSB))
	case in.EOT && !in.IsSend():
		return "ends the thread but is not a message"
	case in.Dst.Rows != 0:
		return "the destination has rows"
	}
	if msg := f.checkSwizzles(in); msg != "" {
		return msg
	}
	if in.Op == OpMessage {
		return f.checkMessage(in)
	}
	if in.IsSend() {
		return f.checkSend(in)
	}
	if o := &in.Dst; o.IsReg() {
		if msg := checkDstRegion(in); msg != "" {
			return msg
		}
	} else if o.File == Imm {
		return "the destination is an immediate"
	}
	if in.Dst.HasMods() {
		return "the destination has a source modifier"
	}
	if in.Op == OpIndirect {
		switch o := &in.Src[1]; {
		case !f.isRun(in, 0):
			return "does not read a run of registers"
		case o.Type != isa.TypeUW || o.File == ARF && !f.IsAddress(o):
			return "its index is neither words nor addresses"
		}
	}
	if in.Op == OpAddress {
		switch {
		case !f.isRun(in, 1):
			return "does not take the address of a run of registers"
		case in.Src[0].Type != isa.TypeUW || in.Src[0].File == ARF:
			return "its index is not words"
		case in.Dst.Type != isa.TypeUW || !f.IsAddress(&in.Dst):
			return "the destination is not an address register"
		}
	}
	if msg := f.checkCount(in); msg != "" {
		return msg
	}
	if msg := f.checkOperand(&in.Dst, in.DstBytes(), "the destination"); msg != "" {
		return msg
	}
	for k := range in.Src {
		if msg := checkSrcRegion(in, k); msg != "" {
			return msg
		}
		n := in.SrcBytes(k)
		if in.Op == isa.OpSync {
			n = min(n, 4)
		}
		if msg := f.checkOperand(&in.Src[k], n, sourceNames[k]); msg != "" {
			return msg
		}
		if msg := f.checkRows(in, k); msg != "" {
			return msg
		}
	}
	if msg := f.checkHalves(in); msg != "" {
		return msg
	}
	return f.checkUniform(in)
}

var (
	operandNames = [...]string{"the destination", "source 0", "source 1", "source 2"}
	sourceNames  = operandNames[1:]
)

// checkOp checks the opcode and the fields that depend on it.
func checkOp(in *Inst) string {
	if int(in.Op) >= isa.NumOps && (in.Op < OpLoop || int(in.Op-OpLoop) >= len(pseudo)) || in.Op == isa.OpIllegal {
		return "unknown opcode"
	}
	if in.Trips != trips.Unknown && in.Op != OpLoop {
		return "has trips, but is not a loop"
	}
	if int(in.Op) < isa.NumOps {
		switch f := isa.Ops[in.Op].Format; {
		case f == isa.FormatBranch && places[in.Op] == 0:
			return "is not control flow of machine IR"
		case f == isa.FormatSends:
			return "is written as a send: the encoder chooses the word"
		}
	}
	if p, _ := PredByName(in.Pred.String()); in.Pred != isa.PredNone && in.Pred != isa.PredNormal && p != in.Pred {
		return fmt.Sprintf("there is no predicate %d", in.Pred)
	}
	if c, _ := CModByName(in.CMod.String()); c != in.CMod {
		return fmt.Sprintf("there is no condition %d", in.CMod)
	}
	if fn := FunctionOf(in.Op); fn != nil {
		if _, ok := fn.ByName(fn.String(fn.Get(in))); !ok {
			return fmt.Sprintf("there is no function %d of it", fn.Get(in))
		}
	}
	return ""
}

// isRun reports whether source k is a run of whole GRFs: fixed ones, or a virtual register that is never
// spilled, because its address is taken.
func (f *Func) isRun(in *Inst, k int) bool {
	o := &in.Src[k]
	if in.Len[k] == 0 || o.File == VReg && o.Off%GRFBytes != 0 {
		return false
	}
	return o.File == GRF || o.File == VReg && int(o.Num) < len(f.Regs) && f.Regs[o.Num].NoSpill
}

// checkCount checks that an instruction has as many sources as its opcode requires.
func (f *Func) checkCount(in *Inst) string {
	want := 0
	switch in.Op {
	case OpLoop, OpUndef, OpHaltTarget, OpMessage, OpCompose:
	case OpIndirect, OpMulHigh, OpAddress:
		want = 2
	case isa.OpSync: // a wait, if there is a source
		return ""
	case isa.OpMath:
		want = in.Math.Sources()
	default:
		want = int(isa.Ops[in.Op].NumSrc)
	}
	if in.is(readsAcc) && in.Src[2].File == VReg { // a virtual accumulator: see checkAccumulator
		want = 3
	}
	if in.Op == OpCompose {
		want = max(in.composed(), 1)
	}
	for k := range in.Src {
		if has := in.Src[k].File != None; has != (k < want) {
			return fmt.Sprintf("takes %d sources", want)
		}
	}
	if !HasDst(in.Op) && in.Dst.File != None {
		return "takes no destination"
	}
	return ""
}

// checkOperand checks that n bytes of an operand are within its register.
func (f *Func) checkOperand(o *Operand, n uint32, name string) string {
	if o.File > Imm || int(o.Type) >= isa.NumTypes {
		return name + " is not an operand"
	}
	if o.File == None {
		return ""
	}
	if o.Type == isa.TypeNone {
		return name + " has no type"
	}
	switch o.File {
	case VReg:
		if o.Num == 0 || uint64(o.Num) >= uint64(len(f.Regs)) {
			return name + " names no register"
		}
		if end := uint64(o.Off) + uint64(n); end > uint64(f.Regs[o.Num].Bytes) {
			return fmt.Sprintf("%s reaches %d bytes into a register of %d", name, end, f.Regs[o.Num].Bytes)
		}
	case GRF:
		if uint64(o.Num)*GRFBytes+uint64(o.Off)+uint64(n) > NumGRFs*GRFBytes {
			return fmt.Sprintf("%s reaches past r%d", name, NumGRFs-1)
		}
	case Imm:
		if o.Off != 0 && o.Type.Size() < 8 {
			return name + " has more than 32 bits"
		}
	case ARF:
		if o.Num > 0xFF || !isa.ARFExists(uint8(o.Num)) || o.Off >= GRFBytes {
			return name + " is not an architecture register"
		}
	}
	return ""
}

// WithinFile returns an error message if an operand reaches past the last register of a file.
func (in *Inst) WithinFile(file *RegFile) string {
	past := func(o *Operand, n uint32, name string) string {
		if o.File == GRF && uint64(o.Num)*GRFBytes+uint64(o.Off)+uint64(n) > uint64(file.Registers)*GRFBytes {
			return fmt.Sprintf("%s reaches past r%d", name, file.Registers-1)
		}
		return ""
	}
	if msg := past(&in.Dst, in.DstBytes(), "the destination"); msg != "" {
		return msg
	}
	for k := range in.Src {
		if msg := past(&in.Src[k], in.SrcBytes(k), sourceNames[k]); msg != "" {
			return msg
		}
	}
	return ""
}

// checkSend checks the operands of a send.
func (f *Func) checkSend(in *Inst) string {
	if msg := f.checkPayload(&in.Src[0], in.Len[0], "the payload"); msg != "" {
		return msg
	}
	if in.Len[1] != 0 || !in.Src[1].IsNull() {
		if msg := f.checkPayload(&in.Src[1], in.Len[1], "the second payload"); msg != "" {
			return msg
		}
	}
	if o := &in.Src[2]; o.File != None && !(f.IsAddress(o) && (o.File == ARF || o.IsScalar())) {
		return "the descriptor is not in an address register"
	}
	return f.checkResult(in)
}

// IsAddress reports whether an operand is the start of an address register, virtual or a0.
func (f *Func) IsAddress(o *Operand) bool {
	return o.Off == 0 && (o.File == ARF && o.Num == isa.ARFA0 ||
		o.File == VReg && uint64(o.Num) < uint64(len(f.Regs)) && f.Regs[o.Num].Class == AddressClass)
}

// checkResult checks the result of a message.
func (f *Func) checkResult(in *Inst) string {
	if in.Len[2] == 0 && in.Dst.IsNull() {
		return ""
	}
	if msg := f.checkPayload(&in.Dst, in.Len[2], "the result"); msg != "" {
		return msg
	}
	return f.checkUniform(in)
}

// checkPayload checks that an operand is n whole registers.
func (f *Func) checkPayload(o *Operand, n uint8, name string) string {
	switch {
	case n == 0:
		return name + " has no registers"
	case !o.IsReg():
		return name + " is not a register"
	case o.HasMods():
		return name + " has a source modifier"
	case o.Rows != 0:
		return name + " has rows"
	case o.Off%GRFBytes != 0 || o.File == VReg && uint64(o.Num) < uint64(len(f.Regs)) && f.Regs[o.Num].Align != GRFBytes:
		return name + " does not start at a whole register"
	}
	return f.checkOperand(o, GRFBytes*uint32(n), name)
}

// checkUniform checks that uniform registers are written without a mask.
func (f *Func) checkUniform(in *Inst) string {
	if in.Dst.File == VReg && f.Regs[in.Dst.Num].Uniform && !in.NoMask {
		return "writes a uniform register under the mask"
	}
	for _, o := range [...]*Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if o.File == VReg && f.Regs[o.Num].Class == AddressClass && !in.takesAddress(o) {
			return "an address register may only be written, as a scalar or words, or used as the descriptor of a send " +
				"or the addresses of an indirect read"
		}
		if o.File == VReg && f.Regs[o.Num].Class == FlagClass && (in.Op != isa.OpMov || in.Exec != 1 || !in.NoMask || o.Type != isa.TypeUD) {
			return "a flag register may only be copied, whole and as a scalar"
		}
	}
	return f.checkAccumulator(in)
}

// takesAddress reports whether an operand of the instruction may be an address register.
func (in *Inst) takesAddress(o *Operand) bool {
	switch {
	case in.IsSend():
		return o == &in.Src[2]
	case o.Off != 0:
		return false
	case in.Op == OpIndirect:
		return o == &in.Src[1]
	}
	return o == &in.Dst && o.HasStride(1) && (o.Type == isa.TypeUW || o.Type == isa.TypeUD && in.Exec == 1)
}
