package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Divergence says which values may differ between the invocations of a
// subgroup that run an instruction together. A value that is not divergent can
// be computed once.
type Divergence struct {
	val   []bool // by value
	loops []bool // by node: a loop that invocations leave or repeat at different times
	regs  []bool // by register
}

// Value reports whether a value may differ between invocations.
func (d *Divergence) Value(v ir.Value) bool { return d.val[v] }

// Loop reports whether invocations may leave a loop in different iterations.
func (d *Divergence) Loop(n ir.Node) bool { return d.loops[n] }

// Reg reports whether a register may differ between invocations.
func (d *Divergence) Reg(r uint32) bool { return d.regs[r] }

// Build computes divergence in f by iteration from "everything is uniform".
func (d *Divergence) Build(s *ir.Shader, f ir.Func, g *CFG) {
	d.val = reuse.Slice(d.val, s.NumValues())
	d.loops = reuse.Slice(d.loops, s.NumNodes())
	d.regs = reuse.Slice(d.regs, int(s.NumRegs()))
	clear(d.val)
	clear(d.loops)
	for r := range d.regs {
		d.regs[r] = s.Reg(uint32(r)).Divergent
	}
	for changed := true; changed; {
		changed = false
		for bi, b := range g.Blocks {
			for v := range s.Instrs(b) {
				if !d.val[v] && d.diverges(s, g, bi, v) {
					d.val[v], changed = true, true
				}
				if s.At(v).Intrinsic() == intrinsic.StoreReg {
					r := s.Index(v, intrinsic.IxReg)
					if !d.regs[r] && d.val[s.SrcVal(v, 0)] {
						d.regs[r], changed = true, true
					}
				}
			}
			if j := s.Jump(b); j != 0 && d.markLoops(s, b, j) {
				changed = true
			}
		}
	}
}

// markLoops marks the loops that a jump lets some invocations leave, or go on
// in, before the others.
func (d *Divergence) markLoops(s *ir.Shader, b ir.Node, j ir.Value) bool {
	k := kind.JumpKind(s.At(j).Op)
	changed := false
	div := false
	for n := s.Parent(b); n != 0; n = s.Parent(n) {
		switch s.NodeKind(n) {
		case ir.NodeIf:
			div = div || d.val[s.Cond(n).Val]
		case ir.NodeLoop:
			if div && !d.loops[n] {
				d.loops[n], changed = true, true
			}
			if k == kind.JumpBreak || k == kind.JumpContinue {
				return changed
			}
			div = div || d.loops[n]
		}
	}
	return changed
}

func (d *Divergence) diverges(s *ir.Shader, g *CFG, bi int, v ir.Value) bool {
	in := s.At(v)
	if !in.HasResult() {
		return false
	}
	if d.leavesLoop(s, g, v) {
		return true
	}
	switch in.Kind {
	case kind.LoadConst, kind.Undef:
		return false
	case kind.Phi:
		return d.phi(s, g, bi, v)
	case kind.Intrinsic:
		switch u := in.Intrinsic().Info().Uniform; {
		case u != intrinsic.UniformAsSources:
			return u == intrinsic.UniformNever
		case in.Intrinsic() == intrinsic.LoadReg:
			return d.regs[s.Index(v, intrinsic.IxReg)]
		}
	}
	for i := range int(in.NSrc) {
		if d.val[s.SrcVal(v, i)] {
			return true
		}
	}
	return false
}

// leavesLoop reports whether v is read outside a loop that invocations leave at
// different times: each then needs the value of its own last iteration.
func (d *Divergence) leavesLoop(s *ir.Shader, g *CFG, v ir.Value) bool {
	def := s.LoopOf(s.At(v).Block())
	if def == 0 {
		return false
	}
	for u := range s.Uses(v) {
		at := u.If
		if at == 0 {
			if s.At(u.User).Kind == kind.Phi {
				at = s.PhiPred(u.User, u.Index)
				// A phi reads at the end of its predecessor, which is in the
				// loop; what counts is where the phi itself stands.
				if s.LoopOf(s.At(u.User).Block()) != s.LoopOf(at) {
					at = s.At(u.User).Block()
				}
			} else {
				at = s.At(u.User).Block()
			}
		}
		for l := def; l != 0; l = s.LoopOf(l) {
			if d.loops[l] && !inside(s, at, l) {
				return true
			}
		}
	}
	return false
}

func inside(s *ir.Shader, n, loop ir.Node) bool {
	for ; n != 0; n = s.Parent(n) {
		if n == loop {
			return true
		}
	}
	return false
}

func (d *Divergence) phi(s *ir.Shader, g *CFG, bi int, v ir.Value) bool {
	in := s.At(v)
	first := s.Operand(v, 0)
	same := true
	for i := range int(in.NSrc) {
		r := s.Operand(v, i)
		if d.val[r.Val] {
			return true
		}
		same = same && (r.Val == first.Val && r.Swz == first.Swz)
	}
	if same {
		return false
	}
	b := g.Blocks[bi]
	if prev := s.PrevNode(b); prev != 0 {
		switch s.NodeKind(prev) {
		case ir.NodeIf:
			return d.val[s.Cond(prev).Val]
		case ir.NodeLoop:
			return d.loops[prev]
		}
		return false
	}
	// The first block of a loop: different values may come along different
	// back edges when some invocations continue before others.
	if l := s.Parent(b); s.NodeKind(l) == ir.NodeLoop && in.NSrc > 2 {
		return d.loops[l]
	}
	return false
}
