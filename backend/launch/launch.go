// SPDX-License-Identifier: MIT

// Package launch describes compiled code to the program that starts it: the registers that are filled before a thread
// runs, the entries of the binding table, and the inputs and outputs of a stage. The compiler fills in an [ABI], and a
// launcher, such as a driver or the model of the machine, reads it. The package contains only data, and knows neither.
package launch

// ABI describes how to run the code.
type ABI struct {
	Name        string    `json:"name"`         // the row of the ABI table: how a thread's registers are filled
	Version     int       `json:"version"`      // version of the row
	Hash        string    `json:"hash"`         // hash of the row: a launcher with another hash cannot start the program
	LocalSize   [3]uint32 `json:"local_size"`   // invocations per workgroup
	SharedBytes int       `json:"shared_bytes"` // shared memory per workgroup, in bytes
	Barrier     bool      `json:"barrier"`      // whether the program uses the workgroup's barrier
	PushBytes   int       `json:"push_bytes"`   // bytes of push constants
	SizesOffset int       `json:"sizes_offset"` // offset of the buffer sizes from the start of the push constants
	SizesCount  int       `json:"sizes_count"`  // number of buffer sizes: 32 bits each, the sizes in bytes of the first entries of the binding table
	// AddressesOffset is the offset of the buffer addresses from the start of the push constants, AddressesCount the
	// number of addresses. They have 64 bits each, and are the addresses of the first entries of the binding table, or 0
	// for an entry without a buffer. A program that has them has the sizes too.
	AddressesOffset int `json:"addresses_offset"`
	AddressesCount  int `json:"addresses_count"`
	// ReadsView is set if the program reads the number of the view that is drawn: 32 bits at ViewOffset from the start
	// of the push constants.
	ReadsView  bool `json:"reads_view,omitempty"`
	ViewOffset int  `json:"view_offset,omitempty"`
	// ReadsConstants is set if the program reads the constant data at its address: 64 bits at ConstantsOffset from the
	// start of the push constants. The code of a zebin writes it there.
	ReadsConstants  bool `json:"reads_constants,omitempty"`
	ConstantsOffset int  `json:"constants_offset,omitempty"`
	// Ranges are the ranges of uniform buffers that are also in the push data of a vertex or fragment shader.
	Ranges []Range `json:"ranges,omitempty"`
	// Bindings are the entries of the binding table. The size of a buffer's surface is the size of the buffer rounded
	// up to a multiple of four bytes: the hardware supports no other sizes, and the program may read the rest of the
	// last doubleword, whatever it contains. The surface of a uniform buffer is rounded up to a multiple of 16, the
	// unit in which constants are read. Buffer sizes in the push constants are not rounded.
	Bindings []Resource `json:"bindings"`
	Samplers []Resource `json:"samplers,omitempty"` // by number
	// Constants is the constant data of the program, in base64. It is the contents of a uniform buffer, whose entry of the
	// binding table has the kind "constants", or if ReadsConstants is set, the data whose address the program reads at
	// ConstantsOffset. In a zebin it is the section .data.const.
	Constants []byte `json:"constants,omitempty"`
	// Resources that a program accesses by handles, which it gets as data, are in neither list. The handle of an image
	// is the offset of its surface state from the bindless surface state base, a multiple of 64, times 64: bits 31:12
	// are bits 25:6 of the offset. The handle of a sampler is the offset of its sampler state from the dynamic state
	// base, a multiple of 32.

	// For vertex and fragment shaders: Payload has the parts of the payload after the header (parts that describe
	// pixels occur once for each half of 32 lanes), Inputs and Outputs the contents of the slots. The render targets of
	// a fragment shader are the entries of the binding table after Bindings, in order. Fragments are single pixels:
	// coarse shading must be off.
	Payload  []Part `json:"payload,omitempty"`
	Inputs   []Slot `json:"inputs,omitempty"`
	Outputs  []Slot `json:"outputs,omitempty"`
	Discards bool   `json:"discards,omitempty"` // whether a fragment shader may leave covered pixels unwritten
	// PerSample is set if a fragment shader runs for each sample: the launcher must set the pipeline's state
	// accordingly, as if the API had requested it. Modes are the names of the other fixed-function modes that the shader
	// declares: early_fragment_tests, post_depth_coverage, depth_greater, depth_less, depth_unchanged and so on.
	PerSample bool     `json:"per_sample,omitempty"`
	Modes     []string `json:"modes,omitempty"`
	// NullTarget is set if a fragment shader has no render targets, and the machine's messages must name one nevertheless:
	// the entry of the binding table after Bindings must be a null surface.
	NullTarget bool `json:"null_target,omitempty"`
}

