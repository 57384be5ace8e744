// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/core/trips"
	"jacquard.example/generated/kind"
)

// The size of a loop is the number of instructions that become code.
const (
	maxTrips    = 65   // largest number of times that the body of a loop to unroll is entered, the last one to leave
	maxUnrolled = 384  // largest size of a loop after unrolling, unless the source requests it
	betterBy    = 2    // factor on maxUnrolled if array indices become constant or images are sampled
	maxGrowth   = 4096 // size that unrolling may add to a shader
	maxCopies   = 8    // maximum iterations of a loop with other exits, since the copies nest
)

// UnrollLoops replaces a loop with a known, small trip count with a copy of its body for each iteration, if it contains
// no other loops or its body starts at most twice, or if this lets an array leave memory (freed.go). Inner loops come first:
// the loops around them are looked at again once the copies have been simplified. The copies are the body of a loop
// that does not repeat, since they may contain breaks. In all copies, the conditions of exits that depend on the count
// become constant. A loop with more iterations gets several copies of its body: as many as there are iterations until
// the indices of an array repeat (period.go), or a number that divides the iterations (partial.go). The first iterations
// of a loop with an unknown trip count are copied if its counter indexes an array in a uniform buffer (peel.go).
func UnrollLoops(pc *pass.Context) bool {
	s := pc.S
	u := pass.Scratch[unroller](pc)
	u.context, u.s = in(pc), s
	u.scanned = false
	return u.visit(s.Body(s.Func(pc.F).Node))
}

// unroller holds the state of UnrollLoops, which is reused. size to blocks describe the loop that measure has seen last.
type unroller struct {
	context
	arrays
	traced
	s       *ir.Shader
	sim     analysis.Trips // simulation of the current loop
	count   analysis.Trips // trip counts for scan, and the traces of indices
	size    int
	until   int        // size of the code before the exit that the last iteration takes
	array   bool       // an array that can be in registers has an index computed in the loop
	nested  bool       // there are loops in the loop
	settles bool       // the loop determines how often they repeat, and unrolling it frees no array
	samples bool       // images are sampled: the iterations can wait for the samples together
	other   bool       // there are breaks besides the known exits
	breaks  []ir.Node  // blocks that leave the loop
	inside  []bool     // by node: it is in blocks
	blocks  []ir.Node  // the blocks of the loop
	cur     []ir.Src   // the values of the header's phis in the next copy
	heads   []ir.Value // the phis of the header if the loop remains
}

// plan describes how to unroll a loop.
type plan struct {
	copies     int
	repeat     bool // the copies are the body of a loop that is left in copy exit
	exit       int
	iterations int  // of that loop
	rest       bool // the loop remains after the copies
	indices    bool // indices of arrays become constant in the copies of a loop that repeats
}

// visit unrolls the innermost loops of a list where possible. Outer loops are left until the copies have been
// simplified.
func (u *unroller) visit(first ir.Node) (changed bool) {
	s := u.s
	for n := first; n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) == ir.NodeBlock {
			continue
		}
		did := false
		for _, list := range [...]ir.Node{s.Then(n), s.Else(n)} {
			if list != 0 && u.visit(list) {
				did = true
			}
		}
		if s.NodeKind(n) == ir.NodeLoop && !did {
			if !u.scanned {
				u.scanned = true
				u.scan()
			}
			p := plan{}
			if u.worthwhile(n) {
				p.copies = u.sim.Entries
			} else if p = u.periodic(n); p.copies == 0 {
				p = u.partly(n)
			}
			if p.copies == 0 {
				p = u.elements(n)
			}
			if p.copies > 1 || p.copies == 1 && !p.repeat {
				u.remark(n, p)
				n = u.unroll(n, p)
				did = true
			}
		}
		changed = changed || did
	}
	return changed
}

