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
package spirv
