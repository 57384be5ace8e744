// SPDX-License-Identifier: MIT

package graphics

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/interp"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// fixed implements the fixed functions. Its answers are numbers that encode the query.
type fixed struct {
	outputs map[[3]int]uint32 // by invocation, slot and component
}

func (f *fixed) Input(l, slot, component, vertex int) uint32 {
	return math.Float32bits(float32(1000*slot + 100*component + 10*vertex*vertex + l))
}

func (f *fixed) Output(l, slot, component int, x uint32) { f.outputs[[3]int{l, slot, component}] = x }

func (f *fixed) System(l int, id intrinsic.ID, component int) (uint64, bool) {
	switch id {
	case intrinsic.LoadFragCoord:
		return uint64(math.Float32bits(float32(component) + 1/float32(l+1))), true
	case intrinsic.LoadFrontFace:
		return 0, true
	case intrinsic.LoadSampleMaskIn:
		return uint64(l), true
	case intrinsic.LoadSampleID:
		return uint64(l / 4 % 3), true
	case intrinsic.LoadSamplePos:
		return uint64(math.Float32bits(float32(l%4+8*component) / 16)), true
	case intrinsic.LoadLayerID:
		return 5, true
	case intrinsic.LoadVertexIDZeroBase:
		return uint64(7000 + l), true
	}
	return 0, false
}

func (f *fixed) Barycentric(l int, at interp.Place, mode kind.InterpMode) [2]float32 {
	return [2]float32{float32(100*int(at.ID)+l) + float32(mode)/2, -float32(l)}
}

// program assembles code for Tiger Lake.
func program(t *testing.T, text string) *eu.Program { return assembled(t, target.TGL, text) }

// assembled assembles code for a machine.
func assembled(t *testing.T, machine *target.Target, text string) *eu.Program {
	t.Helper()
	code, err := isatext.Assemble(machine.Platform, text)
	if err != nil {
		t.Fatal(err)
	}
	return eu.Load(machine, code)
}

// TestVertices checks that attributes, builtins, push constants and handles are where the ABI row places them,
// and that the program's outputs are passed on for each vertex.
func TestVertices(t *testing.T) {
	p := &Program{
		Code: program(t, `(W) mov (8|M0) r126.0<1>:ud r1.0<8;8,1>:ud
add (8|M0) r122.0<1>:f r3.0<8;8,1>:f r2.1<0;1,0>:f
mov (8|M0) r123.0<1>:ud r6.0<8;8,1>:ud
mov (8|M0) r124.0<1>:ud r9.0<8;8,1>:ud
mov (8|M0) r125.0<1>:ud r10.0<8;8,1>:ud
send.urb (8|M0) null r126 r122 0x100 0x02080017 {EOT,@1}`),
		SIMD: 8, ABI: target.TGL.Vertex, Uses: PartsOf(abi.URBHandles, abi.User, abi.Attributes),
		User:    []byte{0, 0, 0, 0, 0, 0, 0, 0x3F}, // 0.5
		Inputs:  []Input{{Slot: 3}, {Slot: -1, Values: [4]intrinsic.ID{2: intrinsic.LoadVertexIDZeroBase}}},
		Slots:   2,
		Outputs: []Output{{4, 50, 0}, {5, 50, 1}, {6, 51, 0}, {7, 51, 3}, {0, 52, 0}},
	}
	f := &fixed{map[[3]int]uint32{}}
	if err := p.Vertices(context.Background(), 11, f); err != nil {
		t.Fatal(err)
	}
	for l := range 11 {
		for at, want := range map[[3]int]uint32{
			{l, 50, 0}: math.Float32bits(float32(3000+l) + 0.5), {l, 50, 1}: math.Float32bits(float32(3300 + l)), {l, 51, 0}: uint32(7000 + l), {l, 51, 3}: 0,
		} {
			if got, ok := f.outputs[at]; got != want || !ok {
				t.Errorf("%v: %#x, want %#x", at, got, want)
			}
		}
	}
	if len(f.outputs) != 4*11 {
		t.Errorf("%d outputs", len(f.outputs)) // doubleword 0 was not written
	}
}

