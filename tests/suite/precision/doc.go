// SPDX-License-Identifier: MIT

// Package precision tests the functions of GLSL.std.450, and the divisions, for
// the precision that Vulkan requires (Vulkan specification, "Precision and
// Operation of SPIR-V Instructions", section "Precision of GLSL.std.450
// Instructions"): all 65,536 inputs of each function of one 16-bit float,
// samples with every exponent of the others and of 32-bit floats. The reference
// is the mathematical function in 64-bit floats.
//
// A function that inherits its precision from an expression may have any result that
// the expression can have when each of its steps has its maximum error: an interval.
// The specification allows a step to overflow or underflow, and then any result. The
// compiler promises more for functions that a caller sees as one operation: a result
// that the format can represent must be right, so their intervals are computed without
// bounds on the exponent (see function.whole).
package precision
