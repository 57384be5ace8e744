// SPDX-License-Identifier: MIT

package graphics

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/target"
)

// solid is a triangle with clip coordinates x·w, y·w and w in window coordinates, depths, and an origin for its planes.
type solid struct {
	fixed
	x, y, w, depth [3]float64
	origin         [2]float64
}

// Origin implements Planar.
func (s *solid) Origin(int) (x, y float64) { return s.origin[0], s.origin[1] }

// Linear implements Planar: coordinates that are linear in the window are ratios of areas.
func (s *solid) Linear(_ int, x, y float64) (overW, flat [2]float64, depth, inverseW float64) {
	area := func(ax, ay, bx, by, cx, cy float64) float64 { return (bx-ax)*(cy-ay) - (cx-ax)*(by-ay) }
	whole := area(s.x[0], s.y[0], s.x[1], s.y[1], s.x[2], s.y[2])
	flat[0] = area(s.x[0], s.y[0], x, y, s.x[2], s.y[2]) / whole
	flat[1] = area(s.x[0], s.y[0], s.x[1], s.y[1], x, y) / whole
	for k, b := range [3]float64{1 - flat[0] - flat[1], flat[0], flat[1]} {
		depth += b * s.depth[k]
		inverseW += b / s.w[k]
		if k > 0 {
			overW[k-1] = b / s.w[k]
		}
	}
	return overW, flat, depth, inverseW
}

// SamplePlace implements Planar.
func (s *solid) SamplePlace(_, sample int) (x, y float64) {
	return float64(sample) / 16, float64((sample*5+3)%16) / 16
}

// at returns the place on the triangle with the barycentric coordinates 1 - i - j, i and j, which are perspective-correct: its
// window coordinates and w.
func (s *solid) at(i, j float64) (x, y, w float64) {
	for k, b := range [3]float64{1 - i - j, i, j} {
		x, y, w = x+b*s.x[k]*s.w[k], y+b*s.y[k]*s.w[k], w+b*s.w[k]
	}
	return x / w, y / w, w
}

// planesPayload returns the registers of a thread with planes and places of samples among other parts.
func planesPayload(t *testing.T, simd int, s *solid) *eu.GRFs {
	t.Helper()
	p := &Program{SIMD: simd, ABI: target.LNL.Fragment, Inputs: []Input{{Slot: 1}}, User: []byte{1, 2, 3, 4},
		Uses: PartsOf(abi.PerspPixel, abi.Depth, abi.PerspPlanes, abi.LinearPlanes, abi.SamplePlaces, abi.User, abi.Setup)}
	grf := &eu.GRFs{Size: target.LNL.Registers.Bytes}
	w := payload{p: p, l: &eu.Launch{}, grf: grf, f: s, lanes: simd, quads: quadsOf(simd / 4)}
	w.fill()
	if w.err != nil {
		t.Fatal(w.err)
	}
	return grf
}

// TestPlanes checks planes and places of samples. Threads of 16 and of 32 lanes have them once: the places after the lower
// 16 lanes' parts, the planes after all parts that describe pixels. At points given by their barycentric coordinates, planes
// have the values that follow from the coordinates.
func TestPlanes(t *testing.T) {
	s := &solid{x: [3]float64{3.5, 61.25, 20}, y: [3]float64{7, 11.75, 50.5}, w: [3]float64{1, 8, 2.5}, depth: [3]float64{0.25, 1, 0.5},
		origin: [2]float64{28, 23}}
	for _, c := range []struct{ simd, places, planes int }{{16, 4, 5}, {32, 5, 9}} {
		t.Run(fmt.Sprint(c.simd), func(t *testing.T) {
			grf := planesPayload(t, c.simd, s)
			number := func(reg, dword int) float64 { return float64(math.Float32frombits(grf.Dword(reg, dword))) }
			// value evaluates a plane as threads do.
			value := func(reg, dword int, x, y float64) float64 {
				return number(reg, dword+2) + number(reg, dword+1)*(x-number(reg, 6)) + number(reg, dword)*(y-number(reg, 7))
			}
			check := func(what string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-6) {
					t.Errorf("%s is %g, want %g", what, got, want)
				}
			}
			for k := range c.simd / 16 { // the primitive faces backwards, in layer 5
				if got := grf.Dword(k, 9); got != 0x0805_0805 {
					t.Errorf("the primitive of r%d is described as %#x", k, got)
				}
			}
			places, persp, linear := c.places, c.planes, c.planes+1
			for reg := persp; reg <= linear; reg++ {
				check("the origin's x", number(reg, 6), 28)
				check("the origin's y", number(reg, 7), 23)
			}
			for _, b := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {0.5, 0.25}, {0.125, 0.75}, {0.75, 0.5}, {-0.0625, 0.5}} {
				x, y, w := s.at(b[0], b[1])
				inverse := value(persp, 11, x, y)
				check("1/w", inverse, 1/w)
				depth := s.depth[0] * (1 - b[0] - b[1]) * s.w[0]
				for k, b := range b {
					check("a coordinate / w", value(persp, 3*k, x, y), b/w)
					check("a coordinate", value(persp, 3*k, x, y)/inverse, b)
					check("a linear coordinate", value(linear, 3*k, x, y), b*s.w[1+k]/w)
					depth += s.depth[1+k] * b * s.w[1+k]
				}
				check("depth", value(persp, 8, x, y), depth/w)
			}
			for sample := range 16 {
				for k, want := range []uint32{uint32(sample), uint32(sample*5+3) % 16} {
					if got := grf.Dword(places, 4*k+sample/4) >> (sample % 4 * 8) & 0xFF; got != want {
						t.Errorf("coordinate %d of sample %d is %d, want %d", k, sample, got, want)
					}
				}
			}
			if got := grf.Dword(c.planes+2, 0); got != 0x04030201 {
				t.Errorf("the user's part starts with %#x", got)
			}
			if got := grf.Dword(c.planes+3, 0); got != s.Input(0, 1, 0, 0) {
				t.Errorf("setup data start with %#x", got)
			}
		})
	}
	if x, y, w := s.at(0.5, 0.25); x != (0.25*3.5+0.5*8*61.25+0.25*2.5*20)/4.875 || y != (0.25*7+4*11.75+0.625*50.5)/4.875 || w != 4.875 {
		t.Errorf("a place is at %g, %g, %g", x, y, w)
	}
}

