// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu/thread"
)

// Messages of two vertices with four lanes each (SIMD4x2; Haswell PRM vol. 7, "Data Port", "URB"). In each register of the
// payload and of the response, the lower half belongs to the first vertex and the upper half to the second. Disabled
// lanes write no memory and receive no value. The first lane of a vertex enables an operation that is done once per
// vertex, such as an atomic.

const (
	vertexLanes = 4 // lanes of a vertex
	vertexBytes = 4 * vertexLanes
	vertices    = 2 // of a message
)

// Types of messages and fields of descriptors.
const (
	dualBlockRead  = 0x02 // of data cache 0
	dualBlockWrite = 0x0A
	atomic4x2      = 0x03 // of data cache 1

	urbHWords      = 0 // operation: writes of slots
	urbInterleave  = 1 << 14
	urbComplete    = 1 << 15
	urbOwnOffsets  = 1 << 16
	urbUndefined   = 3<<17 | 7<<29
	urbEnableShift = 8 // dword 5 of the header: the lanes that may be written
)

// decodeURBVectors decodes a write of slots of two vertices. After the header, each register of the payload is a slot.
func decodeURBVectors(m *thread.Message, desc uint32) *thread.OpError {
	n := int(m.Mlen) - 1
	switch {
	case desc&7 != urbHWords:
		return thread.Operr(thread.FaultUnsupported, "URB operation %d is not supported (descriptor 0x%08x)", desc&7, desc)
	case desc&urbUndefined != 0:
		return thread.Operr(thread.FaultMessage, "the descriptor 0x%08x has undefined bits for a URB message", desc)
	case !m.Header:
		return thread.Operr(thread.FaultMessage, "a URB message needs a header")
	case desc&urbInterleave == 0 || desc&urbOwnOffsets != 0:
		return thread.Operr(thread.FaultUnsupported,
			"URB writes that are not interleaved, and offsets in the header, are not supported (descriptor 0x%08x)", desc)
	case n < 2 || n%2 != 0:
		return thread.Operr(thread.FaultMessage, "the payload of a URB write has %d slots, which have to be pairs", n)
	}
	m.Run, m.UrbWrite = runURBVectors, true
	// The offset counts pairs of slots.
	m.Urb = thread.UrbParts{Slot: 2 * (desc >> 3 & 0x7FF), Data: 1, Vectors: true, Complete: desc&urbComplete != 0}
	return want(m, n, 0)
}

func runURBVectors(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	u, err := urbOf(t)
	if err != nil {
		return err
	}
	mask &= Payload32(t, o, m, 5*4) >> urbEnableShift
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		handle := Payload32(t, o, m, 4*(lane/vertexLanes))
		for k := range int(m.Mlen) - 1 {
			at, err := u.At(handle, m.Urb.Slot+uint32(k), lane%vertexLanes)
			if err != nil {
				return thread.Operr(err.Kind, "vertex %d: %s", lane/vertexLanes, err.Msg)
			}
			u.Data[at] = Payload32(t, o, m, (1+k)*m.GRF+4*lane)
			u.Written[at/32] |= 1 << (at % 32)
		}
	}
	return nil
}

// dualBlock decodes a message that accesses an OWord for each vertex.
func dualBlock(m *thread.Message, desc uint32) *thread.OpError {
	switch {
	case !m.Header:
		return thread.Operr(thread.FaultMessage, "a block message needs a header (descriptor 0x%08x)", desc)
	case desc>>8&0x3F != 0:
		return thread.Operr(thread.FaultUnsupported, "dual block messages of several OWords are not supported (descriptor 0x%08x)", desc)
	}
	m.Vectors, m.Comps = true, 15
	m.Units, m.Size = vertexBytes, vertexBytes
	if desc>>14&0x1F == dualBlockWrite {
		m.Run = runVectorWrite
		return want(m, 2, 0)
	}
	m.Run = runVectorRead
	return want(m, 1, 1)
}

// untypedVectors decodes a message that accesses up to four doublewords for each vertex.
func untypedVectors(m *thread.Message, desc uint32, write bool) *thread.OpError {
	m.Vectors, m.Units, m.Size = true, 1, 4
	if m.Comps = ^uint8(desc>>8) & 15; m.Comps == 0 {
		return thread.Operr(thread.FaultMessage, "descriptor 0x%08x selects no component", desc)
	}
	if write {
		m.Run = runVectorWrite
		return want(m, 2, 0)
	}
	m.Run = runVectorRead
	return want(m, 1, 1)
}

