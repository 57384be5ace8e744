// SPDX-License-Identifier: MIT

// Package lavapipe runs compute shaders, and draws, on lavapipe, Mesa's software Vulkan driver, as an oracle for tests:
// it computes a SPIR-V module's results with a compiler that shares nothing with ours. It loads the driver without cgo
// and without the Vulkan loader, so the Debian package mesa-vulkan-drivers is all it needs.
//
// [Need] opens the driver for a test, or skips it; a [Dispatch] or a [Draw] describes the work. A [Child] runs modules
// that may crash the process in a separate one.
//
// Lavapipe decides only what SPIR-V defines: its fma is not fused, and converting a float to an integer out of its
// range, or dividing by zero, has its own results. It trusts its input, so modules of doubtful origin must pass spirv-val
// first: an invalid one can crash the process.
package lavapipe

import (
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
)

// Kind is a shader's way of accessing a resource.
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
	InputAttachment
)

// A Binding is one resource of a dispatch.
type Binding struct {
	Set, Binding uint32
	Element      uint32 // index in an array of descriptors
	Kind         Kind
	// Data is the contents of a buffer or an image before the dispatch and, if the shader may
	// write it, afterwards. Its length is the size of a buffer; the levels of an image are
	// consecutive.
	Data []byte

	// Format is the texel format of an image or a texel buffer, by its name in Vulkan. Levels are the mip levels of an
	// image; their Data is ignored. The shader sees BaseLevel and the levels after it. Dims is the number of dimensions,
	// 1 to 3.
	Format    *texture.Format
	Dims      int
	Layers    uint32 // layers of an array, or faces of cubes; 0 is 1. The layers of a level are consecutive
	Arrayed   bool   // the shader sees an array
	Cube      bool   // the layers are faces of cubes
	Samples   uint32 // samples of a texel; 0 is 1. Multisampled texels cannot be copied in or out
	Levels    []texture.Level
	BaseLevel int

	Sampler   *texture.Sampler
	IntBorder bool // the border has a color of integers
	Compare   bool // the sampler compares
}

// A Spec is the value of a specialization constant: 1 to 8 bytes, little-endian; 4 bytes for a
// bool.
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
	Memory   []Memory
}

// Memory is memory that the shader reaches by address, without a descriptor: a buffer whose 64-bit address is written
// into the push constants before the dispatch. Data is replaced by the contents after the dispatch.
type Memory struct {
	Data []byte
	Push int // offset of the address in the push constants
}

// A Shader is one stage of a pipeline.
type Shader struct {
	Words []uint32
	Entry string
	Specs []Spec
}

// A Draw is one draw of a graphics pipeline. The data of attachments is replaced by their contents after it.
type Draw struct {
	Vertex, Fragment Shader
	Push             []byte
	Bindings         []Binding
	State            draw.State
	Call             draw.Call
}