// TestUndefinedOutput checks that a vertex program may write undefined values to doublewords of the URB that
// belong to no output, but not to an output, the header or the position.
func TestUndefinedOutput(t *testing.T) {
	for _, c := range []struct {
		name    string
		slot    int // slot of the first of five written components, the third of which is undefined
		outputs []Output
		want    string
	}{
		{"no output", 4, []Output{{16, 50, 0}, {17, 50, 1}, {19, 50, 3}, {20, 51, 0}}, ""},
		{"an output", 4, []Output{{16, 50, 0}, {17, 50, 1}, {18, 50, 2}, {19, 50, 3}, {20, 51, 0}}, "reads r122, which was never written"},
		{"only one output", 4, []Output{{16, 50, 0}}, ""},
		{"position", 1, []Output{{4, 50, 0}}, "reads r122, which was never written"},
		{"header", 0, []Output{{4, 50, 0}}, "reads r122, which was never written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Program{
				Code: program(t, fmt.Sprintf(`(W) mov (8|M0) r119.0<1>:ud r1.0<8;8,1>:ud
mov (8|M0) r120.0<1>:ud r2.0<8;8,1>:ud
mov (8|M0) r121.0<1>:ud r3.0<8;8,1>:ud
mov (8|M0) r123.0<1>:ud r2.0<8;8,1>:ud
mov (8|M0) r124.0<1>:ud r3.0<8;8,1>:ud
send.urb (8|M0) null r119 r120 0x140 0x%08X {EOT,@1}`, 0x02080007|c.slot<<4)),
				SIMD: 8, ABI: target.TGL.Vertex, Uses: PartsOf(abi.URBHandles, abi.Attributes), Inputs: []Input{{Slot: 3}},
				Slots: 6, Outputs: c.outputs,
				Options: eu.Options{Undefined: true},
			}
			err := p.Vertices(context.Background(), 8, &fixed{map[[3]int]uint32{}})
			if err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) || err == nil && c.want != "" {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// quadsOf returns n quads of one primitive with all pixels live.
func quadsOf(n int) []Quad {
	out := make([]Quad, n)
	for i := range out {
		out[i] = Quad{X: 2 * i, Y: 10 + i, Live: 15}
	}
	return out
}

// TestFragmentPayload checks the payload parts at SIMD8, SIMD16 and SIMD32. At SIMD32 each half has its own
// pixel parts.
func TestFragmentPayload(t *testing.T) {
	for _, c := range []struct {
		simd                             int
		bary, linear, depth, w, coverage []int // first register for each eight lanes
		setup                            int
	}{
		{8, []int{2}, []int{4}, []int{6}, []int{7}, []int{8}, 10},
		{16, []int{2, 4}, []int{6, 8}, []int{10, 11}, []int{12, 13}, []int{14, 15}, 17},
		{32, []int{3, 5, 17, 19}, []int{7, 9, 21, 23}, []int{11, 12, 25, 26}, []int{13, 14, 27, 28}, []int{15, 16, 29, 30}, 32},
	} {
		t.Run(fmt.Sprint(c.simd), func(t *testing.T) {
			f := &fixed{}
			quads := quadsOf(c.simd / 4)
			quads[1].Live = 2
			p := &Program{SIMD: c.simd, ABI: target.TGL.Fragment, Inputs: []Input{{Slot: 1}, {Slot: 4}}, User: make([]byte, 4),
				Uses: PartsOf(abi.PerspPixel, abi.LinearCentroid, abi.Depth, abi.W, abi.Coverage, abi.User, abi.Setup)}
			grf := eu.GRFs{Size: target.TGL.Registers.Bytes}
			w := payload{p: p, l: &eu.Launch{}, grf: &grf, f: f, lanes: c.simd, quads: quads}
			w.fill()
			if w.err != nil {
				t.Fatal(w.err)
			}
			check := func(what string, reg, dword int, want uint32) {
				t.Helper()
				if got := grf.Dword(reg, dword); got != want {
					t.Errorf("%s: r%d.%d is %#x, want %#x", what, reg, dword, got, want)
				}
			}
			check("facing and layer", 1, 1, 5<<16|1<<15)
			for h := range max(c.simd/16, 1) {
				mask := live(quads) >> (16 * h) & 0xFFFF
				check("mask", 1+h, 7, mask)
				for q := 4 * h; q < min(4*h+4, len(quads)); q++ {
					check("quad", 1+h, 2+q%4, uint32(10+q)<<16|uint32(2*q))
				}
			}
			number := func(x float32) uint32 { return math.Float32bits(x) }
			for l := range c.simd {
				k, d := l/8, l%8
				check("barycentric", c.bary[k], d, number(float32(100*int(intrinsic.LoadBarycentricPixel)+l)))
				check("barycentric", c.bary[k]+1, d, number(-float32(l)))
				check("linear", c.linear[k], d, number(float32(100*int(intrinsic.LoadBarycentricCentroid)+l)+0.5))
				check("depth", c.depth[k], d, number(2+1/float32(l+1)))
				check("w", c.w[k], d, number(1/(3+1/float32(l+1))))
				check("coverage", c.coverage[k], d, uint32(l))
			}
			// The second input's third component: planes of (4200, 4210, 4240).
			for d, want := range []float32{10, 40, 0, 4200} {
				check("plane", c.setup+3, d, number(want))
			}
		})
	}
}

// TestSamplePayload checks the payload of a program that runs per sample: each quad has its sample's number,
// each lane a position and the coverage mask of the whole pixel.
func TestSamplePayload(t *testing.T) {
	p := &Program{SIMD: 16, ABI: target.TGL.Fragment, PerSample: true, Uses: PartsOf(abi.SampleOffsets, abi.Coverage)}
	grf := eu.GRFs{Size: target.TGL.Registers.Bytes}
	w := payload{p: p, l: &eu.Launch{}, grf: &grf, f: &fixed{}, lanes: 16, quads: quadsOf(4)}
	w.fill()
	if w.err != nil {
		t.Fatal(w.err)
	}
	if ids := grf.Dword(1, 0); ids != 0x0210 {
		t.Errorf("samples %#x", ids)
	}
	for l := range 16 {
		if place, want := grf.Dword(2, l/2)>>(l%2*16)&0xFFFF, uint32(l%4|(l%4+8)<<8); place != want {
			t.Errorf("lane %d: place %#x, want %#x", l, place, want)
		}
		if mask, want := grf.Dword(3+l/8, l%8), uint32(l)|0xFFFF&^(1<<(l/4%3)); mask != want {
			t.Errorf("lane %d: covered %#x, want %#x", l, mask, want)
		}
	}
}

// TestFragments checks that surviving pixels are reported as alive, that helpers are not written, and that
// quads of different primitives are in different threads.
func TestFragments(t *testing.T) {
	p := &Program{
		Code: program(t, `(W) mov (1|M0) f0.0<1>:uw r1.14<0;1,0>:uw
mad (8|M0) r20.0<1>:f r4.3<0;0>:f r3.0<8;1>:f r4.1<0>:f
mad (8|M0) r120.0<1>:f r20.0<8;1>:f r2.0<8;1>:f r4.0<0>:f {@1}
mov (8|M0) r121.0<1>:ud r1.2<0;1,0>:ud
mov (8|M0) r122.0<1>:ud r1.3<0;1,0>:ud
mov (8|M0) r123.0<1>:f r3.0<8;8,1>:f
(f0.0) cmp (8|M0) (ne)f0.0 null<1>:f r3.0<8;8,1>:f -5.0:f
(f0.0) sendc.rc (8|M0) null r120 null 0x0 0x08031400 {EOT,@1}`),
		SIMD: 8, ABI: target.TGL.Fragment, Uses: PartsOf(abi.PerspPixel, abi.Setup), Inputs: []Input{{Slot: 2}}, Targets: 1,
	}
	f := &fixed{map[[3]int]uint32{}}
	quads := quadsOf(4)
	quads[1].Live = 6 // invocations 5 and 6; the program kills 5
	for i := range quads {
		quads[i].Primitive = min(i, 1)*2 + i/3 // one quad, two, one
	}
	alive := map[int]bool{}
	if err := p.Fragments(context.Background(), quads, f, func(l int) { alive[l] = true }); err != nil {
		t.Fatal(err)
	}
	for l := range 16 {
		want := l/4 != 1 || l == 6
		first := []int{0, 1, 1, 3}[l/4] // quad of the thread
		if alive[l] != want {
			t.Errorf("invocation %d is alive: %v", l, alive[l])
		}
		x, written := f.outputs[[3]int{l, 0, 0}]
		if written != want {
			t.Errorf("invocation %d is written: %v", l, written)
		}
		if !want {
			continue
		}
		b := f.Barycentric(l, interp.Place{ID: intrinsic.LoadBarycentricPixel}, kind.InterpSmooth)
		// The input's planes are 10, 40 and 2000 plus the number of the thread's first invocation.
		if got, sum := math.Float32frombits(x), float32(2000+4*first)+40*b[1]+10*b[0]; got != sum {
			t.Errorf("invocation %d: %g, want %g", l, got, sum)
		}
		if got, place := f.outputs[[3]int{l, 0, 1}], uint32(10+first)<<16|uint32(2*first); got != place {
			t.Errorf("invocation %d: the first quad is %#x, want %#x", l, got, place)
		}
	}
}

// TestRefused checks the errors for programs that cannot be launched.
func TestRefused(t *testing.T) {
	f := &fixed{map[[3]int]uint32{}}
	vs := &Program{SIMD: 8, ABI: target.TGL.Vertex, Code: program(t, "nop"), Uses: PartsOf(abi.Attributes),
		Inputs: []Input{{Slot: -1, Values: [4]intrinsic.ID{intrinsic.LoadDrawID}}}}
	fs := &Program{SIMD: 8, ABI: target.TGL.Fragment, Code: program(t, "nop")}
	none := func(int) {}
	for what, err := range map[string]error{
		"is not for vertex shaders":   fs.Vertices(context.Background(), 1, f),
		"is not for fragment shaders": vs.Fragments(context.Background(), quadsOf(1), f, none),
		"past the end of the program": vs.Vertices(context.Background(), 1, f),
	} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
	w := payload{p: vs, l: &eu.Launch{}, grf: &eu.GRFs{Size: target.TGL.Registers.Bytes}, f: f, lanes: 1}
	w.fill()
	if w.err == nil || !strings.Contains(w.err.Error(), "a draw has no load_draw_id") {
		t.Error(w.err)
	}
}
