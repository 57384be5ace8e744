// SPDX-License-Identifier: MIT

package clock

import (
	"fmt"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// NoWaits is the decoded scoreboard field of an instruction without waits.
var NoWaits = thread.Scoreboard{WaitDst: -1, WaitSrc: -1, Alloc: -1}

// DecodeSWSB returns the waits that the scoreboard field of an instruction encodes.
func DecodeSWSB(in *isa.Inst) thread.Scoreboard {
	s := NoWaits
	s.Dist = uint8(in.SWSB.Dist())
	token, use := in.SWSB.Token()
	switch use {
	case fields.TokenDst:
		s.WaitDst = int8(token)
	case fields.TokenSrc:
		s.WaitSrc = int8(token)
	case fields.TokenSet:
		s.Alloc = int8(token)
	}
	return s
}

// pending returns a token with an unfinished write (if sources is set, read) of bytes of s, and the index of the token's
// instruction. ok is false if there is none. It ignores sources of instructions on the unit inOrderWith.
func pending(h *thread.Tracker, s thread.Span, sources bool, inOrderWith uint8) (tok int, idx int32, ok bool) {
	var set uint32
	for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumTracked; r++ {
		if sources {
			set |= h.TokR[r]
		} else {
			set |= h.TokW[r]
		}
	}
	for ; set != 0; set &= set - 1 {
		n := thread.Trailing(set)
		tk := &h.Tokens[n]
		if sources && inOrderWith != noUnit && tk.Unit == inOrderWith {
			continue
		}
		from, to := 0, 2
		if sources {
			from, to = 2, int(tk.Nspans)
		}
		for i := from; i < to; i++ {
			if tk.Spans[i].Overlaps(s) {
				return n, tk.Idx, true
			}
		}
		if n == thread.NoToken {
			return n, tk.Idx, true
		}
	}
	return 0, 0, false
}

// checkRead faults, and returns false, on a read of bytes whose write is unfinished.
func checkRead(t *thread.Thread, o *thread.Op, s thread.Span) bool {
	h := t.Track
	for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumTracked; r++ {
		if h.TokW[r] == 0 && h.Writer[r] <= h.Done {
			continue
		}
		if n, idx, ok := pending(h, s, false, noUnit); ok {
			hazard(t, o, idx, r, "reads %s before %s has written it (needs %s)", dstWait(n))
			return false
		}
		if c := h.Conflict(s, false, thread.NoPipe); c.Dist != 0 {
			hazard(t, o, c.Idx, r, "reads %s before %s has written it (needs %s)", distWait(h, c))
			return false
		}
		return true
	}
	return true
}

// checkWrite faults, and returns false, on a write of bytes with an unfinished write or read.
func checkWrite(t *thread.Thread, o *thread.Op, s thread.Span) bool {
	h := t.Track
	same := uint8(noUnit)
	if h.Lenient && o.Token {
		same = unitOf(o)
	}
	// Results and sources of instructions in the same pipe that need no wait before they are overwritten.
	results, sources := thread.NoPipe, thread.NoPipe
	if !o.Token {
		if sources = o.Pipe; h.Lenient {
			results = o.Pipe
		}
	}
	late := o.Token || h.Pipes // sources that it overwrites may not have been read
	for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumTracked; r++ {
		if h.TokW[r] == 0 && h.TokR[r] == 0 &&
			(!late && h.Lenient || h.Writer[r] <= h.Done && (!late || h.Reader[r] <= h.Done)) {
			continue
		}
		if n, idx, ok := pending(h, s, false, noUnit); ok {
			hazard(t, o, idx, r, "writes %s before %s has written it (needs %s)", dstWait(n))
			return false
		}
		if n, idx, ok := pending(h, s, true, same); ok {
			hazard(t, o, idx, r, "writes %s before %s has read it (needs %s)", srcWait(n))
			return false
		}
		if !late && h.Lenient {
			return true
		}
		if c := h.Conflict(s, false, results); c.Dist != 0 {
			hazard(t, o, c.Idx, r, "writes %s before %s has written it (needs %s)", distWait(h, c))
			return false
		}
		if !late {
			return true
		}
		if c := h.Conflict(s, true, sources); c.Dist != 0 {
			hazard(t, o, c.Idx, r, "writes %s before %s has read it (needs %s)", distWait(h, c))
			return false
		}
		return true
	}
	return true
}

func dstWait(n int) string {
	if n == thread.NoToken {
		return "a token"
	}
	return fmt.Sprintf("$%d.dst", n)
}

func srcWait(n int) string {
	if n == thread.NoToken {
		return "a token"
	}
	return fmt.Sprintf("$%d.src", n)
}

func distWait(h *thread.Tracker, c thread.Unfinished) string {
	pipe := ""
	if h.Pipes {
		pipe = c.Pipe.Name()
	}
	return fmt.Sprintf("%s@%d", pipe, min(c.Dist, 7))
}

func regName(reg int) string {
	if reg == thread.A0Reg {
		return "a0"
	}
	return fmt.Sprintf("r%d", reg)
}

// hazard reports a broken rule with both instructions.
func hazard(t *thread.Thread, o *thread.Op, idx int32, reg int, format, wait string) {
	other := &t.Prog.Ops[idx]
	msg := fmt.Sprintf(format, regName(reg), fmt.Sprintf("the instruction at 0x%04x (%s)", other.Off, t.Prog.Text(other)), wait)
	t.Faultf(o, thread.FaultHazard, "%s", msg)
}

// ScoreboardStep applies the waits of o, checks the registers that it uses and records them as unfinished. It
// returns false after a fault.
func ScoreboardStep(t *thread.Thread, o *thread.Op) bool {
	h := t.Track
	h.Waits(&o.Sb)
	if o.Kind == thread.KindSync {
		t.SyncWaits(o)
	}
	if h.ControlBusy() {
		hazard(t, o, h.CtrlIdx, 0, "runs while a control register is being written by %[2]s (needs %[3]s)", "@1")
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
		if h.Lenient && f.Src[k].Reg == thread.A0Reg {
			continue
		}
		if f.Src[k].Regs != 0 && !checkRead(t, o, f.Src[k]) {
			return false
		}
	}
	if (t.Opts.Undefined || t.Opts.Addresses) && !checkDefined(t, o, f) {
		return false
	}
	if f.ReadsA0 && !h.Lenient && !checkRead(t, o, thread.WholeA0) {
		return false
	}
	if f.Dst.Regs != 0 && !checkWrite(t, o, f.Dst) || f.Dst2.Regs != 0 && !checkWrite(t, o, f.Dst2) {
		return false
	}
	if o.Kind == thread.KindSend && (o.Send.Sfid == isa.SFIDGateway || o.Eot()) {
		for n := range h.Tokens {
			if tk := &h.Tokens[n]; tk.Fence && tk.Dst {
				hazard(t, o, tk.Idx, int(tk.Spans[0].Reg), "nothing has waited for %s, the destination of %s (needs %s)", dstWait(n))
				return false
			}
		}
	}
	switch {
	case !o.Token:
		if Counted(o, h.Lenient) {
			h.InOrder(o, f)
		}
	case !o.Eot():
		outOfOrder(h, o, f)
	}
	if t.Opts.Account != nil && (o.Kind != thread.KindSync || t.Prog.Insts[o.Idx].Sync != isa.SyncBar) { // a wait may repeat
		tick(t, o, f)
	}
	return true
}

// Counted reports whether @-distances count the instruction.
func Counted(o *thread.Op, lenient bool) bool {
	switch o.Kind {
	case thread.KindMath:
		return !o.Token
	case thread.KindALU, thread.KindNop, thread.KindFlow:
		if o.Piped {
			return o.Kind == thread.KindALU || lenient && o.Kind == thread.KindFlow
		}
		return lenient || o.Op != isa.OpNop && o.Op != isa.OpHalt
	}
	return false
}

// outOfOrder records a send or math instruction under its token.
func outOfOrder(h *thread.Tracker, o *thread.Op, f *thread.Footprint) {
	n := thread.NoToken
	if o.Sb.Alloc >= 0 {
		n = int(o.Sb.Alloc)
	}
	bit := uint32(1) << n
	tk := &h.Tokens[n]
	h.Serial++
	*tk = thread.Token{Idx: o.Idx, Serial: h.Serial, Dst: true, Src: true, Fence: isFence(o), Unit: unitOf(o)}
	tk.Spans[0], tk.Spans[1] = f.Dst, f.Dst2
	for _, s := range tk.Spans[:2] {
		for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumTracked; r++ {
			h.TokW[r] |= bit
		}
	}
	for k := 0; k < int(f.Nsrc) && k < 2; k++ {
		s := f.Src[k]
		tk.Spans[2+k] = s
		for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumTracked; r++ {
			h.TokR[r] |= bit
		}
	}
	tk.Nspans = 2 + min(f.Nsrc, 2)
}

// The units that run instructions out of order: shared functions by their id,
// and math.
const (
	noUnit   = 0xFF
	mathUnit = 0x80
)

func unitOf(o *thread.Op) uint8 {
	if o.Send != nil {
		return uint8(o.Send.Sfid)
	}
	return mathUnit
}

// isFence reports whether o is a fence message with a response.
func isFence(o *thread.Op) bool {
	s := o.Send
	return s != nil && !s.DescA0 && s.Msg.Rlen > 0 && (s.Sfid == isa.SFIDDC0 && s.Desc>>14&0x1F == 7 ||
		thread.IsLoadStore(s.Sfid) && s.Desc&thread.LSCOpMask == thread.LSCFence)
}

// Jumped notes that a jump was taken: under the lenient rules, all in-order instructions before it are finished.
func Jumped(t *thread.Thread) {
	if t.Track != nil && t.Opts.Hazards == thread.HazardsLenient {
		t.Track.Finish()
	}
}
