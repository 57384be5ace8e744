// Package jacquard compiles SPIR-V shaders to Intel GPU machine code. It needs no GPU, no driver and no other compiler.
//
// [Compile] takes a module, or the compiler's own text form of a shader or of machine IR, and [Options] that name a
// target. It returns a [Program]: machine code for one or more SIMD widths, statistics, and the ABI, which describes to
// a launcher how to run the code. It may be called from many goroutines at once; memory is pooled and reused. An error
// in the input is reported as an [Error] with its position. It is [ErrUnsupported] (by errors.Is) if valid input
// requires a feature that is not supported. A defect of the compiler is an [InternalError].
//
// [EntryPoints] lists the entry points of a module. [Link] compiles a vertex and a fragment shader together.
// [Program.Assembly] disassembles, [Program.Zebin] writes a file for Intel's compute runtimes.
//
// One width is compiled: the requested width, otherwise SIMD16, or SIMD8 for a vertex shader or if the workgroup has no
// more lanes. SIMD8 is also compiled if SIMD16 code spills. Time and memory are bounded by the budgets of package
// core/work, and a compilation ends soon after its context is done.
//
// Versions of this package, and of package generated/gpu with the names of the targets, follow semantic versioning:
// identifiers keep their meaning, and structs only gain fields. All other packages of the module are its
// implementation, and may change in any version.
package jacquard

import (
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/core/pass"
	"jacquard.example/generated/gpu"
	"jacquard.example/generated/target"
)

// Options selects what to compile and for which target. The zero value compiles the module's only entry point, or its
// only compute shader, for the default target at a width that the compiler picks.
type Options struct {
	File   string // name of the source, for errors
	Target Target // one of Targets; "" is DefaultTarget, or the target named by machine IR
	SIMD   int    // 8, 16 or 32; 0 lets the compiler choose
	// Widths requests several widths, in place of SIMD. Program.Variants has them in this order; Program.Impossible has
	// the widths for which the shader cannot be compiled.
	Widths []int
	Entry  string // name of the entry point; "" selects the only one of the stage
	// Stage is one of Stages, or "": compute if the module has a compute shader named Entry, otherwise the stage of its
	// first entry point with that name. EntryPoints lists the entry points of a module.
	Stage      Stage
	Specialize []Specialization
	// Zebin compiles for threads that are started as the runtimes start the threads of a zebin. Program.Zebin can then
	// write the file.
	Zebin bool
	// Buffers is one of BufferFormats: how accesses address uniform and storage buffers. "" selects the target's
	// default: by entry of the binding table and offset, with bounds checks in hardware, and where that is impossible,
	// as for 64-bit atomics, by address with bounds checks in code.
	Buffers string
	// Robust adds bounds checks in code wherever a buffer is accessed by address, if Buffers does not request them
	// already. Addresses that a shader computes itself have no bounds. If Robust is false, a storage buffer is assumed
	// to be as long as the fixed-size part of its block: if it is shorter, a load beyond its end may return a value
	// that the same invocation stored there.
	Robust bool
	// Descriptors is the number of binding-table entries for an array of buffers or images of unknown length; 0: 16.
	// The program must not be run with an index beyond them.
	Descriptors int
	// Layout places descriptors and push constants. If nil, descriptors are in order of set and binding, and there are
	// as many push constants as the shader declares. A zebin has its own layout.
	Layout *Layout
	// Verify checks the result of every pass, including register allocation and the scoreboard along all paths. A
	// violation is reported as an *InternalError.
	Verify bool
	// Explain fills Variant.Lines and Variant.Cost, and Program.Width.
	Explain bool
	// Disable names passes to leave out, which must be among OptionalPasses: to measure their effect, or to find out
	// which of them has a defect.
	Disable []string
	// StopAfter is the back-end pass to stop after; if empty, all passes run. A program that was stopped early has no
	// code.
	StopAfter string
	// Trace is called after every pass; it may be nil.
	Trace func(*Step)
}

// Step describes a pass that has run.
type Step struct {
	Pass    string
	SIMD    int // the width, for a back-end pass; 0 for passes that do not depend on the width
	Changed bool
	Took    time.Duration
	text    func() []byte
}

// Text returns the result of the pass: Jacquard's text form of the shader (.jir) or of machine IR (.mir). It must be
// called before Options.Trace returns.
func (s *Step) Text() []byte { return s.text() }

// Passes returns the names of the back-end passes in the order in which they run.
func Passes() []string {
	var names []string
	for _, p := range intel.Passes() {
		names = append(names, p.Name)
	}
	return names
}

// BufferFormats returns the values of Options.Buffers.
func BufferFormats() []string {
	var names []string
	for _, f := range pass.BufferFormats {
		names = append(names, f.Name)
	}
	return names
}

// Specialization is a value for a specialization constant.
type Specialization struct {
	ID   uint32
	Bits uint64 // bit pattern of the value
	Size int    // size of the value in bytes: 1, 2, 4 or 8
}

// DefaultTarget is the GPU to compile for if none is named.
const DefaultTarget Target = target.Default

// Target is the name of a GPU. Package generated/gpu has a constant for each; other names are accepted too, see
// 'jacquard info targets'.
type Target = gpu.Name

// Targets returns the names of the GPUs that can be compiled for.
func Targets() (names []Target) {
	for _, name := range target.Names() {
		names = append(names, Target(name))
	}
	return names
}

// Stage is the name of a shader stage.
type Stage string

// The stages that can be compiled.
const (
	Compute  Stage = "compute"
	Vertex   Stage = "vertex"
	Fragment Stage = "fragment"
)

// Stages returns the names of the shader stages that can be compiled.
func Stages() []Stage { return []Stage{Compute, Vertex, Fragment} }

