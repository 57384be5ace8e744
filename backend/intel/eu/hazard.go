package eu

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// From Gen12 on the program maintains the scoreboard: every instruction encodes its waits. This file tracks
// unfinished operations along the executed path and faults on a use without its wait. The rules (TGL PRM vol.
// 7, "Software Scoreboard"; checked against iga64 -Xauto-deps):
//
//   - Arithmetic, nop and branches run in order and are counted; @d waits for the d-th
//     instruction back and for all older ones. A result more than ten instructions old is
//     available. Compilers differ in whether nop and halt count; under the strict rules, a
//     distance must be right in both counts.
//   - Sends and math run out of order under a token. $n.dst waits for the result and
//     implies that the sources were read; $n.src waits only for the latter. Reusing a
//     token waits for its previous user.
//   - In order after in order: a read needs the wait, and so does overwriting a result
//     (Mesa waits there, Intel's OpenCL compiler does not); overwriting a source does not.
//   - Out of order after in order: a read, overwriting a result and overwriting a source
//     all need the wait.
//   - Anything after out of order: reading or overwriting its result needs $n.dst,
//     overwriting its source needs $n.src.
//   - A fence is complete when it has responded: a message to the gateway or the thread's last
//     message needs its $n.dst.
//   - Flags and the accumulators 0 and 1 are tracked by hardware. After a write to another
//     architecture register the next instruction must wait for it; a0 behaves like a
//     general register.

// HazardRules is the set of rules by which the scoreboard is checked.
type HazardRules uint8

// The sets of rules.
const (
	// HazardsStrict allows only assumptions that a compiler can rely on.
	HazardsStrict HazardRules = iota
	// HazardsLenient also allows the assumptions of Intel's OpenCL compiler: after a taken jump all in-order
	// instructions are finished; a fence that has responded implies that the sources of all earlier messages
	// were read; a shared function, and the math unit, reads the sources of its instructions in order;
	// addresses and descriptors in a0 are tracked by hardware; in-order results are written in order; nop and
	// halt count.
	HazardsLenient
	// HazardsOff checks nothing.
	HazardsOff
)

const (
	inOrderDepth = 10 // a dependency older than this needs no wait
	historySize  = 16 // instructions kept for error messages; a power of two, > inOrderDepth
	numTokens    = 16
	noToken      = numTokens // pseudo-token of out-of-order instructions without a token
	a0Reg        = numGRF    // a0's number among the tracked registers
	numTracked   = numGRF + 1
)

// scoreboard is the decoded SWSB field.
type scoreboard struct {
	dist    uint8
	waitDst int8 // token, or -1
	waitSrc int8
	alloc   int8
	bad     bool
}

// noWaits is the scoreboard field of an instruction without waits.
var noWaits = scoreboard{waitDst: -1, waitSrc: -1, alloc: -1}

func decodeSWSB(in *isa.Inst) scoreboard {
	s := noWaits
	b := uint8(in.SWSB)
	n := int8(b & 15)
	outOfOrder := kindOf(in.Op) == kindSend || in.Op == isa.OpMath
	switch {
	case b >= 0x80:
		s.dist = b >> 4 & 7
		if outOfOrder {
			s.alloc = n
		} else {
			s.waitDst = n
		}
	case b >= 0x50:
		s.bad = true
	case b >= 0x40:
		s.alloc = n
	case b >= 0x30:
		s.waitSrc = n
	case b >= 0x20:
		s.waitDst = n
	case b >= 0x08:
		s.bad = true
	default:
		s.dist = b
	}
	return s
}

// issued is an in-order instruction that may still be running.
type issued struct {
	idx  int32
	nsrc uint8
	dst  span
	src  [3]span
}

// token is the state of one scoreboard token.
type token struct {
	idx      int32
	serial   uint32
	unit     uint8 // see unitOf
	dst, src bool  // unfinished write of the result, unfinished read of the sources
	fence    bool
	nspans   uint8
	spans    [4]span // spans[0] is the result, spans[1] a second result or empty; sources follow
}

// tracker tracks the unfinished instructions of one thread.
type tracker struct {
	seq     uint32 // in-order instructions issued
	done    uint32 // in-order instructions up to this one are known to be finished
	serial  uint32 // number of sends and math instructions issued
	lenient bool
	ctrl    uint32 // last in-order instruction that wrote a control register
	ctrlIdx int32
	writer  [numTracked]uint32 // last in-order instruction that wrote a register
	reader  [numTracked]uint32
	tokW    [numTracked]uint32 // bit n: an unfinished write of token n
	tokR    [numTracked]uint32 // bit n: an unfinished read of token n
	history [historySize]issued
	tokens  [numTokens + 1]token
}

// release ends the wait for a token.
func (h *tracker) release(n int, dst bool) {
	tk := &h.tokens[n]
	if !tk.src && !(dst && tk.dst) {
		return
	}
	for _, s := range tk.spans[2:max(tk.nspans, 2)] {
		h.clear(&h.tokR, s, n)
	}
	tk.src = false
	if dst {
		for _, s := range tk.spans[:2] {
			h.clear(&h.tokW, s, n)
		}
		tk.dst = false
	}
	if !h.lenient {
		return
	}
	// The sources of older instructions on the same unit have been read as well.
	for i := range h.tokens {
		o := &h.tokens[i]
		if o.src && (o.unit == tk.unit || dst && tk.fence) && int32(tk.serial-o.serial) > 0 {
			h.release(i, false)
		}
	}
}

