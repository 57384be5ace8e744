// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// DeadLoops removes loops without effects whose values are not used, if they are certain to end: a counter that changes
// by a constant meets a limit that does not change, or the number of iterations is known. The pass does not rely on rules
// about forward progress: a loop that may repeat forever stays.
func DeadLoops(pc *pass.Context) bool {
	d := deadLoops{context: in(pc), s: pc.S, g: &pc.CFG}
	d.g.Build(d.s, d.F)
	for _, b := range d.g.Blocks {
		if d.g.Loop[b] != 0 {
			d.list(d.s.Body(d.s.Func(d.F).Node))
			break
		}
	}
	return d.changed
}

// deadLoops holds the state of DeadLoops. Block numbers are from before the first removal; their order remains valid.
type deadLoops struct {
	context
	s       *ir.Shader
	g       *analysis.CFG
	changed bool
}

// list removes loops from a list of nodes. It reports whether nothing in the list has an effect and all loops in it end.
func (d *deadLoops) list(first ir.Node) (pure bool) {
	s := d.s
	pure = true
	for n := first; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			pure = pure && d.pureBlock(n)
		case ir.NodeIf:
			then, els := d.list(s.Then(n)), d.list(s.Else(n))
			pure = pure && then && els
		case ir.NodeLoop:
			if !d.list(s.Body(n)) || !d.ends(n) {
				pure = false
			} else if !d.read(n) {
				n = d.remove(n)
				pure = pure && d.pureBlock(n) // what followed the loop is in it now
			}
		}
	}
	return pure
}

// pureBlock reports whether a block has no effect except for values and jumps inside of the function.
func (d *deadLoops) pureBlock(b ir.Node) bool {
	s := d.s
	for v := s.First(b); v != 0; {
		in := s.At(v)
		switch {
		case in.Kind == kind.ALU:
		case in.IsJump():
			if j := kind.JumpKind(in.Op); j != kind.JumpBreak && j != kind.JumpContinue {
				return false
			}
		case !s.CanEliminate(v):
			return false
		}
		v = in.Next()
	}
	return true
}

// remove removes a loop and returns the block that now contains what preceded and followed it.
func (d *deadLoops) remove(loop ir.Node) ir.Node {
	s := d.s
	before, after := s.PrevNode(loop), s.NextNode(loop)
	s.RemoveNode(loop)
	MovePhiPreds(d.Context, after, before)
	s.MergeBlocks(before)
	d.changed = true
	return before
}

// inside reports whether a block is in a loop.
func (d *deadLoops) inside(b, loop ir.Node) bool {
	i := d.g.Index[b]
	return i >= d.g.Index[d.s.Body(loop)] && i <= d.g.Index[d.s.BodyEnd(loop)]
}

// read reports whether code after a loop depends on it: reads its values, or has phis for its exits. An unreachable loop
// counts as read.
func (d *deadLoops) read(loop ir.Node) bool {
	s := d.s
	if d.startsWithPhi(s.NextNode(loop)) || s.Jump(s.PrevNode(loop)) != 0 {
		return true
	}
	for i := d.g.Index[s.Body(loop)]; i <= d.g.Index[s.BodyEnd(loop)]; i++ {
		for v := s.First(d.g.Blocks[i]); v != 0; v = s.At(v).Next() {
			for u := range s.Uses(v) {
				if at := d.userBlock(u); !d.inside(at, loop) {
					return true
				}
			}
		}
	}
	return false
}

// userBlock returns the block that contains a use.
func (d *deadLoops) userBlock(u ir.Use) ir.Node {
	if u.If != 0 {
		return d.s.PrevNode(u.If)
	}
	return d.s.At(u.User).Block()
}

// ends reports whether a loop has an exit that every iteration reaches and some iteration takes, or a trip count of at
// most maxDead.
func (d *deadLoops) ends(loop ir.Node) bool {
	s := d.s
	for n := s.Body(loop); n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) != ir.NodeIf {
			continue
		}
		then, els := d.exit(s.Then(n)), d.exit(s.Else(n))
		if then != els && d.bounded(loop, s.Cond(n), then) {
			return true
		}
		if d.continues(s.Then(n)) || d.continues(s.Else(n)) {
			return false
		}
	}
	return pass.Scratch[deadTrips](d.Context).Count(s, loop, maxDead)
}

// maxDead bounds the trip count of a loop that is counted to find out whether it ends.
const maxDead = 1 << 16

// deadTrips is the scratch memory for counting iterations of dead loops.
type deadTrips struct{ analysis.Trips }

// exit reports whether an arm does nothing but leave the loop.
func (d *deadLoops) exit(arm ir.Node) bool {
	j := d.s.Jump(arm)
	return d.s.NextNode(arm) == 0 && j != 0 && kind.JumpKind(d.s.At(j).Op) == kind.JumpBreak
}

