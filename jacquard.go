// Package jacquard compiles SPIR-V shaders to Intel GPU machine code. It needs no GPU,
// no driver and no other compiler.
//
// [Compile] takes a module, or the compiler's own text of a shader or of machine IR, and
// [Options] that name a target; it returns a [Program]: machine code for one or more
// SIMD widths, statistics, and the ABI, which is what a launcher has to know. It may be
// called from many goroutines at once; memory comes from a pool and is used again. What
// is wrong with the input is an [Error] with a place in it, a defect of the compiler an
// [InternalError].
//
// One width is compiled: the one that is asked for, else 16 lanes, or 8 if the workgroup
// has no more; 8 as well only if code for 16 lanes spills. Time and memory are bounded
// by the budgets of package core/work, and a compile ends soon after its context is
// done.
package jacquard

import (
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/generated/target"
)

// Options say what to compile and for what. The zero value compiles the
// module's only entry point for the default target at the width that the
// compiler picks.
type Options struct {
	File       string // the source's name, for errors
	Target     string // a name of Targets; "" is DefaultTarget, or what machine IR says
	SIMD       int    // 8, 16 or 32; 0 lets the compiler choose
	Entry      string // the entry point; "" is the only one of the stage
	Stage      string // a name of Stages; "" is the first
	Specialize []Specialization
	// Verify checks what every pass leaves, register allocation and the
	// scoreboard along all paths among it. What is wrong then is an
	// *InternalError.
	Verify bool
	// StopAfter is the pass of the back end to stop after; all run if it is empty.
	// A program that is stopped before its end has no code.
	StopAfter string
	// Trace gets every pass that has run; may be nil.
	Trace func(*Step)
}

// Step is a pass that has run.
type Step struct {
	Pass    string
	SIMD    int // the width, of a pass of the back end; 0 for one that knows none
	Changed bool
	Took    time.Duration
	text    func() []byte
}

// Text is what the pass left: Jacquard's text of the shader (.jir) or of machine IR
// (.mir). It has to be called before Options.Trace returns.
func (s *Step) Text() []byte { return s.text() }

// Passes are the names of the passes of the back end, in the order in which they
// run.
func Passes() []string {
	var names []string
	for _, p := range intel.Passes() {
		names = append(names, p.Name)
	}
	return names
}

// Specialization is the value of a specialization constant.
type Specialization struct {
	ID   uint32
	Bits uint64 // the value's bit pattern
	Size int    // its bytes: 1, 2, 4 or 8
}

// DefaultTarget is the GPU that is compiled for if none is named.
const DefaultTarget = target.Default

// Targets are the names of the GPUs that can be compiled for.
func Targets() []string { return target.Names() }

// Stages are the names of the shader stages that can be compiled.
func Stages() []string { return []string{"compute"} }

// Program is what one entry point was compiled to.
type Program struct {
	Target   string
	Stage    string
	Entry    string
	Variants []Variant // by width; the first is the one to prefer
	ABI      ABI
}

// Variant is the program at one SIMD width.
type Variant struct {
	SIMD    int
	Code    []byte // the machine code alone
	Scratch int    // bytes of scratch space that a thread needs: 0, or a power of two from 1024
	Stats   Stats
}

// ABI says what a launcher has to know to run the code.
type ABI struct {
	Name        string     `json:"name"`         // the row of the ABI table: how a thread's registers are filled
	Version     int        `json:"version"`      // of the row
	Hash        string     `json:"hash"`         // of what the row says: a launcher that has another cannot start the program
	LocalSize   [3]uint32  `json:"local_size"`   // invocations of a workgroup
	SharedBytes int        `json:"shared_bytes"` // shared memory of a workgroup
	PushBytes   int        `json:"push_bytes"`   // push constants
	SizesOffset int        `json:"sizes_offset"` // where, from the start of the push constants, buffer sizes follow
	SizesCount  int        `json:"sizes_count"`  // how many: the bytes of the first entries of the binding table, 32 bits each
	Bindings    []Resource `json:"bindings"`     // by binding table index
}

// Resource is an entry of the binding table.
type Resource struct {
	Set     uint32 `json:"set"`
	Binding uint32 `json:"binding"`
	Kind    string `json:"kind"` // "storage" or "uniform"
}

// Stats are the figures of a variant. Instructions leave out NOP and sync.nop.
type Stats struct {
	Instructions int `json:"instructions"`
	Sends        int `json:"sends"`
	Loops        int `json:"loops"`
	Spills       int `json:"spills"`
	Fills        int `json:"fills"`
	Cycles       int `json:"cycles"` // estimated
	Bytes        int `json:"bytes"`
	Registers    int `json:"registers"` // general registers, at the most at once
}
