// SPDX-License-Identifier: MIT

package graphics

import (
	"cmp"
	"fmt"
	"math"

	"jacquard.example/core/interp"
)

// Planar is an [interp.Fixed] of fragments whose threads have planes of their primitive and places of samples in the payload.
type Planar interface {
	interp.Fixed
	// Origin returns the window coordinates of the corner of a pixel, at which the planes of a fragment's primitive start.
	Origin(invocation int) (x, y float64)
	// Linear returns the values at a window point that change linearly in the window, inside of a fragment's primitive and
	// outside: the perspective-correct barycentric coordinates for the second and third vertex, divided by w; the
	// coordinates without perspective (kind.InterpNoperspective); the depth; and 1/w.
	Linear(invocation int, x, y float64) (overW, flat [2]float64, depth, inverseW float64)
	// SamplePlace returns where a sample is in a pixel, in pixels from its upper left corner.
	SamplePlace(invocation, sample int) (x, y float64)
}

// The first doublewords of planes in a register, and that of their origin's x and y (Mesa 25.0.7's code for lnl).
var (
	perspDwords  = []int{0, 3, 8, 11} // coordinates divided by w, depth, 1/w
	linearDwords = []int{0, 3}
)

const originDword = 6

// maxPlaces is the number of samples whose places are in a register, and subpixels the number of units of a place in a pixel.
const maxPlaces, subpixels = 16, 16

// planar returns the fixed functions of fragments with planes and places of samples.
func (w *payload) planar() Planar {
	f, ok := w.f.(Planar)
	if !ok {
		w.err = cmp.Or(w.err, fmt.Errorf("graphics: a draw has no planes"))
	}
	return f
}

// perspPlanes writes the register of planes of coordinates divided by w.
func (w *payload) perspPlanes(reg int) {
	w.writePlanes(reg, perspDwords, func(overW, _ [2]float64, depth, inverseW float64) []float64 {
		return []float64{overW[0], overW[1], depth, inverseW}
	})
}

// linearPlanes writes the register of planes of coordinates that are linear in the window.
func (w *payload) linearPlanes(reg int) {
	w.writePlanes(reg, linearDwords, func(_, flat [2]float64, _, _ float64) []float64 { return flat[:] })
}

// writePlanes writes a register with the planes of the values that of takes from [Planar.Linear]. A plane is the value's change per
// pixel down, its change per pixel to the right, and its value at the origin. Doublewords without a meaning are NaN.
func (w *payload) writePlanes(reg int, dwords []int, of func(overW, flat [2]float64, depth, inverseW float64) []float64) {
	f := w.planar()
	if f == nil {
		return
	}
	for d := range w.grf.Size / 4 {
		w.grf.SetDword(reg, d, math.MaxUint32)
	}
	set := func(d int, values ...float64) {
		for k, x := range values {
			w.grf.SetDword(reg, d+k, math.Float32bits(float32(x)))
		}
	}
	x, y := f.Origin(w.first)
	here, down, right := of(f.Linear(w.first, x, y)), of(f.Linear(w.first, x, y+1)), of(f.Linear(w.first, x+1, y))
	for k, d := range dwords {
		set(d, down[k]-here[k], right[k]-here[k], here[k])
	}
	set(originDword, x, y)
}

// samplePlaces writes the register of the places of samples: a byte for x of each, in 1/16 of a pixel, then a byte for y.
func (w *payload) samplePlaces(reg int) {
	f := w.planar()
	if f == nil {
		return
	}
	for s := range maxPlaces {
		x, y := f.SamplePlace(w.first, s)
		for k, v := range [2]float64{x, y} {
			at := (k*maxPlaces + s) / 4
			old, shift := w.grf.Dword(reg, at), s%4*8
			w.grf.SetDword(reg, at, old&^(0xFF<<shift)|uint32(subpixels*v)&0xFF<<shift)
		}
	}
}
