// SPDX-License-Identifier: MIT

package mir

import "jacquard.example/generated/isa"

// Construct is an if or a loop, which covers a range of blocks. Two constructs are nested or disjoint.
// Func.Constructs is sorted by first block; number 0 is the function itself.
type Construct struct {
	IsLoop bool
	Parent int32 // enclosing construct
	Loop   int32 // innermost loop around its code, which for a loop is the loop itself; 0 if none
	Loops  int32 // number of loops around its code
	First  int32 // for a loop, its first block; for an if, the block that ends in the if
	Else   int32 // block of the else; 0 if none
	Last   int32 // block of the endif or while
}

// Otherwise returns the block where lanes continue whose condition in the if is false.
func (c *Construct) Otherwise() int32 {
	if c.Else != 0 {
		return c.Else + 1
	}
	return c.Last
}

// findConstructs derives Constructs, Resume, Block.In and Block.If from the control flow instructions.
func (f *Func) findConstructs() {
	f.Constructs, f.Resume = append(f.Constructs[:0], Construct{}), 0
	in := int32(0)
	open := func(c Construct) {
		up := &f.Constructs[in]
		c.Parent, c.Loop, c.Loops = in, up.Loop, up.Loops
		in = int32(len(f.Constructs))
		if c.IsLoop {
			c.Loop, c.Loops = in, c.Loops+1
		}
		f.Constructs = append(f.Constructs, c)
	}
	for b := range f.Blocks {
		blk, at := &f.Blocks[b], int32(b)
		switch f.Insts[blk.First].Op {
		case OpLoop:
			open(Construct{IsLoop: true, First: at})
		case OpHaltTarget:
			f.Resume = at
		}
		blk.In, blk.If = in, 0
		switch f.Insts[blk.Last].Op {
		case isa.OpIf:
			open(Construct{First: at})
			blk.If = in
		case isa.OpElse:
			f.Constructs[in].Else = at
		case isa.OpEndif, isa.OpWhile:
			f.Constructs[in].Last = at
			in = f.Constructs[in].Parent
		}
	}
}

// LoopOf returns the innermost loop that contains block b, or 0 if there is none.
func (f *Func) LoopOf(b int) int32 { return f.Constructs[f.Blocks[b].In].Loop }

// Outer returns the innermost loop around another loop, or 0 if there is none.
func (f *Func) Outer(loop int32) int32 { return f.Constructs[f.Constructs[loop].Parent].Loop }

// Apart returns the outermost loop that contains loop a but not loop b, and the innermost loop that contains
// both, or 0. A loop contains itself. a or b may be 0, for code outside of loops.
func (f *Func) Apart(a, b int32) (outer, both int32) {
	if a == b {
		return 0, a
	}
	first := f.Constructs[b].First
	for ; a != 0 && (b == 0 || first < f.Constructs[a].First || f.Constructs[a].Last < first); a = f.Outer(a) {
		outer = a
	}
	return outer, a
}

// End returns the block of the else, endif or while that ends the innermost arm or loop around the end of block
// b, or 0 if there is none.
func (f *Func) End(b int) int {
	in := f.Blocks[b].In
	if in != 0 && int(f.Constructs[in].Last) == b {
		in = f.Constructs[in].Parent
	}
	c := &f.Constructs[in]
	if int(c.Else) > b {
		return int(c.Else)
	}
	return int(c.Last)
}

// Exit returns the block to which the thread jumps from the end of block b if no lane is left, or 0 if it falls
// through.
func (f *Func) Exit(b int) int {
	if end := f.End(b); end != 0 || int(f.Resume) <= b {
		return end
	}
	return int(f.Resume)
}
