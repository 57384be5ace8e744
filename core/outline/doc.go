// Package outline lists what a SPIR-V module declares, without translating it: [Read] returns a [Module] with its entry
// points, of every stage, including those that cannot be compiled, its capabilities, the descriptors that it uses, its
// specialization constants and its blocks of push constants.
//
// It reads only instructions outside functions, and of those only what it lists: a module whose capabilities, types or
// instructions the compiler does not support has an outline all the same. What is malformed in the instructions that it
// reads is an error of type *spirv.Error with the word. Time and memory are proportional to the size of the module.
package outline
