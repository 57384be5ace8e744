// SPDX-License-Identifier: MIT

package eu

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
)

// samplerLayoutsXe2 lists the payloads of messages on Xe2 (IGA, lookupSamplerMessageInfoXe2; Mesa's code for lnl). lod_ai and
// bias_ai hold the layer of an array of cubes in their low bits. Messages that start with the lower bound of the level have
// the names of the ones that end with it.
var samplerLayoutsXe2 = []samplerLayout{
	{0, "sample", "1d", "u"}, {0, "sample", "1da", "u ai"}, {0, "sample", "2d", "u v"}, {0, "sample", "2da", "u v ai"},
	{0, "sample", "3d cube", "u v r"}, {0, "sample", "cubea", "u v r ai"}, {0, "sample", "cubea", "u v r ai mlod"},
	{1, "sample_b", "1d", "bias u"}, {1, "sample_b", "2d", "bias u v"}, {1, "sample_b", "2da", "bias u v ai"},
	{1, "sample_b", "3d cube", "bias u v r"}, {1, "sample_b", "cubea", "bias_ai u v r"}, {1, "sample_b", "cubea", "bias_ai u v r mlod"},
	{1, "sample_b", "2d", "bias u v _ mlod"}, {1, "sample_b", "2da", "bias u v ai mlod"},
	{2, "sample_l", "1d", "lod u"}, {2, "sample_l", "1da", "lod u ai"}, {2, "sample_l", "2d", "lod u v"}, {2, "sample_l", "2da", "lod u v ai"},
	{2, "sample_l", "3d cube", "lod u v r"}, {2, "sample_l", "cubea", "lod_ai u v r"},
	{3, "sample_c", "2d", "ref u v"}, {3, "sample_c", "2da", "ref u v ai"}, {3, "sample_c", "cubea", "ref u v r ai"},
	{4, "sample_d", "1d", "u dux duy"}, {4, "sample_d", "1da", "u dux duy ai"}, {4, "sample_d", "2d", "u dux duy v dvx dvy"},
	{4, "sample_d", "2da", "u dux duy v dvx dvy ai"}, {4, "sample_d", "2d", "u dux duy v dvx dvy _ mlod"},
	{5, "sample_b_c", "2d", "ref bias u v"}, {5, "sample_b_c", "2da", "ref bias u v ai"}, {5, "sample_b_c", "cubea", "ref bias_ai u v r"},
	{6, "sample_l_c", "2d", "ref lod u v"}, {6, "sample_l_c", "2da", "ref lod u v ai"}, {6, "sample_l_c", "cube", "ref lod u v r"},
	{6, "sample_l_c", "cubea", "ref lod_ai u v r"},
	{7, "ld", "1d", "x 0 level"}, {7, "ld", "1da", "x layer level"}, {7, "ld", "2d", "x y level"}, {7, "ld", "2da", "x y level layer"},
	{7, "ld", "3d", "x y level z"}, {7, "ld", "buf", "x"},
	{8, "gather4", "2d", "u v"}, {8, "gather4", "2da", "u v ai"}, {8, "gather4", "cubea", "u v r ai"},
	{9, "lod", "1d", "u"}, {9, "lod", "2d", "u v"}, {9, "lod", "3d cube", "u v r"},
	{16, "gather4_c", "2d", "ref u v"}, {16, "gather4_c", "2da", "ref u v ai"}, {16, "gather4_c", "cubea", "ref u v r ai"},
	{18, "sample", "2d", "mlod u v"}, {18, "sample", "cubea", "mlod u v r ai"},
	{19, "sample_c", "2d", "mlod ref u v"}, {19, "sample_c", "2da", "mlod ref u v ai"},
	{20, "sample_d_c", "2d", "ref u dux duy v dvx dvy"},
	{24, "sample_lz", "1d", "u"}, {24, "sample_lz", "2d", "u v"}, {24, "sample_lz", "2da", "u v ai"}, {24, "sample_lz", "3d cube", "u v r"},
	{25, "sample_c_lz", "2d", "ref u v"}, {25, "sample_c_lz", "cubea", "ref u v r ai"},
	{26, "ld_lz", "1d buf", "x"}, {26, "ld_lz", "2d", "x y"}, {26, "ld_lz", "3d", "x y z"}, {26, "ld_lz", "2da", "x y layer"},
	{28, "ld2dms_w", "ms", "si mcs0 mcs1 mcs1 mcs1 x y"}, {28, "ld2dms_w", "msa", "si mcs0 mcs1 mcs1 mcs1 x y layer"},
}