func (h *tracker) clear(set *[numTracked]uint32, s span, n int) {
	for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numTracked; r++ {
		set[r] &^= 1 << n
	}
}

// waits applies the waits encoded in an instruction.
func (h *tracker) waits(s *scoreboard) {
	if d := uint32(s.dist); d != 0 && h.seq+1 >= d {
		h.done = max(h.done, h.seq+1-d)
	}
	if s.waitDst >= 0 {
		h.release(int(s.waitDst), true)
	}
	if s.waitSrc >= 0 {
		h.release(int(s.waitSrc), false)
	}
	if s.alloc >= 0 {
		h.release(int(s.alloc), true)
	}
}

// conflict searches the history for an unfinished instruction whose result, or sources if set, overlaps s. It
// returns the distance to wait for, or 0 if there is none.
func (h *tracker) conflict(s span, sources bool) (dist uint32, idx int32) {
	for q := h.seq; q > h.done && q > 0 && h.seq+1-q <= inOrderDepth; q-- {
		e := &h.history[q%historySize]
		if !sources {
			if e.dst.overlaps(s) {
				return h.seq + 1 - q, e.idx
			}
			continue
		}
		for k := 0; k < int(e.nsrc); k++ {
			if e.src[k].overlaps(s) {
				return h.seq + 1 - q, e.idx
			}
		}
	}
	return 0, 0
}

// pending searches for a token with an unfinished write (with sources, read) of bytes of s. It ignores the
// sources of instructions on the unit inOrderWith.
func (h *tracker) pending(s span, sources bool, inOrderWith uint8) (tok int, idx int32, ok bool) {
	var bits uint32
	for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numTracked; r++ {
		if sources {
			bits |= h.tokR[r]
		} else {
			bits |= h.tokW[r]
		}
	}
	for ; bits != 0; bits &= bits - 1 {
		n := trailing(bits)
		tk := &h.tokens[n]
		if sources && inOrderWith != noUnit && tk.unit == inOrderWith {
			continue
		}
		from, to := 0, 2
		if sources {
			from, to = 2, int(tk.nspans)
		}
		for i := from; i < to; i++ {
			if tk.spans[i].overlaps(s) {
				return n, tk.idx, true
			}
		}
		if n == noToken {
			return n, tk.idx, true
		}
	}
	return 0, 0, false
}

// checkRead faults on a read of bytes whose write is unfinished.
func (t *Thread) checkRead(o *op, s span) bool {
	h := t.track
	for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numTracked; r++ {
		if h.tokW[r] == 0 && h.writer[r] <= h.done {
			continue
		}
		if n, idx, ok := h.pending(s, false, noUnit); ok {
			t.hazard(o, idx, r, "reads %s before %s has written it (needs %s)", dstWait(n))
			return false
		}
		if d, idx := h.conflict(s, false); d != 0 {
			t.hazard(o, idx, r, "reads %s before %s has written it (needs %s)", distWait(d))
			return false
		}
		return true
	}
	return true
}

// checkWrite faults on a write of bytes with an unfinished write or read.
func (t *Thread) checkWrite(o *op, s span) bool {
	h := t.track
	outOfOrder := o.kind == kindSend || o.kind == kindMath
	same := uint8(noUnit)
	if h.lenient && outOfOrder {
		same = unitOf(o)
	}
	for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numTracked; r++ {
		if h.tokW[r] == 0 && h.tokR[r] == 0 && (!outOfOrder && h.lenient || h.writer[r] <= h.done && (!outOfOrder || h.reader[r] <= h.done)) {
			continue
		}
		if n, idx, ok := h.pending(s, false, noUnit); ok {
			t.hazard(o, idx, r, "writes %s before %s has written it (needs %s)", dstWait(n))
			return false
		}
		if n, idx, ok := h.pending(s, true, same); ok {
			t.hazard(o, idx, r, "writes %s before %s has read it (needs %s)", srcWait(n))
			return false
		}
		if !outOfOrder && h.lenient {
			return true
		}
		if d, idx := h.conflict(s, false); d != 0 {
			t.hazard(o, idx, r, "writes %s before %s has written it (needs %s)", distWait(d))
			return false
		}
		if !outOfOrder {
			return true
		}
		if d, idx := h.conflict(s, true); d != 0 {
			t.hazard(o, idx, r, "writes %s before %s has read it (needs %s)", distWait(d))
			return false
		}
		return true
	}
	return true
}

func dstWait(n int) string {
	if n == noToken {
		return "a token"
	}
	return fmt.Sprintf("$%d.dst", n)
}

func srcWait(n int) string {
	if n == noToken {
		return "a token"
	}
	return fmt.Sprintf("$%d.src", n)
}

func distWait(d uint32) string { return fmt.Sprintf("@%d", min(d, 7)) }

