package draw

import "context"

// Shaders runs the shaders of a pipeline.
type Shaders interface {
	// Vertices runs the vertex shader for each input and sets the outputs.
	Vertices(ctx context.Context, in []Input, out []Vertex) error
	// Fragments runs the fragment shader for the pixels of quads and sets their results.
	Fragments(ctx context.Context, quads []Quad) error
}

// Input is what a vertex shader reads.
type Input struct {
	Vertex, Instance uint32
	First            uint32 // vertex of the draw
	FirstInstance    uint32
	Indexed          bool
	Attributes       [][4]uint32 // by location
}

// MaxDistances is the number of clip and of cull distances of a vertex.
const MaxDistances = 8

// Vertex is what a vertex shader writes.
type Vertex struct {
	Position [4]float32
	// Clips and Culls are the numbers of clip and cull distances.
	Clips, Culls int
	Clip, Cull   [MaxDistances]float32
	Outputs      [][4]uint32 // by location
}

// Quad is a square of four pixels: the upper left one, its right neighbor, and the two below.
type Quad struct {
	Primitive *Primitive
	X, Y      int   // of the upper left pixel
	Covered   uint8 // a bit for each pixel that the primitive covers; the others are helpers
	Pixels    [4]Pixel
}

// At returns the coordinates of a pixel.
func (q *Quad) At(pixel int) (x, y int) { return q.X + pixel&1, q.Y + pixel>>1 }

// MaxColors is the number of color attachments.
const MaxColors = 8

// Pixel is what a fragment shader does with a pixel.
type Pixel struct {
	Live     bool // it was not discarded
	Colors   [MaxColors][4]uint32
	Written  uint8 // a bit for each color that the shader has written
	Depth    float32
	HasDepth bool // the shader has written Depth
}
