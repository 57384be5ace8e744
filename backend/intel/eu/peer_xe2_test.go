// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// The tests in this file run code that Mesa 25.0.7 has compiled for lnl, without compacted instructions, from the shaders of
// the same names in testdata/lnl; images16.bin is for workgroups of 16. Binding table indices start at 1. A thread reads the
// number of the first workgroup at the address in r0.0, and local ids are words in r1.

// mesaBench returns the only thread of a workgroup of Mesa's code.
func mesaBench(t *testing.T, file string, lanes int, workgroup uint32, surfaces ...*thread.Surface) *bench {
	t.Helper()
	code, err := os.ReadFile("testdata/lnl/" + file)
	if err != nil {
		t.Fatal(err)
	}
	d := &thread.Dispatch{Program: Load(target.LNL, code), SIMD: lanes, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{uint32(lanes), 1, 1},
		Surfaces: append([]*thread.Surface{nil}, surfaces...), Options: thread.Options{Hazards: thread.HazardsStrict, StepLimit: 10000},
		Mappings: []thread.Mapping{{Addr: lowAddr, Data: make([]byte, 64)}}}
	b := dispatchBench(t, d)
	b.setU(0, 0, lowAddr)
	b.setU(0, 1, workgroup)
	for l := range lanes {
		binary.LittleEndian.PutUint16(b.Reg[b.Prog.GRF+2*l:], uint16(l))
	}
	return b
}

// TestMesaImages runs loads, stores and atomics of images with 16 and with 32 lanes.
func TestMesaImages(t *testing.T) {
	for _, lanes := range []int{16, 32} {
		const row = 2
		size := uint32(lanes)
		float := image(t, irkind.Dim2D, "R32G32B32A32_SFLOAT", size, 4, 1, 1, 1)
		words, line := image(t, irkind.Dim2D, "R32_UINT", size, size, 1, 1, 1), image(t, irkind.Dim1D, "R32_SINT", size-4, 1, 1, 1, 1)
		bytes := image(t, irkind.Dim2D, "R8G8B8A8_UNORM", size, 4, 1, 2, 1)
		clear(words.Levels[0].Data)
		at := func(m *texture.Image, x, y, layer int) []byte {
			return m.Bytes(0, int64(x), int64(y), 0, int64(layer), 0)
		}
		set := func(m *texture.Image, x, y int, v uint32) { binary.LittleEndian.PutUint32(at(m, x, y, 0), v) }
		for l := range lanes {
			var x texture.Texel
			for c := range x {
				x.SetFloat(c, float32(l*4+c)/255)
			}
			float.Format.Encode(at(float, l, row, 0), &x)
			set(words, row, l, []uint32{3, 1, 0}[l%3])
			if l < lanes-4 {
				set(line, l, 0, uint32(l%5)-1)
			}
		}
		// What the shader's instructions leave, in their order.
		want := make([]uint32, lanes*lanes)
		for i := range want {
			want[i] = dw(words.Levels[0].Data, 4*i)
		}
		sum, changed := make([]uint32, lanes), make([]uint32, lanes)
		for l := range lanes {
			sum[l] = want[row*lanes+l]
			want[row*lanes+l] += 7
		}
		for l := range lanes {
			if changed[l] = want[l*lanes+row]; changed[l] == 3 {
				want[l*lanes+row] = uint32(l)
			}
		}
		b := mesaBench(t, fmt.Sprintf("images%d.bin", lanes), lanes, row, thread.StorageSurface(float), thread.StorageSurface(words),
			thread.StorageSurface(bytes), thread.StorageSurface(line))
		b.exec(t)
		for i := range want {
			if got := dw(words.Levels[0].Data, 4*i); got != want[i] {
				t.Errorf("%d lanes: texel %d,%d is %d, want %d", lanes, i%lanes, i/lanes, got, want[i])
			}
		}
		for l := range lanes {
			if got := math.Float32frombits(dw(at(float, l, row, 0), 12)); got != float32(sum[l]) {
				t.Errorf("%d lanes: float texel %d is %g, want %d", lanes, l, got, sum[l])
			}
			for c, got := range at(bytes, l, row, 1) {
				if v := min((l*4+c)+255*int(sum[l]+changed[l]), 255); int(got) != v {
					t.Errorf("%d lanes: byte %d of texel %d is %d, want %d", lanes, c, l, got, v)
				}
			}
			if l < lanes-4 {
				if got := int32(dw(line.Levels[0].Data, 4*l)); got != max(int32(l%5)-1, row) {
					t.Errorf("%d lanes: texel %d of the line is %d", lanes, l, got)
				}
			}
		}
	}
}

