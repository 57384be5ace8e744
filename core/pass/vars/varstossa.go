// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

const phiKind = kind.Phi

// maxLeaves bounds the vectors and scalars of a promoted variable; larger variables stay in memory.
const maxLeaves = 1 << 12

// derefPath is the memory that a deref refers to: leaves lo … lo+n-1 of a variable with a promotable mode, or one
// component of a leaf.
type derefPath struct {
	v    ir.Var
	lo   uint32
	n    uint32
	comp int8 // component of the leaf; -1 means all
	kind pathKind
}

type pathKind uint8

const (
	pathNone    pathKind = iota // not a deref of a promotable variable
	pathExact                   // these leaves
	pathOutside                 // outside the variable: reads are undefined, writes do nothing
	pathUnknown                 // one of these leaves, dynamically indexed
)

// VarsToSSA promotes parts of private variables to SSA values, if all their accesses are loads and stores of whole
// vectors or scalars at constant indices. A variable is split into its scalars and vectors; a dynamic index keeps the
// array below it in memory.
func VarsToSSA(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	st := &c.ssa
	if !c.layoutLeaves() || !c.findDerefs() {
		return false
	}
	c.blockOddUses()
	if !c.keepPromoted() {
		return false
	}
	c.CFG.Build(s, c.F)
	c.Dom.Build(&c.CFG)
	c.frontiers()
	st.start(len(c.CFG.Blocks))
	c.collectSlots()
	st.undef = reuse.Zeroed(st.undef, len(st.slots))
	c.placePhis()
	c.rename()
	return true
}

// layoutLeaves numbers the leaves of the private variables of the current function and, in the entry point, of the
// shader. It reports whether there are any.
func (c context) layoutLeaves() bool {
	s, st := c.S, &c.ssa
	st.base = reuse.Zeroed(st.base, s.NumVars())
	st.leaves = reuse.Zeroed(st.leaves, s.Types.Num())
	total := uint32(0)
	for x := range s.Vars(pass.Promotable) {
		if f := s.Var(x).Func; f != c.F && (f != 0 || c.F != s.Entry()) {
			continue // of another function, or of all functions
		}
		if n := c.numLeaves(s.Var(x).Type); n > 0 && n <= maxLeaves {
			st.base[x] = total + 1
			total += n
		}
	}
	st.blocked = reuse.Zeroed(st.blocked, int(total))
	st.slotOf = reuse.Slice(st.slotOf, int(total))
	for i := range st.slotOf {
		st.slotOf[i] = -1
	}
	return total > 0
}

// findDerefs finds the derefs of private variables that have leaves, and the loads and stores through them. It reports
// whether there are such derefs.
func (c context) findDerefs() bool {
	s, st := c.S, &c.ssa
	st.paths = reuse.Zeroed(st.paths, s.NumValues())
	st.derefs, st.accesses = st.derefs[:0], st.accesses[:0]
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for v := s.First(b); v != 0; {
			in := s.At(v)
			switch {
			case in.Kind == kind.Deref:
				if p := c.path(v, in); p.kind != pathNone {
					st.paths[v] = p
					st.derefs = append(st.derefs, v)
				}
			case in.Intrinsic() == intrinsic.LoadDeref, in.Intrinsic() == intrinsic.StoreDeref:
				if p := &st.paths[s.Src(v, 0).Val]; p.kind == pathExact || p.kind == pathOutside {
					st.accesses = append(st.accesses, access{v: v, path: *p})
				}
			}
			v = in.Next()
		}
	}
	return len(st.derefs) > 0
}

// numLeaves returns the number of vectors and scalars of a type; maxLeaves+1 if there are more
// than maxLeaves.
func (c context) numLeaves(t ir.Type) uint32 {
	st := &c.ssa
	if n := st.leaves[t]; n != 0 {
		return n
	}
	tt := &c.S.Types
	x := tt.At(t)
	n := uint32(1)
	switch x.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		n = 0
		if x.Len > 0 {
			e := c.numLeaves(x.Elem)
			n = maxLeaves + 1
			if uint64(e)*uint64(x.Len) <= maxLeaves {
				n = e * x.Len
			}
		}
	case ir.TypeStruct:
		n = 0
		for _, m := range tt.Members(t) {
			n = min(n+c.numLeaves(m.Type), maxLeaves+1)
		}
	}
	st.leaves[t] = n
	return n
}

