// SPDX-License-Identifier: MIT

package clock

import (
	"fmt"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// TouchesControl reports whether an instruction names the control register.
func TouchesControl(in *isa.Inst) bool {
	is := func(a *isa.Operand) bool { return a.File == isa.FileARF && a.Reg == isa.ARFCR0 }
	return is(&in.Dst) || is(&in.Src[0]) || is(&in.Src[1]) || is(&in.Src[2])
}

// BoardStep checks the registers that an instruction reads and writes, and records them. It returns false after
// a fault.
func BoardStep(t *thread.Thread, o *thread.Op) bool {
	if o.Unordered {
		what := "compares without a destination"
		if TouchesControl(&t.Prog.Insts[o.Idx]) {
			what = "names the control register"
		}
		t.Faultf(o, thread.FaultHazard, "%s without {Switch}", what)
		return false
	}
	if (o.NoDDChk || o.NoDDClr) && !mayFill(t, o) {
		return false
	}
	f := &o.Foot
	var dyn thread.Footprint
	if f.Indirect {
		dyn = *f
		if !resolve(t, o, &dyn) {
			return t.Err == nil
		}
		f = &dyn
	}
	for k := 0; k < int(f.Nsrc); k++ {
		if !boardRead(t, o, f.Src[k]) {
			return false
		}
	}
	if f.ReadsA0 && !boardRead(t, o, thread.WholeA0) {
		return false
	}
	if (t.Opts.Undefined || t.Opts.Addresses) && !checkDefined(t, o, f) {
		return false
	}
	if !boardWrite(t, o, f.Dst) || !boardWrite(t, o, f.Dst2) {
		return false
	}
	if o.Kind == thread.KindSend && (o.Send.Sfid == isa.SFIDGateway || o.Eot()) && !fencesAnswered(t, o) {
		return false
	}
	if o.Kind != thread.KindWait { // a wait may execute several times
		boardRecord(t, o, f)
		tick(t, o, f)
	}
	return true
}

// mayFill faults, and returns false, if the instruction must not carry NoDDChk or NoDDClr.
func mayFill(t *thread.Thread, o *thread.Op) bool {
	switch {
	case o.Kind == thread.KindSend:
		t.Faultf(o, thread.FaultHazard, "a message has NoDDClr or NoDDChk")
	case o.Kind == thread.KindMath:
		t.Faultf(o, thread.FaultHazard, "a math instruction has NoDDClr or NoDDChk")
	case o.Pred != isa.PredNone:
		t.Faultf(o, thread.FaultHazard, "a predicated instruction has NoDDClr or NoDDChk")
	case !o.NoDDClr && t.Mask(o) == 0:
		t.Faultf(o, thread.FaultHazard, "runs for no lane, so it leaves the scoreboard of its destination set")
	}
	return t.Err == nil
}

// boardRead waits for the writers of the registers that an instruction reads. It faults, and returns false, if the
// scoreboard of one of them stays set.
func boardRead(t *thread.Thread, o *thread.Op, s thread.Span) bool {
	h := t.Board
	for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumTracked; r++ {
		if h.Opener[r] != 0 {
			conflict(t, o, r, h.Opener[r], "reads %s and waits forever: %s has left its scoreboard set")
			return false
		}
		waited(t, r)
	}
	return true
}

// boardWrite waits for the readers and writers of the registers that an instruction overwrites. It faults, and returns
// false, if the scoreboard of one of them stays set or the instruction skips a wait that it needs.
func boardWrite(t *thread.Thread, o *thread.Op, s thread.Span) bool {
	h := t.Board
	return s.Each(func(r int, bytes uint64) bool {
		switch {
		case !o.NoDDChk && h.Opener[r] != 0:
			conflict(t, o, r, h.Opener[r], "writes %s and waits forever: %s has left its scoreboard set")
		case !o.NoDDChk:
			waited(t, r)
			h.Reader[r] = 0
		case h.Reader[r] != 0:
			conflict(t, o, r, h.Reader[r], "writes %s without checking that %s has read it")
		case h.Opener[r] != 0 && h.Filled[r]&bytes != 0:
			conflict(t, o, r, h.Opener[r], "writes bytes of %s that were written since %s opened it")
		case h.Opener[r] == 0 && h.Writer[r] != 0:
			conflict(t, o, r, h.Writer[r], "writes %s without checking that %s has written it")
		}
		return t.Err == nil
	})
}

// waited records that the thread has waited for the writer of a register. A message that
// has responded has read its sources.
func waited(t *thread.Thread, r int) {
	h := t.Board
	w := h.Writer[r]
	if w == 0 {
		return
	}
	h.Writer[r] = 0
	o := &t.Prog.Ops[w-1]
	if o.Send == nil {
		return
	}
	if isFence(o) {
		h.Fences--
	}
	for _, first := range [2]int{o.Send.Src0, o.Send.Src1} {
		for k := max(first, 0); k < thread.NumGRF && h.Reader[k] == w; k++ {
			h.Reader[k] = 0
		}
	}
}

// boardRecord records the registers used by an instruction.
func boardRecord(t *thread.Thread, o *thread.Op, f *thread.Footprint) {
	h := t.Board
	me := o.Idx + 1
	for _, s := range [2]thread.Span{f.Dst, f.Dst2} {
		s.Each(func(r int, bytes uint64) bool {
			h.Writer[r] = me
			if o.NoDDClr {
				h.Opener[r], h.Filled[r] = me, h.Filled[r]|bytes
			} else {
				h.Opener[r], h.Filled[r] = 0, 0
			}
			return true
		})
	}
	if o.Kind != thread.KindSend {
		return
	}
	if isFence(o) && f.Dst.Regs != 0 {
		h.Fences++
	}
	for k := 0; k < int(f.Nsrc); k++ {
		s := f.Src[k]
		for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumTracked; r++ {
			h.Reader[r] = me
		}
	}
}

// fencesAnswered faults, and returns false, if a fence may be outstanding at a barrier or at the end of the thread.
func fencesAnswered(t *thread.Thread, o *thread.Op) bool {
	h := t.Board
	if h.Fences == 0 {
		return true
	}
	for r, w := range h.Writer {
		if w != 0 && isFence(&t.Prog.Ops[w-1]) {
			conflict(t, o, r, w, "nothing has waited for %s, the destination of %s")
			break
		}
	}
	return false
}

// conflict reports a broken rule with both instructions.
func conflict(t *thread.Thread, o *thread.Op, reg int, other int32, format string) {
	by := &t.Prog.Ops[other-1]
	t.Faultf(o, thread.FaultHazard, format, regName(reg), fmt.Sprintf("the instruction at 0x%04x (%s)", by.Off, t.Prog.Text(by)))
}
