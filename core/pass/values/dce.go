// SPDX-License-Identifier: MIT

package values

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// DeadCode removes instructions without side effects whose results are unused,
// including dead cycles of phis.
func DeadCode(pc *pass.Context) bool {
	c := in(pc)
	dead := c.findUnused()
	if c.mayHaveDeadCycle() {
		dead = c.findUnread()
	}
	if !dead {
		return false
	}
	s := c.S
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for v := s.First(b); v != 0; {
			next := s.At(v).Next()
			if c.Marks[v] {
				s.Remove(v)
			}
			v = next
		}
	}
	return true
}

// mayHaveDeadCycle reports whether a loop may carry a value from one iteration to the next that is used only to compute
// itself.
func (c context) mayHaveDeadCycle() bool {
	s := c.S
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		n := s.NextNode(b)
		if n == 0 || s.NodeKind(n) != ir.NodeLoop {
			continue
		}
		for v := s.First(s.Body(n)); v != 0 && s.At(v).Kind == kind.Phi; v = s.At(v).Next() {
			if s.At(v).Used() && !c.reachesEffect(v) {
				return true
			}
		}
	}
	return false
}

// nearUses is the number of instructions that reachesEffect examines.
const nearUses = 16

// reachesEffect reports whether an instruction with a side effect is found to depend on a phi. It examines only a few
// instructions.
func (c context) reachesEffect(phi ir.Value) bool {
	s := c.S
	var list [nearUses]ir.Value
	list[0] = phi
	n := 1
	for at := 0; at < n; at++ {
		for u := range s.Uses(list[at]) {
			if u.If != 0 {
				return true
			}
			switch k := s.At(u.User).Kind; {
			case k != kind.ALU && !s.CanEliminate(u.User):
				return true
			case k == kind.Phi && slices.Contains(list[:n], u.User):
				continue
			case n == nearUses:
				return false
			}
			list[n] = u.User
			n++
		}
	}
	return false
}

// findUnused marks unused instructions, and instructions that only those use. It clears the sources of the marked
// instructions, and reports whether there are any.
func (c context) findUnused() bool {
	s := c.S
	work := c.Values[:0]
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for v := s.First(b); v != 0; {
			in := s.At(v)
			if !in.Used() && (in.Kind == kind.ALU || s.CanEliminate(v)) {
				work = append(work, v)
			}
			v = in.Next()
		}
	}
	c.Values = work
	if len(work) == 0 {
		return false
	}
	c.Marks = reuse.Zeroed(c.Marks, s.NumValues())
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		c.Marks[v] = true
		for i := range int(s.At(v).NSrc) {
			x := s.Src(v, i).Val
			if x == 0 {
				continue
			}
			s.SetSrc(v, i, ir.Src{})
			if y := s.At(x); !y.Used() && (y.Kind == kind.ALU || s.CanEliminate(x)) {
				work = append(work, x)
			}
		}
	}
	c.Values = work
	return true
}

// findUnread replaces findUnused in functions with values that use each other in a cycle: it marks all instructions that
// no side effect depends on, clears their sources, and reports whether there are any.
func (c context) findUnread() bool {
	s := c.S
	c.Marks = reuse.Slice(c.Marks, s.NumValues())
	for v := range c.Marks {
		c.Marks[v] = true
	}
	work := c.Values[:0]
	keep := func(v ir.Value) {
		if v != 0 && c.Marks[v] {
			c.Marks[v] = false
			work = append(work, v)
		}
	}
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		if n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf {
			keep(s.Cond(n).Val)
		}
		for v := s.First(b); v != 0; {
			in := s.At(v)
			if in.Kind != kind.ALU && !s.CanEliminate(v) {
				keep(v)
			}
			v = in.Next()
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range int(s.At(v).NSrc) {
			keep(s.Src(v, i).Val)
		}
	}
	c.Values = work
	dead := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for v := s.First(b); v != 0; v = s.At(v).Next() {
			if c.Marks[v] {
				for i := range int(s.At(v).NSrc) {
					s.SetSrc(v, i, ir.Src{})
				}
				dead = true
			}
		}
	}
	return dead
}

// DeadVars removes private and workgroup variables that no deref refers to.
func DeadVars(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	none := true
	for range s.Vars(pass.Promotable | kind.ModeShared) {
		none = false
		break
	}
	if none {
		return false
	}
	used := reuse.Zeroed(c.Marks, s.NumVars())
	c.Marks = used
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if in := s.At(v); in.Kind == kind.Deref && in.DerefKind() == kind.DerefVar {
					used[s.Words(v)[kind.FieldDerefVarVar]] = true
				}
			}
		}
	}
	changed := false
	for x := range s.Vars(pass.Promotable | kind.ModeShared) {
		if !used[x] {
			s.Var(x).Removed = true
			changed = true
		}
	}
	return changed
}
