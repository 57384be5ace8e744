// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"
	"math"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

// Messages to the pixel interpolator (TGL PRM vol. 9, "Pixel Interpolator"): modes and descriptor bits.
const (
	piShared   = 0 // one offset for all lanes
	piSample   = 1
	piCentroid = 2
	piPerSlot  = 3 // an offset for each lane

	piLinear   = 1 << 14
	piCoarse   = 1 << 15
	piReserved = 7<<8 | 3<<17 | 1<<19 | 7<<29
)

// nibble sign-extends four bits.
func nibble(x uint32) int { return int(int32(x<<28) >> 28) }

// DecodeInterpolator decodes a message to the pixel interpolator.
func DecodeInterpolator(m *thread.Message, _ *target.Target, desc, ex uint32) *thread.OpError {
	p := thread.Interpolation{Place: thread.Place{Linear: desc&piLinear != 0}, First: uint8(desc >> 11 & 1 * 16)}
	if desc>>16&1 != 0 {
		m.SIMD = 16
	}
	m.PerLane = true
	payload := 1
	switch desc >> 12 & 3 {
	case piShared:
		p.Place.X, p.Place.Y = nibble(desc), nibble(desc>>4)
	case piSample:
		p.Place.At, p.Place.Sample = thread.PlaceSample, int(desc>>4&15)
	case piCentroid:
		p.Place.At = thread.PlaceCentroid
	case piPerSlot:
		p.PerSlot = true
		payload = 2 * m.LaneRegs()
	}
	switch {
	case desc&piCoarse != 0:
		return thread.Operr(thread.FaultUnsupported,
			"the pixel interpolator at the coarse rate is not supported yet (descriptor 0x%08x)", desc)
	case desc&piReserved != 0:
		return thread.Operr(thread.FaultMessage, "the descriptor 0x%08x has undefined bits for the pixel interpolator", desc)
	case ex>>11 != 0:
		return thread.Operr(thread.FaultMessage, "the extended descriptor 0x%08x has more than a length", ex)
	}
	p.Lanes = m.SIMD
	m.Interp = p
	m.Run = runInterpolator
	return want(m, payload, 2*m.LaneRegs())
}

// runInterpolator returns the coordinates in the layout of payloads: two registers for every eight lanes.
func runInterpolator(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	s, p := t.Stage(), &m.Interp
	switch {
	case s == nil || s.Interpolate == nil:
		return thread.Operr(thread.FaultMessage, "the thread has no pixel interpolator")
	case o.Choff != p.First:
		return thread.Operr(thread.FaultMessage,
			"the message covers lanes from %d on, but the instruction's start at M%d", p.First, o.Choff)
	}
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		at := p.Place
		if p.PerSlot {
			at.X = nibble(Payload32(t, o, m, 4*lane))
			at.Y = nibble(Payload32(t, o, m, m.LaneRegs()*m.GRF+4*lane))
		}
		b := s.Interpolate(int(t.Group.Id[0]), int(p.First)+lane, &at)
		for k, x := range b {
			t.Resp[m.Slot(k, lane, 0)] = math.Float32bits(x)
		}
	}
	respond(t, o, m, mask, 2)
	return nil
}

// respond writes the first comps components of a response from t.Resp. Callers fill that buffer first, because
// the response may overlap the payload.
func respond(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32, comps int) {
	at := o.Send.Dst * m.GRF
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		for c := range comps {
			k := m.Slot(c, lane, m.GRF)
			binary.LittleEndian.PutUint32(t.Reg[at+4*k:], t.Resp[k])
		}
	}
}
