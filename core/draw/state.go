package draw

import "jacquard.example/core/texture"

// Attribute is a vertex attribute: an input of the vertex shader in a buffer.
type Attribute struct {
	Location       uint32
	Format         *texture.Format
	Data           []byte
	Offset, Stride int
	Instance       bool // it advances with the instance, not with the vertex
}

// Color is a color attachment. Fragments write to it what the shader outputs at its index.
type Color struct {
	Attachment
	Blend   Blend
	Resolve *Attachment // what the samples are resolved to after the draw, nil if nothing
}

// Viewport is the transformation to window coordinates.
type Viewport struct{ X, Y, Width, Height, MinDepth, MaxDepth float32 }

// Depth is the depth test and the depth bounds test. Without an attachment that has depths there
// are none.
type Depth struct {
	Attachment  Attachment // of depths, stencil values or both
	Test, Write bool
	Compare     texture.Compare

	Bounds    bool // the attachment's depth must be from Low to High
	Low, High float32
}

// DepthBias is what is added to the depths of polygons (Vulkan specification, "Depth Bias").
type DepthBias struct {
	Enabled                bool
	Constant, Clamp, Slope float32
}

// Cull is a set of sides of triangles that are not drawn.
type Cull uint8

// The sides.
const (
	CullFront Cull = 1 << iota
	CullBack
)

// PolygonMode is how triangles are drawn.
type PolygonMode uint8

// The modes.
const (
	Fill PolygonMode = iota
	Line
	Point
)

// LineMode is how lines are drawn (Vulkan specification, "Line Segments").
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
	Viewports     []Viewport // those with the indices from 1 on
	Width, Height int        // of the framebuffer
	Samples       int        // of every attachment; 0: one
	NoSamples     uint32     // a bit for each sample that is not written: the complement of Vulkan's sample mask
	Colors        []Color
	BlendConstant [4]float32
	Logic         Logic
	Depth         Depth
	Stencil       Stencil
	DepthClamp    bool // depths are clamped instead of clipped
	// NearMinusW says that the near plane is z = -w, as in OpenGL, not z = 0 (VK_EXT_depth_clip_control, which
	// also changes how depths come from z: here the viewport does that).
	NearMinusW bool
	// DepthUnrestricted says that depths may be outside 0 and 1 (VK_EXT_depth_range_unrestricted).
	DepthUnrestricted bool
	DepthBias         DepthBias
	Cull              Cull
	Clockwise         bool // the front of a triangle is where its vertices are in clockwise order
	Polygons          PolygonMode
	Lines             LineMode
	LineWidth         float32 // 0: one pixel
	EarlyTests        bool    // depths are tested before the fragment shader runs
	// PostDepthCoverage says that the fragment shader sees the samples that have passed the early
	// tests, not those that are covered.
	PostDepthCoverage bool
	SampleShading     bool // the fragment shader runs for each sample
	// Interlock says that fragments of one pixel are shaded one after the other, in the order of
	// their primitives: no two are handed to the shader at once.
	Interlock bool
}

// viewport returns the viewport with an index. One that does not exist is undefined; it is the
// first.
func (s *State) viewport(index uint32) *Viewport {
	if index == 0 || index > uint32(len(s.Viewports)) {
		return &s.Viewport
	}
	return &s.Viewports[index-1]
}

// samples returns the number of samples.
func (s *State) samples() int { return max(s.Samples, 1) }

// Call is a draw.
type Call struct {
	First, Count             uint32 // vertices, or indices
	FirstInstance, Instances uint32
	Indices                  []byte // of an indexed draw
	IndexBytes               int    // of an index; 0: the draw is not indexed
	VertexOffset             uint32 // added to the indices
	View                     uint32 // of a render pass with several; each is drawn on its own
}