// Range is a range of a uniform buffer that the launcher copies into the push data. Start and Bytes are multiples of
// 32, the size of a register; bytes beyond the end of the buffer are 0.
type Range struct {
	Entry  int `json:"entry"` // entry of the binding table
	Start  int `json:"start"` // offset in the buffer
	Bytes  int `json:"bytes"`
	Offset int `json:"offset"` // offset from the start of the push constants
}

// Part is a part of the payload of a thread.
type Part struct {
	Part      string `json:"part"` // its name in the ABI's row
	Register  int    `json:"register"`
	Registers int    `json:"registers"`
}

// Slot is an input or output of a vertex or fragment shader: four doublewords for each lane.
type Slot struct {
	Slot int `json:"slot"`
	// Is is "location", the name of a builtin, or one of the following. System values come after the attributes of a
	// vertex: "vertex_values" are the first vertex, the first instance, and the vertex and the instance counted from the
	// first ones; "draw_values" are the number of the draw and whether it is indexed. "second_color" is the second color
	// that blending reads for target 0.
	Is string `json:"is"`
	// Location is the location or, for a builtin, the index of its slot: 1 for clip and cull distances of index 4 and
	// more, otherwise 0.
	Location   int  `json:"location"`
	Components int  `json:"components"`     // a bit for each component that is read or written
	Flat       bool `json:"flat,omitempty"` // not interpolated
}

// Resource is an entry of the binding table.
type Resource struct {
	Set     uint32 `json:"set"`
	Binding uint32 `json:"binding"`
	// Kind is "storage" or "uniform" for a buffer, "storage_image" or "sampled_image" for an image, "combined" for an
	// image with a sampler, "storage_texel_buffer" or "uniform_texel_buffer" for an image that is a buffer of texels,
	// "input_attachment" (its surface has layers and is read by the sampler's messages), or "sampler". The entry of
	// the program's constant data is "constants", an entry that the layout leaves free is "unused"; their set and
	// binding are 1<<32 - 1.
	Kind string `json:"kind"`
	// Access is the access that the shader declares: readonly, writeonly or readwrite. A block is readonly or writeonly
	// if all its members are; variables that alias one descriptor are combined in the same way.
	Access string `json:"access"`
	// For an image, Shape is the shape in the shader's type (1d, 2d, 3d, cube, rect or buf, followed by _array if it
	// has layers), and Format the format that the shader declares: SPIR-V's name in lower case, or unknown. The surface
	// state has this shape, except that a cube of kind storage_image is an array of its faces, so that its depth is six
	// for each cube; the depth of a sampled cube counts the cubes. The surface state has the format of the view, which
	// must be the declared format if there is one. If the shader reads an image without a declared format, Unreadable
	// lists the formats that views must not have, by Vulkan's names: the target's typed reads return their bits
	// unconverted, so a driver does not offer VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT for them.
	Shape      string   `json:"shape,omitempty"`
	Format     string   `json:"format,omitempty"`
	Unreadable []string `json:"unreadable_formats,omitempty"`
	// Surface is the format of the surface state, if the shader declares one.
	Surface *SurfaceFormat `json:"surface_format,omitempty"`
}

// SurfaceFormat is a surface format of the hardware.
type SurfaceFormat struct {
	Name string `json:"name"`
	Code int    `json:"code"` // RENDER_SURFACE_STATE, "Surface Format"
}