// remark records the unrolling of a loop, at the condition of its first exit or at its first instruction with a
// location.
func (u *unroller) remark(loop ir.Node, p plan) {
	s, did := u.s, pass.Unrolled
	switch {
	case u.Remarks == nil:
		return
	case p.rest:
		did = pass.Peeled
	case p.repeat:
		did = pass.Repeats
	}
	at, n := ir.Loc(0), p.copies
	if len(u.sim.Exits) > 0 {
		exit := u.sim.Exits[0].If
		at = s.At(s.Cond(exit).Val).Loc
		if did == pass.Unrolled && !u.ends(exit) {
			n-- // the last copy ends at the exit
		}
	}
	for _, b := range u.blocks {
		for v := s.First(b); v != 0 && at == 0; v = s.At(v).Next() {
			at = s.At(v).Loc
		}
	}
	u.Remark(did, at, n)
}

// worthwhile reports whether a loop can be unrolled, its trip count is known, and the code does not become too long. If
// so, it adds the growth of the code to u.Unrolled.
func (u *unroller) worthwhile(loop ir.Node) bool {
	s := u.s
	if s.Node(loop).Hints&ir.HintDontUnroll != 0 || !u.sim.Count(s, loop, maxTrips) || !u.measure(loop) {
		return false
	}
	limit := maxUnrolled
	switch {
	case u.requested(loop):
		limit = maxGrowth
	case u.array || u.samples:
		limit *= betterBy
	}
	repeats := u.sim.Entries - 1
	if u.nested && !u.settles || u.array && repeats*u.size+u.until > limit && u.frees(loop) {
		u.size, limit = int(u.bodies[loop]), maxFreed
		if !u.nested && u.period(loop) != 0 {
			return false // fewer copies free the array as well
		}
	}
	long := repeats*u.size + u.until
	if long > limit || u.other && repeats > maxCopies || int(u.Unrolled)+long-u.size > maxGrowth {
		return false
	}
	u.Unrolled += uint32(max(long-u.size, 0))
	return true
}

// requested reports whether the source requests that a loop is unrolled.
func (u *unroller) requested(loop ir.Node) bool { return u.s.Node(loop).Hints&ir.HintUnroll != 0 }

// measure collects the blocks, breaks and size of a loop, and reports whether it can be
// copied.
func (u *unroller) measure(loop ir.Node) bool {
	s := u.s
	for _, b := range u.blocks {
		u.inside[b] = false
	}
	u.inside = reuse.Slice(u.inside, s.NumNodes())
	u.blocks, u.breaks = u.blocks[:0], u.breaks[:0]
	u.size, u.until = 0, 0
	u.array, u.nested, u.settles = false, false, false
	u.samples, u.other = false, false
	end := s.BodyEnd(loop)
	for b := s.Body(loop); ; b = s.NextBlock(b) {
		u.inside[b] = true
		u.blocks = append(u.blocks, b)
		if b == end {
			break
		}
	}
	for _, b := range u.blocks {
		own := s.LoopOf(b) == loop
		if !own && u.sim.Entries > 2 {
			if !u.nested {
				u.nested, u.settles = true, !u.frees(loop)
			}
			u.steps = maxSteps
			if u.settles && b == s.Body(s.LoopOf(b)) && !(u.requested(loop) && u.determines(loop, s.LoopOf(b), 0)) {
				return false // the nested loop would be unrolled too, in every copy
			}
		}
		for v := range s.Instrs(b) {
			u.Work.Spend(1)
			switch in := s.At(v); in.Kind {
			case kind.ALU, kind.Intrinsic:
				u.size++
			case kind.Tex:
				u.size++
				u.samples = true
			case kind.Deref:
				u.array = u.array || u.indexed(v)
				if !u.movable(v) && u.escapes(v) {
					return false // phis cannot join pointers
				}
			case kind.Jump:
				k := kind.JumpKind(in.Op)
				if k != kind.JumpBreak && k != kind.JumpContinue || !own {
					continue
				}
				if k == kind.JumpContinue && b != end {
					return false
				}
				if k == kind.JumpBreak {
					u.breaks = append(u.breaks, b)
				}
			}
		}
		if len(u.sim.Exits) > 0 && b == s.PrevNode(u.sim.Exits[u.sim.Last].If) {
			u.until = u.size
		}
	}
	u.other = len(u.breaks) > len(u.sim.Exits)
	if j := s.Jump(end); j != 0 && kind.JumpKind(s.At(j).Op) != kind.JumpContinue {
		return false // it does not repeat
	}
	return u.size > 0
}