// atomicVectors decodes an atomic on a doubleword for each vertex. Its operands are x and y of the second register.
func atomicVectors(m *thread.Message, desc uint32) *thread.OpError {
	if desc>>12&1 != 0 {
		return thread.Operr(thread.FaultMessage, "the descriptor 0x%08x has undefined bits for an atomic", desc)
	}
	if err := atomicOperation(m, desc, false, 4); err != nil {
		return err
	}
	m.Vectors, m.PerLane = true, false
	m.Run = runVectorAtomic
	resp := 0
	if m.Ret {
		resp = 1
	}
	return want(m, 1+min(int(m.Ncomps), 1), resp)
}

// vectorAddress returns the address in the payload of a vertex.
func vectorAddress(t *thread.Thread, o *thread.Op, m *thread.Message, vertex int) uint64 {
	at := vertex * vertexBytes
	if m.Header {
		at += m.GRF
	}
	return t.Base + uint64(Payload32(t, o, m, at)*max(uint32(m.Units), 1))
}

// vectorData returns the position of a lane's data in the payload.
func vectorData(m *thread.Message, lane int) int {
	at := m.GRF + 4*lane
	if m.Header {
		at += m.GRF
	}
	return at
}

// vectorMemory returns the memory of the component of a lane.
func vectorMemory(t *thread.Thread, o *thread.Op, m *thread.Message, lane int, write bool) ([]byte, *thread.OpError) {
	addr := vectorAddress(t, o, m, lane/vertexLanes)
	if addr%uint64(m.Size) != 0 {
		return nil, thread.Operr(thread.FaultMemory, "vertex %d: address 0x%x is not aligned to %d bytes", lane/vertexLanes, addr, m.Size)
	}
	return memory(t, m, addr+uint64(4*(lane%vertexLanes)), 4, 4, lane, write)
}

func runVectorRead(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	if err := scratchHeader(t, o, m); err != nil {
		return err
	}
	mask = Lanes(m, o, mask) & (uint32(m.Comps) * 0x11)
	for w := mask; w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		b, err := vectorMemory(t, o, m, lane, false)
		if err != nil {
			return err
		}
		if t.Resp[lane] = 0; b != nil {
			t.Resp[lane] = binary.LittleEndian.Uint32(b)
		}
	}
	vectorResponse(t, o, m, mask)
	return nil
}

// vectorResponse writes the lanes of a response of one register.
func vectorResponse(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) {
	for ; mask != 0; mask &= mask - 1 {
		lane := thread.Trailing(mask)
		thread.PutU32(t.Reg[o.Send.Dst*m.GRF+4*lane:], t.Resp[lane])
	}
}

func runVectorWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	if err := scratchHeader(t, o, m); err != nil {
		return err
	}
	for w := Lanes(m, o, mask) & (uint32(m.Comps) * 0x11); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		b, err := vectorMemory(t, o, m, lane, true)
		if err != nil {
			return err
		}
		if b != nil {
			thread.PutU32(b, Payload32(t, o, m, vectorData(m, lane)))
		}
	}
	return nil
}

func runVectorAtomic(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	t.Base = 0
	mask = Lanes(m, o, mask) & (1 | 1<<vertexLanes)
	for w := mask; w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		b, err := vectorMemory(t, o, m, lane, true)
		if err != nil {
			return err
		}
		if t.Resp[lane] = 0; b == nil {
			continue
		}
		var x [2]uint64
		for k := range int(m.Ncomps) {
			x[k] = uint64(Payload32(t, o, m, vectorData(m, lane+k)))
		}
		old := uint64(binary.LittleEndian.Uint32(b))
		changed := uint32(AtomicInt(m, old, x[0], x[1]))
		thread.PutU32(b, changed)
		if t.Resp[lane] = uint32(old); m.ReturnsNew {
			t.Resp[lane] = changed
		}
	}
	if m.Ret {
		vectorResponse(t, o, m, mask)
	}
	return nil
}

// vectorsMoved returns the numbers of bytes and of cache lines that a message of vertices accesses.
func vectorsMoved(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) (bytes, lines uint64) {
	var touched places
	for v := range vertices {
		if mask>>(v*vertexLanes)&15 == 0 {
			continue
		}
		at := vectorAddress(t, o, m, v)
		n := uint64(vertexBytes)
		if m.AtomicOp {
			n = 4
		}
		bytes += n
		touched.add(at / lineBytes)
		touched.add((at + n - 1) / lineBytes)
	}
	return bytes, uint64(touched.n)
}
