// SPDX-License-Identifier: MIT

// Package spirv reads SPIR-V 1.0 to 1.6 compute, vertex and fragment shaders for Vulkan into the IR.
//
// The input is a module as bytes, in either byte order. The output is a shader with structured control flow, in which
// memory is accessed through derefs of variables, values are vectors, and phis are loads and stores of variables of
// mode function_temp. Aggregates exist only while reading: a struct, array or matrix value is a tree of vectors or, if
// it has more than 128 of them, a copy in a variable.
//
// [Read] goes through the packages below in this order: module parses everything outside functions, plan checks the
// control flow of functions by the rules in structure and turns it into a tree, and emit emits the instructions, with
// value for values, pointers, loads and stores, and image for images. Arithmetic is driven by tables
// (generated/spirvtab): a row gives the ALU opcode or expression for an opcode.
//
// A module with an invalid or unsupported instruction is rejected with one *Error that names the word, the opcode and,
// if the module has debug information, the place in the source. Time and memory are proportional to the module's size;
// nesting and the expansion of calls and aggregates are bounded.
//
// Instructions of the IR and errors have the location that OpLine, or DebugLine of NonSemantic.Shader.DebugInfo.100,
// gives to the instruction of the module.
//
// Control flow is planned before anything is emitted, since the IR has only structured control flow. A selection with a
// jump out of its middle becomes a loop with one iteration, and a jump across such a loop sets a flag that is tested
// after the loop. A switch becomes nested ifs. Loops of the IR have no continue construct: the module's is emitted inline
// if one edge reaches it, copied to each edge if it is short, and otherwise guarded at the start of the body.
package spirv
