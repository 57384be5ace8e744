// Package validate checks that a shader is well formed ([Shader]): that the tree of
// control flow, the sizes, the sources and the fields of every instruction are as the
// tables say, and that every value is defined before it is read. Passes may rely on all
// of it. The checks are listed in Checks, each with a name that its errors carry.
//
// It says nothing of a target (core/pass/legal does) nor of what a shader computes. It
// goes by the rows: a new opcode, intrinsic or kind is checked without a change here.
package validate
