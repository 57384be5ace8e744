// SPDX-License-Identifier: MIT

// Package spirvgen turns the tables of SPIR-V (defs/spirv) into generated/spirvtab
// ([Generate]): opcodes with their operand layouts, the extended instruction set,
// capabilities and the other enumerations, and the programs for opcodes that map to
// expressions.
//
// A row gives the ALU opcode or expression for a SPIR-V opcode; types and arities are
// checked against the opcodes' rows. Opcodes with structure, such as types, memory, control
// flow and calls, have a category here and their code in core/spirv.
package spirvgen
