// Package pat holds what generated matchers ask of an instruction: its operands seen
// through the swizzles of its users, its opcode, and constants, and the predicates that
// rows of defs/algebraic/predicates.toml name by a Go function. The rewrite rules and
// the instruction selector share it. It reads the shader and changes nothing, nor does
// it remember anything but what a set of rules gives it.
//
// Checks of constants, such as [IsInt] and [IsFloat], hold for all components that are
// read.
package pat