// TestNoPlanes: a draw whose fixed functions know no planes refuses programs that use them.
func TestNoPlanes(t *testing.T) {
	for _, part := range []abi.Part{abi.PerspPlanes, abi.LinearPlanes, abi.SamplePlaces} {
		p := &Program{SIMD: 16, ABI: target.LNL.Fragment, Uses: PartsOf(part)}
		w := payload{p: p, l: &eu.Launch{}, grf: &eu.GRFs{Size: target.LNL.Registers.Bytes}, f: &fixed{}, lanes: 16, quads: quadsOf(4)}
		w.fill()
		if w.err == nil || !strings.Contains(w.err.Error(), "a draw has no planes") {
			t.Errorf("%s: %v", part, w.err)
		}
	}
}

// numbered is a triangle whose third input is the number of a sample.
type numbered struct {
	solid
	sample uint32
}

// Input implements interp.Fixed.
func (n *numbered) Input(l, slot, component, vertex int) uint32 {
	if slot == 2 {
		return n.sample
	}
	return n.solid.Input(0, slot, component, vertex)
}

// TestMesaAtSample runs a fragment shader that Mesa 25.0.7 has compiled for lnl, for 16 and 32 lanes, without compacted
// instructions, for a pipeline of four samples. It interpolates one input at the sample with a number that is an input too, and another,
// without perspective, at samples that differ between pixels.
func TestMesaAtSample(t *testing.T) {
	for _, simd := range []int{16, 32} {
		t.Run(fmt.Sprint(simd), func(t *testing.T) { mesaAtSample(t, simd) })
	}
}

func mesaAtSample(t *testing.T, simd int) {
	code, err := os.ReadFile(fmt.Sprintf("../testdata/lnl/at_sample%d.bin", simd))
	if err != nil {
		t.Fatal(err)
	}
	for sample := range 4 {
		f := &numbered{solid{x: [3]float64{3.5, 61.25, 20}, y: [3]float64{7, 11.75, 50.5}, w: [3]float64{1, 8, 2.5},
			origin: [2]float64{28, 23}, fixed: fixed{map[[3]int]uint32{}}}, uint32(sample)}
		p := &Program{
			Code: eu.Load(target.LNL, code), SIMD: simd, ABI: target.LNL.Fragment, Inputs: []Input{{Slot: 0}, {Slot: 1}, {Slot: 2}}, Targets: 1,
			Uses:    PartsOf(abi.PerspPixel, abi.Depth, abi.W, abi.SamplePlaces, abi.PerspPlanes, abi.LinearPlanes, abi.Setup),
			Options: eu.Options{Hazards: eu.HazardsOff}, // it does not wait between writes of a0
		}
		quads := []Quad{{X: 20, Y: 20, Live: 15}, {X: 22, Y: 18, Live: 15}, {X: 8, Y: 10, Live: 15}, {X: 40, Y: 14, Live: 15},
			{X: 10, Y: 10, Live: 15}, {X: 22, Y: 20, Live: 15}, {X: 24, Y: 18, Live: 15}, {X: 38, Y: 14, Live: 15}}[:simd/4]
		if err := p.Fragments(t.Context(), quads, f, func(int) {}); err != nil {
			t.Fatal(err)
		}
		for l := range simd {
			px, py := quads[l/4].X+l%2, quads[l/4].Y+l/2%2
			at := func(sample int) (overW, flat [2]float64, inverseW float64) {
				x, y := f.SamplePlace(l, sample)
				overW, flat, _, inverseW = f.Linear(l, float64(px)+x, float64(py)+y)
				return overW, flat, inverseW
			}
			overW, _, inverseW := at(sample)
			_, flat, _ := at((px + py + 1) & 3)
			for c := range 4 {
				b := [2]float64{overW[0] / inverseW, overW[1] / inverseW}
				if c >= 2 {
					b = flat
				}
				want := 0.0
				for v, share := range [3]float64{1 - b[0] - b[1], b[0], b[1]} {
					want += share * float64(math.Float32frombits(f.Input(l, c/2, c%2, v)))
				}
				if got := math.Float32frombits(f.outputs[[3]int{l, 0, c}]); !(math.Abs(float64(got)-want) <= 1e-5*(1+math.Abs(want))) {
					t.Errorf("sample %d, lane %d, component %d: %g, want %g", sample, l, c, got, want)
				}
			}
		}
	}
}
