package pass

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// DeadCode removes instructions whose results nothing reads and that have no
// effect, dead cycles of phis included.
func DeadCode(c *Context) bool {
	s := c.S
	c.marks = cleared(c.marks, s.NumValues())
	work := c.values[:0]
	mark := func(v ir.Value) {
		if v != 0 && !c.marks[v] {
			c.marks[v] = true
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
	c.values = work
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if !c.marks[v] {
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
			if !c.marks[v] {
				s.Remove(v)
			}
		}
	}
	return true
}

// DeadVars drops private variables that no deref names.
func DeadVars(c *Context) bool {
	s := c.S
	used := cleared(c.marks, s.NumVars())
	c.marks = used
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
	for x := range s.Vars(promotable | kind.ModeShared) {
		if !used[x] {
			s.RemoveVar(x)
			changed = true
		}
	}
	return changed
}
