package eu

import (
	"encoding/binary"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Control flow is tracked per lane. A lane is active, or waits for the thread to reach instruction t.wait, or
// has returned from a subroutine that other lanes have not left (waitReturn). A branch changes the state of
// lanes; the thread continues with the active lanes and jumps only if none is left. This is the hardware's
// scheme of one instruction pointer per channel (TGL PRM vol. 7, "Flow Control").
const waitReturn = -2

// laneMask returns the lanes that an instruction executes for, ignoring its predicate.
func (t *Thread) laneMask(o *op) uint32 {
	if o.noMask {
		return o.written
	}
	return t.active >> o.choff & o.written
}

// mask returns the lanes that an instruction executes for.
func (t *Thread) mask(o *op) uint32 {
	m := o.written
	if !o.noMask {
		m &= t.active >> o.choff
	}
	if o.pred != isa.PredNone {
		m &= t.predicate(o)
	}
	return m
}

// predGroups gives, for each predicate mode, the size of the lane groups and whether any or all flags must be
// set.
var predGroups = [...]struct {
	lanes uint8
	any   bool
}{
	isa.PredAny2H: {2, true}, isa.PredAny4H: {4, true}, isa.PredAny8H: {8, true}, isa.PredAny16H: {16, true}, isa.PredAny32H: {32, true},
	isa.PredAll2H: {2, false}, isa.PredAll4H: {4, false}, isa.PredAll8H: {8, false}, isa.PredAll16H: {16, false}, isa.PredAll32H: {32, false},
}

// predicate returns the predicate of an instruction's lanes. The group modes reduce the flag over aligned
// groups of channels, including inactive ones; inversion is applied last. The vertical modes combine the same
// bits of f0 and f1, on Gen7 to Gen12.5 (Mesa, brw_fs.cpp: flags_read).
func (t *Thread) predicate(o *op) uint32 {
	f := uint64(t.flag[o.flagReg])
	sub := uint(o.flagBit) - uint(o.choff) // 0 or 16: the flag bit of channel 0
	var bits uint32
	switch o.pred {
	case isa.PredNone:
		return o.full
	case isa.PredNormal:
		bits = uint32(f >> o.flagBit)
	case isa.PredAnyV:
		bits = (t.flag[0] | t.flag[1]) >> o.flagBit
	case isa.PredAllV:
		bits = t.flag[0] & t.flag[1] >> o.flagBit
	default:
		size, any := uint(predGroups[o.pred].lanes), predGroups[o.pred].any
		group := uint32(uint64(1)<<size - 1)
		chans := uint32(f >> sub)
		for i := uint(0); i < uint(o.n); i++ {
			g := chans >> ((uint(o.choff) + i) / size * size) & group
			if any && g != 0 || !any && g == group {
				bits |= 1 << i
			}
		}
	}
	if o.predInv {
		bits = ^bits
	}
	return bits & o.full
}

// rejoin activates the lanes that wait at instruction ip.
func (t *Thread) rejoin(ip int32) {
	for w := t.waiting; w != 0; w &= w - 1 {
		i := trailing(w)
		if t.wait[i] == ip {
			t.active |= 1 << i
			t.waiting &^= 1 << i
		}
	}
}

// park makes lanes wait at instruction ip.
func (t *Thread) park(lanes uint32, ip int32) {
	t.active &^= lanes
	t.waiting |= lanes
	for ; lanes != 0; lanes &= lanes - 1 {
		t.wait[trailing(lanes)] = ip
	}
}

// predecodeFlow resolves targets and selects the handler.
func (p *Program) predecodeFlow(o *op, in *isa.Inst) *opError {
	o.jip = p.at(int(o.off) + int(in.JIP))
	o.uip = p.at(int(o.off) + int(in.UIP))
	if in.Op == isa.OpCalla {
		o.jip = p.at(int(in.JIP))
	}
	o.footprints(in)
	switch in.Op {
	case isa.OpJmpi:
		if in.Src[0].File == isa.FileGRF || in.Src[0].File == isa.FileARF {
			o.nsrc = 1
			if err := p.source(o, in, 0, false); err != nil {
				return err
			}
			if o.src[0].kind == srcIndirect {
				return operr(FaultOperand, "an indirect jump target")
			}
			o.footprints(in)
		}
		o.exec = execJmpi
	case isa.OpCall, isa.OpCalla, isa.OpRet:
		return p.predecodeCall(o, in)
	case isa.OpIf:
		o.exec = execIf
	case isa.OpElse:
		o.exec = execElse
	case isa.OpEndif, isa.OpJoin:
		o.exec = execEndif
	case isa.OpWhile:
		o.exec = execWhile
	case isa.OpBreak, isa.OpCont, isa.OpHalt, isa.OpBrc:
		// Lanes that leave a loop wait after the while, which would send them around again.
		if in.Op == isa.OpBreak && o.uip >= 0 && p.insts[o.uip].Op == isa.OpWhile {
			o.uip++
		}
		o.exec = execLeave
	case isa.OpGoto:
		switch {
		case in.BranchCtrl:
			o.exec = execGotoBack
		case p.machine.Can(target.GotoOnTrue):
			o.exec = execLeave
		default:
			o.exec = execGotoUnless
		}
	case isa.OpBrd:
		o.uip = o.jip
		o.exec = execLeave
	}
	return nil
}

// jump continues at an instruction, which must exist.
func (t *Thread) jump(o *op, target int32) {
	if target < 0 || int(target) >= len(t.prog.ops) {
		t.faultf(o, FaultJump, "the target is outside the program or inside an instruction")
		return
	}
	if target != t.ip {
		t.jumped()
	}
	t.ip = target
}

// branchMask returns the thread's lanes for which a branch is taken.
func (t *Thread) branchMask(o *op) uint32 {
	m := t.active & (o.full << o.choff)
	if o.pred != isa.PredNone {
		m &= t.branchPred(o) << o.choff
	}
	return m
}

// branchPred returns the predicate of a branch. A SIMD32 branch uses the whole flag register.
func (t *Thread) branchPred(o *op) uint32 { return t.predicate(o) }

func execIf(t *Thread, o *op) {
	lanes := t.active & (o.full << o.choff)
	taken := t.branchMask(o)
	t.goTo(o, lanes&^taken, o.jip, o.jip)
}

// goTo parks lanes at target and, if no lane is left, continues at next.
func (t *Thread) goTo(o *op, lanes uint32, target, next int32) {
	if lanes != 0 {
		if target < 0 {
			t.faultf(o, FaultJump, "the target is outside the program or inside an instruction")
			return
		}
		t.park(lanes, target)
	}
	if t.active == 0 {
		t.jump(o, next)
	}
}

func execElse(t *Thread, o *op) {
	lanes := t.active & (o.full << o.choff)
	if lanes != 0 {
		if o.uip < 0 {
			t.faultf(o, FaultJump, "the target is outside the program or inside an instruction")
			return
		}
		t.park(lanes, o.uip)
	}
	t.rejoin(o.idx + 1) // the lanes that failed the if
	if t.active == 0 {
		t.jump(o, o.jip)
	}
}

func execEndif(t *Thread, o *op) {
	if t.active == 0 {
		t.jump(o, o.jip)
	}
}

func execWhile(t *Thread, o *op) {
	lanes := t.active & (o.full << o.choff)
	again := t.branchMask(o)
	if leave := lanes &^ again; again != 0 {
		if leave != 0 {
			if int(o.idx)+1 >= len(t.prog.ops) {
				t.faultf(o, FaultJump, "lanes leave the loop and the program")
				return
			}
			t.park(leave, o.idx+1)
		}
		t.jump(o, o.jip)
	}
}

// execLeave executes break, cont, halt, brd, brc and the forward goto: lanes whose predicate is true wait at
// UIP.
func execLeave(t *Thread, o *op) {
	t.goTo(o, t.branchMask(o), o.uip, o.jip)
}

// execGotoUnless executes the forward goto of machines on which goto, like if, jumps when the predicate is
// false. goto with branch control is the same on all machines (IGC inverts the predicates of forward gotos for
// BDW and SKL, and creates all-zero flags for unpredicated ones).
func execGotoUnless(t *Thread, o *op) {
	lanes := t.active & (o.full << o.choff)
	t.goTo(o, lanes&^t.branchMask(o), o.uip, o.jip)
}

// execGotoBack executes goto with branch control: lanes whose predicate is true jump back to UIP at once, the
// others wait at the next instruction.
func execGotoBack(t *Thread, o *op) {
	taken := t.branchMask(o)
	if taken == 0 {
		return
	}
	if stay := t.active & (o.full << o.choff) &^ taken; stay != 0 {
		if int(o.idx)+1 >= len(t.prog.ops) {
			t.faultf(o, FaultJump, "lanes leave the program")
			return
		}
		t.park(stay, o.idx+1)
	}
	t.jump(o, o.uip)
}

// execJmpi moves the whole thread and leaves the state of the lanes unchanged.
func execJmpi(t *Thread, o *op) {
	if o.pred != isa.PredNone && t.predicate(o)&1 == 0 {
		return
	}
	if !o.noMask && t.active>>o.choff&1 == 0 {
		return
	}
	target := o.jip
	if o.nsrc == 1 {
		target = t.prog.at(int(o.off) + int(t.loadI(o, 0)[0]))
	}
	t.jump(o, target)
	if target >= 0 && t.waiting != 0 {
		t.rejoin(target)
	}
}

// predecodeCall checks the register pair that holds the return address and mask.
func (p *Program) predecodeCall(o *op, in *isa.Inst) *opError {
	a := &in.Dst
	o.exec = execCall
	if in.Op == isa.OpRet {
		a = &in.Src[0]
		o.exec = execRet
	}
	if a.File != isa.FileGRF || a.Indirect || a.Reg >= numGRF || int(a.Reg)*grfSize+int(a.Sub)+8 > grfEnd || a.Sub%4 != 0 {
		return operr(FaultOperand, "the return address needs two dwords of a general register")
	}
	o.dst.base = int32(a.Reg)*grfSize + int32(a.Sub)
	o.callFootprint()
	return nil
}

// execCall saves the return address and the active lanes; lanes whose predicate is false
// wait for the others to return.
func execCall(t *Thread, o *op) {
	taken := t.branchMask(o)
	if taken == 0 {
		return
	}
	binary.LittleEndian.PutUint32(t.reg[o.dst.base:], uint32(o.off)+uint32(t.prog.insts[o.idx].Size))
	binary.LittleEndian.PutUint32(t.reg[o.dst.base+4:], t.active)
	if rest := t.active &^ taken; rest != 0 {
		t.park(rest, waitReturn)
	}
	t.jump(o, o.jip)
}

// execRet returns some lanes from a subroutine. The thread returns with the last lane of the call.
func execRet(t *Thread, o *op) {
	lanes := t.branchMask(o)
	if lanes == 0 && t.active != 0 {
		return
	}
	t.park(lanes, waitReturn)
	back := binary.LittleEndian.Uint32(t.reg[o.dst.base:])
	mask := binary.LittleEndian.Uint32(t.reg[o.dst.base+4:]) & t.dispatch
	if t.active&mask != 0 {
		return
	}
	for w := mask; w != 0; w &= w - 1 {
		if i := trailing(w); t.waiting>>i&1 == 0 || t.wait[i] != waitReturn {
			return // a lane of the call has not returned yet
		}
	}
	t.waiting &^= mask
	t.active |= mask
	t.jump(o, t.prog.at(int(back)))
}