// continues reports whether a list of nodes may start the next iteration of the loop around it before its end.
func (d *deadLoops) continues(first ir.Node) bool {
	s := d.s
	for n := first; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			if j := s.Jump(n); j != 0 && kind.JumpKind(s.At(j).Op) == kind.JumpContinue {
				return true
			}
		case ir.NodeIf:
			if d.continues(s.Then(n)) || d.continues(s.Else(n)) {
				return true
			}
		}
	}
	return false
}

// bounded reports whether a condition that each iteration evaluates is certain to have the value taken at some time,
// which ends the loop.
func (d *deadLoops) bounded(loop ir.Node, cond ir.Src, taken bool) bool {
	s := d.s
	in := s.At(cond.Val)
	for in.Kind == kind.ALU && in.ALUOp() == op.INot && in.Comps == 1 {
		cond, taken = s.Src(cond.Val, 0), !taken
		in = s.At(cond.Val)
	}
	if in.Kind != kind.ALU || in.Comps != 1 || in.NSrc != 2 {
		return false
	}
	a, b := s.Src(cond.Val, 0), s.Src(cond.Val, 1)
	up, down := d.step(loop, a), d.step(loop, b)
	less := false // the loop goes on while a < b, otherwise while a >= b
	switch in.ALUOp() {
	case op.ILt, op.ULt:
		less = !taken
	case op.IGe, op.UGe:
		less = taken
	case op.INe, op.IEq:
		// An odd step takes a counter through all values.
		same := (in.ALUOp() == op.IEq) == taken // it goes on while they differ
		return same && (up&1 != 0 && d.fixed(loop, b, 0) || down&1 != 0 && d.fixed(loop, a, 0))
	default:
		return false
	}
	// A counter that moves by one toward a limit meets it before it can wrap.
	return less && (up == 1 && d.fixed(loop, b, 0) || int32(down) == -1 && d.fixed(loop, a, 0))
}

// step returns what each iteration of a loop adds to scalar r, a counter or the sum of a counter and a constant; 0 if r
// is neither.
func (d *deadLoops) step(loop ir.Node, r ir.Src) uint32 {
	s := d.s
	phi := r.Val
	if x, _, ok := d.sum(r); ok && s.At(x).Kind == kind.Phi {
		phi = x
	}
	in := s.At(phi)
	if in.Kind != kind.Phi || in.Comps != 1 || in.Bits != 32 || in.Block() != s.Body(loop) {
		return 0
	}
	by := uint32(0)
	for i := range int(in.NSrc) {
		if !d.inside(s.PhiPred(phi, i), loop) {
			continue
		}
		x, n, ok := d.sum(s.Src(phi, i))
		if !ok || x != phi || n == 0 || by != 0 && by != n {
			return 0
		}
		by = n
	}
	return by
}

// sum returns the operands of an addition of a scalar and a constant.
func (d *deadLoops) sum(r ir.Src) (x ir.Value, n uint32, ok bool) {
	s := d.s
	in := s.At(r.Val)
	if in.Kind != kind.ALU || in.ALUOp() != op.IAdd || in.Comps != 1 || in.Bits != 32 {
		return 0, 0, false
	}
	for i := range 2 {
		if n, ok := s.ConstOf(s.Src(r.Val, i)); ok {
			return s.Src(r.Val, 1-i).Val, uint32(n), s.At(s.Src(r.Val, 1-i).Val).Comps == 1
		}
	}
	return 0, 0, false
}

// maxFixed is the depth to which fixed follows the operands of a value.
const maxFixed = 8

// fixed reports whether a value is known to be the same in each iteration of a loop.
func (d *deadLoops) fixed(loop ir.Node, r ir.Src, depth int) bool {
	s := d.s
	in := s.At(r.Val)
	switch {
	case !d.inside(in.Block(), loop), in.Kind == kind.LoadConst:
		return true
	case depth == maxFixed, in.Kind == kind.Intrinsic && !d.constant(r.Val),
		in.Kind != kind.Intrinsic && in.Kind != kind.ALU && in.Kind != kind.Deref:
		return false
	}
	for i := range int(in.NSrc) {
		if x := s.Src(r.Val, i); x.Val != 0 && !d.fixed(loop, x, depth+1) {
			return false
		}
	}
	return true
}

// constant reports whether an intrinsic reads memory that no invocation can write.
func (d *deadLoops) constant(v ir.Value) bool {
	s := d.s
	switch s.At(v).Intrinsic() {
	case intrinsic.LoadUBO, intrinsic.LoadPushConstant:
	case intrinsic.LoadDeref:
		if s.Modes(s.Src(v, 0).Val)&^(kind.ModeUBO|kind.ModePushConstant) != 0 {
			return false
		}
	default:
		return false
	}
	return kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessVolatile == 0
}