func regName(reg int) string {
	if reg == a0Reg {
		return "a0"
	}
	return fmt.Sprintf("r%d", reg)
}

// hazard reports a broken rule with both instructions.
func (t *Thread) hazard(o *op, idx int32, reg int, format, wait string) {
	other := &t.prog.ops[idx]
	msg := fmt.Sprintf(format, regName(reg), fmt.Sprintf("the instruction at 0x%04x (%s)", other.off, t.prog.text(other)), wait)
	t.faultf(o, FaultHazard, "%s", msg)
}

// scoreboardStep applies the waits of o, checks the registers that it uses and records them as unfinished. It
// returns false after a fault.
func (t *Thread) scoreboardStep(o *op) bool {
	h := t.track
	h.waits(&o.sb)
	if o.kind == kindSync {
		t.syncWaits(o)
	}
	if h.ctrl > h.done {
		t.hazard(o, h.ctrlIdx, 0, "runs while a control register is being written by %[2]s (needs %[3]s)", "@1")
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
		if f.src[k].regs != 0 && !t.checkRead(o, f.src[k]) {
			return false
		}
	}
	if (t.opts.Undefined || t.opts.Addresses) && !t.checkDefined(o, f) {
		return false
	}
	if f.readsA0 && !h.lenient && !t.checkRead(o, span{mask: 1<<32 - 1, reg: a0Reg, regs: 1}) {
		return false
	}
	if f.dst.regs != 0 && !t.checkWrite(o, f.dst) || f.dst2.regs != 0 && !t.checkWrite(o, f.dst2) {
		return false
	}
	if o.kind == kindSend && (o.send.sfid == isa.SFIDGateway || o.eot()) {
		for n := range h.tokens {
			if tk := &h.tokens[n]; tk.fence && tk.dst {
				t.hazard(o, tk.idx, int(tk.spans[0].reg), "nothing has waited for %s, the destination of %s (needs %s)", dstWait(n))
				return false
			}
		}
	}
	switch o.kind {
	case kindALU, kindNop, kindFlow:
		if o.counted(h.lenient) {
			h.inOrder(o, f)
		}
	case kindSend, kindMath:
		if !o.eot() {
			h.outOfOrder(o, f)
		}
	}
	if t.opts.Account != nil && (o.kind != kindSync || t.prog.insts[o.idx].Sync != isa.SyncBar) { // a wait may repeat
		t.tick(o, f)
	}
	return true
}

// counted reports whether @-distances count the instruction.
func (o *op) counted(lenient bool) bool {
	switch o.kind {
	case kindALU, kindNop, kindFlow:
		return lenient || o.op != isa.OpNop && o.op != isa.OpHalt
	}
	return false
}

// inOrder records an in-order instruction.
func (h *tracker) inOrder(o *op, f *footprint) {
	h.seq++
	e := &h.history[h.seq%historySize]
	e.idx, e.nsrc, e.dst = o.idx, f.nsrc, f.dst
	for k := 0; k < int(f.nsrc); k++ {
		s := f.src[k]
		e.src[k] = s
		for r := int(s.reg); r < int(s.reg)+int(s.regs); r++ {
			h.reader[r] = h.seq
		}
	}
	for r := int(f.dst.reg); r < int(f.dst.reg)+int(f.dst.regs); r++ {
		h.writer[r] = h.seq
	}
	if f.ctrl {
		h.ctrl, h.ctrlIdx = h.seq, o.idx
	}
}

// outOfOrder records a send or math instruction under its token.
func (h *tracker) outOfOrder(o *op, f *footprint) {
	n := noToken
	if o.sb.alloc >= 0 {
		n = int(o.sb.alloc)
	}
	bit := uint32(1) << n
	tk := &h.tokens[n]
	h.serial++
	*tk = token{idx: o.idx, serial: h.serial, dst: true, src: true, fence: o.isFence(), unit: unitOf(o)}
	tk.spans[0], tk.spans[1] = f.dst, f.dst2
	for _, s := range tk.spans[:2] {
		for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numTracked; r++ {
			h.tokW[r] |= bit
		}
	}
	for k := 0; k < int(f.nsrc) && k < 2; k++ {
		s := f.src[k]
		tk.spans[2+k] = s
		for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numTracked; r++ {
			h.tokR[r] |= bit
		}
	}
	tk.nspans = 2 + min(f.nsrc, 2)
}

// The units that run instructions out of order: shared functions by their id,
// and math.
const (
	noUnit   = 0xFF
	mathUnit = 0x10
)

func unitOf(o *op) uint8 {
	if o.send != nil {
		return uint8(o.send.sfid)
	}
	return mathUnit
}

// isFence reports whether o is a fence message with a response.
func (o *op) isFence() bool {
	s := o.send
	return s != nil && s.sfid == isa.SFIDDC0 && !s.descA0 && s.desc>>14&0x1F == 7 && s.msg.rlen > 0
}

// jumped notes that a jump was taken.
func (t *Thread) jumped() {
	if t.track != nil && t.opts.Hazards == HazardsLenient {
		t.track.done = t.track.seq
	}
}
