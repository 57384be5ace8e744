package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// DeadCode removes instructions without side effects whose results are unused,
// including dead cycles of phis.
func DeadCode(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	if !s.MayHave(cycles) && !c.anyUnused() {
		return false
	}
	c.Marks = reuse.Zeroed(c.Marks, s.NumValues())
	work := c.Values[:0]
	mark := func(v ir.Value) {
		if v != 0 && !c.Marks[v] {
			c.Marks[v] = true
			work = append(work, v)
		}
	}
	for b := range s.Blocks(c.F) {
		if n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf {
			mark(s.Cond(n).Val)
		}
		for v := range s.Instrs(b) {
			if !s.CanEliminate(v) {
				mark(v)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range int(s.At(v).NSrc) {
			mark(s.SrcVal(v, i))
		}
	}
	c.Values = work
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if !c.Marks[v] {
				s.ClearSrcs(v)
				changed = true
			}
		}
	}
	if !changed {
		return false
	}
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if !c.Marks[v] {
				s.Remove(v)
			}
		}
	}
	return true
}

// cycles are the instructions that values which use each other go through.
var cycles = ir.Kinds(kind.Phi)

// anyUnused reports whether there is an instruction without side effects that nothing reads.
func (c context) anyUnused() bool {
	s := c.S
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for v := s.First(b); v != 0; {
			in := s.At(v)
			if !in.Used() && s.CanEliminate(v) {
				return true
			}
			v = in.Next()
		}
	}
	return false
}

// DeadVars removes private variables that no deref refers to.
func DeadVars(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	used := reuse.Zeroed(c.Marks, s.NumVars())
	c.Marks = used
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if in := s.At(v); in.Kind == kind.Deref && in.DerefKind() == kind.DerefVar {
					used[s.Word(v, kind.FieldDerefVarVar)] = true
				}
			}
		}
	}
	changed := false
	for x := range s.Vars(pass.Promotable | kind.ModeShared) {
		if !used[x] {
			s.RemoveVar(x)
			changed = true
		}
	}
	return changed
}
