// SPDX-License-Identifier: MIT

package graphics

import (
	"cmp"
	"fmt"
	"math"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/interp"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// payload fills the registers of a thread.
type payload struct {
	p     *Program
	l     *eu.Launch
	grf   *eu.GRFs
	f     interp.Fixed
	first int // invocation of lane 0
	lanes int // number of invocations, each of which is a lane, or several of a vertex thread
	urb   *eu.URB
	quads []Quad // quads of a fragment thread
	err   error
}

// place identifies barycentric coordinates: where they are evaluated, and how they are interpolated.
type place struct {
	at   intrinsic.ID
	mode kind.InterpMode
}

// places gives the place of each barycentric part of the payload.
var places = [abi.NumParts]place{
	abi.PerspPixel:     {intrinsic.LoadBarycentricPixel, kind.InterpSmooth},
	abi.PerspCentroid:  {intrinsic.LoadBarycentricCentroid, kind.InterpSmooth},
	abi.PerspSample:    {intrinsic.LoadBarycentricSample, kind.InterpSmooth},
	abi.LinearPixel:    {intrinsic.LoadBarycentricPixel, kind.InterpNoperspective},
	abi.LinearCentroid: {intrinsic.LoadBarycentricCentroid, kind.InterpNoperspective},
	abi.LinearSample:   {intrinsic.LoadBarycentricSample, kind.InterpNoperspective},
}

// half is the number of lanes that a set of parts covers. At SIMD32, fragment threads have a second header
// register and two sets of pixel parts (TGL PRM vol. 9, "PS Thread Payload for Normal Dispatch").
const half = 16

// pixelParts are the parts that describe pixels.
var pixelParts = PartsOf(abi.PerspPixel, abi.PerspCentroid, abi.PerspSample, abi.LinearPixel, abi.LinearCentroid, abi.LinearSample,
	abi.Depth, abi.W, abi.SampleOffsets, abi.SamplePlaces, abi.Coverage)

// perSample are the parts that describe samples, which 32 lanes of Xe2 have once, after the parts of the lower half (Mesa 25.0.7's code
// for lnl).
var perSample = PartsOf(abi.SampleOffsets, abi.SamplePlaces)

// fill writes the header and the parts that the program uses.
func (w *payload) fill() {
	row, reg := w.p.ABI, int(w.p.ABI.PartReg)
	halves := max(w.p.SIMD/half, 1)
	for k := range halves {
		for _, f := range row.Header {
			if k > 0 && !w.repeats(f) {
				continue
			}
			x := w.header(f.Value, k)
			at := int(f.Reg) + k
			old := w.grf.Dword(at, int(f.Dword))
			w.grf.SetDword(at, int(f.Dword), old&^f.Mask|f.Bits(x))
		}
		if w.wide() && w.quads != nil {
			w.repeatPrimitive(k)
		}
	}
	if w.quads != nil {
		reg += halves - 1
		for k := range halves {
			for _, part := range row.Parts {
				high := min((k+1)*half, w.p.SIMD)
				if w.wide() && perSample.Has(part) { // once for all lanes
					if high = w.p.SIMD; k > 0 {
						continue
					}
				}
				if pixelParts.Has(part) && w.p.Uses.Has(part) {
					reg = w.part(part, reg, k*half, high)
				}
			}
		}
	}
	for _, part := range row.Parts {
		if !pixelParts.Has(part) && w.p.Uses.Has(part) {
			reg = w.part(part, reg, 0, w.p.SIMD)
		}
	}
}

// header returns the value of a header field for half k of the lanes.
func (w *payload) header(v abi.Value, k int) uint32 {
	switch v {
	case abi.URBHandle0, abi.URBHandle1:
		if v := int(v - abi.URBHandle0); v < w.lanes {
			return w.handle(w.first + v)
		}
		return 0
	case abi.ScratchSize:
		return w.l.ScratchLog
	case abi.ScratchBase:
		return w.l.Scratch / 1024
	case abi.FFTID:
		return w.l.FFTID
	case abi.LiveMask:
		return live(w.quads) >> (half * k) & (1<<half - 1)
	case abi.BackFacing:
		return 1 &^ w.system(0, intrinsic.LoadFrontFace, 0)
	case abi.Zero:
		return 0
	case abi.Topology:
		return w.p.Topology
	case abi.Layer:
		return w.system(0, intrinsic.LoadLayerID, 0)
	case abi.SampleIDs:
		bits := uint32(0)
		for q := range half / 4 {
			if lane := half*k + 4*q; lane < w.lanes {
				bits |= w.system(lane, intrinsic.LoadSampleID, 0) & 15 << (4 * q)
			}
		}
		return bits
	case abi.Quad0, abi.Quad1, abi.Quad2, abi.Quad3:
		if q := half/4*k + int(v-abi.Quad0); q < len(w.quads) {
			return uint32(w.quads[q].X)&0xFFFF | uint32(w.quads[q].Y)<<16
		}
		return 0
	}
	w.err = cmp.Or(w.err, fmt.Errorf("graphics: the header of %s has a value that threads of the stage are not given", w.p.ABI.Name))
	return 0
}

// system returns a builtin of a lane.
func (w *payload) system(lane int, id intrinsic.ID, component int) uint32 {
	x, ok := w.f.System(w.first+lane, id, component)
	if !ok {
		w.err = cmp.Or(w.err, fmt.Errorf("graphics: a draw has no %s", id.Info().Name))
	}
	return uint32(x)
}

// part writes lanes low to high-1 of a part starting at register reg, and returns the next register.
func (w *payload) part(p abi.Part, reg, low, high int) int {
	next := reg + w.partRegs(p, high-low)
	for r := reg; r < next; r++ { // mark the registers as written: in lanes without an invocation their contents are arbitrary
		w.grf.SetDword(r, 0, w.grf.Dword(r, 0))
	}
	each := func(fn func(lane, at int)) { // at: doubleword of the lane in the first register of each component
		for lane := low; lane < min(high, w.lanes); lane++ {
			fn(lane, lane-low)
		}
	}
	grf := w.grf.Size
	set := func(reg, at int, x uint32) { w.grf.SetDword(reg+4*at/grf, 4*at%grf/4, x) }
	param := (4*w.p.SIMD + grf - 1) / grf // registers of a component of all lanes
	switch p {
	case abi.URBHandles:
		each(func(lane, at int) { set(reg, at, w.handle(w.first+lane)) })
	case abi.User:
		w.grf.Copy(reg, w.p.User)
		next = reg + (len(w.p.User)+grf-1)/grf
	case abi.Attributes:
		for k := range w.p.Inputs {
			for c := range 4 {
				each(func(lane, at int) { set(reg+(4*k+c)*param, at, w.attribute(&w.p.Inputs[k], lane, c)) })
			}
		}
	case abi.AttributeVectors:
		n := w.p.SIMD / w.p.ABI.Vertices(w.p.SIMD)
		for k := range w.p.Inputs {
			for at := range n * w.lanes {
				set(reg+k*param, at, w.attribute(&w.p.Inputs[k], at/n, at%n))
			}
		}
	case abi.Setup:
		for k := range w.p.Inputs {
			for c := range 4 {
				if w.wide() {
					n := 4*k + c
					w.widePlane(reg+n/planes, n%planes*3, w.p.Inputs[k].Slot, c)
				} else {
					w.plane(reg+2*k+c/2, c%2*4, w.p.Inputs[k].Slot, c)
				}
			}
		}
	case abi.Depth:
		each(func(lane, at int) { set(reg, at, w.system(lane, intrinsic.LoadFragCoord, 2)) })
	case abi.W: // the builtin is 1/w
		each(func(lane, at int) {
			set(reg, at, math.Float32bits(1/math.Float32frombits(w.system(lane, intrinsic.LoadFragCoord, 3))))
		})
	case abi.Coverage:
		each(func(lane, at int) { set(reg, at, w.coverage(lane)) })
	case abi.SampleOffsets: // two bytes for each lane, in 1/16 of a pixel
		each(func(lane, at int) {
			x, y := w.sixteenths(lane, 0), w.sixteenths(lane, 1)
			old, shift := w.grf.Dword(reg, at/2), at%2*16
			w.grf.SetDword(reg, at/2, old&^(0xFFFF<<shift)|(x|y<<8)<<shift)
		})
	case abi.PerspPlanes:
		w.perspPlanes(reg)
	case abi.LinearPlanes:
		w.linearPlanes(reg)
	case abi.SamplePlaces:
		w.samplePlaces(reg)
	default:
		each(func(lane, at int) {
			for k, x := range w.f.Barycentric(w.first+lane, interp.Place{ID: places[p].at}, places[p].mode) {
				w.grf.SetDword(reg+at/(grf/4)*2+k, at%(grf/4), math.Float32bits(x))
			}
		})
	}
	return next
}

// coverage returns the coverage mask in the payload of a lane. If lanes are samples, hardware passes the whole
// pixel's mask, and the program has to select its own sample; here all other samples count as covered.
func (w *payload) coverage(lane int) uint32 {
	mask := w.system(lane, intrinsic.LoadSampleMaskIn, 0)
	if w.p.PerSample {
		mask |= 0xFFFF &^ (1 << w.system(lane, intrinsic.LoadSampleID, 0))
	}
	return mask
}

// sixteenths returns a coordinate of a lane's sample position in its pixel, in 1/16 of a pixel.
func (w *payload) sixteenths(lane, component int) uint32 {
	return uint32(16*math.Float32frombits(w.system(lane, intrinsic.LoadSamplePos, component))) & 0xFF
}

// attribute returns a component of a vertex input.
func (w *payload) attribute(in *Input, lane, c int) uint32 {
	if in.Slot >= 0 {
		return w.f.Input(w.first+lane, in.Slot, c, 0)
	}
	if in.Values[c] == 0 {
		return 0
	}
	return w.system(lane, in.Values[c], 0)
}

// plane writes a component of an input of a primitive: the differences of its values at the second and third
// vertex from its value at the first, and the value at the first.
func (w *payload) plane(reg, dword, slot, c int) {
	var x [3]uint32
	for v := range x {
		x[v] = w.f.Input(w.first, slot, c, v)
	}
	number := math.Float32frombits
	for v := range 2 {
		w.grf.SetDword(reg, dword+v, math.Float32bits(number(x[1+v])-number(x[0])))
	}
	w.grf.SetDword(reg, dword+2, 0)
	w.grf.SetDword(reg, dword+3, x[0])
}
