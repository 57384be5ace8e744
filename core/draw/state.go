// SPDX-License-Identifier: MIT

package draw

import "jacquard.example/core/texture"

// Attribute is a vertex attribute: an input of the vertex shader that is fetched from a buffer.
type Attribute struct {
	Location       uint32
	Format         *texture.Format
	Data           []byte
	Offset, Stride int
	Instance       bool // advances with the instance, not with the vertex
}

// Color is a color attachment. The fragment shader's output with its index is written to it.
type Color struct {
	Attachment
	Blend   Blend
	Resolve *Attachment // destination of the resolve after the draw; nil if none
}

// Viewport is the transformation to window coordinates.
type Viewport struct{ X, Y, Width, Height, MinDepth, MaxDepth float32 }

// Depth is the depth test and the depth bounds test. Both are off if the attachment has no depths.
type Depth struct {
	Attachment  Attachment // attachment for depths, stencil values or both
	Test, Write bool
	Compare     texture.Compare

	Bounds    bool // pass only if the attachment's depth is from Low to High
	Low, High float32
}

// DepthBias is the bias added to the depths of polygons (Vulkan specification, "Depth Bias").
type DepthBias struct {
	Enabled                bool
	Constant, Clamp, Slope float32
}

// Cull is the set of faces of triangles that are not drawn.
type Cull uint8

// The faces.
const (
	CullFront Cull = 1 << iota
	CullBack
)

// PolygonMode selects how triangles are drawn.
type PolygonMode uint8

// The modes.
const (
	Fill PolygonMode = iota
	Line
	Point
)

// LineMode selects how lines are drawn (Vulkan specification, "Line Segments").
type LineMode uint8

// The modes: rectangles, or the pixels of Bresenham's algorithm.
const (
	RectangularLines LineMode = iota
	BresenhamLines
)

// State is the state of the fixed functions.
type State struct {
	Topology      Topology
	Restart       bool // an index with all bits set starts a new strip or fan
	Attributes    []Attribute
	Viewport      Viewport
	Viewports     []Viewport // viewports with index 1 and up
	Width, Height int        // size of the framebuffer
	Samples       int        // samples of every attachment; 0 means one
	NoSamples     uint32     // a bit for each sample that is masked off: the complement of Vulkan's sample mask
	Colors        []Color
	BlendConstant [4]float32
	Logic         Logic
	Depth         Depth
	Stencil       Stencil
	DepthClamp    bool // clamp depths instead of clipping
	// NearMinusW places the near plane at z = -w, as in OpenGL, instead of z = 0. (VK_EXT_depth_clip_control also
	// changes the mapping from z to depth; here the viewport does that.)
	NearMinusW bool
	// DepthUnrestricted allows depths outside 0 to 1 (VK_EXT_depth_range_unrestricted).
	DepthUnrestricted bool
	DepthBias         DepthBias
	Cull              Cull
	Clockwise         bool // triangles whose vertices are in clockwise order are front-facing
	Polygons          PolygonMode
	Lines             LineMode
	LineWidth         float32 // 0 means one pixel
	EarlyTests        bool    // test depths before the fragment shader runs
	// PostDepthCoverage makes the fragment shader see the samples that passed the early tests instead of the covered
	// samples.
	PostDepthCoverage bool
	SampleShading     bool // run the fragment shader for each sample
	// Interlock shades fragments of the same pixel one after the other, in the order of their primitives: no two of
	// them are passed to the shader at once.
	Interlock bool
}

// viewport returns the viewport with an index; the first one if the index is out of range, which is undefined.
func (s *State) viewport(index uint32) *Viewport {
	if index == 0 || index > uint32(len(s.Viewports)) {
		return &s.Viewport
	}
	return &s.Viewports[index-1]
}

// samples returns the number of samples.
func (s *State) samples() int { return max(s.Samples, 1) }

// Call is a draw call.
type Call struct {
	First, Count             uint32 // vertices, or indices
	FirstInstance, Instances uint32
	Indices                  []byte // indices of an indexed draw
	IndexBytes               int    // bytes per index; 0 if the draw is not indexed
	VertexOffset             uint32 // added to the indices
	View                     uint32 // view index, for a render pass with multiview; each view is a separate draw
}
