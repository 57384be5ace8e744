package values

import (
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
)

// probeSteps is the cost of a comparison with an instruction of nearly the same hash.
const probeSteps = 16

// CSE merges instructions that compute the same value if one dominates the other.
// The remaining one is only as relaxed in its float semantics as both were.
func CSE(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	g := &c.CFG
	g.Build(s, c.F)
	c.Dom.Build(g)
	n := 0
	for b := range s.Blocks(c.F) {
		for range s.Instrs(b) {
			n++
		}
	}
	size := 64
	for size < 2*n {
		size *= 2
	}
	table := reuse.Zeroed(c.cse, size)
	c.cse = table
	mask := uint32(size - 1)
	changed := false
	for bi, b := range g.Blocks {
		for v := range s.Instrs(b) {
			if !s.CanReorder(v) || !s.At(v).HasResult() {
				continue
			}
			at := s.Hash(v) & mask
			for table[at] != 0 && !s.Equal(table[at], v) {
				c.Work.Spend(probeSteps)
				at = (at + 1) & mask
			}
			old := table[at]
			if old == 0 || !c.Dom.Dominates(int(g.Index[s.At(old).Block()]), bi) {
				table[at] = v
				continue
			}
			s.At(old).Float &= s.At(v).Float
			s.ReplaceUses(v, s.All(old))
			s.Remove(v)
			changed = true
		}
	}
	return changed
}
