package draw

import "jacquard.example/core/texture"

// Topology is how vertices form primitives (Vulkan specification, "Primitive Topologies").
type Topology uint8

// The topologies that are supported.
const (
	TriangleList Topology = iota
	TriangleStrip
	TriangleFan
)

// Attribute is a vertex attribute: an input of the vertex shader in a buffer.
type Attribute struct {
	Location       uint32
	Format         *texture.Format
	Data           []byte
	Offset, Stride int
	Instance       bool // it advances with the instance, not with the vertex
}

// Attachment is an image that fragments are written to, of one level and one sample.
type Attachment struct {
	Format        *texture.Format
	Width, Height int
	Data          []byte
}

// texel returns the bytes of a texel.
func (a *Attachment) texel(x, y int) []byte {
	n := a.Format.Bytes
	return a.Data[(y*a.Width+x)*n:][:n]
}

// Texel returns the value of a texel.
func (a *Attachment) Texel(x, y int) texture.Texel { return a.Format.Decode(a.texel(x, y)) }

// Clear sets all texels.
func (a *Attachment) Clear(t texture.Texel) {
	for at := 0; at+a.Format.Bytes <= len(a.Data); at += a.Format.Bytes {
		a.Format.Encode(a.Data[at:at+a.Format.Bytes], &t)
	}
}

// Color is a color attachment. Fragments write to it what the shader outputs at its index.
type Color struct {
	Attachment
	Blend Blend
}

// Viewport is the transformation to window coordinates.
type Viewport struct{ X, Y, Width, Height, MinDepth, MaxDepth float32 }

// Depth is the depth test. Without an attachment there is none.
type Depth struct {
	Attachment  Attachment
	Test, Write bool
	Compare     texture.Compare
}

// Cull is a set of sides of triangles that are not drawn.
type Cull uint8

// The sides.
const (
	CullFront Cull = 1 << iota
	CullBack
)

// State is the state of the fixed functions.
type State struct {
	Topology      Topology
	Restart       bool // an index with all bits set starts a new strip or fan
	Attributes    []Attribute
	Viewport      Viewport
	Width, Height int // of the framebuffer
	Colors        []Color
	Depth         Depth
	DepthClamp    bool // depths are clamped instead of clipped
	Cull          Cull
	Clockwise     bool // the front of a triangle is where its vertices are in clockwise order
	EarlyTests    bool // depths are tested before the fragment shader runs
}

// Call is a draw.
type Call struct {
	First, Count             uint32 // vertices, or indices
	FirstInstance, Instances uint32
	Indices                  []byte // of an indexed draw
	IndexBytes               int    // of an index; 0: the draw is not indexed
}
