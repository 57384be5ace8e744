// SPDX-License-Identifier: MIT

// Package jacquard compiles SPIR-V shaders to Intel GPU machine code. It needs no GPU, no driver and no other compiler.
//
// [Compile] takes a module, or the compiler's own text form of a shader or of machine IR, and [Options] that name a
// target. It returns a [Program]: machine code for one or more SIMD widths, statistics, and the ABI, which describes to
// a launcher how to run the code. It may be called from many goroutines at once; memory is pooled and reused. An error
// in the input is reported as an [Error] with its position. It is [ErrUnsupported] (by errors.Is) if valid input
// requires a feature that is not supported. A defect of the compiler is an [InternalError].
//
// [EntryPoints] lists the entry points of a module. [Link] compiles a vertex and a fragment shader together.
// [Program.Assembly] disassembles, [Program.Zebin] writes a file for Intel's compute runtimes. [Key] names the result of a
// compilation in a cache.
//
// Unless several widths are requested, one is compiled: the requested width, the subgroup size that the shader requires,
// or else SIMD16, or the target's narrowest for a vertex shader or for a workgroup that fits into it. If SIMD16
// code spills, SIMD8 code is compiled too, if the target has it, and the faster code is kept. Time and memory are bounded by
// the budgets of package core/work, and a compilation ends soon after its context is done.
//
// Versions of this package, and of package generated/gpu with the names of the targets, follow semantic versioning:
// identifiers keep their meaning, and structs only gain fields. All other packages of the module are its
// implementation, which begins in backend/driver, and may change in any version.
package jacquard

import (
	"context"

	"jacquard.example/backend/driver"
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
	// that the same invocation stored there. Accesses to neighboring elements may be merged then: if the first is at
	// a negative index, the others may be out of bounds with it.
	Robust bool
	// Descriptors is the number of binding-table entries for an array of buffers or images of unknown length; 0 means
	// 16. The program must not be run with an index beyond them.
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

// Compile compiles one entry point of a SPIR-V module, or a shader in Jacquard's own text form (.jir) or binary form.
// It also resumes from machine IR (.mir), after the pass that the text names. It is safe for concurrent use. Mistakes
// in the input are reported as *Error, defects of the compiler as *InternalError.
func Compile(ctx context.Context, source []byte, opts Options) (p *Program, err error) {
	defer driver.Recover(&err)
	src := driver.Open(source, opts.File)
	o, err := opts.resolve(src)
	if err != nil {
		return nil, err
	}
	out, err := driver.Compile(ctx, src, o)
	if err != nil {
		return nil, err
	}
	return programOf(out), nil
}

// Link compiles the vertex and the fragment shader of a pipeline together. The outputs of the vertex shader and the
// inputs of the fragment shader are matched by location and component, simplified and packed. Each source may be anything
// that [Compile] accepts except machine IR. The options of each shader select its entry point; their Stage is not used.
// Options.Trace is called for the passes after linking.
func Link(ctx context.Context, vertex, fragment []byte, vertexOptions, fragmentOptions Options) (p *Pipeline, err error) {
	defer driver.Recover(&err)
	vertexSource, fragmentSource := driver.Open(vertex, vertexOptions.File), driver.Open(fragment, fragmentOptions.File)
	vo, err := vertexOptions.resolve(vertexSource)
	if err != nil {
		return nil, err
	}
	fo, err := fragmentOptions.resolve(fragmentSource)
	if err != nil {
		return nil, err
	}
	l, err := driver.Link(ctx, vertexSource, fragmentSource, vo, fo)
	if err != nil {
		return nil, err
	}
	return &Pipeline{Vertex: programOf(l.Vertex), Fragment: programOf(l.Fragment), Interface: Interface(l.Interface)}, nil
}

// EntryPoints lists the entry points of a SPIR-V module in the order of their declaration, without compiling it: the
// module may contain instructions that Compile refuses. The other inputs of Compile have one entry point. A module
// without an entry point is an error. Errors about the input are *Error; in a module, their position is a word.
func EntryPoints(ctx context.Context, module []byte) (list []EntryPoint, err error) {
	defer driver.Recover(&err)
	entries, err := driver.Open(module, "").Entries(ctx)
	for _, e := range entries {
		list = append(list, EntryPoint{e.Name, Stage(e.Stage), e.LocalSize})
	}
	return list, err
}

// Step describes a pass that has run.
type Step = driver.Step

// Passes returns the names of the back-end passes in the order in which they run.
func Passes() []string { return driver.Passes() }

// OptionalPasses returns the names of the passes that Options.Disable can leave out; names of back-end passes start
// with "mir/". The compiled program has the same results without any of them.
func OptionalPasses() []string { return driver.OptionalPasses() }

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

// TargetsOf returns the names of the GPUs that shaders of a stage can be compiled for.
func TargetsOf(stage Stage) (names []Target) {
	for _, name := range driver.TargetsOf(string(stage)) {
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
func Stages() (names []Stage) {
	for _, name := range driver.Stages() {
		names = append(names, Stage(name))
	}
	return names
}

// Program is the result of compiling one entry point.
type Program struct {
	Target   Target
	Stage    Stage
	Entry    string
	Variants []Variant // one per width; the first is preferred, unless Options.Widths lists them
	// Impossible has the reason why there is no variant for a width of Options.Widths.
	Impossible map[int]string
	ABI        ABI // ABI of the first variant
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

// Stats holds statistics of a variant. Instructions excludes NOP and sync.nop.
type Stats struct {
	Instructions int `json:"instructions"`
	Sends        int `json:"sends"`
	Loops        int `json:"loops"`
	Spills       int `json:"spills"`
	Fills        int `json:"fills"`
	Cycles       int `json:"cycles"` // estimated cycles of a thread
	// AssumedLoops is the number of loops for which Cycles assumes a trip count.
	AssumedLoops int `json:"assumed_loops,omitempty"`
	Bytes        int `json:"bytes"`
	Registers    int `json:"registers"` // general registers: the maximum in use at once
	// BoundsChecks is the number of accesses that code checks against bounds, once for each access in the shader after
	// functions have been inlined; 0 if the input is machine IR.
	BoundsChecks int `json:"bounds_checks,omitempty"`
}

// EntryPoint is an entry point of a module.
type EntryPoint struct {
	Name string `json:"name"`
	// Stage is one of Stages, or the name of a stage that cannot be compiled: tess_control, tess_eval, geometry, or a
	// SPIR-V execution model, such as Kernel or MeshEXT.
	Stage Stage `json:"stage"`
	// LocalSize is the number of invocations of a compute shader's workgroup in each dimension, with the default values
	// of specialization constants. It is 0 where an operation computes the size from such constants.
	LocalSize [3]uint32 `json:"local_size"`
}

// Pipeline is the result of linking.
type Pipeline struct {
	Vertex, Fragment *Program
	Interface        Interface
}

// Interface counts the 32-bit components that linking removed from the interface between a vertex and a fragment
// shader, by the reason for it, and the locations before and after.
type Interface struct {
	Dead      int `json:"dead"`      // not read by the fragment shader
	Unwritten int `json:"unwritten"` // not written by the vertex shader: they are 0
	Constant  int `json:"constant"`  // constants, which the fragment shader has itself
	Uniform   int `json:"uniform"`   // loaded by the fragment shader itself
	Duplicate int `json:"duplicate"` // equal to other components
	Before    int `json:"locations_before"`
	After     int `json:"locations"`
}
