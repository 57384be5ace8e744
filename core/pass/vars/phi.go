package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// RemovePhis replaces phis that join only one value, besides themselves and
// undefined values that this value dominates.
func RemovePhis(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for again := true; again; {
		again = false
		for b := range s.Blocks(c.F) {
			for v := range s.Instrs(b) {
				if s.At(v).Kind != kind.Phi {
					break
				}
				if r, ok := c.onlySource(v); ok {
					s.ReplaceUses(v, r)
					s.Remove(v)
					again, changed = true, true
				}
			}
		}
	}
	return changed
}

func (c context) onlySource(v ir.Value) (ir.Src, bool) {
	s := c.S
	var one ir.Src
	in := s.At(v)
	for i := range int(in.NSrc) {
		r := s.Operand(v, i)
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
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			if in.Kind != kind.Phi {
				break
			}
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
			s.AddPhiSrc(p, s.PhiPred(v, k), s.Operand(v, k).Comp(i))
		}
		parts[i] = s.All(p)
	}
	c.B.AtStart(b)
	r := pass.Vec(c.B, parts[:in.Comps])
	s.ReplaceUses(v, r)
	s.Remove(v)
}

// OutOfSSA replaces phis by registers: a store at the end of each predecessor, a
// load in place of the phi. The load creates a new value before any register is
// written again, and the stores read values, never registers, so that neither the
// lost-copy nor the swap problem can occur; the back end coalesces the copies. Values
// that leave a loop in different iterations also go through a register (see
// leaveTrips).
func OutOfSSA(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	c.CFG.Build(s, c.F)
	c.Div.Build(s, c.F, &c.CFG)
	changed := false
	for _, b := range c.CFG.Blocks {
		for v := range s.Instrs(b) {
			if c.CFG.Loop[b] != 0 && int(v) < c.Div.NumValues() {
				changed = c.leaveTrips(v) || changed
			}
		}
	}
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Phi {
				continue
			}
			c.phiToReg(v)
			changed = true
		}
	}
	return changed
}

func (c context) phiToReg(v ir.Value) {
	s := c.S
	in := s.At(v)
	r := s.NewReg(in.Comps, in.Bits)
	s.Reg(r).Divergent = c.Div.Value(v)
	for i := range int(in.NSrc) {
		x := s.Operand(v, i)
		if s.At(x.Val).Kind == kind.Undef {
			continue
		}
		c.B.AtEnd(s.PhiPred(v, i))
		c.B.Loc = in.Loc
		c.B.StoreReg(x, r, 1<<in.Comps-1)
	}
	b := in.Block()
	c.B.AtStart(b)
	c.B.Loc = in.Loc
	n := c.B.LoadReg(in.Comps, in.Bits, r)
	s.ReplaceUses(v, n)
	s.Remove(v)
}
