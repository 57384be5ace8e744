// SPDX-License-Identifier: MIT

package control

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Control flow is tracked per lane. A lane is active, or waits for the thread to reach the instruction in Thread.Wait, or
// waits in a subroutine call for other lanes to return (waitReturn). A branch changes the state of
// lanes; the thread continues with the active lanes and jumps only if none is left. This is the hardware's
// scheme of one instruction pointer per channel (TGL PRM vol. 7, "Flow Control").
const waitReturn = -2

// Rejoin activates the lanes that wait at instruction ip.
func Rejoin(t *thread.Thread, ip int32) {
	for w := t.Waiting; w != 0; w &= w - 1 {
		i := thread.Trailing(w)
		if t.Wait[i] == ip {
			t.Active |= 1 << i
			t.Waiting &^= 1 << i
		}
	}
}

// Park makes lanes wait at instruction ip.
func Park(t *thread.Thread, lanes uint32, ip int32) {
	t.Active &^= lanes
	t.Waiting |= lanes
	for ; lanes != 0; lanes &= lanes - 1 {
		t.Wait[thread.Trailing(lanes)] = ip
	}
}

// PredecodeFlow resolves targets and selects the handler.
func PredecodeFlow(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	o.Jip = p.At(int(o.Off) + int(in.JIP))
	o.Uip = p.At(int(o.Off) + int(in.UIP))
	if in.Op == isa.OpCalla {
		o.Jip = p.At(int(in.JIP))
	}
	clock.Footprints(p, o, in)
	switch in.Op {
	case isa.OpJmpi:
		if in.Src[0].File == isa.FileGRF || in.Src[0].File == isa.FileARF {
			o.Nsrc = 1
			if err := p.Source(o, in, 0, false); err != nil {
				return err
			}
			if o.Src[0].Kind == thread.SrcIndirect {
				return thread.Operr(thread.FaultOperand, "the jump target must not be an indirect operand")
			}
			clock.Footprints(p, o, in)
		}
		o.Exec = execJmpi
	case isa.OpCall, isa.OpCalla, isa.OpRet:
		return predecodeCall(p, o, in)
	case isa.OpIf:
		o.Exec = execIf
	case isa.OpElse:
		if isa.Ops[in.Op].TargetsOn(p.Machine.Platform) == 1 { // JIP is the endif
			o.Uip = o.Jip
		}
		o.Exec = execElse
	case isa.OpEndif, isa.OpJoin:
		o.Exec = execEndif
	case isa.OpWhile:
		o.Exec = execWhile
	case isa.OpBreak, isa.OpCont, isa.OpHalt, isa.OpBrc:
		// Lanes that leave a loop wait after the while, which would send them around again.
		if in.Op == isa.OpBreak && o.Uip >= 0 && p.Insts[o.Uip].Op == isa.OpWhile {
			o.Uip++
		}
		o.Exec = execLeave
	case isa.OpGoto:
		switch {
		case in.BranchCtrl:
			o.Exec = execGotoBack
		case p.Machine.Can(target.GotoOnTrue):
			o.Exec = execLeave
		default:
			o.Exec = execGotoUnless
		}
	case isa.OpBrd:
		o.Uip = o.Jip
		o.Exec = execLeave
	}
	return nil
}

// jump continues at an instruction. It faults if there is no such instruction.
func jump(t *thread.Thread, o *thread.Op, target int32) {
	if target < 0 || int(target) >= len(t.Prog.Ops) {
		t.Faultf(o, thread.FaultJump, "the target is outside the program or inside an instruction")
		return
	}
	if target != t.Ip {
		clock.Jumped(t)
	}
	t.Ip = target
}

// branchMask returns the thread's lanes for which a branch is taken.
func branchMask(t *thread.Thread, o *thread.Op) uint32 {
	m := t.Active & (o.Full << o.Choff)
	if o.Pred != isa.PredNone {
		m &= branchPred(t, o) << o.Choff
	}
	return m
}

// branchPred returns the predicate of a branch. A SIMD32 branch uses the whole flag register.
func branchPred(t *thread.Thread, o *thread.Op) uint32 { return t.Predicate(o) }

func execIf(t *thread.Thread, o *thread.Op) {
	lanes := t.Active & (o.Full << o.Choff)
	taken := branchMask(t, o)
	goTo(t, o, lanes&^taken, o.Jip, o.Jip)
}

// goTo parks lanes at target and, if no lane is left, continues at next.
func goTo(t *thread.Thread, o *thread.Op, lanes uint32, target, next int32) {
	if lanes != 0 {
		if target < 0 {
			t.Faultf(o, thread.FaultJump, "the target is outside the program or inside an instruction")
			return
		}
		Park(t, lanes, target)
	}
	if t.Active == 0 {
		jump(t, o, next)
	}
}

func execElse(t *thread.Thread, o *thread.Op) {
	lanes := t.Active & (o.Full << o.Choff)
	if lanes != 0 {
		if o.Uip < 0 {
			t.Faultf(o, thread.FaultJump, "the target is outside the program or inside an instruction")
			return
		}
		Park(t, lanes, o.Uip)
	}
	Rejoin(t, o.Idx+1) // the lanes that failed the if
	if t.Active == 0 {
		jump(t, o, o.Jip)
	}
}

