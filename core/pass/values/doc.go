// Package values holds the passes on SSA values: [CopyProp], [DeadCode], [CSE],
// [ConstantFold], [ALUToScalar] for vectors and [OptDivConst] for divisions by
// constants. They neither look into memory nor change control flow, and what one opcode
// at a time can say is a rewrite rule instead (core/match).
//
// They are run again and again by the loops of package pipeline, so a run that finds
// nothing has to be cheap.
package values
