// Package precision holds the functions of GLSL.std.450, and the divisions, to
// the precision that Vulkan asks for (Vulkan specification, "Precision and
// Operation of SPIR-V Instructions", section "Precision of GLSL.std.450
// Instructions"): all 65,536 inputs of each function of one 16-bit float,
// samples with every exponent of the others and of 32-bit floats. The reference
// is the mathematical function in 64-bit floats.
//
// What inherits its precision from an expression may have any result that the
// expression gives when each of its steps may err as much as it is allowed to: an
// interval. The specification lets a step overflow or underflow and the result be
// anything then. The compiler promises more for the functions that a caller sees
// as one: where the result is a number of the format it must be right, so their
// intervals are computed without bounds on the exponent (see function.whole).
package precision
