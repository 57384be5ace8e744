package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// LoopBefore puts a loop before v. init are the values that it carries from
// turn to turn; body gets them, and returns what they become and the condition
// to leave by. The results stand behind the loop; the builder stands before v,
// whose block is another one now.
func LoopBefore(c *pass.Context, v ir.Value, init []ir.Src, body func(cur []ir.Src) (next []ir.Src, done ir.Src)) []ir.Src {
	s, b := c.S, c.B
	before := s.SplitFront(v)
	loop := s.InsertLoopBetween(before)
	first := s.Body(loop)
	b.AtEnd(first)
	phis := make([]ir.Value, len(init))
	cur := make([]ir.Src, len(init))
	for i, r := range init {
		phis[i] = b.Phi(1, s.At(r.Val).Bits, 2)
		cur[i] = s.All(phis[i])
	}
	b.AtEnd(first)
	next, done := body(cur)
	iff := s.InsertIf(first, done)
	b.AtEnd(s.Then(iff))
	b.Jump(kind.JumpBreak)
	end := s.NextNode(iff)
	for i := range init {
		s.AddPhiSrc(phis[i], before, init[i])
		s.AddPhiSrc(phis[i], end, next[i])
	}
	b.Before(v)
	return next
}

// IfBefore puts an empty if before v, whose block it splits.
func IfBefore(c *pass.Context, v ir.Value, cond ir.Src) ir.Node {
	s := c.S
	before := s.SplitFront(v)
	return s.InsertIfBetween(before, cond)
}

// Join inserts the phi of what the two arms of an if give, if they give anything.
func Join(c *pass.Context, then, els ir.Src, ends [2]ir.Node) ir.Src {
	if then.Val == 0 {
		return ir.Src{}
	}
	phi := c.B.Phi(then.N, c.S.At(then.Val).Bits, 2)
	c.S.AddPhiSrc(phi, ends[0], then)
	c.S.AddPhiSrc(phi, ends[1], els)
	return c.S.All(phi)
}
