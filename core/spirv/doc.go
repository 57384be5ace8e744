// Package spirv reads SPIR-V 1.0 to 1.6 compute shaders for Vulkan into the IR.
//
// What enters is a module as bytes, of either byte order; what leaves is a
// shader with structured control flow, in which memory is reached by derefs of
// variables, values are vectors, and phis are loads and stores of variables of
// mode function_temp. Aggregates exist only while reading: a struct, array or
// matrix as a value is a tree of vectors.
//
// Arithmetic follows the tables (generated/spirvtab): a row says which ALU
// opcode or expression an opcode is. Code is for what has structure: types,
// memory, control flow, calls.
//
// Anything that is not understood is refused with one *Error that names the word
// and the opcode. Memory and time are in proportion to the module.
//
// Control flow is planned before anything is emitted, since structured control flow is
// all that the IR has: selections that are left from inside become loops of one trip,
// jumps across constructs set a flag. Loops have no continue list: the continue
// construct is put in line where one edge reaches it, copied to each edge when it is
// short, and guarded at the start of the body otherwise.
package spirv
