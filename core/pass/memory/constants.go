package memory

import "jacquard.example/core/ir"

// constants are the latest constants that a pass has made, by their low bits: accesses to one buffer use the
// same ones, and merging equal ones later costs more than asking here.
type constants [32]ir.Src

// imm returns a 32-bit constant: one that the block has in front of the cursor, if it is among the latest.
// The pass goes forward through blocks.
func (c context) imm(x uint32) ir.Src {
	if !c.again {
		return c.B.Imm(x)
	}
	s, k := c.S, &c.made[(x^x>>5)%uint32(len(c.made))]
	if k.Val != 0 && s.Const(k.Val, 0) == uint64(x) && s.At(k.Val).Block() == c.B.Block() {
		return *k
	}
	*k = c.B.Imm(x)
	return *k
}