// path returns the memory that a deref refers to. The path of its parent must be known.
func (c context) path(v ir.Value, in *ir.Instr) derefPath {
	s, st := c.S, &c.ssa
	if in.DerefKind() == kind.DerefVar {
		x := ir.Var(s.Words(v)[kind.FieldDerefVarVar])
		if st.base[x] == 0 {
			return derefPath{}
		}
		return derefPath{x, st.base[x] - 1, c.numLeaves(s.Var(x).Type), -1, pathExact}
	}
	parent := s.Src(v, 0).Val
	p := st.paths[parent]
	if p.kind != pathExact {
		return p
	}
	t := s.DerefType(parent)
	switch in.DerefKind() {
	case kind.DerefStruct:
		for _, m := range s.Types.Members(t)[:s.Words(v)[kind.FieldDerefStructMember]] {
			p.lo += c.numLeaves(m.Type)
		}
		p.n = c.numLeaves(s.DerefType(v))
		return p
	case kind.DerefArray:
		x := s.Types.At(t)
		i, known := s.ConstOf(s.Src(v, 1))
		switch {
		case !known:
			p.kind = pathUnknown
		case i >= uint64(x.Len):
			p.kind = pathOutside
		case x.Kind == ir.TypeVector:
			p.comp = int8(i)
		default:
			p.n = c.numLeaves(x.Elem)
			p.lo += uint32(i) * p.n
		}
		return p
	}
	p.kind = pathUnknown
	return p
}

// blockOddUses keeps in memory all leaves with accesses other than loads and stores at constant indices.
func (c context) blockOddUses() {
	st := &c.ssa
	for _, v := range st.derefs {
		p := &st.paths[v]
		if p.kind == pathOutside || p.kind == pathExact && !c.oddUse(v) {
			continue
		}
		for i := p.lo; i < p.lo+p.n; i++ {
			st.blocked[i] = true
		}
	}
}

// oddUse reports whether a deref has a use other than as the parent of a deref or the address of a load or store.
func (c context) oddUse(v ir.Value) bool {
	s := c.S
	for u := range s.Uses(v) {
		if u.If != 0 {
			return true
		}
		in := s.At(u.User)
		switch {
		case in.Kind == kind.Deref && in.DerefKind() != kind.DerefCast && u.Index == 0:
		case in.Intrinsic() == intrinsic.LoadDeref, in.Intrinsic() == intrinsic.StoreDeref && u.Index == 0:
		default:
			return true
		}
	}
	return false
}

// access is a load or store of a promoted leaf.
type access struct {
	v    ir.Value
	slot int32 // slot of the leaf, if the access is not outside of the variable
	path derefPath
}

// keepPromoted drops the accesses to leaves that stay in memory, and reports whether others remain.
func (c context) keepPromoted() bool {
	st := &c.ssa
	list := st.accesses[:0]
	for i := range st.accesses {
		if p := &st.accesses[i].path; p.kind == pathOutside || !st.blocked[p.lo] {
			list = append(list, st.accesses[i])
		}
	}
	st.accesses = list
	return len(list) > 0
}

// collectSlots assigns slots to the leaves that are accessed, and records the blocks that define and use each slot.
func (c context) collectSlots() {
	s, st := c.S, &c.ssa
	st.from = reuse.Slice(st.from, len(c.CFG.Blocks)+1)
	next := 0 // next block
	for i := range st.accesses {
		x := &st.accesses[i]
		in := s.At(x.v)
		block := c.CFG.Index[in.Block()]
		for ; next <= int(block); next++ {
			st.from[next] = int32(i)
		}
		if x.path.kind == pathOutside {
			continue
		}
		slot := st.slotOf[x.path.lo]
		if slot < 0 {
			d := s.Src(x.v, 0).Val
			if x.path.comp >= 0 {
				d = s.Src(d, 0).Val
			}
			_, bits, n := s.Types.ScalarOf(s.DerefType(d))
			slot = st.newSlot(uint8(n), bits)
			st.slotOf[x.path.lo] = slot
		}
		x.slot = slot
		if in.Intrinsic() == intrinsic.LoadDeref {
			st.addUse(slot, block)
			continue
		}
		if !c.storesAll(x) {
			st.addUse(slot, block)
		}
		st.addDef(slot, block)
	}
	for ; next <= len(c.CFG.Blocks); next++ {
		st.from[next] = int32(len(st.accesses))
	}
}

// accessesOf returns the accesses of a block.
func (c context) accessesOf(block int) []access {
	st := &c.ssa
	return st.accesses[st.from[block]:st.from[block+1]]
}

