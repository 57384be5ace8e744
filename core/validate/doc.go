// Package validate checks that a shader is well formed ([Shader]): that the control-flow
// tree and the sizes, sources and fields of every instruction conform to the tables, and
// that every value is defined before it is read. Passes may rely on all of it. The checks
// are listed in Checks, each with a name that its errors carry.
//
// It does not check target support (core/pass/legal does) or what a shader computes. It
// is driven by the rows: a new opcode, intrinsic or kind is checked without a change here.
package validate