// TestMesaSamples runs sampler messages with 32 lanes, and compares with the definitions of package texture.
func TestMesaSamples(t *testing.T) {
	plain, cubes := samplerImage(t, "2d", "R8G8B8A8_UNORM", 1), samplerImage(t, "cubea", "R8G8B8A8_UNORM", 1)
	depth, s := samplerImage(t, "2d", "R32_SFLOAT", 1), linearSampler()
	out := make([]byte, 32*8*16)
	b := mesaBench(t, "samples32.bin", 32, 0, &thread.Surface{Image: plain}, &thread.Surface{Image: cubes}, &thread.Surface{Image: depth},
		&thread.Surface{Data: out})
	b.Group.Machine.Samplers = []*texture.Sampler{s, s, s}
	b.exec(t)
	for l := range 32 {
		f := float32(l)
		at := texture.Query{Coord: [3]float32{f * 0.125, f * 0.0625}}
		lod, grad := at, at
		moved, compared := at, at
		lod.LOD = 0.5
		grad.Grad, grad.Ddx, grad.Ddy = true, [3]float32{0.125, 0.25}, [3]float32{0, 0.375}
		moved.LOD, moved.Offset = 1, [3]int32{1, -2}
		compared.Compare, compared.Ref = true, 0.5
		cube := texture.Query{Coord: [3]float32{0.25, (f*0.0625 - 1) / 2, 1}, Layer: f * 0.125, LOD: 1.5}
		shadow := depth.Sample(s, &compared)
		for c := range 4 {
			shadow[c] = shadow[0]
		}
		var fetched, size texture.Texel
		if texel := plain.Bytes(1, int64(l), 2, 0, 0, 0); texel != nil {
			fetched = plain.Format.Decode(texel)
		}
		for c, x := range []float32{16, 8, 3, 0} {
			size.SetFloat(c, x)
		}
		for k, want := range []texture.Texel{plain.Sample(s, &lod), plain.Sample(s, &grad), plain.Gather(s, &at, 1), cubes.Sample(s, &cube),
			fetched, shadow, plain.Sample(s, &moved), size} {
			for c := range 4 {
				if got := math.Float32frombits(dw(out, (l*8+k)*16+4*c)); math.Abs(float64(got-want.Float(c))) > 1e-5 {
					t.Errorf("lane %d, result %d, component %d: %g, want %g", l, k, c, got, want.Float(c))
				}
			}
		}
	}
}

// TestMesaVertices runs a vertex shader. The payload has handles in r1 and a register for each component of an attribute; r10
// and r12 have the two summands of the vertex index. The entry has a header, the position, and the outputs from slot 4 on.
func TestMesaVertices(t *testing.T) {
	code, err := os.ReadFile("testdata/lnl/vertices16.bin")
	if err != nil {
		t.Fatal(err)
	}
	u := thread.NewURB(16, 8)
	b := stageCode(t, 16, &thread.Stage{Kind: thread.VertexStage, URB: u}, code)
	value := func(k, l int) float32 { return float32(k) + float32(l)/16 } // of component k of the attributes
	for l := range 16 {
		b.setU(1, l, u.Address(l))
		for k := range 8 {
			b.setF(2+k, l, value(k, l))
		}
		b.setU(10, l, 1000)
		b.setU(12, l, uint32(l))
	}
	b.fault(t, "")
	for l := range 16 {
		v := func(k int) uint32 { return math.Float32bits(value(k, l)) }
		twice := func(k int) uint32 { return math.Float32bits(2 * value(k, l)) }
		n := uint32(1000 + l)
		for slot, want := range map[int][4]uint32{
			1: {twice(0), twice(1), twice(2), twice(3)},
			4: {v(4), v(5), v(6), v(4)}, 5: {v(5), v(4)}, 6: {v(0), v(1), v(2)}, 7: {n, n, n, n},
		} {
			got, _ := u.Slot(l, slot)
			if slot == 5 || slot == 6 { // the rest is undefined
				copy(got[slot-3:], want[slot-3:])
			}
			if got != want {
				t.Errorf("entry %d, slot %d: %x, want %x", l, slot, got, want)
			}
		}
	}
}

// TestMesaFragments runs a fragment shader of 16 lanes that discards, and writes two targets. The payload has the positions of
// quads from r0.10 on, the mask of live pixels in r0.15, barycentric coordinates in r1 and r2, depth and w in r3 and r4, and
// from r5 on, for each component of the inputs, its value at the first vertex and two differences, for five in a register.
func TestMesaFragments(t *testing.T) {
	code, err := os.ReadFile("testdata/lnl/fragments16.bin")
	if err != nil {
		t.Fatal(err)
	}
	const live = 0xFBDF
	s := newTargets(live)
	b := stageCode(t, 16, &s.Stage, code)
	plane := func(k int) [3]float32 { return [3]float32{float32(k) - 0.5, float32(k + 1), 0.5 * float32(k)} }
	for q := range 4 {
		b.setU(0, 10+q, uint32(10+2*q)|uint32(20+4*q)<<16)
	}
	b.setU(0, 15, live)
	for l := range 16 {
		b.setF(1, l, float32(l)/16)
		b.setF(2, l, float32(l%4)/4)
		b.setF(3, l, 0.25)
		b.setF(4, l, 4) // w
	}
	for k := range 16 {
		for i, v := range plane(k) {
			if k >= 12 { // flat integers
				b.setU(5+k/5, k%5*3+i, uint32(k))
			} else {
				b.setF(5+k/5, k%5*3+i, v)
			}
		}
	}
	b.fault(t, "")
	for l := range 16 {
		in := func(k int) float32 {
			p := plane(k)
			return p[0] + p[2]*float32(l%4)/4 + p[1]*float32(l)/16
		}
		got := s.got[l]
		if dead := live>>l&1 == 0 || in(0) < 0; dead || len(got) != 2 {
			if !dead || len(got) != 0 {
				t.Errorf("lane %d is written %d times", l, len(got))
			}
			continue
		}
		x, y := float32(10+2*(l/4)+l%2)+0.5, float32(20+4*(l/4)+l/2%2)+0.5
		coord := [4]float32{x, y, 0.25, 0.25}
		for c := range 4 {
			first, second := in(c)+in(4+c%2)+float32(12+c)+coord[c], in(8+c%3)
			if v := math.Float32frombits(got[0].Color[c]); math.Abs(float64(v-first)) > 1e-4 || got[0].Target != 0 {
				t.Errorf("lane %d, component %d: %g, want %g", l, c, v, first)
			}
			if v := math.Float32frombits(got[1].Color[c]); math.Abs(float64(v-second)) > 1e-4 || got[1].Target != 1 || !got[1].Last {
				t.Errorf("lane %d, component %d of the second target: %g, want %g", l, c, v, second)
			}
		}
	}
}