func (c context) rename() {
	st := &c.ssa
	st.cur = reuse.Zeroed(st.cur, len(st.slots))
	marks := make([]int32, len(c.CFG.Blocks))
	c.walkDominators(func(b int) {
		marks[b] = int32(len(st.undo))
		c.renameBlock(b)
	}, func(b int) {
		for i := int32(len(st.undo)); i > marks[b]; i-- {
			st.cur[st.undo[i-1].slot] = st.undo[i-1].old
		}
		st.undo = st.undo[:marks[b]]
	})
	for b := range c.CFG.Blocks {
		if !c.Dom.Reachable(b) {
			c.renameUnreachable(c.CFG.Blocks[b])
		}
	}
}

func (c context) setCur(slot int32, v ir.Value) {
	st := &c.ssa
	st.undo = append(st.undo, undoRec{slot, st.cur[slot]})
	st.cur[slot] = v
}

func (c context) curValue(slot int32) ir.Value {
	if v := c.ssa.cur[slot]; v != 0 {
		return v
	}
	return c.undefined(slot)
}

func (c context) renameBlock(bi int) {
	s, st := c.S, &c.ssa
	b := c.CFG.Blocks[bi]
	for p := st.first[bi]; p >= 0; p = st.phis[p].next {
		c.setCur(st.phis[p].slot, st.phis[p].value)
	}
	for i := range c.accessesOf(bi) {
		x := &c.accessesOf(bi)[i]
		if x.path.kind == pathOutside {
			c.dropOutside(x.v)
			continue
		}
		if s.At(x.v).Intrinsic() == intrinsic.LoadDeref {
			r := s.All(c.curValue(x.slot))
			if x.path.comp >= 0 {
				r = r.Comp(int(x.path.comp))
			}
			s.ReplaceUses(x.v, r)
		} else {
			c.setCur(x.slot, c.stored(x))
		}
		s.Remove(x.v)
	}
	for _, t := range c.CFG.Succs(bi) {
		for p := st.first[t]; p >= 0; p = st.phis[p].next {
			s.AddPhiSrc(st.phis[p].value, b, s.All(c.curValue(st.phis[p].slot)))
		}
	}
}

// dropOutside removes an access outside of its variable or in unreachable code: a load becomes an undefined value.
func (c context) dropOutside(v ir.Value) {
	s := c.S
	if in := s.At(v); in.HasResult() {
		c.B.Before(v)
		s.ReplaceUses(v, c.B.Undef(in.Comps, in.Bits))
	}
	s.Remove(v)
}

// storesAll reports whether a store defines all components of its slot.
func (c context) storesAll(x *access) bool {
	mask := c.S.Index(x.v, intrinsic.IxWriteMask)
	if x.path.comp >= 0 {
		mask = 1 << x.path.comp
	}
	full := uint32(1)<<c.ssa.slots[x.slot].comps - 1
	return mask&full == full
}

// stored returns the value of the slot after a store.
func (c context) stored(x *access) ir.Value {
	s := c.S
	n := int(c.ssa.slots[x.slot].comps)
	r := s.Src(x.v, 1)
	mask := s.Index(x.v, intrinsic.IxWriteMask)
	from := 0
	if x.path.comp >= 0 {
		mask, from = 1<<x.path.comp, int(x.path.comp)
	}
	full := uint32(1)<<n - 1
	if mask&full == full && r.Swz == ir.Identity && int(s.At(r.Val).Comps) == n {
		return r.Val
	}
	var parts [16]ir.Src
	var old ir.Src
	if mask&full != full {
		old = s.All(c.curValue(x.slot))
	}
	c.B.Before(x.v)
	for i := range n {
		if mask>>i&1 != 0 {
			parts[i] = r.Comp(i - from)
		} else {
			parts[i] = old.Comp(i)
		}
	}
	return pass.Vec(c.B, parts[:n]).Val
}

// renameUnreachable replaces the accesses in unreachable code.
func (c context) renameUnreachable(b ir.Node) {
	s := c.S
	bi := int(c.CFG.Index[b])
	for _, x := range c.accessesOf(bi) {
		c.dropOutside(x.v)
	}
	for _, t := range c.CFG.Succs(bi) {
		for p := c.ssa.first[t]; p >= 0; p = c.ssa.phis[p].next {
			s.AddPhiSrc(c.ssa.phis[p].value, b, s.All(c.undefined(c.ssa.phis[p].slot)))
		}
	}
}
