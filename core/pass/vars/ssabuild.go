// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/graph"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// ssaState is the scratch memory of SSA construction by dominance frontiers
// (Cytron et al., "Efficiently Computing Static Single Assignment Form").
type ssaState struct {
	slots []ssaSlot
	cur   []ir.Value // value of each slot at the current point of the walk
	undo  []undoRec
	phis  []placedPhi
	first []int32 // first placed phi by block, or -1
	df    []dfRec
	dfAt  []int32  // by block: first frontier record, or -1
	defs  []defRec // blocks that define or use slots
	live  graph.Live
	work  []int32
	mark  uint32   // identifies the last search for joins
	seen  []uint32 // by block: mark of the last search that found the block
	isDef []uint32 // by block: mark of the last search that put the block on the worklist, or for which it has a definition
	long  longLives
	undef []ir.Value
	// Used by VarsToSSA:
	paths    []derefPath // by deref
	derefs   []ir.Value  // derefs with a path
	accesses []access    // in code order
	from     []int32     // by block: index of its first access; one more entry at the end
	base     []uint32    // by variable: its first leaf + 1, or 0 if not promoted
	blocked  []bool      // by leaf
	slotOf   []int32     // by leaf: its slot, or -1
	leaves   []uint32    // by type: number of leaves, or 0 if not computed
}

type ssaSlot struct {
	comps, bits uint8
	defs        int32 // index of the first record in defs, or -1
	uses        int32 // blocks with an upward-exposed read
}

type undoRec struct {
	slot int32
	old  ir.Value
}

type placedPhi struct {
	slot  int32
	value ir.Value
	next  int32
}

type dfRec struct {
	block int32
	next  int32
}

type defRec struct {
	block int32
	next  int32
}

// start clears the state for nblocks blocks; the CFG and dominance of the
// context must be built.
func (st *ssaState) start(nblocks int) {
	st.slots, st.phis = st.slots[:0], st.phis[:0]
	st.defs, st.undo = st.defs[:0], st.undo[:0]
	st.first = reuse.Slice(st.first, nblocks)
	st.seen = reuse.Zeroed(st.seen, nblocks)
	st.isDef = reuse.Zeroed(st.isDef, nblocks)
	st.mark = 0
	for i := range st.first {
		st.first[i] = -1
	}
}

func (st *ssaState) newSlot(comps, bits uint8) int32 {
	st.slots = append(st.slots, ssaSlot{comps, bits, -1, -1})
	return int32(len(st.slots) - 1)
}

// addDef records that a block defines the slot.
func (st *ssaState) addDef(slot int32, block int32) {
	s := &st.slots[slot]
	if s.defs >= 0 && st.defs[s.defs].block == block {
		return
	}
	st.defs = append(st.defs, defRec{block, s.defs})
	s.defs = int32(len(st.defs) - 1)
}

// addUse records that a block reads the slot's value on entry. It must be called before addDef for a definition in the
// same block that follows the read.
func (st *ssaState) addUse(slot int32, block int32) {
	s := &st.slots[slot]
	for _, last := range [...]int32{s.defs, s.uses} {
		if last >= 0 && st.defs[last].block == block {
			return
		}
	}
	st.defs = append(st.defs, defRec{block, s.uses})
	s.uses = int32(len(st.defs) - 1)
}

// Steps of work for a frontier record, and for visiting one block or phi.
const frontierSteps, lookSteps = 16, 4

// frontiers computes the dominance frontier of every block.
func (c context) frontiers() {
	st, g, d := &c.ssa, &c.CFG, &c.Dom
	st.df = st.df[:0]
	st.dfAt = reuse.Slice(st.dfAt, len(g.Blocks))
	for i := range st.dfAt {
		st.dfAt[i] = -1
	}
	for b := range g.Blocks {
		preds := g.Preds(b)
		if len(preds) < 2 || !d.Reachable(b) {
			continue
		}
		for _, p := range preds {
			if !d.Reachable(int(p)) {
				continue
			}
			for r := p; r != d.Idom(b) && r >= 0; r = d.Idom(int(r)) {
				if at := st.dfAt[r]; at >= 0 && st.df[at].block == int32(b) {
					break // the dominators above also have it, from another predecessor
				}
				c.Work.Spend(frontierSteps)
				st.df = append(st.df, dfRec{int32(b), st.dfAt[r]})
				st.dfAt[r] = int32(len(st.df) - 1)
			}
		}
	}
}

// undefined returns the value of a slot before the first store.
func (c context) undefined(slot int32) ir.Value {
	st := &c.ssa
	for len(st.undef) < len(st.slots) {
		st.undef = append(st.undef, 0)
	}
	if st.undef[slot] == 0 {
		s := &st.slots[slot]
		c.B.AtStart(c.CFG.Blocks[0])
		c.B.Loc = 0
		st.undef[slot] = c.B.Undef(s.comps, s.bits).Val
	}
	return st.undef[slot]
}