// packed9 returns a lane's value of a parameter of Xe2, of which "NAME_ai" is NAME with the number of a cube in nine bits.
func packed9(shape, name string, lane int) uint32 {
	base, found := strings.CutSuffix(name, "_ai")
	v := samplerValue(shape, base, lane)
	if found {
		ai := math.RoundToEven(float64(math.Float32frombits(samplerValue(shape, "ai", lane))))
		if v |= uint32(max(ai, 0)); ai == 9 {
			v ^= 9 ^ 256 // a cube beyond the last too, of which only the highest bit is set
		}
	}
	return v
}

// samplerText returns a message for surface 0 and sampler state 0 with a payload of so many registers from r20, of which those
// after the first are in r60 if it is split. The response starts at r100.
func samplerText(typ uint32, simd, payload, rlen int, split bool, bits uint32) string {
	mlen, second := payload, "null:0"
	if split && payload > 1 {
		mlen, second = 1, fmt.Sprintf("r60:%d", payload-1)
	}
	desc := uint32(mlen)<<25 | uint32(rlen)<<20 | uint32(simd/16)<<17 | typ<<12 | bits
	return fmt.Sprintf("send.smpl (%d|M0) r100 r20 %s 0x0 0x%08X {$0}\n", simd, second, desc)
}

const (
	samplerHalves = 1 << 29 // parameters of 16 bits
	samplerHeader = 1 << 19
)

// TestSamplerPayloadsXe2 sends every message in every layout with 16 and 32 lanes, with the payload in one piece and split in
// two, with and without a header.
func TestSamplerPayloadsXe2(t *testing.T) {
	for _, row := range samplerLayoutsXe2 {
		names := strings.Fields(row.params)
		meaning := strings.ReplaceAll(row.params, "_ai", " ai")
		for _, shape := range strings.Fields(row.shapes) {
			for _, simd := range []int{16, 32} {
				each, resp, half := simd/16, simd/16, row.typ >= 28
				if half {
					each = 1
				}
				if len(names)*each > 10 || simd == 32 && strings.HasPrefix(row.name, "sample_d") {
					continue
				}
				for split := range 3 {
					t.Run(fmt.Sprintf("%s/%s/%s/%d/%d", row.name, shape, row.params, simd, split), func(t *testing.T) {
						samples, format := uint32(1), "R8G8B8A8_UNORM"
						if strings.HasPrefix(shape, "ms") {
							samples = 4
						}
						if slices.Contains(names, "ref") {
							format = "R32_SFLOAT"
						}
						m, s := samplerImage(t, shape, format, samples), linearSampler()
						bits, at := uint32(0), 0
						if half {
							bits = samplerHalves
						}
						if split == 2 {
							bits, at = bits|samplerHeader, 1
						}
						text := samplerText(row.typ, simd, at+len(names)*each, 4*resp, split > 0, bits)
						b := imageText(t, xe2(), simd, []*texture.Image{m}, text)
						b.Group.Machine.Samplers = []*texture.Sampler{s}
						reg := func(k int) int {
							if split > 0 && k > 0 {
								return 60 + k - 1
							}
							return 20 + k
						}
						if at == 1 {
							b.setU(20, 2, 0)
							b.setU(20, 3, b.u(0, 3)&^31)
						}
						for _, n := range names {
							for l := range simd {
								v := packed9(shape, n, l)
								if half {
									old := b.u(reg(at), l/2)
									b.setU(reg(at), l/2, old&^(0xFFFF<<(l%2*16))|v&0xFFFF<<(l%2*16))
								} else {
									b.setU(reg(at+l/16), l%16, v)
								}
							}
							at += each
						}
						b.exec(t)
						for l := range simd {
							want := sampled(m, s, shape, row.name, meaning, l)
							for c := range 4 {
								if got := b.u(100+c*resp, l); got != uint32(want[c]) {
									t.Fatalf("lane %d component %d: %x (%g), want %x (%g)",
										l, c, got, math.Float32frombits(got), want[c], want.Float(c))
								}
							}
						}
					})
				}
			}
		}
	}
}

