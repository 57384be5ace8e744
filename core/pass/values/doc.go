// Package values contains the passes on SSA values: [CopyProp], [DeadCode], [CSE],
// [ConstantFold], [ALUToScalar] for vectors and [OptDivConst] for divisions by
// constants. They neither access memory nor change control flow; what can be expressed
// one opcode at a time is a rewrite rule instead (core/match).
//
// The loops of package pipeline run them repeatedly, so a run without changes must be
// cheap.
package values
