// SPDX-License-Identifier: MIT

// Package outline lists the declarations of a SPIR-V module, without translating it: [Read] returns a [Module] with its
// entry points (of every stage, including stages that cannot be compiled), its capabilities, the descriptors that it
// uses, its specialization constants and its blocks of push constants.
//
// It reads only instructions outside functions, and only the kinds that it lists: a module with capabilities, types or
// instructions that the compiler does not support has an outline all the same. A malformed instruction among these is
// an error of type *module.Error with the word. Time and memory are proportional to the size of the module.
package outline
