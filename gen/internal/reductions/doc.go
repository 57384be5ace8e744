// Package reductions is the part of the generator that checks the rows of reductions
// (defs/ir/reductions.toml) and writes them ([Generate]): what passes and the interpreter go by
// (generated/reduction), and the instructions of scans (generated/intel/scan). The identity of a
// reduction, what equal values give and the instruction are tried against its opcode.
package reductions
