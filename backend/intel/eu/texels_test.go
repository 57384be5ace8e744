// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// imageText returns a bench that runs text, with images at binding table indices from 0.
func imageText(t testing.TB, machine *target.Target, lanes int, images []*texture.Image, text string) *bench {
	t.Helper()
	end := fmt.Sprintf("\n(W) send.gtwy (%d|M0) null r127 null:0 0x0 0x02000000 {EOT}\n", machine.Registers.Bytes/4)
	code, err := isatext.Assemble(machine.Platform, text+end)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	d := &thread.Dispatch{Program: Load(machine, code), SIMD: lanes, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{uint32(lanes), 1, 1},
		Options: thread.Options{Hazards: thread.HazardsStrict, StepLimit: 1000}}
	for _, m := range images {
		if m == nil {
			d.Surfaces = append(d.Surfaces, nil)
			continue
		}
		d.Surfaces = append(d.Surfaces, &thread.Surface{Image: m})
	}
	return dispatchBench(t, d)
}

// texelMessage returns a typed message to the load/store unit for surface 0: coordinates start at r20 and go on at r60 after
// the first split of them, where the data follow.
func texelMessage(desc uint32, lanes, each, coords, split, data, response int) string {
	dst, second := "null", "null:0"
	if response > 0 {
		dst = "r100"
	}
	n := (coords - split + data) * each
	if n > 0 {
		second = fmt.Sprintf("r60:%d", n)
	}
	desc |= uint32(split*each)<<25 | uint32(response*each)<<20 | bindingTableDesc
	return fmt.Sprintf("send.tgm (%d|M0) %s r20 %s 0x0 0x%08X {$0}\n", lanes, dst, second, desc)
}

const (
	bindingTableDesc = 3<<29 | 2<<7 // addresses of 32 bits in a surface of the binding table
	texelD32         = 2 << 9
	texelLoad        = texelD32 | thread.LSCLoadQuad
	texelStore       = texelD32 | 15<<12 | thread.LSCStoreQuad
)

// texelWidths are machines with the load/store unit, and the numbers of lanes and of registers for a doubleword of each.
var texelWidths = []struct {
	machine     *target.Target
	lanes, each int
}{{gen125(), 8, 1}, {xe2(), 16, 1}, {xe2(), 32, 2}}

// TestTexels reads, writes and adds at the same coordinates in each shape through the load/store unit, with the coordinates in
// one piece and split in two. The coordinates of the first eight lanes repeat in the others, which have only loads.
func TestTexels(t *testing.T) {
	for _, w := range texelWidths {
		for i, s := range typedShapes {
			for split := 1; split <= s.coords; split++ {
				t.Run(fmt.Sprintf("%s-%d/%v%d/%d", w.machine, w.lanes, s.dim, i, split), func(t *testing.T) {
					m := image(t, s.dim, "R32_UINT", s.size[0], s.size[1], s.size[2], s.size[3], 1)
					old := append([]byte(nil), m.Levels[0].Data...)
					bench := func(desc uint32, lanes, data, response int) *bench {
						text := texelMessage(desc, lanes, w.each, s.coords, split, data, response)
						b := imageText(t, w.machine, w.lanes, []*texture.Image{m}, text)
						put := func(k, lane int, v uint32) {
							reg := 20 + k*w.each
							if k >= split {
								reg = 60 + (k-split)*w.each
							}
							b.setU(reg, lane, v)
						}
						for l := range lanes {
							for c := range s.coords {
								put(c, l, s.at[l%8][c])
							}
							for c := range 4 {
								put(s.coords+c, l, uint32(7000+l+100*c))
							}
						}
						if response == 0 || data > 0 { // only the first eight lanes, which have different texels
							b.Active = 0xFF
						}
						b.exec(t)
						return b
					}
					b := bench(texelLoad|1<<12, w.lanes, 0, 1)
					for l := range w.lanes {
						want := uint32(0)
						if l%8 < s.inside {
							want = dw(old, 4*typedOffset(s.dim, s.size, s.at[l%8]))
						}
						if got := b.u(100, l); got != want {
							t.Errorf("lane %d: read %x, want %x", l, got, want)
						}
					}
					if b.Stats.Memory.LoadsOutOfBounds != uint64(w.lanes/8*(8-s.inside)) {
						t.Errorf("counts %+v", b.Stats.Memory)
					}
					b = bench(texelD32|12, w.lanes, 1, 1) // a sum
					for l, at := range s.at {
						want := uint32(0)
						if l < s.inside {
							off := 4 * typedOffset(s.dim, s.size, at)
							want = dw(old, off)
							if got := dw(m.Levels[0].Data, off); got != want+uint32(7000+l) {
								t.Errorf("lane %d: the sum is %d", l, got)
							}
						}
						if got := b.u(100, l); got != want {
							t.Errorf("lane %d: the atomic returned %x, want %x", l, got, want)
						}
					}
					copy(m.Levels[0].Data, old)
					b = bench(texelStore, w.lanes, 4, 0)
					for l, at := range s.at[:s.inside] {
						off := 4 * typedOffset(s.dim, s.size, at)
						if got := dw(m.Levels[0].Data, off); got != uint32(7000+l) {
							t.Errorf("lane %d: wrote %d", l, got)
						}
						copy(m.Levels[0].Data[off:off+4], old[off:])
					}
					if string(old) != string(m.Levels[0].Data) || b.Stats.Memory.StoresOutOfBounds != uint64(8-s.inside) {
						t.Errorf("another texel has changed, or wrong counts: %+v", b.Stats.Memory)
					}
				})
			}
		}
	}
}

