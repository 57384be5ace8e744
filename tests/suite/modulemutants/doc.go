// Package modulemutants changes SPIR-V modules in ways that a damaged file does not:
// every mutant is a sequence of whole instructions, so that it reaches the parts of a
// reader after the decoder.
//
// [Parse] splits a module into a [Module], whose Mutant makes a changed one at random:
// instructions are dropped, doubled and swapped, operands and opcodes replaced by others of
// the module. The tests ask that each is read or refused, without a panic or endless work,
// and that what is read means the same before and after all passes; a mutant that spirv-val
// accepts may be refused only by the name of something that is not supported.
package modulemutants