// indexed reports whether a deref indexes a private array, or an array in a uniform buffer that can be pushed into
// registers, by a value that the loop computes.
func (u *unroller) indexed(v ir.Value) bool {
	s := u.s
	in := pass.Promotable
	if pushes(s) {
		in |= kind.ModeUBO
	}
	if k := s.At(v).DerefKind(); k != kind.DerefArray || s.Modes(v)&^in != 0 {
		return false
	}
	x := s.At(s.Src(v, 1).Val)
	return !x.IsConst() && u.inside[x.Block()]
}

// unroll replaces a loop with another one with copies of its body, and returns the block after it.
func (u *unroller) unroll(loop ir.Node, plan plan) ir.Node {
	s, cl, n := u.s, &u.Cloner, plan.copies
	before, after, first := s.PrevNode(loop), s.NextNode(loop), s.Body(loop)
	u.hoist(before)
	u.close(after)
	once := s.InsertLoop(before)
	joined := s.NextNode(once)
	u.cur = u.cur[:0]
	for p := s.First(first); p != 0 && s.At(p).Kind == kind.Phi; p = s.At(p).Next() {
		u.cur = append(u.cur, u.phiSrc(p, before))
	}
	if plan.repeat {
		u.head(first, once, before)
		s.Node(once).Trips = trips.Exactly(plan.iterations)
	}
	u.B.AtStart(joined)
	for p := u.lastPhi(after); p != 0; p = s.At(p).Prev() { // Phi inserts at the start
		in := s.At(p)
		u.B.Loc = in.Loc
		u.B.Phi(in.Comps, in.Bits, int(in.NSrc)*n+1)
	}
	end := s.Body(once)
	for i := range n {
		at := end
		cl.Start(s)
		cl.Skip = func(v ir.Value) bool { return s.At(v).Kind == kind.Phi && s.At(v).Block() == first }
		k := 0
		for p := s.First(first); p != 0 && s.At(p).Kind == kind.Phi; p = s.At(p).Next() {
			cl.SetValue(p, u.whole(u.cur[k], at))
			k++
		}
		end = cl.List(first, at)
		u.joinCopy(after, joined)
		u.decide(&plan, i)
		if plan.indices {
			u.setIndices(i, n)
		}
		if j := s.Jump(end); j != 0 {
			s.Remove(j)
		}
		k = 0
		for p := s.First(first); p != 0 && s.At(p).Kind == kind.Phi; p = s.At(p).Next() {
			r := u.phiSrc(p, s.BodyEnd(loop))
			r.Val = cl.Value(r.Val)
			u.cur[k] = r
			k++
		}
	}
	switch {
	case plan.rest:
		u.keep(loop, before, after, joined, end)
	case plan.repeat:
		u.goBack(end)
	default:
		u.B.AtEnd(end)
		u.B.Jump(kind.JumpBreak)
	}
	if !plan.rest {
		u.replacePhis(after, joined, end)
		s.RemoveNode(loop)
	}
	MovePhiPreds(u.Context, after, joined)
	s.MergeBlocks(joined)
	return joined
}

// whole returns a value equal to r. If r selects components, they are copied at the end of block at.
func (u *unroller) whole(r ir.Src, at ir.Node) ir.Value {
	if r.Swz == ir.Identity && r.N == u.s.At(r.Val).Comps {
		return r.Val
	}
	u.B.AtEnd(at)
	u.B.Loc = u.s.At(r.Val).Loc
	return u.B.Mov(r).Val
}

// movable reports whether hoist moves v.
func (u *unroller) movable(v ir.Value) bool {
	s := u.s
	if k := s.At(v).Kind; k != kind.LoadConst && k != kind.Undef && k != kind.Deref {
		return false
	}
	for i := range int(s.At(v).NSrc) {
		if x := s.Src(v, i).Val; u.inside[s.At(x).Block()] && !u.movable(x) {
			return false
		}
	}
	return true
}

// escapes reports whether v is used outside of the loop.
func (u *unroller) escapes(v ir.Value) bool {
	for use := range u.s.Uses(v) {
		if !u.inside[u.readIn(use)] {
			return true
		}
	}
	return false
}