// TestTexelChannels loads each set of channels of every lane, and stores all of them.
func TestTexelChannels(t *testing.T) {
	for _, w := range texelWidths {
		for mask := uint32(1); mask < 16; mask++ {
			m := image(t, irkind.Dim2D, "R32G32B32A32_SFLOAT", 32, 2, 1, 1, 1)
			n := 0
			for c := range 4 {
				n += int(mask >> c & 1)
			}
			text := texelMessage(texelLoad|mask<<12, w.lanes, w.each, 2, 2, 0, n)
			if mask == 15 {
				text += strings.Replace(texelMessage(texelStore, w.lanes, w.each, 2, 2, 4, 0), "{$0}", "{$1}", 1)
			}
			b := imageText(t, w.machine, w.lanes, []*texture.Image{m}, text)
			old := append([]byte(nil), m.Levels[0].Data...)
			for l := range w.lanes {
				b.setU(20, l, uint32(l))
				b.setU(20+w.each, l, 1)
				for c := range 4 {
					b.setU(60+c*w.each, l, uint32(c<<8|l))
				}
			}
			b.exec(t)
			k := 0
			for c := range 4 {
				for l := range w.lanes {
					at := 16*(32+l) + 4*c
					if mask>>c&1 != 0 {
						if got, want := b.u(100+k*w.each, l), dw(old, at); got != want {
							t.Fatalf("%d lanes, mask %x, component %d, lane %d: %x, want %x", w.lanes, mask, c, l, got, want)
						}
					}
					if got := dw(m.Levels[0].Data, at); mask == 15 && got != uint32(c<<8|l) {
						t.Fatalf("%d lanes, component %d, lane %d: stored %x", w.lanes, c, l, got)
					}
				}
				k += int(mask >> c & 1)
			}
		}
	}
}

