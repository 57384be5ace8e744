// SPDX-License-Identifier: MIT

package draw

import (
	"context"
	"math"
)

// Shaders runs the shaders of a pipeline.
type Shaders interface {
	// Vertices runs the vertex shader for each input and fills in out.
	Vertices(ctx context.Context, in []Input, out []Vertex) error
	// Fragments runs the fragment shader for the pixels of quads and fills in their results.
	Fragments(ctx context.Context, quads []Quad) error
}

// Input is the input of a vertex shader invocation.
type Input struct {
	Vertex, Instance uint32
	First            uint32 // first vertex of the draw, or the offset added to the indices
	FirstInstance    uint32
	Indexed          bool
	Attributes       [][4]uint32 // by location
}

// MaxDistances is the maximum number of clip distances of a vertex, and of cull distances.
const MaxDistances = 8

// Vertex is the output of a vertex shader invocation.
type Vertex struct {
	Position  [4]float32
	PointSize float32 // 0 means one pixel
	// Layer and Viewport apply to primitives whose provoking vertex this is.
	Layer, Viewport uint32
	// Clips and Culls are the numbers of clip and cull distances.
	Clips, Culls int
	Clip, Cull   [MaxDistances]float32
	Outputs      [][4]uint32 // by location
}

// Quad is a square of four pixels: the upper left one, its right neighbor, and the two below.
type Quad struct {
	Primitive *Primitive
	X, Y      int   // position of the upper left pixel
	Covered   uint8 // a bit for each pixel that the primitive covers; the other pixels are helpers
	// Coverage has a bit for each covered sample of each pixel. If PerSample is set, the shader runs for one sample of
	// every pixel, SampleID, and Coverage has only that sample.
	Coverage  [4]uint32
	Samples   int // samples per pixel; 0 means one
	PerSample bool
	SampleID  int
	Pixels    [4]Pixel

	passed [4]uint32 // the samples that passed the early tests
}

// At returns the coordinates of a pixel.
func (q *Quad) At(pixel int) (x, y int) { return q.X + pixel&1, q.Y + pixel>>1 }

// Center returns the window coordinates of the center of a pixel.
func (q *Quad) Center(pixel int) (x, y float64) {
	px, py := q.At(pixel)
	return float64(px) + 0.5, float64(py) + 0.5
}

// Sample returns the window coordinates of a sample of a pixel: of the pixel's center if there is no such sample.
func (q *Quad) Sample(pixel, sample int) (x, y float64) {
	x, y = q.Center(pixel)
	if at := locations[max(q.Samples, 1)]; sample < len(at) {
		x, y = x+float64(at[sample].x)/pixelSize, y+float64(at[sample].y)/pixelSize
	}
	return x, y
}

// Offset returns the window coordinates of a place at an offset, in pixels, from the center of a pixel. The offset is
// rounded toward the center to a grid of 1/16 of a pixel, and clamped to the range from -1/2 to 7/16 (Vulkan
// specification, subPixelInterpolationOffsetBits, maxInterpolationOffset).
func (q *Quad) Offset(pixel int, by [2]float32) (x, y float64) {
	const steps = 16
	on := func(d float32) float64 {
		if d != d {
			return 0
		}
		return min(max(math.Trunc(float64(d)*steps), -steps/2), steps/2-1) / steps
	}
	x, y = q.Center(pixel)
	return x + on(by[0]), y + on(by[1])
}

// Fragment returns the window coordinates of the fragment: of the sample if the shader runs for each sample, of the
// pixel's center otherwise.
func (q *Quad) Fragment(pixel int) (x, y float64) {
	if q.PerSample {
		return q.Sample(pixel, q.SampleID)
	}
	return q.Center(pixel)
}

// Centroid returns the window coordinates at which inputs with the decoration Centroid are interpolated: the sample if
// the shader runs for each sample, the pixel's center if all samples or none are covered, otherwise the first covered
// sample.
func (q *Quad) Centroid(pixel int) (x, y float64) {
	n := max(q.Samples, 1)
	mask := q.Coverage[pixel]
	if q.PerSample {
		return q.Sample(pixel, q.SampleID)
	}
	if mask == 0 || mask == 1<<n-1 {
		return q.Center(pixel)
	}
	for s := range n {
		if mask>>s&1 != 0 {
			return q.Sample(pixel, s)
		}
	}
	return q.Center(pixel)
}

// MaxColors is the maximum number of color attachments.
const MaxColors = 8

// Pixel is the result of a fragment shader invocation.
type Pixel struct {
	Live       bool // not discarded
	Colors     [MaxColors][4]uint32
	Second     [4]uint32 // the second source of blending
	Written    uint8     // a bit for each color that the shader has written
	Depth      float32
	HasDepth   bool // the shader has written Depth
	Stencil    uint8
	HasStencil bool   // the shader has written Stencil, the reference of the stencil test
	Mask       uint32 // sample mask: the samples that may be written
	HasMask    bool   // the shader has written Mask
}
