package eu

import (
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Program is predecoded machine code. It is immutable and may be run by several goroutines at once.
type Program struct {
	ops      []op
	insts    []isa.Inst
	index    []int32 // byte offset / 8 → instruction, -1 inside one
	size     int
	machine  *target.Target
	decoders *[numDecoders]decoder
	barrier  abi.Field // bits of r0.2 and of the barrier message that hold the barrier's number
	tabs     map[regionKey]*[32]uint16
}

// class is the class of numbers that an instruction computes with.
type class uint8

const (
	clsInt class = iota
	clsF32
	clsF16
	clsF64
)

// kind distinguishes arithmetic from other instructions; it selects the handler.
type kind uint8

const (
	kindALU kind = iota
	kindMath
	kindSend
	kindSync
	kindWait
	kindNop
	kindFlow
	kindBad
)

// op is one predecoded instruction.
type op struct {
	exec func(t *Thread, o *op)
	desc func(t *Thread, o *op) // exec before makesDescriptor wrapped it
	fnI  intFn
	fnF  fltFn
	fast *fastOp

	dst     dstOp
	src     [3]srcOp
	jip     int32 // instruction index, -1 if the target is not an instruction
	uip     int32
	idx     int32  // own index
	off     int32  // byte offset
	full    uint32 // mask of the instruction's lanes
	written uint32 // lanes of full that the write mask includes

	n         uint8 // number of lanes
	choff     uint8
	nsrc      uint8
	class     class
	kind      kind
	op        isa.Op
	noMask    bool
	sat       bool
	accWr     bool
	join      bool // lanes may be waiting at this address
	noDDClr   bool
	noDDChk   bool
	unordered bool // needs {Switch} but does not have it
	undecoded bool
	wide      bool // an operand has 64 bits
	wideNeg   [3]bool
	wideAbs   [3]bool // modifiers of 64-bit integers
	pred      isa.Pred
	predInv   bool
	cmod      isa.CMod
	flagBit   uint8 // first flag bit of the instruction's lanes, 0–63 over f0 and f1
	flagReg   uint8
	stat      uint8

	sb   scoreboard
	foot footprint
	cost cost
	send *sendOp
	err  *opError
}

// newProgram returns a program of size bytes that has no instructions yet.
func newProgram(machine *target.Target, size int) *Program {
	p := &Program{machine: machine, decoders: &decoders, size: size, index: make([]int32, size/8+1), tabs: map[regionKey]*[32]uint16{}}
	p.barrier, _ = machine.ABI.HeaderField(abi.BarrierID)
	for i := range p.index {
		p.index[i] = -1
	}
	return p
}

// FromInsts returns a program of decoded instructions for a machine. Each takes Size bytes, or 16 if Size is 0.
// Tests use it to run instructions without encoding them.
func FromInsts(machine *target.Target, insts []isa.Inst) *Program {
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
		p.add(&insts[i], off, nil)
		off += int(insts[i].Size)
	}
	p.finish()
	return p
}

// Size returns the size of the code in bytes.
func (p *Program) Size() int { return p.size }

func (p *Program) add(in *isa.Inst, off int, bad *opError) {
	idx := len(p.ops)
	p.index[off/8] = int32(idx)
	p.insts = append(p.insts, *in)
	o := op{idx: int32(idx), off: int32(off), op: in.Op, jip: -1, uip: -1}
	if bad != nil {
		o.kind, o.err, o.undecoded = kindBad, bad, true
		o.exec = execBad
	}
	p.ops = append(p.ops, o)
}

// at returns the index of the instruction at a byte offset, or -1.
func (p *Program) at(off int) int32 {
	if off < 0 || off&7 != 0 || off/8 >= len(p.index) {
		return -1
	}
	return p.index[off/8]
}

// finish predecodes every instruction and marks the instructions at which lanes may rejoin.
func (p *Program) finish() {
	for i := range p.ops {
		o := &p.ops[i]
		if o.kind == kindBad {
			continue
		}
		if err := p.predecode(o, &p.insts[i]); err != nil {
			o.err, o.kind, o.exec = err, kindBad, execBad
		}
	}
	for i := range p.ops {
		o := &p.ops[i]
		if o.kind != kindFlow {
			continue
		}
		for _, target := range []int32{o.jip, o.uip, o.idx, o.idx + 1} {
			if target >= 0 && int(target) < len(p.ops) {
				p.ops[target].join = true
				// Lanes that break out of a loop wait after the while.
				if p.ops[target].op == isa.OpWhile && int(target)+1 < len(p.ops) {
					p.ops[target+1].join = true
				}
			}
		}
	}
	p.tabs = nil
}

func execBad(t *Thread, o *op) { t.fault(o, o.err) }

