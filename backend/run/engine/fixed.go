// SPDX-License-Identifier: MIT

package engine

import (
	"fmt"
	"math"

	"jacquard.example/core/draw"
	"jacquard.example/core/interp"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Slots of builtins, and of the second color of blending.
var (
	positionSlot  = int(stageio.Slot(kind.BuiltinPosition, 0, 0))
	pointSizeSlot = int(stageio.Slot(kind.BuiltinPointSize, 0, 0))
	clipSlot      = int(stageio.Slot(kind.BuiltinClipDistance, 0, 0))
	cullSlot      = int(stageio.Slot(kind.BuiltinCullDistance, 0, 0))
	layerSlot     = int(stageio.Slot(kind.BuiltinLayer, 0, 0))
	rateSlot      = int(stageio.Slot(kind.BuiltinPrimitiveShadingRate, 0, 0))
	viewportSlot  = int(stageio.Slot(kind.BuiltinViewportIndex, 0, 0))
	primitiveSlot = int(stageio.Slot(kind.BuiltinPrimitiveID, 0, 0))
	pointSlot     = int(stageio.Slot(kind.BuiltinPointCoord, 0, 0))
	depthSlot     = int(stageio.Slot(kind.BuiltinFragDepth, 0, 0))
	stencilSlot   = int(stageio.Slot(kind.BuiltinFragStencilRef, 0, 0))
	maskSlot      = int(stageio.Slot(kind.BuiltinSampleMask, 0, 0))
	secondSlot    = int(stageio.Slot(kind.BuiltinNone, 0, kind.IODualSource))
)

// distanceSlots is the number of slots that eight clip or cull distances take.
const distanceSlots = draw.MaxDistances / 4

// locations bounds the locations of a vertex's outputs.
const locations = 128

// vertexFixed models the fixed functions around the invocations of a vertex shader.
type vertexFixed struct {
	in  []draw.Input
	out []draw.Vertex

	view uint32
	err  error
}

// Input implements interp.Fixed.
func (f *vertexFixed) Input(l, slot, component, _ int) uint32 {
	if a := f.in[l].Attributes; slot >= 0 && slot < len(a) {
		return a[slot][component]
	}
	return 0
}

// Output implements interp.Fixed.
func (f *vertexFixed) Output(l, slot, component int, x uint32) {
	v, number := &f.out[l], math.Float32frombits(x)
	switch {
	case slot == positionSlot:
		v.Position[component] = number
	case slot == pointSizeSlot:
		v.PointSize = number
	case slot == layerSlot:
		v.Layer = x
	case slot == viewportSlot:
		v.Viewport = x
	case slot >= clipSlot && slot < clipSlot+distanceSlots:
		i := 4*(slot-clipSlot) + component
		v.Clip[i], v.Clips = number, max(v.Clips, i+1)
	case slot >= cullSlot && slot < cullSlot+distanceSlots:
		i := 4*(slot-cullSlot) + component
		v.Cull[i], v.Culls = number, max(v.Culls, i+1)
	case slot >= 0 && slot < locations:
		for len(v.Outputs) <= slot {
			v.Outputs = append(v.Outputs, [4]uint32{})
		}
		v.Outputs[slot][component] = x
	case slot == rateSlot: // the shading rate of a draw is its pipeline's, one pixel
	default:
		f.err = unsupportedOutput("vertex")
	}
}

func unsupportedOutput(stage string) error {
	return fmt.Errorf("an output of the %s shader (a builtin, a high location, or a second color that is not at location 0) is "+
		"not supported by a draw", stage)
}

// System implements interp.Fixed.
func (f *vertexFixed) System(l int, id intrinsic.ID, _ int) (uint64, bool) {
	in := &f.in[l]
	first := in.First
	switch id {
	case intrinsic.LoadVertexID:
		return uint64(in.Vertex), true
	case intrinsic.LoadVertexIDZeroBase:
		return uint64(in.Vertex - first), true
	case intrinsic.LoadInstanceID:
		return uint64(in.Instance), true
	case intrinsic.LoadInstanceIDZeroBase:
		return uint64(in.Instance - in.FirstInstance), true
	case intrinsic.LoadBaseVertex:
		return uint64(first), true
	case intrinsic.LoadBaseInstance:
		return uint64(in.FirstInstance), true
	case intrinsic.LoadIsIndexedDraw:
		if in.Indexed {
			return 1, true
		}
		return 0, true
	case intrinsic.LoadDrawID:
		return 0, true
	case intrinsic.LoadViewIndex:
		return uint64(f.view), true
	}
	return 0, false
}

// Barycentric implements interp.Fixed. A vertex has no barycentric coordinates.
func (f *vertexFixed) Barycentric(int, interp.Place, kind.InterpMode) [2]float32 { return [2]float32{} }

// fragmentFixed models the fixed functions around the invocations of a fragment shader.
type fragmentFixed struct {
	quads []draw.Quad
	view  uint32
	err   error
}

// Input implements interp.Fixed.
func (f *fragmentFixed) Input(l, slot, component, vertex int) uint32 {
	p := f.quads[l/4].Primitive
	v := p.Vertices[vertex]
	switch {
	case slot >= clipSlot && slot < clipSlot+distanceSlots:
		return math.Float32bits(v.Clip[4*(slot-clipSlot)+component])
	case slot >= cullSlot && slot < cullSlot+distanceSlots:
		return math.Float32bits(v.Cull[4*(slot-cullSlot)+component])
	case slot == primitiveSlot:
		return p.ID
	case slot == layerSlot:
		return p.Vertices[0].Layer
	case slot == viewportSlot:
		return p.Vertices[0].Viewport
	case slot == pointSlot:
		return p.Corner(vertex, component)
	case slot == maskSlot:
		return f.quads[l/4].Coverage[l%4]
	case slot >= 0 && slot < len(v.Outputs):
		return v.Outputs[slot][component]
	}
	return 0
}

// Output implements interp.Fixed.
func (f *fragmentFixed) Output(l, slot, component int, x uint32) {
	px := &f.quads[l/4].Pixels[l%4]
	switch {
	case slot == depthSlot:
		px.Depth, px.HasDepth = math.Float32frombits(x), true
	case slot == stencilSlot:
		px.Stencil, px.HasStencil = uint8(x), true
	case slot == maskSlot:
		px.Mask, px.HasMask = x, true
	case slot == secondSlot:
		px.Second[component] = x
	case slot >= 0 && slot < draw.MaxColors:
		px.Colors[slot][component] = x
		px.Written |= 1 << slot
	default:
		f.err = unsupportedOutput("fragment")
	}
}

// System implements interp.Fixed.
func (f *fragmentFixed) System(l int, id intrinsic.ID, component int) (uint64, bool) {
	q, k := &f.quads[l/4], l%4
	number := func(x float32) (uint64, bool) { return uint64(math.Float32bits(x)), true }
	x, y := q.Fragment(k)
	switch id {
	case intrinsic.LoadFragCoord:
		return number([4]float32{float32(x), float32(y), q.Primitive.Depth(x, y), q.Primitive.W(x, y)}[component])
	case intrinsic.LoadPointCoord:
		return number(q.Primitive.PointCoord(x, y)[component])
	case intrinsic.LoadFrontFace:
		if q.Primitive.Front {
			return 1, true
		}
		return 0, true
	case intrinsic.LoadPrimitiveID:
		return uint64(q.Primitive.ID), true
	case intrinsic.LoadSamplePos:
		px, py := q.At(k)
		return number([2]float32{float32(x - float64(px)), float32(y - float64(py))}[component])
	case intrinsic.LoadSampleMaskIn:
		return uint64(q.Coverage[k]), true
	case intrinsic.LoadSampleID:
		return uint64(q.SampleID), true
	case intrinsic.LoadLayerID:
		return uint64(q.Primitive.Vertices[0].Layer), true
	case intrinsic.LoadViewportIndex:
		return uint64(q.Primitive.Vertices[0].Viewport), true
	case intrinsic.LoadViewIndex:
		return uint64(f.view), true
	case intrinsic.LoadFragShadingRate:
		return 0, true // fragments are single pixels
	}
	return 0, false
}

// Barycentric implements interp.Fixed.
func (f *fragmentFixed) Barycentric(l int, at interp.Place, mode kind.InterpMode) [2]float32 {
	q, k := &f.quads[l/4], l%4
	x, y := q.Fragment(k)
	switch at.ID {
	case intrinsic.LoadBarycentricCentroid:
		x, y = q.Centroid(k)
	case intrinsic.LoadBarycentricAtSample:
		x, y = q.Sample(k, int(min(at.Sample, draw.MaxSamples)))
	case intrinsic.LoadBarycentricAtOffset:
		x, y = q.Offset(k, at.Offset)
	}
	return q.Primitive.Barycentric(x, y, mode)
}

// Origin implements graphics.Planar.
func (f *fragmentFixed) Origin(l int) (x, y float64) { return f.quads[l/4].Primitive.Origin() }

// Linear implements graphics.Planar.
func (f *fragmentFixed) Linear(l int, x, y float64) (overW, flat [2]float64, depth, inverseW float64) {
	return f.quads[l/4].Primitive.Linear(x, y)
}

// SamplePlace implements graphics.Planar. A sample that does not exist is in the center of the pixel.
func (f *fragmentFixed) SamplePlace(l, sample int) (x, y float64) {
	q, k := &f.quads[l/4], l%4
	x, y = q.Sample(k, sample)
	px, py := q.At(k)
	return x - float64(px), y - float64(py)
}
