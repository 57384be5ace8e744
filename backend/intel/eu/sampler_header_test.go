// SPDX-License-Identifier: MIT

package eu

import (
	"math"
	"strings"
	"testing"

	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// headerBench runs a SIMD8 message with a header and the parameters u and v.
func headerBench(t testing.TB, machine *target.Target, typ uint32, rlen int, dword2 uint32, pointer func(r03 uint32) uint32,
	m *texture.Image, states ...*texture.Sampler) *bench {
	t.Helper()
	in := send(isa.SFIDSampler, 8, samplerDesc(typ, 8, 3, rlen)|1<<19, 0)
	b := samplerBench(t, machine, m, states, in)
	b.setU(20, 2, dword2)
	p := b.u(0, 3) &^ 31
	if pointer != nil {
		p = pointer(b.u(0, 3))
	}
	b.setU(20, 3, p)
	for l := range 8 {
		b.setU(21, l, samplerValue("2d", "u", l))
		b.setU(22, l, samplerValue("2d", "v", l))
	}
	return b
}

// TestSamplerHeader checks the header's offsets, omitted components, gathered component and residency flag.
func TestSamplerHeader(t *testing.T) {
	m := samplerImage(t, "2d", "R8G8B8A8_UNORM", 1)
	s := linearSampler()
	query := func(l int) texture.Query {
		return texture.Query{Coord: [3]float32{math.Float32frombits(samplerValue("2d", "u", l)), math.Float32frombits(samplerValue("2d", "v", l))}}
	}
	t.Run("offsets", func(t *testing.T) {
		for _, c := range []struct {
			dword2 uint32
			offset [3]int32
		}{{0x1E0, [3]int32{1, -2}}, {0x870, [3]int32{-8, 7}}, {0x005, [3]int32{0, 0, 5}}} {
			for _, typ := range []uint32{8, 24} {
				b := headerBench(t, target.TGL, typ, 4, c.dword2, nil, m, s)
				b.exec(t)
				for l := range 8 {
					q := query(l)
					q.Offset = c.offset
					want := m.Sample(s, &q)
					if typ == 8 {
						want = m.Gather(s, &q, 0)
					}
					for k := range 4 {
						if got := b.u(100+k, l); got != uint32(want[k]) {
							t.Fatalf("message %d dword 2 %#x lane %d: %x, want %x", typ, c.dword2, l, got, want[k])
						}
					}
				}
			}
		}
	})
	t.Run("components", func(t *testing.T) {
		for mask := uint32(0); mask < 15; mask++ {
			n := 0
			for c := range 4 {
				n += int(^mask >> c & 1)
			}
			b := headerBench(t, target.TGL, 24, n, mask<<12, nil, m, s)
			b.setU(100+n, 3, 77)
			b.exec(t)
			q := query(3)
			want, k := m.Sample(s, &q), 0
			for c := range 4 {
				if mask>>c&1 != 0 {
					continue
				}
				if got := b.u(100+k, 3); got != uint32(want[c]) {
					t.Errorf("mask %x component %d: %x, want %x", mask, c, got, want[c])
				}
				k++
			}
			if b.u(100+n, 3) != 77 {
				t.Errorf("mask %x: register %d was written", mask, n)
			}
		}
	})
	t.Run("channel", func(t *testing.T) {
		for ch := range uint32(4) {
			b := headerBench(t, target.TGL, 8, 4, ch<<16, nil, m, s)
			b.exec(t)
			q := query(5)
			want := m.Gather(s, &q, int(ch))
			if got := b.u(102, 5); got != uint32(want[2]) {
				t.Errorf("channel %d: %x, want %x", ch, got, want[2])
			}
		}
	})
	t.Run("residency", func(t *testing.T) {
		b := headerBench(t, target.TGL, 24, 3, 1<<23|0xC000, nil, m, s)
		b.exec(t)
		if b.u(102, 0) != 0xFF {
			t.Errorf("residency %x", b.u(102, 0))
		}
	})
	t.Run("length", func(t *testing.T) {
		b := headerBench(t, target.TGL, 24, 2, 0, nil, m, s)
		run(b.Thread, 10)
		if b.Err == nil || !strings.Contains(b.Err.Error(), "has 2 registers, but by its header 0x00000000 the message returns 4") {
			t.Error(b.Err)
		}
	})
}

// TestSamplerPointer checks that dword 3 of the header must be the pointer in r0.3, with its low bits cleared
// if the machine requires that, plus 256 bytes for every 16 states.
func TestSamplerPointer(t *testing.T) {
	m := samplerImage(t, "2d", "R32_SFLOAT", 1)
	states := make([]*texture.Sampler, 40)
	for i := range states {
		s := linearSampler()
		s.Border, s.Address = texture.OpaqueWhite, [3]texture.Address{texture.ClampToBorder, texture.ClampToBorder}
		s.Bias = float32(i) / 10 // distinguishes them
		states[i] = s
	}
	for _, machine := range target.All {
		as := machine.Can(target.SamplerPointerAsIs)
		for _, c := range []struct {
			name  string
			p     func(uint32) uint32
			state int
			want  string
		}{
			{"cleared", func(r uint32) uint32 { return r &^ 31 }, 0, ""},
			{"second 16", func(r uint32) uint32 { return r&^31 + 256 }, 16, ""},
			{"third 16", func(r uint32) uint32 { return r&^31 + 512 }, 32, ""},
			{"as it is", func(r uint32) uint32 { return r&^31 | 3 }, 0, map[bool]string{false: "some of its low five bits set"}[as]},
			{"zero", func(uint32) uint32 { return 0 }, 0, "no sampler state with the handle 0x00000000"},
			{"beyond", func(r uint32) uint32 { return r&^31 + 768 }, 0, "no sampler state at index 48"},
			{"between", func(r uint32) uint32 { return r&^31 + 32 }, 0, "points to sampler states"},
		} {
			b := headerBench(t, machine, 24, 4, 0, c.p, m, states...)
			run(b.Thread, 10)
			if c.want != "" {
				if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
					t.Errorf("%s %s: %v, want %q", machine, c.name, b.Err, c.want)
				}
				continue
			}
			if b.Err != nil {
				t.Errorf("%s %s: %v", machine, c.name, b.Err)
				continue
			}
			q := texture.Query{Coord: [3]float32{math.Float32frombits(samplerValue("2d", "u", 2)), math.Float32frombits(samplerValue("2d", "v", 2))}}
			if want := m.Sample(states[c.state], &q); b.u(100, 2) != uint32(want[0]) {
				t.Errorf("%s %s: %x, want %x", machine, c.name, b.u(100, 2), want[0])
			}
		}
	}
	// Without a header, the descriptor selects one of 16 states.
	in := send(isa.SFIDSampler, 8, samplerDesc(24, 8, 2, 4)|7<<8, 0)
	b := samplerBench(t, target.TGL, m, states, in)
	b.exec(t)
	if want := m.Sample(states[7], new(texture.Query)); b.u(100, 0) != uint32(want[0]) {
		t.Errorf("state 7: %x, want %x", b.u(100, 0), want[0])
	}
}
