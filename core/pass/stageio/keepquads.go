// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/vars"
	"jacquard.example/generated/kind"
)

// KeepQuads keeps discarded invocations running as helpers if quad operations follow: derivatives, implicit levels of
// detail, and exchanges within quads. Strictly, the results of these are undefined (Vulkan specification, "Derivative
// Operations"), but shaders rely on them, and drivers keep quads whole. A discarded invocation becomes a helper,
// continues after the construct that contains the discard, and ends when no invocation of its quad is alive. Since a
// loop need not end for a helper, discarded invocations leave every loop around or after the discard as soon as no live
// invocation of their quad repeats it. OpTerminateInvocation opts out.
//
// The pass runs while private variables are in memory, so that an invocation that continues finds the values it stored
// last there. It does nothing if [DiscardToDemote] can handle all discards. DiscardToDemote also removes the code that
// turns out to be unnecessary.
func KeepQuads(pc *pass.Context) bool {
	c := context{pc}
	s := c.S
	if s.Info.Stage != kind.StageFragment {
		return false
	}
	order := c.order()
	var halts []ir.Node
	first, plain := 0, true
	for _, p := range order.halts {
		if p.at >= order.quads || !c.falls(p.block) {
			continue
		}
		if len(halts) == 0 {
			first = p.at
		}
		halts = append(halts, p.block)
		plain = plain && c.optional(p.block)
	}
	if len(halts) == 0 || plain && order.loop <= first && c.noticed() <= first {
		return false
	}
	flow.DemotePhis(pc, s.Entry())
	for _, b := range halts {
		s.Remove(s.Jump(b))
		c.B.AtEnd(b)
		c.B.Kill()
		gone := c.B.QuadIsGone()
		c.B.AtEnd(s.Then(s.InsertIf(b, gone)))
		c.B.Jump(kind.JumpTerminate)
	}
	for _, l := range order.loops {
		if l.last > first {
			c.abandon(l.node)
		}
	}
	vars.RepairSSA(pc, s.Entry())
	return true
}

// order has the positions of discards, loops and quad operations in the entry point, as block numbers starting with 1.
type order struct {
	halts []place
	loops []span // loops with a back edge
	loop  int    // the last block of the last loop
	quads int    // just past the last block after which a quad operation can follow
}

type place struct {
	block ir.Node
	at    int
}

// span is a loop with the numbers of its first and last block.
type span struct {
	node        ir.Node
	first, last int
}

// order numbers the blocks. The result is zero if there are no discards or no quad operations.
func (c context) order() (o order) {
	s := c.S
	quads := false
	for b := range s.Blocks(s.Entry()) {
		if j := s.Jump(b); j != 0 && kind.JumpKind(s.At(j).Op) == kind.JumpHalt {
			o.halts = append(o.halts, place{b, 0})
		}
		quads = quads || c.quads(b)
	}
	if !quads || len(o.halts) == 0 {
		return order{}
	}
	o.number(c)
	return o
}

// number numbers the blocks in their order. It sets the positions of the halts, and finds the loops and the last block
// after which a quad operation can follow.
func (o *order) number(c context) {
	s := c.S
	c.CFG.Build(s, s.Entry())
	at := make([]int32, s.NumNodes()) // by loop: its index in loops plus 1
	n, halt := 0, 0
	for b := range s.Blocks(s.Entry()) {
		n++
		if halt < len(o.halts) && o.halts[halt].block == b {
			o.halts[halt].at = n
			halt++
		}
		if l := s.LoopOf(b); l != 0 && b == s.Body(l) && len(c.CFG.Preds(int(c.CFG.Index[b]))) > 1 {
			o.loops = append(o.loops, span{node: l, first: n})
			at[l] = int32(len(o.loops))
		}
		again := -1 // the outermost loop around the block, if it repeats
		for l := s.LoopOf(b); l != 0; l = s.LoopOf(l) {
			if i := int(at[l]) - 1; i >= 0 {
				o.loops[i].last, o.loop, again = n, n, i
			}
		}
		if c.quads(b) {
			o.quads = n
			if again >= 0 {
				o.quads = -1 - again
			}
		}
	}
	if o.quads < 0 {
		o.quads = o.loops[-1-o.quads].last + 1
	}
}

// falls reports whether anything would follow block b if its jump were removed.
func (c context) falls(b ir.Node) bool {
	return c.S.NextNode(b) != 0 || c.S.NodeKind(c.S.Parent(b)) != ir.NodeFunc
}

// abandon inserts a check that lets killed invocations leave a loop if no live invocation of their quad would repeat
// it. The check is at the end of the body or, if continues also repeat the loop, at its start.
func (c context) abandon(loop ir.Node) {
	s := c.S
	header := s.Body(loop)
	end := s.BodyEnd(loop)
	again := c.CFG.Preds(int(c.CFG.Index[header]))
	if s.Jump(end) == 0 && len(again) == 2 {
		c.B.AtEnd(end)
		c.leave(s.InsertIf(end, c.B.IsAbandoned()))
		return
	}
	flag := s.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Func: s.Entry(), Location: -1, Type: s.Types.Scalar(ir.TypeBool, 1)})
	c.B.AtEnd(s.PrevNode(loop))
	c.B.StoreDeref(s.All(c.B.DerefVar(flag)), c.B.Const(1, 0), 1, 0)
	c.B.AtStart(header)
	repeats := c.B.LoadDeref(1, 1, s.All(c.B.DerefVar(flag)), 0)
	c.B.StoreDeref(s.All(c.B.DerefVar(flag)), c.B.Const(1, 1), 1, 0)
	leaves := c.B.IAnd(repeats, c.B.IsAbandoned())
	s.SplitBlock(header, s.At(leaves.Val).Next())
	c.leave(s.InsertIf(header, leaves))
}

// leave ends the then arm of an if with a break.
func (c context) leave(n ir.Node) {
	c.B.AtEnd(c.S.Then(n))
	c.B.Jump(kind.JumpBreak)
}
