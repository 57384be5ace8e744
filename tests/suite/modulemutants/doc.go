// SPDX-License-Identifier: MIT

// Package modulemutants changes SPIR-V modules in ways that file damage does not:
// every mutant is a sequence of whole instructions, so that it reaches the parts of a
// reader after the decoder.
//
// [Parse] splits a module into a [Module], whose Mutant makes a changed one at random:
// instructions are dropped, duplicated and swapped, operands and opcodes replaced by others
// of the module. The tests require that each is read or rejected, without a panic or unbounded
// work, and that it computes the same before and after all passes; a mutant that spirv-val
// accepts may be rejected only with the name of an unsupported feature. FlowMutant changes control flow, phis and the
// order of blocks and definitions, where reader and spirv-val must agree. Vertex and fragment shaders
// are taken from scripts that draw; their mutants are compiled for all machines and widths with every check,
// and the scripts run with them.
package modulemutants
