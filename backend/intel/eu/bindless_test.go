// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// bindless returns a message whose extended descriptor comes from a0.2, preceded by the instruction that writes
// a0.2. Before Gen12 the register also names the shared function, and the send's own field may be null.
func bindless(machine *target.Target, in isa.Inst, handle uint32) []isa.Inst {
	ex := handle | in.ExDesc
	if !machine.Can(target.SoftwareScoreboard) {
		ex |= uint32(map[isa.SFID]int{isa.SFIDDC1: 12, isa.SFIDSampler: 2}[in.SFID])
		in.SFID = isa.SFIDNull
	}
	in.Desc |= thread.BtiBindless
	in.SWSB = fields.SWSBDist(1) | fields.SWSBSet(0)
	in.ExDesc, in.ExDescReg, in.ExDescSub = 0, true, 2
	return []isa.Inst{one(isa.OpMov, arfDst(isa.ARFA0, 8, isa.TypeUD), imm(isa.TypeUD, uint64(ex))), in}
}

// heapBench returns a bench with the surfaces one and last at heap indices 1 and 0xABCDE, and a different image
// at binding table index 0.
func heapBench(t *testing.T, machine *target.Target, one, last *thread.Surface, states []*texture.Sampler, insts ...isa.Inst) *bench {
	t.Helper()
	b := imageBench(t, machine, []*texture.Image{image(t, irkind.Dim2D, "R32_UINT", 8, 8, 1, 1, 1)}, insts...)
	heap := thread.Heap{Surfaces: make([]*thread.Surface, 0xABCDE+1), Samplers: states}
	heap.Surfaces[1], heap.Surfaces[0xABCDE] = one, last
	d := &thread.Dispatch{Program: b.Prog, SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{16, 1, 1}, Surfaces: b.Group.Machine.Surfaces, Heap: heap, Options: *b.Opts}
	return dispatchBench(t, d)
}

// TestBindlessTyped reads, writes and adds to texels of images selected by handle.
func TestBindlessTyped(t *testing.T) {
	for _, machine := range target.All {
		one, last := image(t, irkind.Dim2D, "R32_UINT", 8, 4, 1, 1, 1), image(t, irkind.Dim2D, "R32_UINT", 8, 4, 1, 1, 1)
		for i := range uint32(32) {
			binary.LittleEndian.PutUint32(one.Levels[0].Data[4*i:], 100+i)
			binary.LittleEndian.PutUint32(last.Levels[0].Data[4*i:], 200+i)
		}
		for _, c := range []struct {
			handle uint32
			image  *texture.Image
			first  uint32
		}{{0x1000, one, 100}, {0xABCDE000, last, 200}} {
			for name, in := range map[string]isa.Inst{
				"read":   send(isa.SFIDDC1, 8, readOf(2, 1), 0),
				"write":  send(isa.SFIDDC1, 8, writeOf(2), 4<<6),
				"atomic": send(isa.SFIDDC1, 8, atomicOf(2, message.AopAdd, 1), 1<<6),
			} {
				im := *c.image
				im.Levels = []texture.Level{c.image.Levels[0]}
				im.Levels[0].Data = append([]byte(nil), im.Levels[0].Data...)
				other := &thread.Surface{Image: image(t, irkind.Dim2D, "R32_UINT", 8, 4, 1, 1, 1)}
				surfaces := [2]*thread.Surface{{Image: &im}, other}
				if c.handle != 0x1000 {
					surfaces[0], surfaces[1] = surfaces[1], surfaces[0]
				}
				b := heapBench(t, machine, surfaces[0], surfaces[1], nil, bindless(machine, in, c.handle)...)
				for l := range 8 {
					b.setU(20, l, uint32(l))
					b.setU(21, l, 2)
					b.setU(60, l, uint32(1000*l))
				}
				b.exec(t)
				for l := range 8 {
					old := c.first + 16 + uint32(l)
					memory, got := dw(im.Levels[0].Data, 4*(16+l)), b.u(100, l)
					want := map[string][2]uint32{"read": {old, old}, "write": {uint32(1000 * l), got}, "atomic": {old + uint32(1000*l), old}}[name]
					if memory != want[0] || got != want[1] {
						t.Fatalf("%s: %s by handle 0x%x, lane %d: memory %d, result %d, want %d", machine, name, c.handle, l,
							memory, got, want)
					}
				}
			}
		}
	}
}

