// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/generated/intrinsic"
)

// mostRows is the number of rows that a load is compared with.
const mostRows = 32

// row is a range of a uniform buffer that a block loads from.
type row struct {
	block  ir.Node
	entry  uint64
	lo, hi int64
}

// GatherLoads moves loads from uniform buffers at constant offsets up to a block that dominates them and loads from the
// same row, so that merge_accesses makes one message of them.
func GatherLoads(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	built, changed := false, false
	g := pass.Scratch[gatherer](pc)
	g.context, g.rows = c, g.rows[:0]
	for b := range s.Blocks(c.F) {
		for v := s.First(b); v != 0; {
			next := s.At(v).Next()
			if s.At(v).Intrinsic() == intrinsic.LoadUBO && s.CanReorder(v) && flow.ConstantLoad(pc, v) && s.At(s.Src(v, 1).Val).IsConst() {
				if len(g.rows) > 0 && !built {
					c.CFG.Build(s, c.F)
					c.Dom.Build(&c.CFG)
					built = true
				}
				changed = g.gather(v) || changed
			}
			v = next
		}
	}
	return changed
}

// gatherer holds the state of GatherLoads, which is reused.
type gatherer struct {
	context
	rows []row
}

// gather moves a load to the block of the row that it belongs to, or begins a row. It reports whether it moved the load.
func (c *gatherer) gather(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	entry, _ := s.ConstOf(s.Src(v, 0))
	at, _ := s.ConstOf(s.Src(v, 1))
	lo := int64(at)
	hi := lo + int64(in.Comps)*int64(in.Bits)/8
	for i := len(c.rows) - 1; i >= max(0, len(c.rows)-mostRows); i-- {
		r := &c.rows[i]
		if r.entry != entry || max(hi, r.hi)-min(lo, r.lo) > rowBytes || max(lo-r.hi, r.lo-hi) > rowHole {
			continue
		}
		b := in.Block()
		if b != r.block {
			if s.Jump(r.block) != 0 || !c.Dom.Dominates(int(c.CFG.Index[r.block]), int(c.CFG.Index[b])) {
				continue // behind a jump, b is unreachable
			}
			for i := range 2 {
				if x := s.Src(v, i).Val; !c.Dom.Dominates(int(c.CFG.Index[s.At(x).Block()]), int(c.CFG.Index[r.block])) {
					s.MoveToEnd(x, r.block)
				}
			}
			s.MoveToEnd(v, r.block)
		}
		r.lo, r.hi = min(lo, r.lo), max(hi, r.hi)
		return b != r.block
	}
	c.rows = append(c.rows, row{in.Block(), entry, lo, hi})
	return false
}
