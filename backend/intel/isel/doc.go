// Package isel selects machine IR ([Workspace.Select]) for a shader in core/ir that has been lowered to operations that the machine
// supports.
//
// Blocks and their instructions are visited backwards. An instruction is emitted only if an instruction that
// was already emitted needs its value, so instructions covered by a larger pattern disappear without further
// work. For each instruction, isel calls the selector, which is generated from the tables. The selector calls
// functions of the packages under isel, one for each kind of instruction, which use [value.Context]:
//
//	a := c.Use(src, isa.TypeF)      a source, with neg and abs folded in
//	d := c.Dst(v, isa.TypeF)        the destination of the result
//	c.Emit(isa.OpAdd, d, a, b)      instructions, in the order of the final code
//
// Sources that patterns match through are not used. The exec size and mask depend on the value being selected:
// one lane without a mask if it is uniform, else the dispatch width.
//
// One-bit values are in flags if all their uses take flags (if, bcsel and logic on such values); they are then
// recomputed before each use. Otherwise they are in registers, as 0 or ~0. The selector does not need to know
// which: it emits a comparison with Cmp, and isel chooses its destination and flag.
package isel
