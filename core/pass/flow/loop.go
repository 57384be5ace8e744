// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// context is the pass.Context with this package's methods.
type context struct{ *pass.Context }

func in(c *pass.Context) context { return context{c} }

// LoopBefore inserts a loop before v. init are the initial values of the loop-carried scalars; body receives the current
// values, and returns the next values and the exit condition. LoopBefore returns the values after the loop. It leaves
// the builder before v, which is now in another block.
func LoopBefore(c *pass.Context, v ir.Value, init []ir.Src, body func(cur []ir.Src) (next []ir.Src, done ir.Src)) []ir.Src {
	s, b := c.S, c.B
	before := s.SplitFront(v)
	loop := s.InsertLoop(before)
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

// IfBefore inserts an empty if before v, splitting its block, and returns the if.
func IfBefore(c *pass.Context, v ir.Value, cond ir.Src) ir.Node {
	s := c.S
	before := s.SplitFront(v)
	return s.InsertIf(before, cond)
}

// Join inserts a phi of the results of the two arms of an if, which end with blocks ends. If the arms have no results, it
// returns the zero Src.
func Join(c *pass.Context, then, els ir.Src, ends [2]ir.Node) ir.Src {
	if then.Val == 0 {
		return ir.Src{}
	}
	phi := c.B.Phi(then.N, c.S.At(then.Val).Bits, 2)
	c.S.AddPhiSrc(phi, ends[0], then)
	c.S.AddPhiSrc(phi, ends[1], els)
	return c.S.All(phi)
}
