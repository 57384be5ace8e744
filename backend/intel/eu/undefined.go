package eu

import "jacquard.example/generated/isa"

// State for Options.Undefined and Addresses: the registers written by the payload or by an instruction for any
// lane and, for each register, a bit for each dword written.

// checkDefined faults on reads of registers that were never written, and on unmasked messages with the address
// of a lane that was never written: a masked instruction that computes addresses leaves garbage in inactive
// lanes, and such a message uses it. checkDefined also records the instruction's writes.
//
// An instruction that runs for no lane may read anything: in a thread whose pixels are all discarded, jumps
// skip the code that computes the colors of the last message. A copy of an unwritten register counts as
// unwritten: its use faults.
func (t *Thread) checkDefined(o *op, f *footprint) bool {
	mask := t.mask(o)
	if o.op == isa.OpSel {
		mask = t.laneMask(o) // the predicate selects a source
	}
	copied := false
	for k := 0; k < int(f.nsrc) && t.opts.Undefined && (mask != 0 || o.kind == kindFlow); k++ {
		s := f.src[k]
		for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numGRF; r++ {
			if !t.touched[r] && o.copies() {
				copied = true
			} else if !t.touched[r] && !t.unread(o, r) {
				t.faultf(o, FaultUndefined, "reads r%d, which was never written", r)
				return false
			}
		}
	}
	for _, s := range [2]span{f.dst, f.dst2} {
		for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numGRF; r++ {
			t.touched[r] = !copied
		}
	}
	if copied {
		return true
	}
	if o.kind == kindSend {
		return t.messageDefined(o, mask)
	}
	d := &o.dst
	if o.kind == kindFlow || d.null || d.indirect || d.base >= grfEnd {
		t.defineAll(f.dst)
		return true
	}
	for i := 0; i < int(o.n); i++ {
		if mask>>i&1 != 0 {
			t.define(int(d.base)+i*int(d.stride), d.typ.Size())
		}
	}
	t.defineAll(f.dst2)
	return true
}

// copies reports whether an instruction is a move between registers that sets no flags.
func (o *op) copies() bool {
	d := &o.dst
	return o.op == isa.OpMov && o.cmod == isa.CModNone && !d.null && !d.indirect && d.base < grfEnd
}

// unread reports whether a register is data of a URB write that nothing after the stage reads.
func (t *Thread) unread(o *op, r int) bool {
	s := t.stage()
	if s == nil || s.Outputs == nil || o.kind != kindSend {
		return false
	}
	m, err := t.message(o)
	if err != nil || !m.urbWrite || m.urb.perSlot || m.urb.masked {
		return false
	}
	k := r - o.send.src0
	if k < 0 || k >= int(m.mlen) {
		k = r - o.send.src1 + int(m.mlen)
	}
	at := int(m.urb.slot)*slotDwords + k - int(m.urb.data)
	return k >= int(m.urb.data) && (at >= len(s.Outputs) || !s.Outputs[at])
}

func (t *Thread) messageDefined(o *op, mask uint32) bool {
	m, err := t.message(o)
	if err != nil {
		return true // the message faults when it executes
	}
	if !m.perLane {
		t.defineAll(wholeRegs(max(o.send.dst, 0), int(m.rlen)))
		return true
	}
	if m.halfRet { // two lanes share a dword
		t.defineAll(wholeRegs(max(o.send.dst, 0), int(m.rlen)))
	}
	step := m.laneRegs() * grfSize
	for i := 0; i < int(o.n); i++ {
		if mask>>i&1 == 0 {
			continue
		}
		if t.opts.Addresses && !t.addressDefined(o, m, mask, i) {
			return false
		}
		for c := range int(m.rlen) * grfSize / step {
			t.define(o.send.dst*grfSize+4*m.slot(c, i, step), 4)
		}
	}
	return true
}

// addressDefined faults on an unmasked message if the address of a running lane was never written. A message
// with derivatives needs the parameters of all lanes of a quad, unless only helpers of the quad run.
func (t *Thread) addressDefined(o *op, m *message, mask uint32, lane int) bool {
	first, last := lane, lane
	quads := m.sampling != nil && m.sampling.flags&samplerQuads != 0
	if quads {
		if first, last = lane&^3, lane|3; mask&(t.live>>o.choff)>>first&0xf == 0 {
			return true // only helpers run
		}
	} else if !o.noMask {
		return true
	}
	n := max(int(m.coords), 1)
	if m.sampling != nil {
		n = int(m.coords) // a query may have no parameters, and no payload
	}
	for i := first; i <= last; i++ {
		for c := range n {
			if at := o.payload(m, m.addressAt(c, i)); t.defined[at/grfSize]>>(at%grfSize/4)&1 != 0 {
				continue
			}
			if quads {
				t.faultf(o, FaultUndefined, "reads parameter %d of lane %d for derivatives, which was never written", c, i)
			} else {
				t.faultf(o, FaultUndefined, "is unmasked, but the address of lane %d was never written", i)
			}
			return false
		}
	}
	return true
}

// addressAt returns the payload position of a lane's address or of its parameter k.
func (m *message) addressAt(k, lane int) int {
	if m.wide {
		lane *= 2
	}
	off, size := k*m.paramRegs()*grfSize, 4
	if m.halfParams {
		size = 2
	}
	if m.header {
		off += grfSize
	}
	return off + size*lane
}

// define records that size bytes of the register file are written.
func (t *Thread) define(at, size int) {
	for b := at; b < at+size && b < grfEnd; b += 4 {
		t.defined[b/grfSize] |= 1 << (b % grfSize / 4)
	}
}

func (t *Thread) defineAll(s span) {
	for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numGRF; r++ {
		t.defined[r] = 0xFF
	}
}
