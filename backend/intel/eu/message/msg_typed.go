// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"
	"math/bits"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
)

// maxCoords is the maximum number of coordinates of a typed message: u, v, r, level of detail.
const maxCoords = 4

// typedCoords checks the lengths of a typed message. The payload has coordinates, then data; these numbers of data and of
// components of the response, like each coordinate, are doublewords for each lane.
func typedCoords(m *thread.Message, data, response int) *thread.OpError {
	m.PerLane = true
	each := m.LaneRegs()
	data, response = data*each, response*each
	n := int(m.Mlen) + int(m.Exlen) - data
	switch {
	case m.Header:
		return thread.Operr(thread.FaultMessage, "typed surface messages have no header")
	case n < each:
		return thread.Operr(thread.FaultMessage, "the payload has %d registers, but the message takes %d and coordinates",
			int(m.Mlen)+int(m.Exlen), data)
	case n%each != 0:
		return thread.Operr(thread.FaultMessage, "the coordinates have %d registers; each takes %d", n, each)
	case n > maxCoords*each:
		return thread.Operr(thread.FaultMessage, "the payload has %d registers, but the message takes %d and at most %d coordinates",
			int(m.Mlen)+int(m.Exlen), data, maxCoords)
	case int(m.Rlen) != response:
		return thread.Operr(thread.FaultMessage, "the response has %d registers, but the message returns %d", m.Rlen, response)
	}
	m.Coords = uint8(n / each)
	return nil
}

// decodeTyped decodes a typed read or write.
func decodeTyped(m *thread.Message, desc uint32, write bool) *thread.OpError {
	switch desc >> 12 & 3 {
	case 1:
	case 2:
		m.Upper = true
	default:
		return thread.Operr(thread.FaultMessage, "unknown slot group %d in descriptor 0x%08x", desc>>12&3, desc)
	}
	m.Comps = ^uint8(desc>>8) & 15
	return typedComponents(m, desc, write)
}

// typedComponents decodes a read or write of the components in m.Comps.
func typedComponents(m *thread.Message, desc uint32, write bool) *thread.OpError {
	m.Ncomps = uint8(bits.OnesCount8(m.Comps))
	switch {
	case m.Ncomps == 0:
		return thread.Operr(thread.FaultMessage, "descriptor 0x%08x selects no component", desc)
	case !write:
		m.Run = runTypedRead
		return typedCoords(m, 0, int(m.Ncomps))
	case m.Comps != 15: // the effect on the other components is undocumented
		return thread.Operr(thread.FaultUnsupported, "typed writes of some components are not supported (descriptor 0x%08x)", desc)
	}
	m.Run = runTypedWrite
	return typedCoords(m, int(m.Ncomps), 0)
}

// decodeTypedAtomic decodes an atomic on texels.
func decodeTypedAtomic(m *thread.Message, desc uint32) *thread.OpError {
	m.Upper = desc>>12&1 != 0
	if err := atomicOperation(m, desc, false, 4); err != nil {
		return err
	}
	resp := 0
	if m.Ret {
		resp = 1
	}
	m.Run = runTypedAtomic
	return typedCoords(m, int(m.Ncomps), resp)
}

// typedSurface returns the surface of a typed message and checks that the message is valid for it. The image of the null
// surface is nil.
func typedSurface(t *thread.Thread, o *thread.Op, m *thread.Message) (*thread.TypedSurface, *thread.OpError) {
	if m.Upper && o.Choff%16 != 8 {
		return nil, thread.Operr(thread.FaultMessage, "the slot group is lanes 8 to 15, but the instruction's lanes start at M%d", o.Choff)
	}
	p, given, err := t.Group.Machine.Surface(m)
	switch {
	case err != nil:
		return nil, err
	case p.Image == nil:
		if given != nil {
			return nil, thread.Operr(thread.FaultMessage, "a typed message accesses %s, which is a buffer without a format", SurfaceName(m))
		}
	case p.Image.Samples > 1:
		return nil, thread.Operr(thread.FaultMessage, "a typed message accesses %s, which has %d samples", SurfaceName(m), p.Image.Samples)
	case int(m.Coords) < p.Needs():
		return nil, thread.Operr(thread.FaultMessage, "the message has %d coordinates, but its surface, %s with %d layers, needs %d",
			m.Coords, p.Image.Dim, p.Image.Layers, p.Needs())
	}
	return p, nil
}

