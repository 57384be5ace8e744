// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/vars"
	"jacquard.example/generated/kind"
)

// LowerReturns removes all returns, since a function also returns at its end. The code that a return skips moves into
// the arm of the if that does not return, or is guarded by a flag; a return from a loop becomes a break. In functions
// with returns, phis are first demoted to variables. Values that no longer dominate their uses afterwards get phis.
func LowerReturns(pc *pass.Context) bool {
	c := in(pc)
	changed := false
	for f := range c.S.Funcs() {
		if returns, phis := c.returnsOf(f); returns && phis {
			c.demotePhis(f)
		}
		r := returns{c: c, s: c.S, f: f}
		if _, did := r.list(c.S.Body(c.S.Func(f).Node), false); did {
			vars.RepairSSA(pc, f)
			changed = true
		}
	}
	return changed
}

type returns struct {
	c    context
	s    *ir.Shader
	f    ir.Func
	flag ir.Var // true once the invocation has returned
}

// outcome describes how control leaves a list of nodes.
type outcome struct {
	may    bool // some path returns
	always bool // every path to the end of the list has returned
}

// list removes the returns from a list; loop is set if the list is in a loop.
func (r *returns) list(first ir.Node, loop bool) (out outcome, changed bool) {
	s := r.s
	for n := first; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			j := s.Jump(n)
			if j == 0 {
				continue
			}
			r.dropAfter(n)
			if kind.JumpKind(s.At(j).Op) != kind.JumpReturn {
				return out, changed
			}
			r.set(n)
			s.Remove(j)
			if loop {
				r.c.B.AtEnd(n)
				r.c.B.Jump(kind.JumpBreak)
			}
			return outcome{may: true, always: true}, true
		case ir.NodeLoop:
			body, did := r.list(s.Body(n), true)
			changed = changed || did
			if !body.may {
				continue
			}
			out.may = true
			rest := s.NextNode(n)
			if loop {
				r.guardedBreak(rest)
				continue
			}
			if r.emptyTail(rest) {
				continue
			}
			o, _ := r.list(rest, loop)
			r.guard(rest)
			out.always = o.always
			return out, true
		case ir.NodeIf:
			t, d1 := r.list(s.Then(n), loop)
			e, d2 := r.list(s.Else(n), loop)
			changed = changed || d1 || d2
			if !t.may && !e.may {
				continue
			}
			out.may = true
			rest := s.NextNode(n)
			if t.always && e.always {
				r.drop(rest)
				out.always = true
				return out, true
			}
			if loop || r.emptyTail(rest) {
				continue // arms that return end with a break, or nothing follows them
			}
			o, _ := r.list(rest, loop)
			switch {
			case t.always && !e.may:
				r.moveInto(rest, s.ElseEnd(n))
			case e.always && !t.may:
				r.moveInto(rest, s.ThenEnd(n))
			default:
				r.guard(rest)
			}
			out.always = o.always
			return out, true
		}
	}
	return out, changed
}

// emptyTail reports whether block b is empty and the last node of its list.
func (r *returns) emptyTail(b ir.Node) bool { return r.s.First(b) == 0 && r.s.NextNode(b) == 0 }

// dropAfter removes the nodes after a block that ends in a jump.
func (r *returns) dropAfter(b ir.Node) {
	for n := r.s.NextNode(b); n != 0; n = r.s.NextNode(b) {
		r.s.RemoveNode(n)
	}
}

// drop empties block b and removes everything after it.
func (r *returns) drop(b ir.Node) {
	r.dropAfter(b)
	s := r.s
	for v := s.Last(b); v != 0; v = s.Last(b) {
		if in := s.At(v); in.Used() {
			r.c.B.AtStart(s.FirstBlock(r.f))
			s.ReplaceUses(v, r.c.B.Undef(in.Comps, in.Bits))
		}
		s.Remove(v)
	}
}

// set marks the invocation as returned at the end of block b, before its jump
// if it has one.
func (r *returns) set(b ir.Node) {
	flag := r.flagVar()
	r.c.B.AtEnd(b)
	r.c.B.StoreDeref(r.s.All(r.c.B.DerefVar(flag)), r.c.B.True(), 1, 0)
}

func (r *returns) flagVar() ir.Var {
	if r.flag == 0 {
		s := r.s
		r.flag = s.NewVar(ir.VarInfo{
			Name: s.Strs.Intern("returned"), Mode: kind.ModeFunctionTemp, Func: r.f, Location: -1,
			Type: s.Types.Scalar(ir.TypeBool, 1),
		})
		r.c.B.AtStart(s.FirstBlock(r.f))
		r.c.B.StoreDeref(s.All(r.c.B.DerefVar(r.flag)), r.c.B.False(), 1, 0)
	}
	return r.flag
}

// load loads the flag at the end of block b.
func (r *returns) load(b ir.Node) ir.Src {
	flag := r.flagVar()
	r.c.B.AtEnd(b)
	return r.c.B.LoadDeref(1, 1, r.s.All(r.c.B.DerefVar(flag)), 0)
}

// guardedBreak inserts "if returned: break" at the start of block b, which follows
// an inner loop.
func (r *returns) guardedBreak(b ir.Node) {
	s := r.s
	s.SplitBlock(b, s.First(b))
	n := s.InsertIf(b, r.load(b))
	r.c.B.AtEnd(s.Then(n))
	r.c.B.Jump(kind.JumpBreak)
}

// guard moves block b and everything after it under "if not returned".
func (r *returns) guard(b ir.Node) {
	s := r.s
	rest := s.SplitBlock(b, s.First(b))
	n := s.InsertIf(b, r.load(b))
	r.moveInto(rest, s.ElseEnd(n))
}

// moveSteps is the number of work steps for moving a node into another list.
const moveSteps = 16

// moveInto moves the instructions of block b and the nodes after it to the end of the arm that ends with block end.
// Block b stays, empty.
func (r *returns) moveInto(b, end ir.Node) {
	s := r.s
	for v := s.First(b); v != 0; {
		next := s.At(v).Next()
		s.MoveToEnd(v, end)
		v = next
	}
	if first := s.NextNode(b); first != 0 {
		last := first
		for s.NextNode(last) != 0 {
			r.c.Work.Spend(moveSteps)
			last = s.NextNode(last)
		}
		s.MoveNodes(first, last, end)
	}
}
