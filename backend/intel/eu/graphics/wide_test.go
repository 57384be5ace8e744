// SPDX-License-Identifier: MIT

package graphics

import (
	"context"
	"math"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// The interfaces of threads with registers of 64 bytes. The header of a fragment thread has the two registers of Gen12.5 in one.
var (
	wideVertex   = abi.ABI{Name: "vertex", Stage: "vertex", PartReg: 1, Parts: []abi.Part{abi.URBHandles, abi.User, abi.Attributes}}
	wideFragment = abi.ABI{Name: "fragment", Stage: "fragment", PartReg: 1,
		Parts: []abi.Part{abi.PerspPixel, abi.Depth, abi.W, abi.User, abi.Setup},
		Header: []abi.Field{{Value: abi.Quad0, Dword: 10, Mask: 0xFFFFFFFF}, {Value: abi.Quad3, Dword: 13, Mask: 0xFFFFFFFF},
			{Value: abi.FFTID, Dword: 5, Mask: 0x3FF}, {Value: abi.LiveMask, Dword: 15, Mask: 0xFFFF}}}
)

// TestWideVertices stores an attribute and a builtin of two threads, the second of which has five vertices.
func TestWideVertices(t *testing.T) {
	p := &Program{
		Code: assembled(t, target.LNL, `(W) mov (16|M0) r126.0<1>:ud r1.0<1;1,0>:ud
add (16|M0) r122.0<1>:f r3.0<1;1,0>:f r2.1<0;1,0>:f
mov (16|M0) r123.0<1>:ud r6.0<1;1,0>:ud
mov (16|M0) r124.0<1>:ud r9.0<1;1,0>:ud
mov (16|M0) r125.0<1>:ud r10.0<1;1,0>:ud
send.urb (16|M0) null r126 r122:4 0x10000 0x02023504 {EOT,A@1}`),
		SIMD: 16, ABI: &wideVertex, Uses: PartsOf(abi.URBHandles, abi.User, abi.Attributes),
		User:   []byte{0, 0, 0, 0, 0, 0, 0, 0x3F}, // 0.5
		Inputs: []Input{{Slot: 3}, {Slot: -1, Values: [4]intrinsic.ID{2: intrinsic.LoadVertexIDZeroBase}}},
		Slots:  2, Outputs: []Output{{4, 50, 0}, {5, 50, 1}, {6, 51, 0}, {7, 51, 3}, {0, 52, 0}},
	}
	f := &fixed{map[[3]int]uint32{}}
	if err := p.Vertices(context.Background(), 21, f); err != nil {
		t.Fatal(err)
	}
	for l := range 21 {
		for at, want := range map[[3]int]uint32{
			{l, 50, 0}: math.Float32bits(float32(3000+l) + 0.5), {l, 50, 1}: math.Float32bits(float32(3300 + l)),
			{l, 51, 0}: uint32(7000 + l), {l, 51, 3}: 0,
		} {
			if got, ok := f.outputs[at]; got != want || !ok {
				t.Errorf("%v: %#x, want %#x", at, got, want)
			}
		}
	}
	if len(f.outputs) != 4*21 {
		t.Errorf("%d outputs", len(f.outputs))
	}
}

// TestWideFragments writes registers of the payload of 16 and 32 lanes as colors: barycentric coordinates, depth and setup data.
// Input 1 has components 4 to 7, of which component 5 is the first in the second register of setup data.
func TestWideFragments(t *testing.T) {
	for _, c := range []struct {
		simd int
		text string
	}{
		// r1, r2: coordinates; r3: depth; r4: w; r5: User; r6, r7: setup data.
		{16, `mov (16|M0) r122.0<1>:f r1.0<1;1,0>:f
mov (16|M0) r123.0<1>:f r2.0<1;1,0>:f
mov (16|M0) r124.0<1>:f r3.0<1;1,0>:f
mov (16|M0) r125.0<1>:f r7.1<0;1,0>:f
sendc.rc (16|M0) null r122 null:0 0x0 0x08030000 {A@1,$0}
mov (16|M0) r118.0<1>:f r6.12<0;1,0>:f
mov (16|M0) r119.0<1>:f r7.2<0;1,0>:f
mov (16|M0) r120.0<1>:ud r0.10<0;1,0>:ud
mov (16|M0) r121.0<1>:ud r0.13<0;1,0>:ud
sendc.rc (16|M0) null r118 null:0 0x200000 0x08031001 {EOT,A@1}`},
		// r1: upper half; r2 to r5, r6 to r9: parts of each half; r10: User; r11, r12: setup data.
		{32, `mov (16|M0) r118.0<1>:f r2.0<1;1,0>:f
mov (16|M16) r119.0<1>:f r6.0<1;1,0>:f
mov (16|M0) r120.0<1>:f r3.0<1;1,0>:f
mov (16|M16) r121.0<1>:f r7.0<1;1,0>:f
mov (16|M0) r122.0<1>:f r4.0<1;1,0>:f
mov (16|M16) r123.0<1>:f r8.0<1;1,0>:f
mov (32|M0) r124.0<1>:f r12.1<0;1,0>:f
sendc.rc (32|M0) null r118 r120:6 0x0 0x04030100 {A@1,$0}
mov (32|M0) r110.0<1>:f r11.12<0;1,0>:f
mov (32|M0) r112.0<1>:f r12.2<0;1,0>:f
mov (16|M0) r114.0<1>:ud r0.10<0;1,0>:ud
mov (16|M16) r115.0<1>:ud r1.10<0;1,0>:ud
mov (16|M0) r116.0<1>:ud r0.13<0;1,0>:ud
mov (16|M16) r117.0<1>:ud r1.13<0;1,0>:ud
sync.nop null {$0.src}
mov (32|M0) r120.0<1>:f r112.0<1;1,0>:f {F@1}
mov (32|M0) r118.0<1>:f r110.0<1;1,0>:f
mov (32|M0) r122.0<1>:ud r114.0<1;1,0>:ud {I@1}
mov (32|M0) r124.0<1>:ud r116.0<1;1,0>:ud
sendc.rc (32|M0) null r118 r120:6 0x200000 0x04031101 {EOT,A@1}`},
	} {
		p := &Program{Code: assembled(t, target.LNL, c.text), SIMD: c.simd, ABI: &wideFragment, Uses: PartsOf(wideFragment.Parts...),
			User: make([]byte, 4), Inputs: []Input{{Slot: 2}, {Slot: 3}}, Targets: 2}
		f := &fixed{map[[3]int]uint32{}}
		n := c.simd/4 - 1 // the last quad is missing
		quads := make([]Quad, n)
		for i := range quads {
			quads[i] = Quad{X: 2 * i, Y: 100 + 2*i, Live: 0xF}
		}
		quads[1].Live = 0xD
		alive := 0
		if err := p.Fragments(context.Background(), quads, f, func(int) { alive++ }); err != nil {
			t.Fatal(err)
		}
		if alive != 4*n-1 {
			t.Errorf("%d lanes: %d pixels are alive", c.simd, alive)
		}
		for l := range 4 * n {
			if l == 5 {
				continue
			}
			at := f.Barycentric(l, interp.Place{ID: intrinsic.LoadBarycentricPixel}, kind.InterpSmooth)
			depth, _ := f.System(l, intrinsic.LoadFragCoord, 2)
			number := func(slot, component, vertex int) float32 {
				return math.Float32frombits(f.Input(0, slot, component, vertex))
			}
			quad := func(q int) uint32 {
				if q += l / 16 * 4; q < n {
					return uint32(quads[q].X | quads[q].Y<<16)
				}
				return 0
			}
			for k, want := range []uint32{
				math.Float32bits(at[0]), math.Float32bits(at[1]), uint32(depth), math.Float32bits(number(3, 1, 1) - number(3, 1, 0)),
				f.Input(0, 3, 0, 0), math.Float32bits(number(3, 1, 2) - number(3, 1, 0)), quad(0), quad(3),
			} {
				if got := f.outputs[[3]int{l, k / 4, k % 4}]; got != want {
					t.Errorf("%d lanes: lane %d, value %d: %#x, want %#x", c.simd, l, k, got, want)
				}
			}
		}
	}
}
