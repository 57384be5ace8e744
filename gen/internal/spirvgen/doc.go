// Package spirvgen turns the tables of SPIR-V (defs/spirv) into generated/spirvtab
// ([Generate]): opcodes with their operand layouts, the extended instruction set,
// capabilities and the other enumerations, and the programs that opcodes with a direct
// meaning become.
//
// A row says which ALU opcode or expression a SPIR-V opcode is; types and arities are
// checked against the opcodes' rows. What has structure, such as types, memory, control
// flow and calls, has a category here and its code in core/spirv.
package spirvgen
