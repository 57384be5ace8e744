// SPDX-License-Identifier: MIT

package eu

import (
	"jacquard.example/backend/intel/eu/alu"
	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/control"
	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// newProgram returns a program of size bytes that has no instructions yet.
func newProgram(machine *target.Target, size int) *thread.Program {
	p := &thread.Program{Machine: machine, GRF: machine.Registers.Bytes, End: machine.Registers.Bytes * machine.Registers.Registers,
		Decoders: &decoders, Size: size, Index: make([]int32, size/8+1),
		Tabs: map[thread.RegionKey]*[32]uint16{}}
	if machine.ABI != nil {
		p.Barrier, _ = machine.ABI.HeaderField(abi.BarrierID)
	}
	for i := range p.Index {
		p.Index[i] = -1
	}
	return p
}

// FromInsts returns a program of decoded instructions for a machine. Each takes Size bytes; FromInsts sets a Size of 0
// to 16. Tests use it to run instructions without encoding them.
func FromInsts(machine *target.Target, insts []isa.Inst) *thread.Program {
	n := 0
	for i := range insts {
		if insts[i].Size == 0 {
			insts[i].Size = 16
		}
		n += int(insts[i].Size)
	}
	p := newProgram(machine, n)
	off := 0
	for i := range insts {
		addInst(p, &insts[i], off, nil)
		off += int(insts[i].Size)
	}
	finish(p)
	return p
}

// Size returns the size of the code in bytes.
func Size(p *thread.Program) int { return p.Size }

func addInst(p *thread.Program, in *isa.Inst, off int, bad *thread.OpError) {
	idx := len(p.Ops)
	p.Index[off/8] = int32(idx)
	p.Insts = append(p.Insts, *in)
	o := thread.Op{Idx: int32(idx), Off: int32(off), Op: in.Op, Jip: -1, Uip: -1}
	if bad != nil {
		o.Kind, o.Err, o.Undecoded = thread.KindBad, bad, true
		o.Exec = execBad
	}
	p.Ops = append(p.Ops, o)
}

// finish predecodes every instruction and marks the instructions at which lanes may rejoin.
func finish(p *thread.Program) {
	for i := range p.Ops {
		o := &p.Ops[i]
		if o.Kind == thread.KindBad {
			continue
		}
		if err := predecode(p, o, &p.Insts[i]); err != nil {
			o.Err, o.Kind, o.Exec = err, thread.KindBad, execBad
		}
	}
	for i := range p.Ops {
		o := &p.Ops[i]
		if o.Kind != thread.KindFlow {
			continue
		}
		for _, target := range []int32{o.Jip, o.Uip, o.Idx, o.Idx + 1} {
			if target >= 0 && int(target) < len(p.Ops) {
				p.Ops[target].Join = true
				// Lanes that break out of a loop wait after the while.
				if p.Ops[target].Op == isa.OpWhile && int(target)+1 < len(p.Ops) {
					p.Ops[target+1].Join = true
				}
			}
		}
	}
	p.Tabs = nil
}

func execBad(t *thread.Thread, o *thread.Op) { t.Fault(o, o.Err) }

// predecode fills o from the decoded instruction. Its error becomes a fault when the instruction is executed.
func predecode(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	switch in.ExecSize {
	case 1, 2, 4, 8, 16, 32:
	case 0:
		if in.Op != isa.OpNop { // the nop word has no other field
			return thread.Operr(thread.FaultIllegal, "the execution size is 0")
		}
	default:
		return thread.Operr(thread.FaultIllegal, "the execution size %d is not a power of two up to 32", in.ExecSize)
	}
	o.N = in.ExecSize
	o.Full = uint32(uint64(1)<<in.ExecSize - 1)
	o.Written = o.Full & in.Dst.Mask.Lanes()
	o.Choff = in.ChanOff
	o.NoMask = in.NoMask
	o.Sat = in.Sat
	o.AccWr = in.AccWrEn
	o.Pred, o.PredInv = in.Pred, in.PredInv
	o.Cmod = in.CMod
	o.FlagReg = in.Flag >> 1 & 3
	o.FlagBit = in.Flag&1*16 + in.ChanOff
	if int(in.ChanOff)+int(in.ExecSize) > 32 {
		return thread.Operr(thread.FaultIllegal, "lanes M%d to M%d do not exist", in.ChanOff, int(in.ChanOff)+int(in.ExecSize)-1)
	}
	if err := waits(p, o, in); err != nil {
		return err
	}
	o.Nsrc = numSources(in)
	usesFlag := in.Pred != isa.PredNone || in.CMod != isa.CModNone
	if usesFlag && int(o.FlagReg) >= thread.FlagRegisters(p.Machine) {
		return thread.Operr(thread.FaultOperand, "there is no flag register f%d", o.FlagReg)
	}
	if usesFlag && int(o.FlagBit)+int(o.N) > 32 && thread.KindOf(in.Op) != thread.KindFlow {
		return thread.Operr(thread.FaultOperand, "lanes M%d to M%d have no bits in f%d.%d", in.ChanOff,
			int(in.ChanOff)+int(in.ExecSize)-1, o.FlagReg, in.Flag&1)
	}
	o.Kind = thread.KindOf(in.Op)
	o.Token = o.Kind == thread.KindSend || o.Kind == thread.KindMath && !p.Machine.Can(target.MathInOrder)
	o.Stat = uint8(thread.StatOf(in.Op, o.Kind))
	var err *thread.OpError
	switch o.Kind {
	case thread.KindALU, thread.KindMath:
		err = alu.PredecodeALU(p, o, in)
	case thread.KindSend:
		err = message.PredecodeSend(p, o, in)
	case thread.KindFlow:
		err = control.PredecodeFlow(p, o, in)
	case thread.KindSync:
		err = predecodeSync(o, in)
	case thread.KindWait:
		err = predecodeWait(o, in)
	case thread.KindNop:
		o.Exec = execNop
	default:
		err = thread.Operr(thread.FaultIllegal, "the hardware has no such operation")
	}
	if err != nil {
		return err
	}
	o.Cost = clock.CostOf(p, o, in)
	if o.Sb.Alloc >= 0 && !o.Token {
		if o.Kind == thread.KindMath {
			return thread.Operr(thread.FaultIllegal, "math is executed in order and has no token")
		}
		return thread.Operr(thread.FaultIllegal, "only sends and math may allocate a token")
	}
	return nil
}

func execNop(*thread.Thread, *thread.Op) {}

// waits decodes the dependency controls of an instruction: the waits of a software scoreboard, or the hints to
// a hardware scoreboard.
func waits(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	o.Sb = clock.NoWaits
	if !p.Machine.Can(target.SoftwareScoreboard) {
		if in.SWSB != 0 {
			return thread.Operr(thread.FaultIllegal,
				"the instruction has a scoreboard field, but hardware maintains the scoreboard of this machine")
		}
		o.NoDDClr, o.NoDDChk = in.NoDDClr, in.NoDDChk
		o.Unordered = !in.Switch && (clock.TouchesControl(in) || p.Machine.Can(target.Vectors) && comparesOnly(in))
		return nil
	}
	if in.NoDDClr || in.NoDDChk || in.Switch {
		return thread.Operr(thread.FaultIllegal,
			"the instruction has NoDDClr, NoDDChk or Switch, but programs maintain the scoreboard of this machine")
	}
	if token, _ := in.SWSB.Token(); token >= fields.NumTokens {
		return thread.Operr(thread.FaultIllegal, "there is no token $%d with %d registers", token, p.Machine.Registers.Registers)
	}
	o.Sb = clock.DecodeSWSB(in)
	if o.Sb.Pipes = 1; p.Machine.Can(target.Pipes) {
		clock.Piped(p.Machine, o, in)
	}
	return nil
}

// comparesOnly reports whether an instruction is a comparison without a destination, which needs {Switch} on machines with
// vertices of four lanes (Haswell PRM vol. 7, cmp).
func comparesOnly(in *isa.Inst) bool {
	return (in.Op == isa.OpCmp || in.Op == isa.OpCmpn) && in.Dst.File == isa.FileARF && in.Dst.Reg == isa.ARFNull
}

// numSources returns the number of sources that an ALU or math operation reads.
func numSources(in *isa.Inst) uint8 {
	switch in.Op {
	case isa.OpMov, isa.OpMovi, isa.OpNot, isa.OpBfrev, isa.OpFrc, isa.OpRndu, isa.OpRndd, isa.OpRnde, isa.OpRndz,
		isa.OpLzd, isa.OpFbh, isa.OpFbl, isa.OpCbit, isa.OpF32to16, isa.OpF16to32:
		return 1
	case isa.OpCsel, isa.OpBfe, isa.OpBfi2, isa.OpDp4a, isa.OpMad, isa.OpLrp, isa.OpAdd3, isa.OpBfn:
		return 3
	case isa.OpMath:
		if in.Math == isa.MathFDiv || in.Math == isa.MathPow || in.Math.IsInt() {
			return 2
		}
		return 1
	}
	return 2
}
