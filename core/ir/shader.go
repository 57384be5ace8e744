// SPDX-License-Identifier: MIT

package ir

import (
	"sync/atomic"

	"jacquard.example/generated/kind"
)

// Value names an instruction and, if it has one, its result.
type Value uint32

// Node names a node of the control-flow tree: a function, block, if or loop.
type Node uint32

// Func names a function.
type Func uint32

// Var names a variable.
type Var uint32

// Str names an interned string; 0 is the empty string.
type Str uint32

// Info describes the shader as a whole.
type Info struct {
	Stage         kind.Stage
	Entry         Str       // name of the entry point
	WorkgroupSize [3]uint32 // invocations in each dimension; all 0 in a stage without workgroups
	// Float controls of the entry point, one bit per size: 1 for 16, 2 for 32, 4 for 64 bits.
	DenormFlush, DenormPreserve, SignedZeroInfNaN, RoundTiesEven, RoundTowardZero uint8

	Modes       kind.StageMode // modes of the fixed functions around the stage
	Invocations uint32         // invocations of a geometry shader for each primitive; 0 means one
	// maximum number of vertices of a geometry shader, or vertices in a tessellation control shader's patch
	VerticesOut uint32

	SharedSize       uint32 // bytes of workgroup memory after explicit layout
	ScratchSize      uint32 // bytes of scratch memory per invocation after explicit layout
	PushConstantSize uint32 // bytes of push constants that may be read
	SubgroupSize     uint32 // required subgroup size; 0 if the back end chooses
	ConstData        []byte // the data that load_constant reads

	// Bindings is the binding table, filled by explicit I/O lowering in the order of
	// (set, binding). Instructions refer to an entry by Index.
	Bindings []Binding
}

// Binding is a descriptor binding that the shader uses.
type Binding struct {
	Set, Binding uint32
	Mode         kind.Mode // ubo, ssbo, image, or constant for Info.ConstData
	Count        uint32    // number of descriptors of an array, otherwise 1
	Index        uint32    // index of the first one in the binding table; NoIndex for samplers
	Sampler      uint32    // index plus 1 of the first one among the samplers; 0 if there is none
	Access       kind.Access
	Type         Type // type of an image; 0 for buffers
	// Unformatted is set if texels are read without a declared format: the machine's typed reads must convert the
	// format of the image.
	Unformatted bool
}

// NoIndex is the Index of a binding that has no entry in the binding table.
const NoIndex = 1<<32 - 1

// NoSet is the Set and the Binding of the constant data, which has an entry in the binding table but no descriptor.
const NoSet = 1<<32 - 1

// Shader contains functions, variables, types and all their instructions.
type Shader struct {
	Info  Info
	Types TypeTable
	Strs  Strings
	Locs  Locations
	Regs  Registers

	instrs   pages
	watch    uint64            // see Watch
	onNew    func(v, of Value) // see OnNew
	operands []operand
	links    []link
	aux      []uint32
	freeOps  [freeClasses]uint32 // freed operand ranges, by size
	nodes    []nodeRec
	shape    uint32 // see Shape
	funcs    []FuncInfo
	vars     []VarInfo
	// sharedBlocks is set if a workgroup variable is a block.
	sharedBlocks bool
}

// New returns an empty shader.
func New() *Shader {
	s := &Shader{}
	s.Reset()
	return s
}

// Reset empties the shader and keeps its memory for the next one.
func (s *Shader) Reset() {
	s.Info = Info{ConstData: s.Info.ConstData[:0], Bindings: s.Info.Bindings[:0]}
	s.Types.reset()
	s.instrs.reset()
	s.watch, s.onNew = 0, nil
	s.operands = append(s.operands[:0], operand{})
	s.links = append(s.links[:0], link{})
	s.aux = append(s.aux[:0], 0)
	s.freeOps = [freeClasses]uint32{}
	s.nodes = append(s.nodes[:0], nodeRec{})
	s.reshape()
	s.funcs = append(s.funcs[:0], FuncInfo{})
	s.vars, s.sharedBlocks = append(s.vars[:0], VarInfo{}), false
	s.Strs.reset()
	s.Locs.reset()
	s.Regs.reset()
}

// watches counts the calls of Watch.
var watches atomic.Uint64

// Watch returns a number for a caller that visits every instruction of a function and clears its Fresh flag. As long as
// Watched reports true for the number, the operands of an instruction that is not Fresh are the same as then, and so is
// whether it is unused, used once, or used more often. Its float flags may have been reduced, and its words and
// position may have changed.
func (s *Shader) Watch() uint64 {
	s.watch = watches.Add(1)
	return s.watch
}

// Watched reports whether n is the result of the last call of Watch on this shader.
func (s *Shader) Watched(n uint64) bool { return n != 0 && n == s.watch }
