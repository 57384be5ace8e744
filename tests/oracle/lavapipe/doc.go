// Package lavapipe runs compute shaders on lavapipe, Mesa's software Vulkan
// driver, as an oracle for tests: what a SPIR-V module computes according to a
// compiler that shares nothing with ours. It loads the driver without cgo and
// without the Vulkan loader, so the Debian package mesa-vulkan-drivers is all
// it needs.
//
// [Need] opens the driver for a test, or skips it; a [Dispatch] says what to run. A
// [Child] runs modules that may take the process down in one of its own.
//
// Lavapipe decides only what SPIR-V defines: its fma is not fused, and a
// float out of the range of the integer it is converted to, or a division by
// zero, give results of its own. It trusts its input, so modules of doubtful
// origin must pass spirv-val first: an invalid one can take the process down.
package lavapipe

import "jacquard.example/core/texture"

// Kind says how a shader sees a resource.
type Kind uint8

// The kinds of descriptors.
const (
	Storage Kind = iota // a storage buffer, read and written
	Uniform             // a uniform buffer, read only
	StorageImage
	SampledImage
	CombinedImageSampler
	UniformTexelBuffer
	StorageTexelBuffer
	Sampler
)

// A Binding is one resource of a dispatch.
type Binding struct {
	Set, Binding uint32
	Element      uint32 // of an array of descriptors
	Kind         Kind
	// Data is what a buffer or an image holds before the dispatch and, if the
	// shader may write it, after it. Its length is the size of a buffer; the
	// levels of an image lie one behind the other.
	Data []byte

	// Format is that of an image's or a texel buffer's texels, by its name in
	// Vulkan. Levels are those of an image; their Data is not looked at. The
	// shader sees those from BaseLevel on. Dims are the dimensions, 1 to 3.
	Format    *texture.Format
	Dims      int
	Layers    uint32 // of an array, or faces of cubes; 0 is 1. Those of a level lie one behind the other
	Arrayed   bool   // the shader sees an array
	Cube      bool   // the layers are faces of cubes
	Samples   uint32 // of a texel; 0 is 1. Those of more cannot be copied in or out
	Levels    []texture.Level
	BaseLevel int

	Sampler   *texture.Sampler
	IntBorder bool // the border has a color of integers
	Compare   bool // the sampler compares
}

// A Spec gives a specialization constant its value: 1 to 8 bytes, little
// endian; 4 bytes for a bool.
type Spec struct {
	ID    uint32
	Value []byte
}

// A Dispatch is one run of a compute shader.
type Dispatch struct {
	Words    []uint32 // the SPIR-V module
	Entry    string   // name of the entry point; "" means "main"
	Specs    []Spec
	Push     []byte // push constants from offset 0
	Groups   [3]uint32
	Bindings []Binding
}