func execEndif(t *thread.Thread, o *thread.Op) {
	if t.Active == 0 {
		jump(t, o, o.Jip)
	}
}

func execWhile(t *thread.Thread, o *thread.Op) {
	lanes := t.Active & (o.Full << o.Choff)
	again := branchMask(t, o)
	if leave := lanes &^ again; again != 0 {
		if leave != 0 {
			if int(o.Idx)+1 >= len(t.Prog.Ops) {
				t.Faultf(o, thread.FaultJump, "lanes leave the loop past the end of the program")
				return
			}
			Park(t, leave, o.Idx+1)
		}
		jump(t, o, o.Jip)
	}
}

// execLeave executes break, cont, halt, brd, brc and, on machines on which goto jumps when the predicate is true, the
// forward goto: lanes whose predicate is true wait at UIP. If no lane is left, the thread continues at JIP.
func execLeave(t *thread.Thread, o *thread.Op) {
	goTo(t, o, branchMask(t, o), o.Uip, o.Jip)
}

// execGotoUnless executes the forward goto of machines on which goto, like if, jumps when the predicate is
// false. goto with branch control is the same on all machines (IGC inverts the predicates of forward gotos for
// BDW and SKL, and creates all-zero flags for unpredicated ones).
func execGotoUnless(t *thread.Thread, o *thread.Op) {
	lanes := t.Active & (o.Full << o.Choff)
	goTo(t, o, lanes&^branchMask(t, o), o.Uip, o.Jip)
}

// execGotoBack executes goto with branch control: lanes whose predicate is true jump back to UIP at once, the
// others wait at the next instruction.
func execGotoBack(t *thread.Thread, o *thread.Op) {
	taken := branchMask(t, o)
	if taken == 0 {
		return
	}
	if stay := t.Active & (o.Full << o.Choff) &^ taken; stay != 0 {
		if int(o.Idx)+1 >= len(t.Prog.Ops) {
			t.Faultf(o, thread.FaultJump, "lanes run past the end of the program")
			return
		}
		Park(t, stay, o.Idx+1)
	}
	jump(t, o, o.Uip)
}

// execJmpi moves the whole thread and leaves the state of the lanes unchanged.
func execJmpi(t *thread.Thread, o *thread.Op) {
	if o.Pred != isa.PredNone && t.Predicate(o)&1 == 0 {
		return
	}
	if !o.NoMask && t.Active>>o.Choff&1 == 0 {
		return
	}
	target := o.Jip
	if o.Nsrc == 1 {
		target = t.Prog.At(int(o.Off) + int(t.LoadI(o, 0)[0]))
	}
	jump(t, o, target)
	if target >= 0 && t.Waiting != 0 {
		Rejoin(t, target)
	}
}

// predecodeCall checks the register pair that holds the return address and mask.
func predecodeCall(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	a := &in.Dst
	o.Exec = execCall
	if in.Op == isa.OpRet {
		a = &in.Src[0]
		o.Exec = execRet
	}
	if a.File != isa.FileGRF || a.Indirect || int(a.Reg)*p.GRF+int(a.Sub)+8 > p.End ||
		a.Sub%4 != 0 {
		return thread.Operr(thread.FaultOperand, "the return address needs two dwords of a general register")
	}
	o.Dst.Base = int32(int(a.Reg)*p.GRF + int(a.Sub))
	clock.CallFootprint(p, o)
	return nil
}

// execCall saves the return address and the active lanes; lanes whose predicate is false
// wait for the others to return.
func execCall(t *thread.Thread, o *thread.Op) {
	taken := branchMask(t, o)
	if taken == 0 {
		return
	}
	binary.LittleEndian.PutUint32(t.Reg[o.Dst.Base:], uint32(o.Off)+uint32(t.Prog.Insts[o.Idx].Size))
	binary.LittleEndian.PutUint32(t.Reg[o.Dst.Base+4:], t.Active)
	if rest := t.Active &^ taken; rest != 0 {
		Park(t, rest, waitReturn)
	}
	jump(t, o, o.Jip)
}

// execRet returns some lanes from a subroutine. The thread returns with the last lane of the call.
func execRet(t *thread.Thread, o *thread.Op) {
	lanes := branchMask(t, o)
	if lanes == 0 && t.Active != 0 {
		return
	}
	Park(t, lanes, waitReturn)
	back := binary.LittleEndian.Uint32(t.Reg[o.Dst.Base:])
	mask := binary.LittleEndian.Uint32(t.Reg[o.Dst.Base+4:]) & t.Dispatch
	if t.Active&mask != 0 {
		return
	}
	for w := mask; w != 0; w &= w - 1 {
		if i := thread.Trailing(w); t.Waiting>>i&1 == 0 || t.Wait[i] != waitReturn {
			return // a lane of the call has not returned yet
		}
	}
	t.Waiting &^= mask
	t.Active |= mask
	jump(t, o, t.Prog.At(int(back)))
}
