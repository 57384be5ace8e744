// SPDX-License-Identifier: MIT

package draw

import (
	"encoding/binary"
	"fmt"

	"jacquard.example/core/texture"
)

// maxVertices bounds the vertices of a draw.
const maxVertices = 1 << 22

// restart is the primitive restart index.
const restart = ^uint64(0)

// indices returns the vertices of a draw in the order in which they form primitives.
func (c *Call) indices(s *State) ([]uint64, error) {
	if uint64(c.Count)*uint64(max(c.Instances, 1)) > maxVertices {
		return nil, fmt.Errorf("a draw of %d vertices and %d instances; the limit is %d vertices in total", c.Count,
			c.Instances, maxVertices)
	}
	out := make([]uint64, c.Count)
	for i := range out {
		at := uint64(c.First) + uint64(i)
		if c.IndexBytes == 0 {
			out[i] = at
			continue
		}
		if (at+1)*uint64(c.IndexBytes) > uint64(len(c.Indices)) {
			return nil, fmt.Errorf("index %d of the draw is outside the %d bytes of indices", at, len(c.Indices))
		}
		b := c.Indices[at*uint64(c.IndexBytes):]
		all := uint64(1)<<(8*c.IndexBytes) - 1
		switch c.IndexBytes {
		case 1:
			out[i] = uint64(b[0])
		case 2:
			out[i] = uint64(binary.LittleEndian.Uint16(b))
		case 4:
			out[i] = uint64(binary.LittleEndian.Uint32(b))
		default:
			return nil, fmt.Errorf("indices of %d bytes are not supported", c.IndexBytes)
		}
		if s.Restart && out[i] == all {
			out[i] = restart
			continue
		}
		out[i] = uint64(uint32(out[i]) + c.VertexOffset)
	}
	return out, nil
}

// locations returns the number of locations of the attributes: the highest one plus 1.
func (s *State) locations() int {
	n := 0
	for i := range s.Attributes {
		n = max(n, int(s.Attributes[i].Location)+1)
	}
	return n
}

// fetch returns the attributes of a vertex, by location (Vulkan specification, "Vertex Input Address Calculation"). An
// attribute outside its buffer is 0, 0, 0, 1.
func (s *State) fetch(vertex, instance uint32, n int) [][4]uint32 {
	out := make([][4]uint32, n)
	for i := range s.Attributes {
		a := &s.Attributes[i]
		at := uint64(vertex)
		if a.Instance {
			at = uint64(instance)
		}
		at = at*uint64(a.Stride) + uint64(a.Offset)
		var t texture.Texel
		if at+uint64(a.Format.Bytes) <= uint64(len(a.Data)) {
			t = a.Format.Decode(a.Data[at : at+uint64(a.Format.Bytes)])
		} else {
			t[3] = a.Format.One()
		}
		for c := range t {
			out[a.Location][c] = uint32(t[c])
		}
	}
	return out
}