// Program is the result of compiling one entry point.
type Program struct {
	Target   Target
	Stage    Stage
	Entry    string
	Variants []Variant // one per width; the first is preferred, unless Options.Widths lists them
	// Impossible has the reason why there is no variant for a width of Options.Widths.
	Impossible map[int]string
	ABI        ABI // of the first variant
	// Width is the reason for the width of the variants, if Options.Explain is set and Options.Widths is not.
	Width Width
	// Unchecked lists the checks of Options.Verify that were skipped since they exceeded their budget. It says nothing
	// about the program.
	Unchecked []string
}

// Variant is the program at one SIMD width.
type Variant struct {
	SIMD    int
	Code    []byte // machine code only
	Scratch int    // bytes of scratch space per thread: 0, or a power of two of at least 1024
	ABI     ABI    // the payload of fragment shaders depends on the width
	Stats   Stats
	Lines   []Line // by instruction of Code, if Options.Explain is set
	Cost    *Cost  // if Options.Explain is set; nil if the source is machine IR
}

// Line describes the origin and the estimated cost of an instruction of the code.
type Line struct {
	Offset int // of the instruction in Variant.Code, in bytes
	// IR is the instruction for which it was selected, in the text format, as it was at selection; empty if it belongs
	// to none, such as an instruction that loads the lane numbers.
	IR string
	// Row is the row of the selection tables that was chosen; empty if no row selected the instruction.
	Row string
	// Rule is the rewrite rule that created the instruction of the shader, or its original if it is a copy; empty if no
	// rule did.
	Rule string
	// File, Line and Column are the position in the source, if the module has it; otherwise Line is 0.
	File         string
	Line, Column int
	Registers    int // general registers with a value that it or a later instruction reads
	Wait         int // estimated cycles until its operands are available
	Issue        int // estimated cycles that it occupies the thread
	Times        int // estimated executions
	// Spilled is the index plus 1 of the element of Variant.Cost.Spilled for which the instruction was added; 0: none.
	Spilled int
	Assumed bool // Times depends on an assumed trip count, see Stats.AssumedLoops
}

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
	// AddressesOffset is the offset of the buffer addresses from the start of the push constants, AddressesCount their
	// number. They have 64 bits each, and are the addresses of the first entries of the binding table, 0 for an entry
	// without a buffer. A program that has them has the sizes too.
	AddressesOffset int `json:"addresses_offset"`
	AddressesCount  int `json:"addresses_count"`
	// ReadsView is set if the program reads the number of the view that is drawn: 32 bits at ViewOffset from the start
	// of the push constants.
	ReadsView  bool `json:"reads_view,omitempty"`
	ViewOffset int  `json:"view_offset,omitempty"`
	// Ranges are the ranges of uniform buffers that are also in the push data of a vertex or fragment shader.
	Ranges []Range `json:"ranges,omitempty"`
	// Bindings are the entries of the binding table. The size of a buffer's surface is the size of the buffer rounded
	// up to a multiple of four bytes: the hardware supports no other sizes, and the program may read the rest of the
	// last doubleword, whatever it contains. The surface of a uniform buffer is rounded up to a multiple of 16, the
	// unit in which constants are read. Buffer sizes in the push constants are not rounded.
	Bindings []Resource `json:"bindings"`
	Samplers []Resource `json:"samplers,omitempty"` // by number
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
	Discards bool   `json:"discards,omitempty"` // a fragment shader that does not write all pixels
	// PerSample is set if a fragment shader runs for each sample: the launcher must set the pipeline's state
	// accordingly, as if the API had requested it. Modes are the names of the other modes of the fixed functions that
	// the shader declares: early_fragment_tests, post_depth_coverage, depth_greater, depth_less, depth_unchanged and so
	// on.
	PerSample bool     `json:"per_sample,omitempty"`
	Modes     []string `json:"modes,omitempty"`
}

// Range is a range of a uniform buffer that the launcher copies into the push data. Start and Bytes are multiples of
// 32, the size of a register; bytes beyond the end of the buffer are 0.
type Range struct {
	Entry  int `json:"entry"` // entry of the binding table
	Start  int `json:"start"` // offset in the buffer
	Bytes  int `json:"bytes"`
	Offset int `json:"offset"` // from the start of the push constants
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
	// vertex: "vertex_values" are the first vertex, the first instance, and the vertex and the instance counted from
	// these; "draw_values" are the number of the draw and whether it is indexed. "second_color" is the second color
	// that blending reads for target 0.
	Is string `json:"is"`
	// for a builtin, the index of its slot: 1 for the distances from 4 on, otherwise 0
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
	// "input_attachment" (its surface has layers and is read by the sampler's messages), or "sampler". An entry that
	// Options.Layout leaves free is "unused"; its set and binding are 1<<32 - 1.
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

// Stats holds statistics of a variant. Instructions excludes NOP and sync.nop.
type Stats struct {
	Instructions int `json:"instructions"`
	Sends        int `json:"sends"`
	Loops        int `json:"loops"`
	Spills       int `json:"spills"`
	Fills        int `json:"fills"`
	Cycles       int `json:"cycles"` // of a thread, estimated
	// AssumedLoops is the number of loops for which Cycles assumes a trip count.
	AssumedLoops int `json:"assumed_loops,omitempty"`
	Bytes        int `json:"bytes"`
	Registers    int `json:"registers"` // general registers: the maximum in use at once
	// BoundsChecks is the number of accesses that code checks against bounds, once for each access in the shader after
	// functions have been inlined; 0 if the input is machine IR.
	BoundsChecks int `json:"bounds_checks,omitempty"`
}
