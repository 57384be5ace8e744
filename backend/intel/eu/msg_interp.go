package eu

import (
	"encoding/binary"
	"jacquard.example/generated/target"
	"math"
)

// Place is a position in a pixel at which the pixel interpolator evaluates barycentric coordinates.
type Place struct {
	At     PlaceKind
	Linear bool // without perspective correction
	Sample int  // for PlaceSample
	// X and Y are an offset from the pixel's center in 1/16 of a pixel, for PlaceOffset.
	X, Y int
}

// PlaceKind is a kind of place.
type PlaceKind uint8

// The kinds of places.
const (
	PlaceOffset PlaceKind = iota
	PlaceSample
	PlaceCentroid
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

// interpolation is a decoded message to the pixel interpolator.
type interpolation struct {
	place   Place
	perSlot bool
	lanes   uint8
	first   uint8 // lane of the thread that is the message's lane 0
}

// nibble sign-extends four bits.
func nibble(x uint32) int { return int(int32(x<<28) >> 28) }

// decodeInterpolator decodes a message to the pixel interpolator.
func decodeInterpolator(m *message, _ *target.Target, desc, ex uint32) *opError {
	p := interpolation{place: Place{Linear: desc&piLinear != 0}, first: uint8(desc >> 11 & 1 * 16)}
	if desc>>16&1 != 0 {
		m.simd = 16
	}
	m.perLane = true
	payload := 1
	switch desc >> 12 & 3 {
	case piShared:
		p.place.X, p.place.Y = nibble(desc), nibble(desc>>4)
	case piSample:
		p.place.At, p.place.Sample = PlaceSample, int(desc>>4&15)
	case piCentroid:
		p.place.At = PlaceCentroid
	case piPerSlot:
		p.perSlot = true
		payload = 2 * m.laneRegs()
	}
	switch {
	case desc&piCoarse != 0:
		return operr(FaultUnsupported, "the pixel interpolator at the coarse rate is not supported yet (descriptor 0x%08x)", desc)
	case desc&piReserved != 0:
		return operr(FaultMessage, "the descriptor 0x%08x has undefined bits for the pixel interpolator", desc)
	case ex>>11 != 0:
		return operr(FaultMessage, "the extended descriptor 0x%08x has more than a length", ex)
	}
	p.lanes = m.simd
	m.interp = p
	m.run = runInterpolator
	return m.want(payload, 2*m.laneRegs())
}

// runInterpolator returns the coordinates in the layout of payloads: two registers for every eight lanes.
func runInterpolator(t *Thread, o *op, m *message, mask uint32) *opError {
	s, p := t.stage(), &m.interp
	switch {
	case s == nil || s.Interpolate == nil:
		return operr(FaultMessage, "the thread has no pixel interpolator")
	case o.choff != p.first:
		return operr(FaultMessage, "the message covers lanes from %d on, the instruction's start at M%d", p.first, o.choff)
	}
	for w := m.lanes(o, mask); w != 0; w &= w - 1 {
		lane := trailing(w)
		at := p.place
		if p.perSlot {
			at.X = nibble(t.payload32(o, m, 4*lane))
			at.Y = nibble(t.payload32(o, m, m.laneRegs()*grfSize+4*lane))
		}
		b := s.Interpolate(int(t.group.id[0]), int(p.first)+lane, &at)
		for k, x := range b {
			t.resp[m.slot(k, lane, 0)] = math.Float32bits(x)
		}
	}
	t.respond(o, m, mask, 2)
	return nil
}

// respond writes the first comps components of a response from t.resp. The buffer is filled beforehand, because
// the response may overlap the payload.
func (t *Thread) respond(o *op, m *message, mask uint32, comps int) {
	at := o.send.dst * grfSize
	for w := m.lanes(o, mask); w != 0; w &= w - 1 {
		lane := trailing(w)
		for c := range comps {
			k := m.slot(c, lane, grfSize)
			binary.LittleEndian.PutUint32(t.reg[at+4*k:], t.resp[k])
		}
	}
}
