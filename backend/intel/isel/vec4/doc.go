// SPDX-License-Identifier: MIT

// Package vec4 selects machine instructions for threads whose lanes are the components of vertices: two vertices of four
// components each, in the access mode Align16 (Haswell PRM vol. 7, "SIMD4x2"). It runs the same rows as the selection for
// threads with a lane for each invocation. A row computes one component there; here it computes all components of a
// value at once, since an instruction works in each lane alike. What differs is where operands are: a [Context] assigns
// each component of a value a channel of a register, reads sources through swizzles, and writes destinations through
// write masks.
//
// Selection proceeds from the end of the shader to its start. A vector that is composed of values gets its register
// first. A value of which all components that are used are in the vector is then computed there, in the channels of the
// vector, and is not copied. The payload of the message that writes the outputs is such a vector, too.
package vec4
