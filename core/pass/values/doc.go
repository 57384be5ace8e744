// SPDX-License-Identifier: MIT

// Package values contains the passes on SSA values: [CopyProp], [DeadCode], [CSE], [ConstantFold], [ALUToScalar] for
// vectors and [OptDivConst] for divisions by constants. They neither access memory nor change control flow.
// Transformations of single opcodes are rewrite rules instead (core/match).
//
// The loops of package pipeline run the passes repeatedly, so a run without changes must be cheap.
package values
