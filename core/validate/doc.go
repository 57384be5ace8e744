// SPDX-License-Identifier: MIT

// Package validate checks that a shader is well formed ([Shader]): that the control-flow tree and the sizes, sources
// and fields of every instruction conform to the tables, and that every value is defined before it is read. Passes may
// rely on all of it. Checks lists the checks; the errors of a check have its name.
//
// It does not check target support (core/pass/legal does) or the meaning of a shader. The rows drive it: a new opcode,
// intrinsic or kind is checked without a change here.
package validate
