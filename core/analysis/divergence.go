// SPDX-License-Identifier: MIT

package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Scope is a set of invocations whose values are compared.
type Scope uint8

// The scopes, each contained in the next.
const (
	Subgroup Scope = iota
	Pair           // subgroups 2n and 2n+1 of a workgroup
	Workgroup
)

// Divergence tells which values may differ between the invocations of a subgroup that execute an instruction together.
// A uniform value can be computed once for all of them.
//
// The invocations that execute a list of nodes execute it together: a block runs once per iteration of the loop around
// it, for all invocations that reach it in that iteration. Invocations that take different arms of an if reconverge
// after the if, and invocations that end an iteration by continue reconverge in the next iteration. Invocations that
// leave a loop reconverge after the loop, once the last has left it. A value that is uniform where it is defined
// (Value) is therefore uniform where it is read (Read) only under one more condition:
//
// A value that is uniform where it is defined is uniform where it is read, unless the definition, but not the read, is
// in a loop that invocations leave in different iterations.
//
// If no such loop is left between the two, every invocation that reaches the read has executed the definition, which
// dominates it, in the same iteration of all loops around the definition, and so together with the others: the loops
// around both are in one iteration, and all invocations leave the loops that end in between in the same iteration. If
// such a loop is left, each invocation has the value of its own last iteration, and these may differ (temporal
// divergence). A loop without a back edge has one iteration, however it is left.
//
// A machine that computes a uniform value once and keeps it in one place has lost the values of all iterations but the
// last by then. It must keep a value that leaves such a loop per invocation, and write it only for invocations that are
// still in the loop: see vars.OutOfSSA.
//
// The scope may also be a pair of neighboring subgroups or a whole workgroup. In these scopes, invocations execute a
// block together if they are in the same iteration of all loops around it, whether they execute it at the same time or
// not. Together reports whether all invocations do.
type Divergence struct {
	scope Scope
	s     *ir.Shader
	g     *CFG
	val   []bool  // by value
	loops []bool  // by node: whether invocations leave or repeat the loop at different points
	again []bool  // by node: whether the loop may have more than one iteration
	apart bool    // for some loop, both loops and again hold
	regs  []bool  // by register
	loads []int32 // by register: the number of the first block that loads it
	ends  []int32 // by node: the number of a loop's last block
	ended int32   // the number of the first block in which some invocations end before others
	at    int32   // the number of the current block
	stale int32   // the number of the first block that read a value before it changed
	work  []ir.Value
}

// Value reports whether a value may differ between the invocations that compute it together.
func (d *Divergence) Value(v ir.Value) bool { return d.val[v] }

// NumValues returns the number of values for which Value is known.
func (d *Divergence) NumValues() int { return len(d.val) }

// Read reports whether a value may differ between the invocations that read it together in block at. A phi reads at the
// end of its predecessors.
func (d *Divergence) Read(v ir.Value, at ir.Node) bool {
	return d.val[v] || d.apart && d.LeavesTrip(v, at) != 0
}

// Apart reports whether there is a loop that invocations leave in different iterations.
func (d *Divergence) Apart() bool { return d.apart }

// Reg reports whether a register may differ between invocations.
func (d *Divergence) Reg(r uint32) bool { return d.regs[r] }

// Build computes divergence within subgroups in f.
func (d *Divergence) Build(s *ir.Shader, f ir.Func, g *CFG) { d.BuildFor(Subgroup, s, f, g) }

