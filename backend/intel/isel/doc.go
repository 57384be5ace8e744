// Package isel selects machine IR for a shader in core/ir that has been lowered to what
// the machine supports.
//
// Blocks and their instructions are visited backwards, so that an instruction is emitted
// only if an instruction already emitted needs its value: instructions covered by a
// larger pattern disappear without further work. For each instruction, the selector
// (from the tables, Selector) is called; it calls back into Ctx:
//
//	a := c.Use(src, isa.TypeF)      a source, with neg and abs folded in
//	d := c.Dst(v, isa.TypeF)        where the result goes
//	c.Emit(isa.OpAdd, d, a, b)      instructions, in the order of the final code
//
// Sources that the patterns match through are simply not used. Exec size and mask are
// those of the value being selected: one lane without a mask if it is uniform, else the
// dispatch width.
//
// One-bit values are in flags if all their uses take flags (if, bcsel and logic of such
// values), and are then recomputed before each use; otherwise they are in registers as 0
// or ~0. The selector need not know which: it emits a comparison with Cmp, whose
// destination and flag are chosen here.
package isel
