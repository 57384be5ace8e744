// Package opcodes reads the ALU opcode tables (defs/opcodes), checks every
// row, and writes what follows from them: the enum and its properties
// (generated/op), the constant folder (generated/fold), the reference page and
// the editors' schema. Other parts of the generator use [Load] to learn an
// opcode's types and to run its meaning on concrete values.
package opcodes