// TestBindlessSampler samples an image selected by handle, with a sampler state selected by the header, at
// SIMD8 and SIMD16.
func TestBindlessSampler(t *testing.T) {
	m := samplerImage(t, "2d", "R32_SFLOAT", 1)
	nearest := &texture.Sampler{MaxLOD: 10}
	for _, machine := range narrow() {
		for _, simd := range []int{8, 16} {
			regs := simd / 8
			for handle, s := range map[uint32]*texture.Sampler{32: nearest, 96: linearSampler()} {
				desc := samplerDesc(24, simd, 1, regs) | 1<<19
				in := send(isa.SFIDSampler, uint8(simd), desc, uint32(2*regs)<<6)
				b := heapBench(t, machine, &thread.Surface{Image: m}, nil, []*texture.Sampler{nil, nearest, nil, linearSampler()}, bindless(machine, in, 0x1000)...)
				b.setU(20, 2, 0xE000) // one component
				b.setU(20, 3, handle)
				for l := range simd {
					b.setU(60+l/8, l%8, samplerValue("2d", "u", l))
					b.setU(60+regs+l/8, l%8, samplerValue("2d", "v", l))
				}
				b.exec(t)
				for l := range simd {
					q := texture.Query{Coord: [3]float32{math.Float32frombits(samplerValue("2d", "u", l)), math.Float32frombits(samplerValue("2d", "v", l))}}
					if want, got := m.Sample(s, &q), b.u(100+l/8, l%8); got != uint32(want[0]) {
						t.Fatalf("%s, %d lanes, sampler 0x%x, lane %d: %x, want %x", machine, simd, handle, l, got, want[0])
					}
				}
			}
		}
	}
}

// TestBindlessTraps checks the faults for invalid handles, and that the register's low bits act as the rest of
// the extended descriptor.
func TestBindlessTraps(t *testing.T) {
	read, write := send(isa.SFIDDC1, 8, readOf(2, 1), 0), send(isa.SFIDDC1, 8, writeOf(2), 4<<6)
	write.ExDesc = 3 << 6
	sample := send(isa.SFIDSampler, 8, samplerDesc(24, 8, 3, 4)|1<<19, 0)
	indexed := sample
	indexed.Desc |= 2 << 8
	for _, machine := range target.All {
		for _, c := range []struct {
			name   string
			in     isa.Inst
			handle uint32
			dword3 uint32
			want   string
		}{
			{"none", read, 0, 0, "no surface with the handle 0x00000000"},
			{"between", read, 0x2000, 0, "no surface with the handle 0x00002000"},
			{"past the end", read, 0xABCDF000, 0, "no surface with the handle 0xabcdf000"},
			{"buffer", read, 0xABCDE000, 0, "the surface with the handle 0xabcde000, which is a buffer without a format"},
			{"length", write, 0x1000, 0, "the message has 1 coordinates"},
			{"untyped", send(isa.SFIDDC1, 8, 0x02106E00, 0), 0x1000, 0, "bindless buffers are not supported"},
			{"sampler past the end", sample, 0x1000, 64, "no sampler state with the handle 0x00000040"},
			{"no sampler", sample, 0x1000, 0, "no sampler state with the handle 0x00000000"},
			{"sampler by handle and index", indexed, 0x1000, 32, "sampler 2 relative to a bindless sampler state"},
			{"image to sample", sample, 0x3000, 32, "no surface with the handle 0x00003000"},
		} {
			two := image(t, irkind.Dim2D, "R32_UINT", 8, 4, 1, 1, 1)
			b := heapBench(t, machine, &thread.Surface{Image: two}, &thread.Surface{Data: make([]byte, 64)}, []*texture.Sampler{nil, linearSampler()}, bindless(machine, c.in, c.handle)...)
			b.setU(20, 2, 0)
			b.setU(20, 3, c.dword3)
			run(b.Thread, 10)
			if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
				t.Errorf("%s %s: %v, want %q", machine, c.name, b.Err, c.want)
			}
		}
	}
}