// lastPhi returns the last phi of a block, or 0 if it has none.
func (u *unroller) lastPhi(b ir.Node) (last ir.Value) {
	s := u.s
	for v := s.First(b); v != 0 && s.At(v).Kind == kind.Phi; v = s.At(v).Next() {
		last = v
	}
	return last
}

// hoist moves the constants and derefs that do not depend on the loop to the end of block before, in front of it.
func (u *unroller) hoist(before ir.Node) {
	s := u.s
	for _, b := range u.blocks {
		for v := range s.Instrs(b) {
			if u.movable(v) {
				s.MoveToEnd(v, before)
			}
		}
	}
}

// close puts the loop into loop-closed form: uses outside of the loop read values of the loop through phis in block
// after.
func (u *unroller) close(after ir.Node) {
	s := u.s
	for _, b := range u.blocks {
		for v := s.First(b); v != 0; v = s.At(v).Next() {
			if !analysis.UsedOutside(s, v, b) {
				continue
			}
			phi := ir.Value(0)
			for use := range s.Uses(v) {
				if u.inside[u.readIn(use)] {
					continue
				}
				if phi == 0 {
					in := s.At(v)
					u.B.AtStart(after)
					u.B.Loc = in.Loc
					phi = u.B.Phi(in.Comps, in.Bits, len(u.breaks))
				}
				s.SetUse(use, ir.Src{Val: phi, Swz: s.UseSrc(use).Swz})
			}
			if phi != 0 {
				for _, pred := range u.breaks {
					s.AddPhiSrc(phi, pred, s.All(v))
				}
			}
		}
	}
}

// readIn returns the block in which a use reads its value: for a phi, the predecessor; for a condition, the block before
// the if.
func (u *unroller) readIn(use ir.Use) ir.Node {
	s := u.s
	if use.If != 0 {
		return s.PrevNode(use.If)
	}
	if s.At(use.User).Kind == kind.Phi {
		return s.PhiPred(use.User, use.Index)
	}
	return s.At(use.User).Block()
}

// joinCopy extends the phis of block joined by the sources that the copy made last contributes. They are copies of
// the sources of the phis in block after.
func (u *unroller) joinCopy(after, joined ir.Node) {
	s, cl := u.s, &u.Cloner
	q := s.First(joined)
	for p := s.First(after); p != 0 && s.At(p).Kind == kind.Phi; p = s.At(p).Next() {
		for i := range int(s.At(p).NSrc) {
			r := s.Src(p, i)
			r.Val = cl.Value(r.Val)
			s.AddPhiSrc(q, cl.Node(s.PhiPred(p, i)), r)
		}
		q = s.At(q).Next()
	}
}

// decide makes the conditions of the known exits constant in copy k, which was just made.
func (u *unroller) decide(plan *plan, k int) {
	s := u.s
	last := k == plan.copies-1 && !plan.repeat
	if plan.repeat && k == plan.exit {
		return
	}
	for i, e := range u.sim.Exits {
		if last && i > u.sim.Last {
			return
		}
		b := u.Cloner.Node(s.PrevNode(e.If))
		u.B.AtEnd(b)
		x := uint64(0)
		if e.Then == (last && i == u.sim.Last) {
			x = 1
		}
		s.SetCond(s.NextNode(b), u.B.ImmN(1, x))
	}
}

// replacePhis replaces the phis of block after with the phis of block joined. If the end of the copies has a break, the
// phis get an undefined source for it; that break is never reached.
func (u *unroller) replacePhis(after, joined, end ir.Node) {
	s := u.s
	q := s.First(joined)
	for p := s.First(after); p != 0 && s.At(p).Kind == kind.Phi; p = s.First(after) {
		in := s.At(p)
		u.B.AtStart(s.FirstBlock(u.F))
		if s.Jump(end) != 0 {
			s.AddPhiSrc(q, end, u.B.Undef(in.Comps, in.Bits))
		}
		s.ReplaceUses(p, s.All(q))
		s.Remove(p)
		q = s.At(q).Next()
	}
}
