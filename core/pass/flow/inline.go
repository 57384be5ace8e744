package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// InlineFunctions replaces all calls with the bodies of the called functions: only the entry point is left. Returns must
// have been lowered. There is no recursion, since the reader rejects it.
func InlineFunctions(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := c.inlineAll()
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
	c.F = entry
	return changed
}

// inlineAll inlines the calls of every function.
func (c context) inlineAll() bool {
	s := c.S
	done := make([]bool, s.NumFuncs())
	vars := make([][]ir.Var, s.NumFuncs())
	for x := range s.Vars(kind.ModeFunctionTemp) {
		f := s.Var(x).Func
		vars[f] = append(vars[f], x)
	}
	changed := false
	for f := range s.Funcs() {
		changed = c.inlineInto(f, done, vars) || changed
	}
	return changed
}

// inlineInto inlines the calls of f; vars are the variables of each function.
func (c context) inlineInto(f ir.Func, done []bool, vars [][]ir.Var) bool {
	if done[f] {
		return false
	}
	done[f] = true
	s := c.S
	changed := false
	for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
		c.splitCalls(b)
		for v := s.First(b); v != 0; {
			next := s.At(v).Next()
			if s.At(v).Kind == kind.Call {
				callee := ir.Func(s.Words(v)[kind.FieldCallCallee])
				c.inlineInto(callee, done, vars)
				// The instructions after the call are now in a later block.
				b, next = c.inlineCall(v, callee, f, vars)
				changed = true
			}
			v = next
		}
	}
	return changed
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
func (c context) inlineCall(call ir.Value, callee, into ir.Func, vars [][]ir.Var) (ir.Node, ir.Value) {
	s := c.S
	b := s.At(call).Block()
	cl := &c.Cloner
	cl.Start(s)
	for _, x := range vars[callee] {
		info := *s.Var(x)
		info.Func = into
		copied := s.NewVar(info)
		cl.SetVar(x, copied)
		vars[into] = append(vars[into], copied)
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