// TestSamplerResponsesXe2 returns fewer components, 16-bit components, and the mask of resident lanes.
func TestSamplerResponsesXe2(t *testing.T) {
	m, s := samplerImage(t, "2d", "R8G8B8A8_UNORM", 1), linearSampler()
	for _, simd := range []int{16, 32} {
		regs := simd / 16
		for n := 1; n <= 4; n++ {
			for _, c := range []struct {
				half     bool
				resident bool
			}{{}, {half: true}, {resident: true}} {
				each, rlen := regs, n*regs
				bits, at := uint32(0), 0
				if c.half {
					each, bits, rlen = 1, 1<<30, n
				}
				if c.resident {
					bits, at, rlen = samplerHeader, 1, rlen+1
				}
				b := imageText(t, xe2(), simd, []*texture.Image{m}, samplerText(24, simd, at+2*regs, rlen, false, bits))
				b.Group.Machine.Samplers = []*texture.Sampler{s}
				if c.resident {
					b.setU(20, 2, 1<<23|(0xF<<n&0xF)<<12)
					b.setU(20, 3, b.u(0, 3)&^31)
				}
				for l := range simd {
					b.setU(20+at, l, samplerValue("2d", "u", l))
					b.setU(20+at+regs, l, samplerValue("2d", "v", l))
				}
				b.setU(100+rlen, 0, 0x12345678)
				b.exec(t)
				for l := range simd {
					want := sampled(m, s, "2d", "sample_lz", "u v", l)
					for k := range n {
						got := math.Float32frombits(b.u(100+k*each, l))
						if c.half {
							got = thread.Half32(uint16(b.u(100+k, l/2) >> (l % 2 * 16)))
						}
						if math.Abs(float64(got)-float64(want.Float(k))) > 1.0/4096 {
							t.Fatalf("%d lanes, %d components, %+v: lane %d component %d: %g, want %g",
								simd, n, c, l, k, got, want.Float(k))
						}
					}
				}
				if all := uint32(uint64(1)<<simd - 1); c.resident && b.u(100+rlen-1, 0) != all {
					t.Errorf("%d lanes: residency %x", simd, b.u(100+rlen-1, 0))
				}
				if b.u(100+rlen, 0) != 0x12345678 {
					t.Errorf("%d lanes, %d components: the next register was written", simd, n)
				}
			}
		}
	}
}

// TestSamplerQueriesXe2 queries a size, the control surface's element of 16-bit coordinates, and the number of samples.
func TestSamplerQueriesXe2(t *testing.T) {
	for _, simd := range []int{16, 32} {
		regs := simd / 16
		sized := samplerImage(t, "2da", "R8_UNORM", 1)
		b := imageText(t, xe2(), simd, []*texture.Image{sized}, samplerText(10, simd, regs, 4*regs, false, 0))
		for l := range simd {
			b.setU(20, l, 0)
		}
		b.exec(t)
		for c, want := range []uint32{16, 8, 3, 3} {
			if got := b.u(100+c*regs, simd-1); got != want {
				t.Errorf("%d lanes: size %d is %d, want %d", simd, c, got, want)
			}
		}
		m := samplerImage(t, "ms", "R8_UNORM", 4)
		b = imageText(t, xe2(), simd, []*texture.Image{m}, samplerText(29, simd, 2, 2*regs, false, samplerHalves))
		for l := range 16 {
			b.setU(20, l, 0)
			b.setU(21, l, 8<<16) // outside in odd lanes
		}
		b.exec(t)
		for l := range simd {
			if got, want := b.u(100, l), []uint32{0xE4, 0}[l%2]; got != want {
				t.Errorf("%d lanes: element of lane %d is %x, want %x", simd, l, got, want)
			}
		}
		b = imageText(t, xe2(), simd, []*texture.Image{m}, samplerText(11, simd, 1, regs, false, samplerHeader))
		b.setU(20, 2, 0xE000)
		b.setU(20, 3, b.u(0, 3)&^31)
		b.exec(t)
		if b.u(100, simd-1) != 4 {
			t.Errorf("%d lanes: %d samples", simd, b.u(100, simd-1))
		}
	}
}

