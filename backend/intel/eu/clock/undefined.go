// SPDX-License-Identifier: MIT

package clock

import (
	"encoding/binary"
	"slices"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// With Options.Undefined or Addresses, Thread.Touched marks the registers that the payload, or an instruction for any
// lane, has written, and Thread.Defined has a bit for each dword of a register that has been written.

// checkDefined faults, and returns false, on a read of a register that was never written, and on an unmasked message with
// the address of a lane that was never written: a masked instruction that computes addresses leaves garbage in inactive
// lanes, and such a message uses it. checkDefined also records the instruction's writes.
//
// An instruction that runs for no lane may read anything: in a thread whose pixels are all discarded, jumps
// skip the code that computes the colors of the last message. A copy of an unwritten register counts as
// unwritten: its use faults.
func checkDefined(t *thread.Thread, o *thread.Op, f *thread.Footprint) bool {
	mask := t.Mask(o)
	if o.Op == isa.OpSel {
		mask = t.LaneMask(o) // the predicate selects a source
	}
	copied := false
	for k := 0; k < int(f.Nsrc) && t.Opts.Undefined && (mask != 0 || o.Kind == thread.KindFlow); k++ {
		s := f.Src[k]
		for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumGRF; r++ {
			if !t.Touched[r] && copies(o) {
				copied = true
			} else if !t.Touched[r] && !unread(t, o, r) {
				t.Faultf(o, thread.FaultUndefined, "reads r%d, which was never written", r)
				return false
			}
		}
	}
	for _, s := range [2]thread.Span{f.Dst, f.Dst2} {
		for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumGRF; r++ {
			t.Touched[r] = !copied
		}
	}
	if copied {
		return true
	}
	if o.Kind == thread.KindSend {
		return messageDefined(t, o, mask)
	}
	d := &o.Dst
	if o.Kind == thread.KindFlow || d.Null || d.Indirect || d.Base >= thread.GrfEnd {
		defineAll(t, f.Dst)
		return true
	}
	for i := 0; i < int(o.N); i++ {
		if mask>>i&1 != 0 {
			define(t, int(d.Base)+i*int(d.Stride), d.Typ.Size())
		}
	}
	defineAll(t, f.Dst2)
	return true
}

// copies reports whether an instruction is a move between registers that sets no flags.
func copies(o *thread.Op) bool {
	d := &o.Dst
	return o.Op == isa.OpMov && o.Cmod == isa.CModNone && !d.Null && !d.Indirect && d.Base < thread.GrfEnd
}

// unread reports whether a register is data of a URB write that nothing after the stage reads, or of a render-target write
// that the shader leaves undefined.
func unread(t *thread.Thread, o *thread.Op, r int) bool {
	s := t.Stage()
	if s == nil || o.Kind != thread.KindSend {
		return false
	}
	m, err := t.Message(o)
	if err != nil {
		return false
	}
	k := r - o.Send.Src0
	if k < 0 || k >= int(m.Mlen) {
		k = r - o.Send.Src1 + int(m.Mlen)
	}
	if m.ToTarget {
		return m.Target.Undefined(m, s, k)
	}
	if s.Outputs == nil || !m.UrbWrite || m.Urb.PerSlot || m.Urb.Masked {
		return false
	}
	if k -= int(m.Urb.Data); k < 0 {
		return false
	}
	first := int(m.Urb.Slot) * thread.SlotDwords
	switch {
	case m.Urb.Vectors:
		at := min(first+k*thread.SlotDwords, len(s.Outputs))
		return !slices.Contains(s.Outputs[at:min(at+thread.SlotDwords, len(s.Outputs))], true)
	case m.Urb.Addresses:
		var ok bool
		if first, ok = stored(t, o, m, s); !ok {
			return false
		}
	}
	return first+k >= len(s.Outputs) || !s.Outputs[first+k]
}

// stored returns the doubleword of its entry to which a store to the URB starts to write.
func stored(t *thread.Thread, o *thread.Op, m *thread.Message, s *thread.Stage) (at int, ok bool) {
	mask := t.Mask(o)
	if s.URB == nil || mask == 0 {
		return 0, false
	}
	address := binary.LittleEndian.Uint32(t.Reg[o.Payload(m, 4*thread.Trailing(mask)):]) + uint32(m.Added)
	at, err := s.URB.AtAddress(address)
	return s.URB.InEntry(at), err == nil && m.Comps&(m.Comps+1) == 0
}

func messageDefined(t *thread.Thread, o *thread.Op, mask uint32) bool {
	m, err := t.Message(o)
	if err != nil {
		return true // the message faults when it executes
	}
	if !m.PerLane {
		defineAll(t, thread.WholeRegs(max(o.Send.Dst, 0), int(m.Rlen)))
		return true
	}
	if m.HalfRet { // two lanes share a dword
		defineAll(t, thread.WholeRegs(max(o.Send.Dst, 0), int(m.Rlen)))
	}
	step := m.LaneRegs() * m.GRF
	for i := 0; i < int(o.N); i++ {
		if mask>>i&1 == 0 {
			continue
		}
		if t.Opts.Addresses && !addressDefined(t, o, m, mask, i) {
			return false
		}
		for c := range int(m.Rlen) * m.GRF / step {
			define(t, o.Send.Dst*m.GRF+4*m.Slot(c, i, step), 4)
		}
	}
	return true
}

// addressDefined faults, and returns false, on an unmasked message if the address of a running lane was never written. A
// message with derivatives needs the parameters of all lanes of a quad, unless only helpers of the quad run.
func addressDefined(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32, lane int) bool {
	first, last := lane, lane
	quads := m.Sampling != nil && m.Sampling.Flags&thread.SamplerQuads != 0
	if quads {
		if first, last = lane&^3, lane|3; mask&(t.Live>>o.Choff)>>first&0xf == 0 {
			return true // only helpers run
		}
	} else if !o.NoMask {
		return true
	}
	n := max(int(m.Coords), 1)
	if m.Sampling != nil {
		n = int(m.Coords) // a query may have no parameters, and no payload
	}
	for i := first; i <= last; i++ {
		for c := range n {
			if at := o.Payload(m, AddressAt(m, c, i)); t.Defined[at/m.GRF]>>(at%m.GRF/4)&1 != 0 {
				continue
			}
			if quads {
				t.Faultf(o, thread.FaultUndefined, "derivatives need parameter %d of lane %d, which was never written", c, i)
			} else {
				t.Faultf(o, thread.FaultUndefined, "is unmasked, but the address of lane %d was never written", i)
			}
			return false
		}
	}
	return true
}

// AddressAt returns the byte of the payload at which a lane's address (k is 0) or its parameter k starts.
func AddressAt(m *thread.Message, k, lane int) int {
	if m.Wide {
		lane *= 2
	}
	off, size := k*m.ParamRegs()*m.GRF, 4
	if m.HalfParams {
		size = 2
	}
	if m.Header {
		off += m.GRF
	}
	return off + size*lane
}

// define records that size bytes of the register file are written.
func define(t *thread.Thread, at, size int) {
	grf := t.Prog.GRF
	for b := at; b < at+size && b < t.Prog.End; b += 4 {
		t.Defined[b/grf] |= 1 << (b % grf / 4)
	}
}

func defineAll(t *thread.Thread, s thread.Span) {
	for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < thread.NumGRF; r++ {
		t.Defined[r] = 0xFFFF
	}
}
