// SPDX-License-Identifier: MIT

package sampler

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
)

// Messages of two vertices (SIMD4x2): a register of the payload has four parameters of each vertex, and the response is a
// register with the four components of each (Haswell PRM vol. 7, "SIMD4x2 Payload").

const (
	vertexLanes = 4
	vertices    = 2
)

// decodeVectors decodes such a message.
func decodeVectors(m *thread.Message, row *thread.SamplerRow, desc uint32) *thread.OpError {
	n := int(m.Mlen)
	if m.Header {
		n--
	}
	m.Vectors, m.PerLane, m.SIMD = true, false, vertices*vertexLanes
	switch {
	case row.Vectors == nil || row.Flags&thread.SamplerQuads != 0 && row.Flags&thread.SamplerState == 0:
		return thread.Operr(thread.FaultUnsupported, "%s of vertices is not supported yet (descriptor 0x%08x)", row.Name, desc)
	case desc>>29 != 0:
		return thread.Operr(thread.FaultMessage, "the descriptor 0x%08x has undefined bits for a sampler message of vertices", desc)
	case row.Flags&thread.SamplerHeadered != 0 && !m.Header:
		return thread.Operr(thread.FaultMessage, "%s needs a header", row.Name)
	case n < min(1, len(row.Vectors)) || n > (len(row.Vectors)+vertexLanes-1)/vertexLanes:
		return thread.Operr(thread.FaultMessage, "the parameters of %s have %d registers, want %d to %d", row.Name, n,
			min(1, len(row.Vectors)), (len(row.Vectors)+vertexLanes-1)/vertexLanes)
	case m.Rlen != 1:
		return thread.Operr(thread.FaultMessage, "the response has %d registers, want 1", m.Rlen)
	}
	m.Coords = uint8(min(vertexLanes*n, len(row.Vectors)))
	m.Run = runVectors
	return nil
}

// vectorParams reads the parameters of a lane's vertex by kind.
func vectorParams(c *thread.Sampling, lane int) (p [numParams]uint32) {
	for k, par := range c.M.Sampling.Vectors[:c.M.Coords] {
		at := k/vertexLanes*c.M.GRF + 4*(lane&^(vertexLanes-1)+k%vertexLanes)
		if c.M.Header {
			at += c.M.GRF
		}
		p[par] = message.Payload32(c.T, c.O, c.M, at)
	}
	return p
}

// runVectors executes such a message. Buffers without a format, which are accessed as bytes, have no texels: a load
// returns the 16 bytes at an offset, as drivers read uniform buffers, and a query returns the size.
func runVectors(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	c := &t.Sampling
	*c = thread.Sampling{T: t, O: o, M: m, Header: thread.SamplerHeader{Comps: 15, Heap: -1}}
	if m.Header {
		if err := readHeader(c); err != nil {
			return err
		}
	}
	run := m.Sampling.Run
	_, given, err := t.Group.Machine.Surface(m)
	switch {
	case err != nil:
		return err
	case given != nil && given.Image == nil && m.Sampling.Flags&thread.SamplerState == 0:
		run = func(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
			return loadBytes(c, lane, given.Data), nil
		}
	default:
		if err := bind(c); err != nil {
			return err
		}
		if c.Image == nil {
			run = func(*thread.Sampling, int) (x texture.Texel, err *thread.OpError) { return x, nil }
		} else if m.Sampling.Flags&thread.SamplerQuads != 0 && c.Image.Dim != irkind.DimBuf && len(c.Image.Levels) > 1 {
			return thread.Operr(thread.FaultUnsupported, "%s takes derivatives, which vertices do not have", m.Sampling.Name)
		}
	}
	for v := range vertices {
		lanes := mask & (15 << (vertexLanes * v))
		if lanes == 0 {
			continue
		}
		x, err := run(c, vertexLanes*v)
		if err != nil {
			return err
		}
		for k := range vertexLanes {
			if lanes>>(vertexLanes*v+k)&1 != 0 && c.Header.Comps>>k&1 != 0 {
				t.Resp[vertexLanes*v+k] = uint32(x[k])
			} else {
				lanes &^= 1 << (vertexLanes*v + k)
			}
		}
		mask = mask&^(15<<(vertexLanes*v)) | lanes
	}
	for ; mask != 0; mask &= mask - 1 {
		lane := thread.Trailing(mask)
		binary.LittleEndian.PutUint32(t.Reg[o.Send.Dst*m.GRF+4*lane:], t.Resp[lane])
	}
	return nil
}

// loadBytes returns 16 bytes of a buffer for a load, or its size for a query. Doublewords outside of the buffer are 0.
func loadBytes(c *thread.Sampling, lane int, data []byte) (x texture.Texel) {
	p := params(c, lane)
	if c.M.Sampling.Flags&thread.ReturnsInts != 0 {
		return texture.Texel{uint64(len(data))}
	}
	for k := range x {
		if at := uint64(p[parCoord0]) + uint64(4*k); at+4 <= uint64(len(data)) {
			x[k] = uint64(binary.LittleEndian.Uint32(data[at:]))
		} else {
			c.T.Stats.Memory.LoadsOutOfBounds++
		}
	}
	return x
}
