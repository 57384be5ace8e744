package eu

import (
	"encoding/binary"
	"math/bits"

	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
)

// Typed surface messages of data cache 1: reads, writes and atomics of texels (IMAGES.md 1.1; TGL PRM vol. 5,
// "Typed Surface Messages"). They have eight lanes, no header and a register for each coordinate, and convert
// according to the surface format. The slot group selects one half of 16 lanes. Code may leave it at the lower
// half, since the instruction's channel offset selects the same lanes; compilers use both forms.

// Types of data cache 1's messages, bits 18:14 of the descriptor.
const (
	dc1TypedRead   = 0x05
	dc1TypedAtomic = 0x06
	dc1TypedWrite  = 0x0D
)

// maxCoords is the maximum number of coordinates of a typed message: u, v, r, level of detail.
const maxCoords = 4

// typedCoords interprets the rest of the payload as coordinates.
func (m *message) typedCoords(data, response int) *opError {
	m.perLane = true
	n := int(m.mlen) + int(m.exlen) - data
	switch {
	case m.header:
		return operr(FaultMessage, "typed surface messages have no header")
	case n < 1:
		return operr(FaultMessage, "the payload has %d registers, the message takes %d and coordinates", int(m.mlen)+int(m.exlen), data)
	case n > maxCoords:
		return operr(FaultMessage, "the payload has %d registers, the message takes %d and at most %d coordinates", int(m.mlen)+int(m.exlen), data, maxCoords)
	case int(m.rlen) != response:
		return operr(FaultMessage, "the response has %d registers, the message returns %d", m.rlen, response)
	}
	m.coords = uint8(n)
	return nil
}

// decodeTyped decodes a typed read or write.
func (m *message) decodeTyped(desc uint32, write bool) *opError {
	switch desc >> 12 & 3 {
	case 1:
	case 2:
		m.upper = true
	default:
		return operr(FaultMessage, "slot group %d in descriptor 0x%08x", desc>>12&3, desc)
	}
	m.comps = ^uint8(desc>>8) & 15
	m.ncomps = uint8(bits.OnesCount8(m.comps))
	switch {
	case m.ncomps == 0:
		return operr(FaultMessage, "no component in descriptor 0x%08x", desc)
	case !write:
		m.run = runTypedRead
		return m.typedCoords(0, int(m.ncomps))
	case m.comps != 15: // the effect on the other components is undocumented
		return operr(FaultUnsupported, "typed writes of some components are not supported (descriptor 0x%08x)", desc)
	}
	m.run = runTypedWrite
	return m.typedCoords(int(m.ncomps), 0)
}

// decodeTypedAtomic decodes an atomic on texels.
func (m *message) decodeTypedAtomic(desc uint32) *opError {
	m.upper = desc>>12&1 != 0
	if err := m.atomicOperation(desc, false, 4); err != nil {
		return err
	}
	resp := 0
	if m.ret {
		resp = 1
	}
	m.run = runTypedAtomic
	return m.typedCoords(int(m.ncomps), resp)
}

// typedSurface returns the surface of a typed message and checks that the message is valid for it.
func (t *Thread) typedSurface(o *op, m *message) (*typedSurface, *opError) {
	if m.upper && o.choff%16 != 8 {
		return nil, operr(FaultMessage, "the slot group is lanes 8 to 15, the instruction's lanes start at M%d", o.choff)
	}
	p, given, err := t.group.machine.surface(m)
	switch {
	case err != nil:
		return nil, err
	case p.image == nil:
		if given != nil {
			return nil, operr(FaultMessage, "a typed message accesses %s, which is a buffer without format", m.surfaceName())
		}
	case p.image.Samples > 1:
		return nil, operr(FaultMessage, "a typed message accesses %s, which has %d samples", m.surfaceName(), p.image.Samples)
	case int(m.coords) < p.needs():
		return nil, operr(FaultMessage, "the message has %d coordinates, its surface, %s with %d layers, needs %d", m.coords, p.image.Dim, p.image.Layers, p.needs())
	}
	return p, nil
}

// texel returns a lane's texel, or nil if there is none.
func (t *Thread) texel(o *op, m *message, s *typedSurface, lane int, write bool) []byte {
	if s.image == nil {
		return nil
	}
	var c [maxCoords]uint32
	for i := range int(m.coords) {
		c[i] = t.payload32(o, m, i*grfSize+4*lane)
	}
	b := s.texel(c, int(m.coords))
	switch {
	case b != nil:
	case write:
		t.stats.Memory.StoresOutOfBounds++
	default:
		t.stats.Memory.LoadsOutOfBounds++
	}
	return b
}

func runTypedRead(t *Thread, o *op, m *message, mask uint32) *opError {
	s, err := t.typedSurface(o, m)
	if err != nil {
		return err
	}
	if s.image != nil && s.read == nil {
		return operr(FaultMessage, "typed reads do not have the format %s", s.image.Format.Name)
	}
	mask = m.lanes(o, mask)
	for w := mask; w != 0; w &= w - 1 {
		lane := trailing(w)
		var x texture.Texel // other components are 0, as in package interp
		if b := t.texel(o, m, s, lane, false); b != nil {
			x = s.read.Decode(b)
		}
		for c := range x {
			t.resp[8*c+lane] = uint32(x[c])
		}
	}
	// Write the response after all texels have been read: they may overlap.
	at := o.send.dst * grfSize
	for c := range 4 {
		if m.comps>>c&1 == 0 {
			continue
		}
		for w := mask; w != 0; w &= w - 1 {
			lane := trailing(w)
			binary.LittleEndian.PutUint32(t.reg[at+4*lane:], t.resp[8*c+lane])
		}
		at += grfSize
	}
	return nil
}

func runTypedWrite(t *Thread, o *op, m *message, mask uint32) *opError {
	s, err := t.typedSurface(o, m)
	if err != nil {
		return err
	}
	if s.image != nil && s.format == nil {
		return operr(FaultMessage, "typed writes do not have the format %s", s.image.Format.Name)
	}
	for w := m.lanes(o, mask); w != 0; w &= w - 1 {
		lane := trailing(w)
		b := t.texel(o, m, s, lane, true)
		if b == nil {
			continue
		}
		var x texture.Texel
		for c := range x {
			v := t.payload32(o, m, m.data()+c*grfSize+4*lane)
			x[c] = uint64(v)
			if s.format.Base == irkind.BaseInt {
				x[c] = uint64(int64(int32(v)))
			}
		}
		s.format.Encode(b, &x)
	}
	return nil
}

func runTypedAtomic(t *Thread, o *op, m *message, mask uint32) *opError {
	s, err := t.typedSurface(o, m)
	if err != nil {
		return err
	}
	if s.image != nil && (s.atomics == isa.NoAtomics || s.atomics == isa.ExchangeAtomics && m.aop != aopMov && m.aop != aopCmpWr) {
		return operr(FaultMessage, "typed atomics do not have operation %d on the format %s", m.aop, s.image.Format.Name)
	}
	return t.atomicLanes(o, m, mask, atomicInt, func(lane int) ([]byte, *opError) { return t.texel(o, m, s, lane, true), nil })
}