// predecode fills o from the decoded instruction. Its error becomes a fault when the instruction is executed.
func (p *Program) predecode(o *op, in *isa.Inst) *opError {
	switch in.ExecSize {
	case 1, 2, 4, 8, 16, 32:
	case 0:
		if in.Op != isa.OpNop { // the nop word has no other field
			return operr(FaultIllegal, "execution size 0")
		}
	default:
		return operr(FaultIllegal, "execution size %d", in.ExecSize)
	}
	o.n = in.ExecSize
	o.full = uint32(uint64(1)<<in.ExecSize - 1)
	o.written = o.full & in.Dst.Mask.Lanes()
	o.choff = in.ChanOff
	o.noMask = in.NoMask
	o.sat = in.Sat
	o.accWr = in.AccWrEn
	o.pred, o.predInv = in.Pred, in.PredInv
	o.cmod = in.CMod
	o.flagReg = in.Flag >> 1 & 1
	o.flagBit = in.Flag&1*16 + in.ChanOff
	if int(in.ChanOff)+int(in.ExecSize) > 32 {
		return operr(FaultIllegal, "lanes M%d to M%d do not exist", in.ChanOff, int(in.ChanOff)+int(in.ExecSize)-1)
	}
	if err := p.waits(o, in); err != nil {
		return err
	}
	o.nsrc = numSources(in)
	usesFlag := in.Pred != isa.PredNone || in.CMod != isa.CModNone
	if usesFlag && int(o.flagBit)+int(o.n) > 32 && kindOf(in.Op) != kindFlow {
		return operr(FaultOperand, "lanes M%d to M%d have no bits in f%d.%d", in.ChanOff, int(in.ChanOff)+int(in.ExecSize)-1, o.flagReg, in.Flag&1)
	}
	o.kind = kindOf(in.Op)
	o.stat = uint8(statOf(in.Op, o.kind))
	var err *opError
	switch o.kind {
	case kindALU, kindMath:
		err = p.predecodeALU(o, in)
	case kindSend:
		err = p.predecodeSend(o, in)
	case kindFlow:
		err = p.predecodeFlow(o, in)
	case kindSync:
		err = predecodeSync(o, in)
	case kindWait:
		err = predecodeWait(o, in)
	case kindNop:
		o.exec = execNop
	default:
		err = operr(FaultIllegal, "the hardware has no such operation")
	}
	if err != nil {
		return err
	}
	o.cost = costOf(p.machine.Costs, o, in)
	if o.sb.alloc >= 0 && o.kind != kindSend && o.kind != kindMath {
		return operr(FaultIllegal, "only sends and math may allocate a token")
	}
	return nil
}

func execNop(*Thread, *op) {}

// waits decodes the dependency controls of an instruction: the waits of a software scoreboard, or the hints to
// a hardware scoreboard.
func (p *Program) waits(o *op, in *isa.Inst) *opError {
	o.sb = noWaits
	if !p.machine.Can(target.SoftwareScoreboard) {
		if in.SWSB != 0 {
			return operr(FaultIllegal, "hardware maintains the scoreboard of this machine")
		}
		o.noDDClr, o.noDDChk = in.NoDDClr, in.NoDDChk
		o.unordered = touchesControl(in) && !in.Switch
		return nil
	}
	if in.NoDDClr || in.NoDDChk || in.Switch {
		return operr(FaultIllegal, "programs maintain the scoreboard of this machine")
	}
	o.sb = decodeSWSB(in)
	return nil
}

// kindOf returns the kind of an opcode, which selects its handler.
func kindOf(op isa.Op) kind {
	switch isa.Ops[op].Format {
	case isa.FormatSend, isa.FormatSends:
		return kindSend
	case isa.FormatWait:
		return kindWait
	}
	switch op {
	case isa.OpIllegal:
		return kindBad
	case isa.OpSync:
		return kindSync
	case isa.OpNop:
		return kindNop
	case isa.OpMath:
		return kindMath
	case isa.OpJmpi, isa.OpBrd, isa.OpIf, isa.OpBrc, isa.OpElse, isa.OpEndif, isa.OpWhile, isa.OpBreak,
		isa.OpCont, isa.OpHalt, isa.OpCalla, isa.OpCall, isa.OpRet, isa.OpGoto, isa.OpJoin:
		return kindFlow
	}
	return kindALU
}

// numSources returns the number of sources that an ALU operation reads.
func numSources(in *isa.Inst) uint8 {
	switch in.Op {
	case isa.OpMov, isa.OpMovi, isa.OpNot, isa.OpBfrev, isa.OpFrc, isa.OpRndu, isa.OpRndd, isa.OpRnde, isa.OpRndz,
		isa.OpLzd, isa.OpFbh, isa.OpFbl, isa.OpCbit:
		return 1
	case isa.OpCsel, isa.OpBfe, isa.OpBfi2, isa.OpDp4a, isa.OpMad, isa.OpLrp:
		return 3
	case isa.OpMath:
		if in.Math == isa.MathFDiv || in.Math.IsInt() {
			return 2
		}
		return 1
	}
	return 2
}
