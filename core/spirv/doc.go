// Package spirv reads SPIR-V 1.0 to 1.6 compute shaders for Vulkan into the IR.
//
// The input is a module as bytes, of either byte order; the output is a shader with
// structured control flow, in which memory is accessed through derefs of variables,
// values are vectors, and phis are loads and stores of variables of mode function_temp.
// Aggregates exist only while reading: a struct, array or matrix value is a tree of
// vectors.
//
// Arithmetic is driven by tables (generated/spirvtab): a row gives the ALU opcode or
// expression for an opcode. Code handles what has structure: types, memory, control
// flow, calls.
//
// Anything not understood is rejected with one *Error that names the word, the opcode
// and, if the module has debug information, the place in the source. Memory and time are
// proportional to the module's size.
//
// Instructions of the IR and errors have the location that OpLine or DebugLine of
// NonSemantic.Shader.DebugInfo.100 gives to the instruction of the module.
//
// Control flow is planned before anything is emitted, since the IR has only structured
// control flow: selections with a jump out of them become loops of one iteration, jumps
// across constructs set a flag. Loops have no continue list: the continue construct is
// emitted inline if one edge reaches it, copied to each edge if it is short, and guarded
// at the start of the body otherwise.
package spirv
