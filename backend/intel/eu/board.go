package eu

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// Before Gen12 the hardware maintains the scoreboard: an instruction stalls until its sources have been
// written, and until its destination has been written and read. General registers, a0, the flags and the
// accumulators are tracked, so a program without hints is always correct. This file checks the remaining ways
// to go wrong:
//
//   - {NoDDChk} ignores the scoreboard of the destination, {NoDDClr} leaves it set (SKL
//     PRM vol. 7, "Destination Dependency Control"). They allow several instructions to
//     fill a register without waiting for each other: the first has NoDDClr, the last
//     NoDDChk, those between have both. Until the last one the register is open: an
//     instruction that reads it, or writes it with a check, waits forever. A write without
//     a check can overtake an older write, or an older message that still has to read the
//     register. So only the instructions that opened the register may be using it, and
//     they must write other bytes.
//   - Neither may be used on predicated instructions, messages and the math unit, and an
//     instruction that closes a register but runs no lane leaves it open (Mesa's rules for
//     emitting these hints). BDW PRM vol. 7 forbids them for 64-bit operands and products
//     of doublewords, SKL PRM vol. 7 does not.
//   - The control register is not tracked: an instruction that names it needs {Switch},
//     which drains the pipeline (SKL PRM vol. 7, "Control Register").
//   - A fence is complete when it has responded, and only an instruction that reads or
//     overwrites its response waits for that.
//
// Intel's compilers and media kernels rely on a0 being tracked like a general register:
// they use addresses and descriptors in it after a write without {Switch}, and the kernels
// put NoDDClr and NoDDChk on writes to it.

// board is the scoreboard state of a thread, by register. Instructions are numbered from 1 in program order; 0
// means none.
type board struct {
	writer [numTracked]int32  // last unfinished write of the register
	reader [numTracked]int32  // message with an unfinished read of the register
	opener [numTracked]int32  // instruction that left the scoreboard set
	filled [numTracked]uint32 // bytes of an open register that have been written
	fences int                // unfinished fences
}

// each calls f with each register of a span and its bytes there, until f returns false.
func (s span) each(f func(r int, bytes uint32) bool) bool {
	for i := 0; i < int(s.regs) && int(s.reg)+i < numTracked; i++ {
		bytes := uint32(s.mask >> (32 * i))
		if s.regs > 2 {
			bytes = 1<<32 - 1
		}
		if !f(int(s.reg)+i, bytes) {
			return false
		}
	}
	return true
}

// touchesControl reports whether an instruction names the control register.
func touchesControl(in *isa.Inst) bool {
	is := func(a *isa.Operand) bool { return a.File == isa.FileARF && a.Reg == isa.ARFCR0 }
	return is(&in.Dst) || is(&in.Src[0]) || is(&in.Src[1]) || is(&in.Src[2])
}

// boardStep checks the registers that an instruction reads and writes, and records them. It returns false after
// a fault.
func (t *Thread) boardStep(o *op) bool {
	if o.unordered {
		t.faultf(o, FaultHazard, "names the control register without {Switch}")
		return false
	}
	if (o.noDDChk || o.noDDClr) && !t.mayFill(o) {
		return false
	}
	f := &o.foot
	var dyn footprint
	if f.indirect {
		dyn = *f
		if !t.resolve(o, &dyn) {
			return t.err == nil
		}
		f = &dyn
	}
	for k := 0; k < int(f.nsrc); k++ {
		if !t.boardRead(o, f.src[k]) {
			return false
		}
	}
	if f.readsA0 && !t.boardRead(o, span{mask: 1<<32 - 1, reg: a0Reg, regs: 1}) {
		return false
	}
	if (t.opts.Undefined || t.opts.Addresses) && !t.checkDefined(o, f) {
		return false
	}
	if !t.boardWrite(o, f.dst) || !t.boardWrite(o, f.dst2) {
		return false
	}
	if o.kind == kindSend && (o.send.sfid == isa.SFIDGateway || o.eot()) && !t.fencesAnswered(o) {
		return false
	}
	if o.kind != kindWait { // a wait may execute several times
		t.boardRecord(o, f)
		t.tick(o, f)
	}
	return true
}