// TestTexelAtomics checks every operation, with and without a result. The texel is 12, the operands are 5 and 7; of a compare
// and write, the first is 12. Floats are quarters of these.
func TestTexelAtomics(t *testing.T) {
	f := func(v float32) uint32 { return math.Float32bits(v) }
	for _, c := range []struct {
		op       uint32
		operands int
		format   string
		old      uint32
		x        [2]uint32
		want     uint32
	}{
		{8, 0, "R32_UINT", 12, [2]uint32{5, 7}, 13}, {9, 0, "R32_UINT", 12, [2]uint32{5, 7}, 11}, {10, 0, "R32_UINT", 12, [2]uint32{5, 7}, 12},
		{11, 1, "R32_UINT", 12, [2]uint32{5, 7}, 5}, {12, 1, "R32_SINT", 12, [2]uint32{5, 7}, 17}, {13, 1, "R32_UINT", 12, [2]uint32{5, 7}, 7},
		{14, 1, "R32_SINT", 12, [2]uint32{0xFFFFFFFF, 7}, 0xFFFFFFFF}, {15, 1, "R32_SINT", 12, [2]uint32{0xFFFFFFFF, 7}, 12},
		{16, 1, "R32_UINT", 12, [2]uint32{0xFFFFFFFF, 7}, 12}, {17, 1, "R32_UINT", 12, [2]uint32{0xFFFFFFFF, 7}, 0xFFFFFFFF},
		{18, 2, "R32_UINT", 12, [2]uint32{12, 7}, 7}, {24, 1, "R32_UINT", 12, [2]uint32{5, 7}, 4}, {25, 1, "R32_UINT", 12, [2]uint32{5, 7}, 13},
		{26, 1, "R32_UINT", 12, [2]uint32{5, 7}, 9},
		{19, 1, "R32_SFLOAT", f(3), [2]uint32{f(1.25)}, f(4.25)}, {20, 1, "R32_SFLOAT", f(3), [2]uint32{f(1.25)}, f(1.75)},
		{21, 1, "R32_SFLOAT", f(3), [2]uint32{f(-1.25)}, f(-1.25)}, {22, 1, "R32_SFLOAT", f(3), [2]uint32{f(-1.25)}, f(3)},
		{23, 2, "R32_SFLOAT", f(3), [2]uint32{f(3), f(1.75)}, f(1.75)}, {11, 1, "R32_UINT", f(3), [2]uint32{f(5)}, f(5)},
	} {
		for _, w := range texelWidths {
			for r := range 2 {
				m := image(t, irkind.Dim2D, c.format, 32, 1, 1, 1, 1)
				text := texelMessage(texelD32|c.op, w.lanes, w.each, 2, 2, c.operands, r)
				b := imageText(t, w.machine, w.lanes, []*texture.Image{m}, text)
				for l := range w.lanes {
					binary.LittleEndian.PutUint32(m.Levels[0].Data[4*l:], c.old)
					b.setU(20, l, uint32(l))
					b.setU(20+w.each, l, 0)
					b.setU(60, l, c.x[0])
					b.setU(60+w.each, l, c.x[1])
					b.setU(100, l, 99)
				}
				b.exec(t)
				for l := range w.lanes {
					ret := []uint32{99, c.old}[r]
					if got := dw(m.Levels[0].Data, 4*l); got != c.want || b.u(100, l) != ret {
						t.Fatalf("operation %d, lane %d of %d: leaves %x and returns %x, want %x and %x",
							c.op, l, w.lanes, got, b.u(100, l), c.want, ret)
					}
				}
			}
		}
	}
}

