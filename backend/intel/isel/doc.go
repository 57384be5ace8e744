// Package isel turns a shader in core/ir, lowered to what the machine has, into
// machine IR.
//
// Blocks and their instructions are visited backwards, so that an instruction is
// emitted only when something that was emitted needs its value: what a larger
// pattern covered disappears by itself. For each instruction the selector (from
// the tables, Selector) is asked; it calls back into Ctx:
//
//	a := c.Use(src, isa.TypeF)      a source, with neg and abs folded in
//	d := c.Dst(v, isa.TypeF)        where the result goes
//	c.Emit(isa.OpAdd, d, a, b)      instructions, in the order of the final code
//
// Sources that the patterns match through are simply not used. Exec size and mask
// are those of the value being selected: one lane without mask where it is
// uniform, else the width of the dispatch.
//
// One-bit values live in flags where all their uses take flags (if, bcsel and
// logic of such), computed again before each use; else in registers as 0 or ~0.
// The selector need not know: it emits a comparison with Cmp, whose destination
// and flag are chosen here.
package isel
