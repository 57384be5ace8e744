package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/vars"
	"jacquard.example/generated/kind"
)

// KeepQuads lets the invocations that a fragment shader discards go on where operations that need
// whole quads follow: derivatives, implicit levels of detail, and exchange within quads. By the letter these are undefined
// then (Vulkan specification, "Derivative Operations"), but shaders rely on them, and drivers keep the quads. The
// invocation becomes a helper, continues after the construct that it was discarded in, and ends when its quad has none alive.
// A loop need not end for it. So all loops around or after the discard are left by the invocations that were
// discarded as soon as no living invocation of their quad is in them. OpTerminateInvocation asks that none of this is done.
//
// The pass runs while private variables are in memory, so that those who go on find there what they stored last.
// It leaves alone what [DiscardToDemote] can do without, which drops what turns out to be unnecessary.
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

// order is where things are in the entry point, by the numbers of blocks, which start with 1.
type order struct {
	halts []place
	loops []span // that repeat
	loop  int    // the last block of the last of them
	quads int    // behind the last block after which an operation can follow that needs whole quads
}

type place struct {
	block ir.Node
	at    int
}

// span is a loop with the number of its last block.
type span struct {
	node        ir.Node
	first, last int
}

// order numbers the blocks.
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

// number finds the places of the halts and of the loops.
func (o *order) number(c context) {
	s := c.S
	c.CFG.Build(s, s.Entry())
	at := make([]int32, s.NumNodes()) // by loop: its place in the list, from 1
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
		again := -1 // the outermost loop around the block that repeats
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

// falls reports whether something follows a block that ends with a jump, if it did not.
func (c context) falls(b ir.Node) bool {
	return c.S.NextNode(b) != 0 || c.S.NodeKind(c.S.Parent(b)) != ir.NodeFunc
}

// abandon lets invocations that were killed leave a loop that no living one of their quad would repeat: where its
// body ends or, if there are other ways to repeat it, where it starts again.
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

// leave makes the first arm of an if leave its loop.
func (c context) leave(n ir.Node) {
	c.B.AtEnd(c.S.Then(n))
	c.B.Jump(kind.JumpBreak)
}