// BuildFor computes divergence in f within a scope by iteration from "everything is uniform". It visits blocks in
// textual order, in which definitions precede reads except around loops and for registers. It visits a loop again if
// the loop changed a value that it had already read.
func (d *Divergence) BuildFor(scope Scope, s *ir.Shader, f ir.Func, g *CFG) {
	d.scope, d.s, d.g = scope, s, g
	d.apart, d.ended = false, int32(len(g.Blocks))
	d.val = reuse.Zeroed(d.val, s.NumValues())
	d.loops = reuse.Zeroed(d.loops, s.NumNodes())
	d.regs = reuse.Slice(d.regs, int(s.Regs.Num()))
	d.loads = reuse.Slice(d.loads, int(s.Regs.Num()))
	for r := range d.regs {
		d.regs[r], d.loads[r] = s.Regs.At(uint32(r)).Divergent, never
	}
	d.nest()
	d.stale = never
	for i := int32(0); int(i) < len(g.Blocks); i++ {
		b := g.Blocks[i]
		d.at = i
		d.block(b)
		first := int32(0) // first block of the loop that ends here
		if loop := s.Parent(b); s.NodeKind(loop) == ir.NodeLoop && s.NextNode(b) == 0 {
			d.header(s.Body(loop))
			first = g.Index[s.Body(loop)]
		} else if int(i) < len(g.Blocks)-1 {
			continue
		}
		if d.stale != never && d.stale >= first {
			i, d.stale = d.stale-1, never
		}
	}
}

// never is greater than the number of any block.
const never = 1<<31 - 1

// block visits a block.
func (d *Divergence) block(b ir.Node) {
	s := d.s
	for v := s.First(b); v != 0; {
		in := s.At(v)
		switch {
		case in.Kind == kind.LoadConst:
		case in.Bits != 0:
			if !d.val[v] && d.diverges(b, v, in) {
				d.val[v] = true
			}
		case in.Kind == kind.Jump:
			d.markLoops(b, in)
			d.markEnd(b, in)
		case in.Intrinsic() == intrinsic.StoreReg:
			d.store(b, v)
		}
		v = in.Next()
	}
}

// header visits the phis at the start of a loop, after the whole loop has been visited.
func (d *Divergence) header(b ir.Node) {
	s := d.s
	for v := s.First(b); v != 0 && s.At(v).Kind == kind.Phi; v = s.At(v).Next() {
		if !d.val[v] && d.phi(b, v) {
			d.spread(v)
		}
	}
}

// spread marks a value as divergent, and the values that become divergent because they are computed from it. Effects
// through conditions and stores to registers are left to another visit.
func (d *Divergence) spread(v ir.Value) {
	s := d.s
	d.val[v] = true
	d.work = append(d.work[:0], v)
	for len(d.work) > 0 {
		v := d.work[len(d.work)-1]
		d.work = d.work[:len(d.work)-1]
		for u := range s.Uses(v) {
			if u.If != 0 {
				d.changed(d.g.Index[s.PrevNode(u.If)])
				continue
			}
			in := s.At(u.User)
			switch {
			case in.Bits == 0:
				if in.Intrinsic() == intrinsic.StoreReg {
					d.changed(d.g.Index[in.Block()])
				}
			case !d.val[u.User] && d.diverges(in.Block(), u.User, in):
				d.val[u.User] = true
				d.work = append(d.work, u.User)
			}
		}
	}
}

// changed records that a value read by a block has changed, if the block has been visited.
func (d *Divergence) changed(block int32) {
	if block <= d.at {
		d.stale = min(d.stale, block)
	}
}

// store visits a store to a register.
func (d *Divergence) store(b ir.Node, v ir.Value) {
	s := d.s
	r := s.Index(v, intrinsic.IxReg)
	if !d.regs[r] && (d.Read(s.Src(v, 0).Val, b) || d.scope != Subgroup && !d.Together(b)) {
		d.regs[r] = true
		d.changed(d.loads[r])
	}
}

// load reports whether a register that block b loads may differ.
func (d *Divergence) load(b ir.Node, r uint32) bool {
	d.loads[r] = min(d.loads[r], d.g.Index[b])
	return d.regs[r]
}

// nest records the back edges and ends of loops.
func (d *Divergence) nest() {
	s := d.s
	d.again = reuse.Slice(d.again, s.NumNodes())
	d.ends = reuse.Slice(d.ends, s.NumNodes())
	for i, b := range d.g.Blocks {
		if l := d.g.Loop[b]; l != 0 && s.Body(l) == b {
			d.again[l] = len(d.g.Preds(i)) > 1
			d.ends[l] = d.g.Index[s.BodyEnd(l)]
		}
	}
}

