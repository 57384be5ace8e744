// SPDX-License-Identifier: MIT

package layers

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
)

// Format returns the name of the format of a shape's images.
func (s *Shape) Format() string {
	if s.Shadow {
		return "D32_SFLOAT"
	}
	return "R8G8B8A8_UNORM"
}

// Contents returns an image of a shape, and its random texels.
func (s *Shape) Contents(t *testing.T, rng *rand.Rand) (*runner.Image, []byte) {
	m := s.Image
	m.Depth, m.Levels, m.Samples = max(m.Depth, 1), 3, max(m.Samples, 1)
	if m.Samples > 1 {
		m.Levels = 1
	}
	var err error
	if m.Format, err = texture.Named(s.Format()); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 4*2*int(m.Width)*int(m.Height)*int(m.Depth)*int(max(m.Layers, 1))*m.Samples+64)
	for k := 0; k < len(data); k += 4 {
		x := rng.Uint32()
		if s.Shadow {
			x = math.Float32bits(rng.Float32())
		}
		binary.LittleEndian.PutUint32(data[k:], x)
	}
	return &m, data
}
