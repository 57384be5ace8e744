// SPDX-License-Identifier: MIT

// Package opcodes reads the ALU opcode tables (defs/opcodes), checks every row, and writes the output for them: the
// enum and its properties (generated/op), the constant folder (generated/fold), the reference page and the editors'
// schema. Other parts of the generator use [Load] to get an opcode's types and to evaluate its meaning on concrete
// values.
package opcodes