// inside reports whether a block is in a loop. The blocks of a loop are numbered contiguously.
func (d *Divergence) inside(b, loop ir.Node) bool {
	i := d.g.Index[b]
	return i >= d.g.Index[d.s.Body(loop)] && i <= d.ends[loop]
}

// LeavesTrip returns the outermost loop that contains v but not block at, that invocations leave in different
// iterations, and in which v may differ between iterations; 0 if there is none.
func (d *Divergence) LeavesTrip(v ir.Value, at ir.Node) ir.Node {
	out := ir.Node(0)
	for l := d.g.Loop[d.s.At(v).Block()]; l != 0 && !d.inside(at, l); l = d.g.Loop[l] {
		if d.loops[l] && d.again[l] {
			out = l
		}
	}
	if out != 0 && d.Varies(v, out) {
		return out
	}
	return 0
}

// maxVaries bounds the depth of the search of Varies.
const maxVaries = 8

// Varies reports whether a value may differ between iterations of a loop.
func (d *Divergence) Varies(v ir.Value, loop ir.Node) bool { return d.varies(v, loop, maxVaries) }

func (d *Divergence) varies(v ir.Value, loop ir.Node, budget int) bool {
	s := d.s
	in := s.At(v)
	if in.Kind == kind.LoadConst || in.Kind == kind.Undef || !d.inside(in.Block(), loop) {
		return false
	}
	if budget == 0 || !s.CanReorder(v) {
		return true
	}
	for i := range int(in.NSrc) {
		if d.varies(s.Src(v, i).Val, loop, budget-1) {
			return true
		}
	}
	return false
}

// condition reports whether the condition of an if may differ between the invocations
// that reach it.
func (d *Divergence) condition(n ir.Node) bool {
	return d.Read(d.s.Cond(n).Val, d.s.PrevNode(n))
}

// markLoops marks the loops that a jump makes some invocations leave or continue before others.
func (d *Divergence) markLoops(b ir.Node, jump *ir.Instr) {
	s := d.s
	k := kind.JumpKind(jump.Op)
	div := false
	for n := s.Parent(b); n != 0; n = s.Parent(n) {
		switch s.NodeKind(n) {
		case ir.NodeIf:
			div = div || d.condition(n)
		case ir.NodeLoop:
			if div && !d.loops[n] {
				d.loops[n] = true
				d.apart = d.apart || d.again[n]
				d.changed(d.g.Index[s.Body(n)])
			}
			if k == kind.JumpBreak || k == kind.JumpContinue {
				return
			}
			div = div || d.loops[n]
		}
	}
}

// markEnd marks the first block in which a jump makes some invocations end before others.
func (d *Divergence) markEnd(b ir.Node, jump *ir.Instr) {
	switch k := kind.JumpKind(jump.Op); {
	case k == kind.JumpBreak, k == kind.JumpContinue, d.g.Index[b] >= d.ended, d.Together(b):
	default:
		d.ended = d.g.Index[b]
	}
}

// Together reports whether all invocations of the scope execute a block, and equally often: no branch or loop around it
// separates them, and none has ended before.
func (d *Divergence) Together(b ir.Node) bool {
	if d.g.Index[b] > d.ended {
		return false
	}
	for n := d.s.Parent(b); n != 0; n = d.s.Parent(n) {
		switch d.s.NodeKind(n) {
		case ir.NodeIf:
			if d.condition(n) {
				return false
			}
		case ir.NodeLoop:
			if d.loops[n] {
				return false
			}
		}
	}
	return true
}

// perInvocation are the modes of memory of which each invocation has its own copy.
const perInvocation = kind.ModeFunctionTemp | kind.ModeShaderTemp | kind.ModeShaderIn | kind.ModeShaderOut

