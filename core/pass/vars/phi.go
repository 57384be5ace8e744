// SPDX-License-Identifier: MIT

package vars

import (
	"cmp"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// RemovePhis replaces phis that join only one value, besides themselves. It also replaces phis that join results of the
// same computation on the same values: the computation moves after the join.
func RemovePhis(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for again := true; again; {
		again = false
		for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
			for next := s.First(b); next != 0; {
				v, in := next, s.At(next)
				if in.Kind != kind.Phi {
					break
				}
				next = in.Next()
				if r, ok := c.onlySource(v); ok {
					s.ReplaceUses(v, r)
					s.Remove(v)
					again, changed = true, true
				} else if c.sink(v) {
					again, changed = true, true
					break // later phis need not be at the start of the block now
				}
			}
		}
	}
	return changed
}

// onlySource returns the only value that a phi joins, besides itself. It returns false if there are several or none.
func (c context) onlySource(v ir.Value) (ir.Src, bool) {
	s := c.S
	var one ir.Src
	in := s.At(v)
	for i := range int(in.NSrc) {
		r := s.Src(v, i)
		if r.Val == v {
			if r.Swz != ir.Identity && in.Comps > 1 {
				return one, false
			}
			continue
		}
		if one.Val == 0 {
			one = r
		} else if one.Val != r.Val || !sameRead(one, r) {
			return one, false
		}
	}
	return one, one.Val != 0
}

// sink handles a phi whose sources are the same computation on the same values. It moves one of them, which has no
// other use, after the phis of the block, and replaces the phi with it. The operands dominate all sources, and therefore
// the block. sink reports whether it replaced the phi.
func (c context) sink(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	var first, moved ir.Value
	for i := range int(in.NSrc) {
		r := s.Src(v, i)
		x := s.At(r.Val)
		if x.Kind != kind.ALU || x.ALUOp().Info().Has(op.Derivative) || x.Comps != in.Comps || !sameRead(r, s.All(r.Val)) {
			return false
		}
		if i == 0 {
			first = r.Val
		} else if !s.Equal(first, r.Val) {
			return false
		}
		if moved == 0 && s.UsedOnce(r.Val) {
			moved = r.Val
		}
	}
	if moved == 0 {
		return false
	}
	float := s.At(moved).Float
	for i := range int(in.NSrc) {
		float &= s.At(s.Src(v, i).Val).Float
	}
	s.At(moved).Float = float
	b := in.Block()
	s.ReplaceUses(v, s.All(moved))
	s.Remove(v)
	c.B.AtStart(b)
	c.B.Insert(moved)
	return true
}

func sameRead(a, b ir.Src) bool {
	for i := range int(a.N) {
		if a.Swz.Comp(i) != b.Swz.Comp(i) {
			return false
		}
	}
	return true
}

// PhisToScalar splits phis of vectors into phis of scalars.
func PhisToScalar(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for next := s.First(b); next != 0; {
			v, in := next, s.At(next)
			if in.Kind != kind.Phi {
				break
			}
			next = in.Next()
			if in.Comps > 1 {
				c.splitPhi(v)
				changed = true
			}
		}
	}
	return changed
}

func (c context) splitPhi(v ir.Value) {
	s := c.S
	in := s.At(v)
	b := in.Block()
	var parts [16]ir.Src
	c.B.Loc = in.Loc
	for i := range int(in.Comps) {
		c.B.AtStart(b)
		p := c.B.Phi(1, in.Bits, int(in.NSrc))
		for k := range int(in.NSrc) {
			s.AddPhiSrc(p, s.PhiPred(v, k), s.Src(v, k).Comp(i))
		}
		parts[i] = s.All(p)
	}
	c.B.AtStart(b)
	r := pass.Vec(c.B, parts[:in.Comps])
	s.ReplaceUses(v, r)
	s.Remove(v)
}

// OutOfSSA replaces phis with registers: a store at the end of each predecessor, and a load in place of the phi. The load
// creates a new value before any register is written again, and the stores read values, never registers. Neither the
// lost-copy nor the swap problem can therefore occur; the back end coalesces the copies. Values that leave a loop in
// different iterations also go through a register (see leaveTrips).
func OutOfSSA(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	c.CFG.Build(s, c.F)
	c.Div.Build(s, c.F, &c.CFG)
	changed := c.Div.Apart() && c.keepTrips()
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Phi {
				break
			}
			c.phiToReg(v)
			changed = true
		}
	}
	return changed
}

// keepTrips passes the values that leave a loop in different iterations through registers.
func (c context) keepTrips() (changed bool) {
	s := c.S
	for _, b := range c.CFG.Blocks {
		if c.CFG.Loop[b] == 0 {
			continue
		}
		for v := range s.Instrs(b) {
			if int(v) < c.Div.NumValues() && analysis.UsedOutside(s, v, b) {
				changed = c.leaveTrips(v) || changed
			}
		}
	}
	return changed
}

// computedAt returns the location of a value, or 0 for a constant or an undefined value, which only has the location of
// its first use.
func computedAt(s *ir.Shader, v ir.Value) ir.Loc {
	if in := s.At(v); in.Kind != kind.LoadConst && in.Kind != kind.Undef {
		return in.Loc
	}
	return 0
}

func (c context) phiToReg(v ir.Value) {
	s := c.S
	in := s.At(v)
	r := s.Regs.New(in.Comps, in.Bits)
	s.Regs.At(r).Divergent = c.Div.Value(v)
	loc := in.Loc // if the phi has none, the location of the first computed value that it selects
	for i := 0; i < int(in.NSrc) && loc == 0; i++ {
		loc = computedAt(s, s.Src(v, i).Val)
	}
	for i := range int(in.NSrc) {
		x := s.Src(v, i)
		if s.At(x.Val).Kind == kind.Undef {
			continue
		}
		c.B.AtEnd(s.PhiPred(v, i))
		c.B.Loc = cmp.Or(in.Loc, computedAt(s, x.Val), loc)
		c.B.StoreReg(x, r, 1<<in.Comps-1)
	}
	b := in.Block()
	c.B.AtStart(b)
	c.B.Loc = loc
	n := c.B.LoadReg(in.Comps, in.Bits, r)
	s.ReplaceUses(v, n)
	s.Remove(v)
}
