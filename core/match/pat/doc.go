// SPDX-License-Identifier: MIT

// Package pat contains the queries of generated matchers: operands of an instruction seen through the swizzles of its
// users, its opcode, constants, and the predicates that rows of defs/algebraic/predicates.toml name by a Go function.
// The rewrite rules and the instruction selector share it. It only reads the shader, and keeps no state except the
// state that a set of rules provides.
//
// Checks of constants, such as [IsInt] and [IsFloat], hold for all components that are read.
package pat
