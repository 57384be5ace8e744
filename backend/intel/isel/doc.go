// SPDX-License-Identifier: MIT

// Package isel selects machine IR ([Workspace.Select]) for a shader in core/ir that has been lowered to operations that
// the machine supports.
//
// Blocks and their instructions are visited backwards. An instruction is emitted only if an instruction that was
// already emitted needs its value, so instructions covered by a larger pattern disappear without further work. For each
// instruction, isel calls the engine in backend/intel/selector, which runs the rows of generated/intel/select (written
// in defs/intel/select). A row either emits machine instructions itself, such as an add for iadd; or names a logical
// message, such as untyped_read for load_ssbo, which package memory or texture emits; or calls a Go function. That
// function is in the package under isel for its subject, and rows.go lists it: memory (buffers, shared and scratch
// memory, barriers), texture (images), stage (vertex and fragment shaders), subgroup (operations across lanes), value
// (arithmetic, and operands for all of them). Go code emits instructions with [value.Context]:
//
//	a := c.Use(src, isa.TypeF)           component 0 of a source
//	d := c.Result(v, isa.TypeF)          the register of v's result
//	c.B.Emit(isa.OpAdd, d, a, a)         an instruction, in the order of the final code
//
// An instruction that a pattern covers entirely is not marked as needed. The exec size and mask depend on the value
// being selected: one lane without a mask if it is uniform, else the dispatch width.
//
// Package vec4 implements the same interface for machines whose lanes are the components of vertices: the rows compute
// all components of a value.
//
// One-bit values are in flags if all their uses take flags (if, bcsel and logic on such values); they are then
// recomputed before each use. Otherwise they are in registers, as 0 or ~0. Rows need not know which: they emit a
// comparison with [value.Context.Emit], which chooses its destination and flag.
package isel