// TestManySamplesXe2 reads lane i's sample of a surface of 16 samples, whose control surface's element reverses the samples.
func TestManySamplesXe2(t *testing.T) {
	m := samplerImage(t, "ms", "R8_UNORM", 16)
	b := imageText(t, xe2(), 16, []*texture.Image{m}, samplerText(28, 16, 7, 1, false, samplerHalves))
	for l := range 16 {
		for k, v := range []uint32{uint32(l), 0xCDEF, 0x89AB, 0x4567, 0x0123, 3, 5} {
			old := b.u(20+k, l/2)
			b.setU(20+k, l/2, old&^(0xFFFF<<(l%2*16))|v<<(l%2*16))
		}
	}
	b.exec(t)
	for l := range 16 {
		if want := m.Format.Decode(m.Bytes(0, 3, 5, 0, 0, int64(15-l))); b.u(100, l) != uint32(want[0]) {
			t.Errorf("sample %d: %x, want %x", l, b.u(100, l), want[0])
		}
	}
}

// TestSamplerErrorsXe2: messages that the sampler does not have, or whose lengths are wrong.
func TestSamplerErrorsXe2(t *testing.T) {
	for _, c := range []struct {
		shape, text, want string
	}{
		{"2d", samplerText(24, 16, 4, 4, false, 0), ""},
		{"2d", samplerText(24, 32, 3, 8, false, 0), "the parameters have 3 registers; each takes 2"},
		{"2d", samplerText(24, 32, 4, 3, false, 0), "the response has 3 registers, want 1 to 4 components of 2"},
		{"2d", samplerText(24, 16, 2, 8, false, 0), "the response has 8 registers, want 1 to 4 components of 1"},
		{"2d", strings.Replace(samplerText(24, 16, 2, 4, false, 0), "(16|", "(32|", 1), "the message has 16 lanes, but the instruction has 32"},
		{"2d", samplerText(24, 48, 2, 4, false, 0), "unsupported SIMD mode 3"},
		{"2d", samplerText(4, 32, 10, 8, false, 0), "sample_d has at most 16 lanes"},
		{"2d", samplerText(2, 16, 5, 4, false, 0), "sample_l has 5 parameters, but takes at most 4"},
		{"2d", samplerText(3, 32, 12, 8, false, 0), "the sampler takes at most 11"},
		{"3d", samplerText(4, 16, 7, 4, false, 0), "sample_d has no derivatives of a third coordinate"},
		{"2d", samplerText(17, 16, 4, 4, false, 0), "unknown sampler message 17"},
		{"2d", samplerText(8, 16, 4, 4, false, 1<<31), "offsets as parameters are not supported"},
		{"ms", samplerText(28, 16, 7, 4, false, 0), "the parameters of ld2dms_w have 16 bits"},
		{"ms", samplerText(29, 16, 2, 4, false, 0), "the parameters of ld_mcs have 16 bits"},
		{"2d", samplerText(24, 16, 2, 4, false, samplerHalves), "no sampler messages with 16-bit parameters"},
		{"2d", samplerText(11, 16, 1, 4, false, 0), "sampleinfo needs a header"},
	} {
		c.text = strings.Replace(c.text, "(48|", "(32|", 1)
		samples := uint32(1)
		if c.shape == "ms" {
			samples = 4
		}
		b := imageText(t, xe2(), 32, []*texture.Image{samplerImage(t, c.shape, "R8G8B8A8_UNORM", samples)}, c.text)
		b.Group.Machine.Samplers = []*texture.Sampler{linearSampler()}
		run(b.Thread, 10)
		if c.want == "" && b.Err != nil || c.want != "" && (b.Err == nil || !strings.Contains(b.Err.Error(), c.want)) {
			t.Errorf("%s\ngot %v, want %q", c.text, b.Err, c.want)
		}
	}
}
