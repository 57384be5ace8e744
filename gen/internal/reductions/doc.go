// SPDX-License-Identifier: MIT

// Package reductions is the part of the generator that checks the rows of reductions
// (defs/ir/reductions.toml) and generates tables from them ([Generate]): generated/reduction for
// passes and the interpreter, and generated/intel/scan for instruction selection. It checks the
// identity, the result for equal values and the machine instruction against the opcode.
package reductions
