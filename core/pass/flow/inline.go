// SPDX-License-Identifier: MIT

package flow

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// InlineFunctions returns the pass that replaces all calls with the bodies of the called functions: only the entry point
// is left. Returns must have been lowered. There is no recursion, since the reader rejects it.
//
// Callees come first. A large function that several calls copy is first passed to simplify as the current function, with
// its number of instructions, so that code which constants make dead is not copied.
func InlineFunctions(simplify func(*pass.Context, int)) func(*pass.Context) bool {
	return func(pc *pass.Context) bool {
		s := pc.S
		i := inliner{context: in(pc), simplify: simplify}
		i.count()
		changed := false
		for f := range s.Funcs() {
			changed = i.inlineInto(f) || changed
		}
		entry := s.Entry()
		for f := range s.Funcs() {
			if f != entry {
				s.RemoveFunc(f)
				changed = true
			}
		}
		for x := range s.Vars(kind.ModeFunctionTemp) {
			if s.Var(x).Func != entry {
				s.Var(x).Removed = true
			}
		}
		pc.F = entry
		return changed
	}
}

// inliner holds the state of InlineFunctions.
type inliner struct {
	context
	simplify func(*pass.Context, int)
	done     []bool     // by function
	calls    []int      // by function: the number of calls of it in the original code
	vars     [][]ir.Var // by function: its variables
}

// count counts the calls of each function, and lists its variables.
func (c *inliner) count() {
	s := c.S
	n := s.NumFuncs()
	c.done, c.calls, c.vars = make([]bool, n), make([]int, n), make([][]ir.Var, n)
	for x := range s.Vars(kind.ModeFunctionTemp) {
		f := s.Var(x).Func
		c.vars[f] = append(c.vars[f], x)
	}
	if n <= 2 {
		return // there is only the entry point
	}
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Kind == kind.Call {
					c.calls[s.Words(v)[kind.FieldCallCallee]]++
				}
			}
		}
	}
}

// inlineInto inlines the calls of f.
func (c *inliner) inlineInto(f ir.Func) (changed bool) {
	if c.done[f] {
		return false
	}
	c.done[f] = true
	s := c.S
	for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
		c.splitCalls(b)
		for v := s.First(b); v != 0; {
			next := s.At(v).Next()
			if s.At(v).Kind == kind.Call {
				callee := ir.Func(s.Words(v)[kind.FieldCallCallee])
				c.inlineInto(callee)
				// The instructions after the call are now in a later block.
				b, next = c.inlineCall(v, callee, f)
				changed = true
			}
			v = next
		}
	}
	if c.calls[f] > 1 {
		c.beforeCopies(f)
	}
	return changed
}

// beforeCopies simplifies a function that is copied several times, if it is large and does not end invocations.
func (c *inliner) beforeCopies(f ir.Func) {
	n := c.size(f)
	if n < max(leastCopied, c.S.NumValues()/partCopied) || c.ends(f) {
		return
	}
	c.F = f
	c.simplify(c.Context, n)
	c.dropVars(f)
}

// dropVars drops the variables that a simplified function no longer uses, so that they are not copied.
func (c *inliner) dropVars(f ir.Func) {
	s := c.S
	used := reuse.Zeroed(c.Marks, s.NumVars())
	c.Marks = used
	for b := range s.Blocks(f) {
		for v := range s.Instrs(b) {
			if in := s.At(v); in.Kind == kind.Deref && in.DerefKind() == kind.DerefVar {
				used[s.DerefVar(v)] = true
			}
		}
	}
	c.vars[f] = slices.DeleteFunc(c.vars[f], func(x ir.Var) bool { return !used[x] })
}

// A function is simplified before it is copied if it has at least leastCopied instructions and at least 1/partCopied of
// the shader's values: each pass clears tables of all values.
const leastCopied, partCopied = 32, 128

// size returns the number of instructions of a function.
func (c *inliner) size(f ir.Func) (n int) {
	for b := range c.S.Blocks(f) {
		for range c.S.Instrs(b) {
			n++
		}
	}
	return n
}

// ends reports whether a function ends invocations. The variables of such a function have to stay in memory
// until keep_quads has run.
func (c *inliner) ends(f ir.Func) bool {
	s := c.S
	for b := range s.Blocks(f) {
		if j := s.Jump(b); j != 0 && kind.JumpKind(s.At(j).Op) >= kind.JumpHalt {
			return true
		}
	}
	return false
}

// splitCalls splits a block after each of its calls. It works backwards, so that
// each instruction is moved only once. The last part gets the successors of b.
func (c context) splitCalls(b ir.Node) {
	s := c.S
	last := b
	for v := s.Last(b); v != 0; {
		prev := s.At(v).Prev()
		if s.At(v).Kind == kind.Call {
			if rest := s.SplitBlock(b, s.At(v).Next()); last == b {
				last = rest
			}
		}
		v = prev
	}
	if last != b {
		retarget(c.Context, Successors(c.Context, last), b, last)
	}
}

// inlineCall replaces a call, the last instruction of its block, with a copy of
// callee. It returns the block that now contains the instructions after the call,
// and the first of these instructions.
func (c *inliner) inlineCall(call ir.Value, callee, into ir.Func) (ir.Node, ir.Value) {
	s := c.S
	b := s.At(call).Block()
	cl := &c.Cloner
	cl.Start(s)
	for _, x := range c.vars[callee] {
		info := *s.Var(x)
		info.Func = into
		copied := s.NewVar(info)
		cl.SetVar(x, copied)
		c.vars[into] = append(c.vars[into], copied)
	}
	for n := range s.Blocks(callee) {
		for v := range s.Instrs(n) {
			if s.At(v).Intrinsic() == intrinsic.LoadParam {
				// Arguments are read as whole values; a swizzled argument is copied.
				cl.SetValue(v, c.wholeArg(call, int(s.Index(v, intrinsic.IxParam))))
			}
		}
	}
	cl.Skip = func(v ir.Value) bool { return s.At(v).Intrinsic() == intrinsic.LoadParam }
	last := cl.List(s.FirstBlock(callee), b)
	s.Remove(call)
	rest := s.NextNode(last)
	behind := s.First(rest)
	if j := s.Jump(last); j != 0 {
		c.jumpAlways(j)
		return rest, behind
	}
	MovePhiPreds(c.Context, rest, last)
	s.MergeBlocks(last)
	return last, behind
}

// jumpAlways moves a jump that ends the invocation into an arm of an if that is always taken, so that code may follow
// it. Dead control flow is removed later.
func (c context) jumpAlways(j ir.Value) {
	s := c.S
	b := s.At(j).Block()
	how := kind.JumpKind(s.At(j).Op)
	c.B.Before(j)
	always := c.B.True()
	s.Remove(j)
	c.B.AtEnd(s.Then(s.InsertIf(b, always)))
	c.B.Jump(how)
}

func (c context) wholeArg(call ir.Value, i int) ir.Value {
	s := c.S
	r := s.Src(call, i)
	if r.Swz == ir.Identity && r.N == s.At(r.Val).Comps {
		return r.Val
	}
	c.B.Before(call)
	return c.B.Mov(r).Val
}
