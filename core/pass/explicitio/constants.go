// SPDX-License-Identifier: MIT

package explicitio

import "jacquard.example/core/ir"

// constants caches the latest constants that a pass inserted, hashed by value. Accesses to one buffer use the same
// constants, and a lookup here is cheaper than merging equal constants later.
type constants [32]ir.Src

// imm returns a 32-bit constant. It reuses a cached constant of the same block, which precedes the cursor since the
// pass goes forward through blocks.
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