// mayFill faults if the instruction must not carry NoDDChk or NoDDClr.
func (t *Thread) mayFill(o *op) bool {
	switch {
	case o.kind == kindSend:
		t.faultf(o, FaultHazard, "a message with NoDDClr or NoDDChk")
	case o.kind == kindMath:
		t.faultf(o, FaultHazard, "math with NoDDClr or NoDDChk")
	case o.pred != isa.PredNone:
		t.faultf(o, FaultHazard, "a predicated instruction with NoDDClr or NoDDChk")
	case !o.noDDClr && t.mask(o) == 0:
		t.faultf(o, FaultHazard, "runs no lane, so that it leaves the scoreboard of its destination set")
	}
	return t.err == nil
}

// boardRead waits for the writers of the bytes that an instruction reads.
func (t *Thread) boardRead(o *op, s span) bool {
	h := t.board
	for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numTracked; r++ {
		if h.opener[r] != 0 {
			t.conflict(o, r, h.opener[r], "reads %s and waits forever: %s has left its scoreboard set")
			return false
		}
		t.waited(r)
	}
	return true
}

// boardWrite waits for the readers and writers of the bytes that an instruction overwrites, or faults if the
// instruction skips a wait that it needs.
func (t *Thread) boardWrite(o *op, s span) bool {
	h := t.board
	return s.each(func(r int, bytes uint32) bool {
		switch {
		case !o.noDDChk && h.opener[r] != 0:
			t.conflict(o, r, h.opener[r], "writes %s and waits forever: %s has left its scoreboard set")
		case !o.noDDChk:
			t.waited(r)
			h.reader[r] = 0
		case h.reader[r] != 0:
			t.conflict(o, r, h.reader[r], "writes %s without checking that %s has read it")
		case h.opener[r] != 0 && h.filled[r]&bytes != 0:
			t.conflict(o, r, h.opener[r], "writes bytes of %s that were written since %s opened it")
		case h.opener[r] == 0 && h.writer[r] != 0:
			t.conflict(o, r, h.writer[r], "writes %s without checking that %s has written it")
		}
		return t.err == nil
	})
}

// waited records that the thread has waited for the writer of a register. A message that
// has responded has read its sources.
func (t *Thread) waited(r int) {
	h := t.board
	w := h.writer[r]
	if w == 0 {
		return
	}
	h.writer[r] = 0
	o := &t.prog.ops[w-1]
	if o.send == nil {
		return
	}
	if o.isFence() {
		h.fences--
	}
	for _, first := range [2]int{o.send.src0, o.send.src1} {
		for k := max(first, 0); k < numGRF && h.reader[k] == w; k++ {
			h.reader[k] = 0
		}
	}
}

// boardRecord records the registers used by an instruction.
func (t *Thread) boardRecord(o *op, f *footprint) {
	h := t.board
	me := o.idx + 1
	for _, s := range [2]span{f.dst, f.dst2} {
		s.each(func(r int, bytes uint32) bool {
			h.writer[r] = me
			if o.noDDClr {
				h.opener[r], h.filled[r] = me, h.filled[r]|bytes
			} else {
				h.opener[r], h.filled[r] = 0, 0
			}
			return true
		})
	}
	if o.kind != kindSend {
		return
	}
	if o.isFence() && f.dst.regs != 0 {
		h.fences++
	}
	for k := 0; k < int(f.nsrc); k++ {
		s := f.src[k]
		for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numTracked; r++ {
			h.reader[r] = me
		}
	}
}

// fencesAnswered faults on a barrier or the end of the thread while a fence may be
// outstanding.
func (t *Thread) fencesAnswered(o *op) bool {
	h := t.board
	if h.fences == 0 {
		return true
	}
	for r, w := range h.writer {
		if w != 0 && t.prog.ops[w-1].isFence() {
			t.conflict(o, r, w, "nothing has waited for %s, the destination of %s")
			break
		}
	}
	return false
}

// conflict reports a broken rule with both instructions.
func (t *Thread) conflict(o *op, reg int, other int32, format string) {
	by := &t.prog.ops[other-1]
	t.faultf(o, FaultHazard, format, regName(reg), fmt.Sprintf("the instruction at 0x%04x (%s)", by.off, t.prog.text(by)))
}