// walkDominators visits the reachable blocks in an order in which dominators precede the blocks that they dominate.
// leave is called when a block's subtree is done.
func (c context) walkDominators(enter, leave func(b int)) {
	d := &c.Dom
	open := int32(-1) // the innermost block whose subtree is not done
	for _, b := range d.Preorder {
		for ; open != d.Idom(int(b)); open = d.Idom(int(open)) {
			leave(int(open))
		}
		enter(int(b))
		open = b
	}
	for ; open >= 0; open = d.Idom(int(open)) {
		leave(int(open))
	}
}

// RepairSSA repairs values whose definition does not dominate all their uses, as may happen when code is moved into an
// if: phis join the value with "undefined" on the paths that bypass the definition. Derefs are recomputed at their
// uses, since the start of a chain has to be visible.
func RepairSSA(pc *pass.Context, f ir.Func) {
	c := in(pc)
	s := c.S
	g := &c.CFG
	g.Build(s, f)
	c.Dom.Build(g)
	st := &c.ssa
	st.start(len(g.Blocks))
	type broken struct {
		v    ir.Value
		slot int32
	}
	var list []broken
	useBlock := func(u ir.Use) int32 {
		if u.If != 0 {
			return g.Index[s.PrevNode(u.If)]
		}
		if p := s.At(u.User); p.Kind == phiKind {
			return g.Index[s.PhiPred(u.User, u.Index)]
		}
		return g.Index[s.At(u.User).Block()]
	}
	// Visit the derefs of a chain from the last to the first: a copy has the operands of its original.
	for bi := len(g.Blocks) - 1; bi >= 0; bi-- {
		for v := s.Last(g.Blocks[bi]); v != 0; v = s.At(v).Prev() {
			if s.At(v).Kind != kind.Deref || !analysis.UsedOutside(s, v, g.Blocks[bi]) {
				continue
			}
			for u := range s.Uses(v) {
				at := useBlock(u)
				if at < 0 || !c.Dom.Reachable(int(at)) || c.Dom.Dominates(bi, int(at)) {
					continue
				}
				if s.At(u.User).Kind == phiKind {
					c.B.AtEnd(g.Blocks[at])
				} else {
					c.B.Before(u.User)
				}
				c.Cloner.Start(s)
				n := c.Cloner.Instr(v)
				c.B.Insert(n)
				r := s.UseSrc(u)
				r.Val = n
				s.SetUse(u, r)
			}
		}
	}
	for bi, b := range g.Blocks {
		for v := s.First(b); v != 0; v = s.At(v).Next() {
			if !analysis.UsedOutside(s, v, b) {
				continue
			}
			slot := int32(-1)
			for u := range s.Uses(v) {
				at := useBlock(u)
				if at < 0 || !c.Dom.Reachable(int(at)) || c.Dom.Dominates(bi, int(at)) {
					continue
				}
				if slot < 0 {
					in := s.At(v)
					slot = st.newSlot(in.Comps, in.Bits)
					st.addDef(slot, int32(bi))
					list = append(list, broken{v, slot})
				}
				st.addUse(slot, at)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	st.undef = reuse.Zeroed(st.undef, len(st.slots))
	c.frontiers()
	c.placePhis()
	// The value of a slot at the end of a block: the nearest phi or definition up the dominator tree.
	at := func(x broken, b int32, def int32) ir.Value {
		for ; b >= 0; b = c.Dom.Idom(int(b)) {
			c.Work.Spend(lookSteps)
			if b == def {
				return x.v
			}
			for p := st.first[b]; p >= 0; p = st.phis[p].next {
				c.Work.Spend(lookSteps)
				if st.phis[p].slot == x.slot {
					return st.phis[p].value
				}
			}
		}
		return c.undefined(x.slot)
	}
	for _, x := range list {
		def := g.Index[s.At(x.v).Block()]
		for u := range s.Uses(x.v) {
			b := useBlock(u)
			if b < 0 || !c.Dom.Reachable(int(b)) || c.Dom.Dominates(int(def), int(b)) {
				continue
			}
			r := s.UseSrc(u)
			r.Val = at(x, b, def)
			s.SetUse(u, r)
		}
	}
	for b := range g.Blocks {
		for p := st.first[b]; p >= 0; p = st.phis[p].next {
			x := list[st.phis[p].slot]
			def := g.Index[s.At(x.v).Block()]
			for _, pr := range g.Preds(b) {
				s.AddPhiSrc(st.phis[p].value, g.Blocks[pr], s.All(at(x, pr, def)))
			}
		}
	}
}