// TestTexelErrors: messages that the load/store unit does not have, or whose lengths are wrong.
func TestTexelErrors(t *testing.T) {
	dg2, lnl := gen125(), xe2()
	for _, c := range []struct {
		machine    *target.Target
		text, want string
	}{
		{dg2, "send.tgm (16|M0) r100 r20 null:0 0x0 0x6480F502 {$0}", "at most 8 lanes, not 16"},
		{dg2, "send.tgm (8|M0) r100 r20 null:0 0x0 0x6480F502 {$0}", "the response has 8 registers, but the message returns 4"},
		{lnl, "send.tgm (32|M0) r100 r20 null:0 0x0 0x6240F502 {$0}", "the payload has 1 registers, but the message takes 0 and coordinates"},
		{lnl, "send.tgm (32|M0) r100 r20 null:0 0x0 0x6680F502 {$0}", "the coordinates have 3 registers; each takes 2"},
		{lnl, "send.tgm (16|M0) r100 r20 null:0 0x0 0x6480F502 {$0}", "the response has 8 registers, but the message returns 4"},
		{lnl, "send.tgm (16|M0) null r20 r60:4 0x0 0x6200F506 {$0}", "the message has 1 coordinates, but its surface, 2d with 1 layers, needs 2"},
		{lnl, "send.tgm (16|M0) null r20 r60:3 0x0 0x64007506 {$0}", "typed writes of some components"},
		{lnl, "send.tgm (16|M0) r100 r20 null:0 0x0 0x64000502 {$0}", "selects no component"},
		{lnl, "send.tgm (16|M0) r100 r20 null:0 0x0 0x6A40F502 {$0}", "at most 4 coordinates"},
		{lnl, "send.tgm (16|M0) r100 r20 null:0 0x40000 0x6440F502 {$0}", "coordinates have no offset"},
		{lnl, "send.tgm (16|M0) r100 r20 null:0 0x0 0x0440F502 {$0}", "needs a surface"},
		{lnl, "send.tgm (16|M0) r100 r20 null:0 0x0 0x6440F582 {$0}", "coordinates have 32 bits"},
		{lnl, "send.tgm (16|M0) r100 r20 null:0 0x0 0x6440F702 {$0}", "typed data of size 3"},
		{lnl, "send.tgm (16|M0) r100 r20 null:0 0x0 0x64100500 {$0}", "typed operation 0 of the load/store unit is not supported"},
		{lnl, "send.tgm (16|M0) r100 r20 r60:1 0x0 0x6410151C {$0}", "typed operation 28"},
		{lnl, "send.tgm (16|M0) r100 r20 r60:1 0x0 0x6410051B {$0}", "typed operation 27"},
		{lnl, "send.tgm (16|M0) r100 r20 r60:1 0x0 0x6410050C {$0}", "do not support operation 7 on the format R8G8B8A8_UNORM"},
		{lnl, "send.tgm (16|M0) r100 r20 r60:1 0x0 0x64100513 {$0}", "atomics on floats do not support the format R8G8B8A8_UNORM"},
		{lnl, "send.tgm (16|M0) r100 r20 r60:1 0x7000000 0x6410050C {$0}", "no surface at binding table index 7"},
		{lnl, "send.tgm (16|M0) r100 r20 r60:1 0xFC000000 0x6410050C {$0}", "binding table index 252 has no meaning"},
	} {
		b := imageText(t, c.machine, 16, []*texture.Image{image(t, irkind.Dim2D, "R8G8B8A8_UNORM", 4, 4, 1, 1, 1)}, c.text)
		run(b.Thread, 10)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%s\ngot %v, want %q", c.text, b.Err, c.want)
		}
	}
}

// TestBindlessXe2 loads a texel and samples through handles in an address register, of which the sampler's header also selects
// a state of the heap.
func TestBindlessXe2(t *testing.T) {
	m, s := samplerImage(t, "2d", "R32_SFLOAT", 1), linearSampler()
	for name, text := range map[string]string{
		"texel":   "send.tgm (16|M0) r100 r20 null:0 a0.2 0x24101502 {A@1,$0}\n",
		"sampler": "send.smpl (16|M0) r100 r22 null:0 a0.2 0x061B80FC {A@1,$0}\n",
	} {
		b := imageText(t, xe2(), 16, nil, "(W) mov (1|M0) a0.2<1>:ud 0x1000:ud\n"+text)
		heap := thread.Heap{Surfaces: []*thread.Surface{nil, {Image: m}}, Samplers: []*texture.Sampler{nil, s}}
		d := &thread.Dispatch{Program: b.Prog, SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{16, 1, 1}, Heap: heap, Options: *b.Opts}
		b = dispatchBench(t, d)
		b.setU(22, 2, 0xE000)
		b.setU(22, 3, thread.SamplerHeapStep)
		for l := range 16 {
			b.setU(20, l, uint32(l))
			b.setU(21, l, 3)
			b.setU(23, l, samplerValue("2d", "u", l))
			b.setU(24, l, samplerValue("2d", "v", l))
		}
		b.exec(t)
		for l := range 16 {
			want := dw(m.Levels[0].Data, 4*(3*16+l))
			if name == "sampler" {
				want = uint32(sampled(m, s, "2d", "sample_lz", "u v", l)[0])
			}
			if got := b.u(100, l); got != want {
				t.Errorf("%s, lane %d: %x, want %x", name, l, got, want)
			}
		}
	}
}