// texel returns a lane's texel. It returns nil for the null surface and, after counting the access, outside the surface.
func texel(t *thread.Thread, o *thread.Op, m *thread.Message, s *thread.TypedSurface, lane int, write bool) []byte {
	if s.Image == nil {
		return nil
	}
	var c [maxCoords]uint32
	for i := range int(m.Coords) {
		c[i] = Payload32(t, o, m, i*m.LaneRegs()*m.GRF+4*lane)
	}
	b := s.Texel(c, int(m.Coords))
	switch {
	case b != nil:
	case write:
		t.Stats.Memory.StoresOutOfBounds++
	default:
		t.Stats.Memory.LoadsOutOfBounds++
	}
	return b
}

func runTypedRead(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	s, err := typedSurface(t, o, m)
	if err != nil {
		return err
	}
	if s.Image != nil && s.Read == nil {
		return thread.Operr(thread.FaultMessage, "typed reads do not support the format %s", s.Image.Format.Name)
	}
	mask = Lanes(m, o, mask)
	step := m.LaneRegs() * m.GRF
	for w := mask; w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		var x texture.Texel // other components are 0, as in package interp
		if b := texel(t, o, m, s, lane, false); b != nil {
			x = s.Read.Decode(b)
		}
		for c := range x {
			t.Resp[c*step/4+lane] = uint32(x[c])
		}
	}
	// Write the response after all coordinates have been read: it may overlap the payload.
	at := o.Send.Dst * m.GRF
	for c := range 4 {
		if m.Comps>>c&1 == 0 {
			continue
		}
		for w := mask; w != 0; w &= w - 1 {
			lane := thread.Trailing(w)
			binary.LittleEndian.PutUint32(t.Reg[at+4*lane:], t.Resp[c*step/4+lane])
		}
		at += step
	}
	return nil
}

func runTypedWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	s, err := typedSurface(t, o, m)
	if err != nil {
		return err
	}
	if s.Image != nil && s.Format == nil {
		return thread.Operr(thread.FaultMessage, "typed writes do not support the format %s", s.Image.Format.Name)
	}
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		b := texel(t, o, m, s, lane, true)
		if b == nil {
			continue
		}
		var x texture.Texel
		for c := range x {
			v := Payload32(t, o, m, data(m)+c*m.LaneRegs()*m.GRF+4*lane)
			x[c] = uint64(v)
			if s.Format.Base == irkind.BaseInt {
				x[c] = uint64(int64(int32(v)))
			}
		}
		s.Format.Encode(b, &x)
	}
	return nil
}

func runTypedAtomic(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	s, err := typedSurface(t, o, m)
	if err != nil {
		return err
	}
	if s.Image != nil && (s.Atomics == isa.NoAtomics || s.Atomics == isa.ExchangeAtomics && m.Aop != AopMov && m.Aop != AopCmpWr) {
		return thread.Operr(thread.FaultMessage, "typed atomics do not support operation %d on the format %s", m.Aop, s.Image.Format.Name)
	}
	return atomicLanes(t, o, m, mask, AtomicInt, func(lane int) ([]byte, *thread.OpError) { return texel(t, o, m, s, lane, true), nil })
}

// runTypedFloatAtomic executes an atomic on floats, which only messages of the load/store unit have. Mesa's driver offers
// them for R32_FLOAT on lnl.
func runTypedFloatAtomic(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	s, err := typedSurface(t, o, m)
	if err != nil {
		return err
	}
	if s.Image != nil && (s.Format == nil || s.Format.Name != "R32_SFLOAT") {
		return thread.Operr(thread.FaultMessage, "typed atomics on floats do not support the format %s", s.Image.Format.Name)
	}
	return atomicLanes(t, o, m, mask, atomicFloat, func(lane int) ([]byte, *thread.OpError) { return texel(t, o, m, s, lane, true), nil })
}