// diverges reports whether v, a result in block b that is not a constant, may differ between the invocations that
// execute it.
func (d *Divergence) diverges(b ir.Node, v ir.Value, in *ir.Instr) bool {
	s := d.s
	switch in.Kind {
	case kind.Undef:
		return d.scope != Subgroup
	case kind.Phi:
		return d.phi(b, v)
	case kind.ALU:
		if d.scope == Pair && d.halved(v) {
			return false
		}
	case kind.Intrinsic:
		switch u := in.Intrinsic().Info().Uniform; {
		case u == intrinsic.UniformSubgroup, u == intrinsic.UniformCluster && s.Index(v, intrinsic.IxClusterSize) == 0:
			return d.scope != Subgroup
		case d.flat(v):
		case u != intrinsic.UniformAsSources:
			return u != intrinsic.UniformAlways
		case in.Intrinsic() == intrinsic.LoadReg:
			return d.load(b, s.Index(v, intrinsic.IxReg))
		case d.scope != Subgroup && !d.constant(v):
			return true
		case in.Intrinsic() == intrinsic.LoadDeref && s.Modes(s.Src(v, 0).Val)&perInvocation != 0:
			return true
		}
	default:
		if d.scope != Subgroup && in.Kind != kind.Deref {
			return true
		}
	}
	for i := range int(in.NSrc) {
		if d.Read(s.Src(v, i).Val, b) {
			return true
		}
	}
	return false
}

// flat reports whether a value is an input of a fragment shader that is not interpolated: a value of the primitive. The
// fragments of a subgroup belong to one primitive (TGL PRM vol. 9, "Windower: Pixel Shader Dispatch"); two
// subgroups may have different primitives.
func (d *Divergence) flat(v ir.Value) bool {
	s := d.s
	if d.scope != Subgroup || s.Info.Stage != kind.StageFragment || s.At(v).Intrinsic() != intrinsic.LoadInput {
		return false
	}
	b := kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin))
	return b == kind.BuiltinNone || b == kind.BuiltinPrimitiveID
}

// constant reports whether the result of an intrinsic depends only on its sources, not on when it is executed and by
// which invocation: it reads no memory that is written.
func (d *Divergence) constant(v ir.Value) bool {
	s := d.s
	if s.CanReorder(v) {
		return true
	}
	const written = kind.AccessCoherent | kind.AccessVolatile
	in := s.At(v).Intrinsic().Info()
	access := kind.Access(s.Index(v, intrinsic.IxAccess))
	return in.Flags&intrinsic.Convergent == 0 && s.CanEliminate(v) && access&kind.AccessNonWriteable != 0 && access&written == 0
}

// halved reports whether an ALU instruction computes from the subgroup's index a value that is the same for subgroups
// 2n and 2n+1.
func (d *Divergence) halved(v ir.Value) bool {
	s := d.s
	in, x := s.At(v), s.At(s.Src(v, 0).Val)
	if o := in.ALUOp(); o != op.UShr && o != op.IAnd || in.Comps != 1 || x.Kind != kind.Intrinsic ||
		x.Intrinsic() != intrinsic.LoadSubgroupID {
		return false
	}
	n, ok := s.ConstOf(s.Src(v, 1))
	return ok && (in.ALUOp() == op.UShr && n%uint64(in.Bits) != 0 || in.ALUOp() == op.IAnd && n&1 == 0)
}

// phi reports whether a phi may differ: because a source does, or because invocations arrive from several predecessors
// at once or, after a loop, from several iterations.
func (d *Divergence) phi(b ir.Node, v ir.Value) bool {
	s := d.s
	prev := s.PrevNode(b)
	entry := ir.Node(0) // the predecessor of the loop that starts with b: all invocations enter a loop at once
	if prev == 0 {
		entry = s.PrevNode(s.Parent(b))
	}
	var first ir.Value
	var read ir.Swizzle
	same := true
	in := s.At(v)
	for i := range int(in.NSrc) {
		r := s.Src(v, i)
		pred := s.PhiPred(v, i)
		if d.Read(r.Val, pred) {
			return true
		}
		switch {
		case pred == entry:
		case first == 0:
			first, read = r.Val, r.Swz
		default:
			same = same && r.Val == first && r.Swz == read
		}
	}
	switch {
	case prev == 0: // a single back edge, unless some invocations continue before others
		return !same && d.loops[s.Parent(b)]
	case s.NodeKind(prev) == ir.NodeIf:
		return !same && d.condition(prev)
	case s.NodeKind(prev) == ir.NodeLoop:
		return d.loops[prev] && (!same || d.again[prev] && d.Varies(first, prev))
	}
	return false
}
