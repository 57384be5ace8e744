// SPDX-License-Identifier: MIT

// Package vary makes variants of a shader that differ in the behavior that float instructions leave unspecified:
// rounding, the sign of a zero, flushing of denormals, and results for NaN and infinity.
//
// The interpreter computes one of the results that SPIR-V allows, and compiled code may compute another. Only results
// that are the same in all variants can be compared bit for bit. An instruction is unspecified in the ways that
// Instr.Float allows, and in the ways that the API allows for its opcode even where no relaxation is permitted: see
// [Open].
//
// The freedom of the fixed functions of a graphics pipeline is varied separately: see [Fixed].
//
// The package knows no rewrite rules. It goes by the meaning of the flags, so that it exposes a rule that relaxes more
// than it declares.
package vary
