package spirv

import (
	"slices"

	"jacquard.example/generated/spirvtab"
)

// The rules of structured control flow (SPIR-V specification 2.11.2 and 2.16.1) are checked edge by edge. They are
// stated for the structural control flow graph, which has, in addition to branches, an edge from every header to its
// merge block and to its continue target. In that graph these blocks must be children of the header in the dominator
// tree, and a construct is the header's subtree without theirs. So one walk down the tree finds the innermost construct
// of every block.

// area is a construct: a set of blocks.
type area struct {
	kind   areaKind
	inCont bool   // it is a continue construct or inside one
	head   uint32 // its first block
	merge  uint32 // the merge block of its header
	next   uint32 // loops and their continue constructs: the continue target
	header uint32 // for continue constructs: the header of the loop
	latch  uint32 // for continue constructs: 1 + the block with the back edge
	parent int32  // the construct around it; 0: the function
	loop   int32  // the innermost loop or continue construct around it, or itself
	sw     int32  // the innermost switch around it in the same loop, or itself
}

type areaKind uint8

const (
	areaFunc areaKind = iota
	areaSelection
	areaSwitch
	areaLoop
	areaContinue
)

var areaNames = [...]string{"function", "selection", "switch", "loop", "continue construct"}

// structure has the constructs of one function.
type structure struct {
	f     *funcRec
	g     *cfg // branches and the edges of merge instructions
	areas []area
	con   []uint32 // by block: the innermost construct that contains it, except the construct that it starts
	own   []uint32 // the construct of which it is the header, or 0
	cont  []uint32 // the continue construct that it begins, or 0
	sw    []uint32 // the switch that it is a target of, or 0
	kase  []uint32 // 1 + the target of the innermost switch around it through which control comes, or 0
	falls []uint32 // 1 + the target that control falls through to from this target
	into  []uint32 // 1 + the target from which control falls through to this target
	latch []uint32 // loop headers: 1 + the block with the back edge
}

// merger returns the merge instruction of block b, or 0 if it has none, and its opcode.
func (r *reader) merger(b *block) (word uint32, op uint16) {
	if b.merge == 0 {
		return 0, 0
	}
	return b.merge, r.op(b.merge)
}

// checkStructure checks the control flow of a function by its structural graph.
func (r *reader) checkStructure(f *funcRec) {
	n, a, s, g := int(f.n), &r.arena, &r.constructs, &r.structural
	*s = structure{
		f: f, g: g, areas: append(s.areas[:0], area{}), con: a.take(n), own: a.take(n), cont: a.take(n), sw: a.take(n),
		kase: a.take(n), falls: a.take(n), into: a.take(n), latch: a.take(n),
	}
	for _, b := range slices.Backward(g.order.Nodes) {
		r.place(s, uint32(b))
	}
	r.edgesBack(s)
	for _, b := range slices.Backward(g.order.Nodes) {
		r.edgesOf(s, uint32(b))
	}
	r.checkCases(s)
	r.checkSelections(s)
}

func (s *structure) label(r *reader, b uint32) uint32 { return r.blocks[s.f.first+b].label }

// place finds the construct of block b, whose dominator has been placed, and the constructs that begin with b.
func (r *reader) place(s *structure, b uint32) {
	if b != 0 {
		p := s.g.idom(b)
		a := &s.areas[s.own[p]]
		switch {
		case s.own[p] == 0 || b == a.merge:
			s.con[b], s.kase[b] = s.con[p], s.kase[p]
		case a.kind == areaLoop && b == a.next:
			s.con[b], s.kase[b] = s.cont[b], s.kase[p]
		default:
			s.con[b], s.kase[b] = s.own[p], s.kase[p]
			if a.kind == areaSwitch {
				s.kase[b] = b + 1
			}
		}
	}
	bl := &r.blocks[s.f.first+b]
	word, op := r.merger(bl)
	if word == 0 {
		return
	}
	r.at = word
	m := r.blockOf(r.words[word+1]) - s.f.first
	if m == 0 || s.g.idom(m) != b || m == b {
		r.fail("the header does not dominate its merge block %d", s.label(r, m))
	}
	around := &s.areas[s.con[b]]
	a := area{kind: areaSelection, inCont: around.inCont, head: b, merge: m, next: none, parent: int32(s.con[b]), loop: around.loop, sw: around.sw}
	k := int32(len(s.areas))
	s.own[b] = uint32(k)
	if op != spirvtab.OpLoopMerge {
		if r.op(bl.term) == spirvtab.OpSwitch {
			a.kind, a.sw = areaSwitch, k
			r.placeTargets(s, b, m, uint32(k))
		}
		s.areas = append(s.areas, a)
		return
	}
	c := r.blockOf(r.words[word+2]) - s.f.first
	switch {
	case c == b: // the whole loop is its continue construct
		a.kind, a.inCont, a.header, a.next, a.loop, a.sw = areaContinue, true, b, b, k, 0
		s.areas = append(s.areas, a)
		s.cont[b] = uint32(k)
		return
	case c == 0 || s.g.idom(c) != b:
		r.fail("the header does not dominate its continue target, block %d", s.label(r, c))
	case c == m:
		r.fail("the merge block is the continue target")
	}
	a.kind, a.next, a.loop, a.sw = areaLoop, c, k, 0
	s.areas = append(s.areas, a)
	a.kind, a.inCont, a.head, a.header, a.loop = areaContinue, true, c, b, k+1
	s.areas = append(s.areas, a)
	s.cont[c] = uint32(k + 1)
}

// placeTargets marks the targets of the switch at the end of block b.
func (r *reader) placeTargets(s *structure, b, merge, k uint32) {
	bl := &r.blocks[s.f.first+b]
	r.at = bl.term
	for _, t := range s.g.targets(b) {
		t := uint32(t)
		if t == merge {
			continue
		}
		if t == b || s.g.idom(t) != b {
			r.fail("the switch does not dominate its target, block %d", s.label(r, t))
		}
		s.sw[t] = k
	}
}

// contains reports whether construct k contains block b.
func (s *structure) contains(k int32, b uint32) bool {
	a := &s.areas[k]
	switch {
	case a.kind == areaFunc:
		return true
	case !s.g.dominates(a.head, b):
		return false
	case a.kind == areaContinue:
		return a.head != a.header || !s.g.dominates(a.merge, b)
	case s.g.dominates(a.merge, b):
		return false
	}
	return a.kind != areaLoop || !s.g.dominates(a.next, b)
}

// edgesBack checks that back edges lead only to loop headers, and to each of them from one block.
func (r *reader) edgesBack(s *structure) {
	for b, l := range r.blocks[s.f.first : s.f.first+s.f.n] {
		b := uint32(b)
		r.at = l.term
		for _, t := range s.g.targets(b) {
			t := uint32(t)
			if !s.g.back(b, t) {
				continue
			}
			if word, op := r.merger(&r.blocks[s.f.first+t]); word == 0 || op != spirvtab.OpLoopMerge {
				r.fail("an edge back to block %d, which is not a loop header", s.label(r, t))
			}
			if !s.g.reachable(b) {
				continue
			}
			if s.latch[t] != 0 && s.latch[t] != b+1 {
				r.fail("a second edge back to block %d, after the one from block %d", s.label(r, t), s.label(r, s.latch[t]-1))
			}
			s.latch[t] = b + 1
		}
	}
	for i := range s.areas {
		a := &s.areas[i]
		if a.kind != areaContinue {
			continue
		}
		r.at = r.blocks[s.f.first+a.header].merge
		a.latch = s.latch[a.header]
		if a.latch == 0 {
			r.fail("no edge leads back to the loop header")
		}
		if !s.g.dominates(a.next, a.latch-1) {
			r.fail("the continue target, block %d, does not dominate block %d, from which an edge leads back", s.label(r, a.next), s.label(r, a.latch-1))
		}
		r.at = r.blocks[s.f.first+a.latch-1].term
		for _, t := range s.g.targets(a.latch - 1) {
			t := uint32(t)
			if t != a.header && t != a.merge {
				r.fail("leads back to the loop header and to block %d, which is not the merge block of the loop", s.label(r, t))
			}
		}
	}
}

// edgesOf checks the edges from block b: each leaves constructs only for the destinations that the rules allow, and
// enters them only by their headers.
func (r *reader) edgesOf(s *structure, b uint32) {
	bl := &r.blocks[s.f.first+b]
	r.at = bl.term
	inner := int32(s.own[b])
	if inner == 0 {
		inner = int32(s.con[b])
	}
	ts := s.g.targets(b)
	if bl.merge != 0 { // the edges of the merge instruction come first
		ts = ts[1:]
		if r.op(bl.merge) == spirvtab.OpLoopMerge {
			ts = ts[1:]
		}
	}
	if len(ts) == 0 && s.areas[inner].inCont {
		r.fail("ends in a continue construct, all of whose paths must lead back to the loop header")
	}
	for _, t := range ts {
		t := uint32(t)
		r.leavesBy(s, b, t, inner)
		k := int32(s.con[t])
		if s.cont[t] == s.con[t] && k != 0 {
			k = s.areas[k].parent
		}
		if !s.contains(k, b) {
			r.fail("enters the %s of block %d at block %d, not at its header", areaNames[s.areas[k].kind], s.label(r, s.areas[k].head), s.label(r, t))
		}
		if c := s.cont[t]; c != 0 && s.areas[c].header != t && !s.contains(int32(c)-1, b) && !s.g.back(b, t) {
			r.fail("leads to the continue target, block %d, from outside of its loop", s.label(r, t))
		}
		if c := s.kase[b]; c != 0 && !s.g.dominates(c-1, t) {
			r.fallsThrough(s, c-1, t)
		}
	}
}

// leavesBy checks that the edge from block b, in construct k, to block t leaves each construct for an allowed
// destination.
func (r *reader) leavesBy(s *structure, b, t uint32, k int32) {
	for !s.contains(k, t) {
		a := &s.areas[k]
		l := &s.areas[a.loop]
		ok := t == a.merge
		switch a.kind {
		case areaContinue:
			ok = b+1 == a.latch && (ok || t == a.header)
		case areaLoop:
			ok = ok || t == a.next
		default:
			switch {
			case ok:
			case a.loop != 0 && (t == l.merge || t == l.next):
				k = a.loop // leaves all selections in the loop
				continue
			case a.kind == areaSelection && a.sw != 0 && t == s.areas[a.sw].merge:
				k = a.sw
				continue
			}
		}
		if !ok {
			r.fail("leaves the %s of block %d to block %d, which is not an allowed destination",
				areaNames[a.kind], s.label(r, a.head), s.label(r, t))
		}
		k = a.parent
	}
}

// fallsThrough checks and records that control gets from the case that begins with block c to block t.
func (r *reader) fallsThrough(s *structure, c, t uint32) {
	k := s.sw[c]
	if !s.contains(int32(k), t) {
		return
	}
	switch {
	case k == 0 || s.sw[t] != k:
		r.fail("leads from the case at block %d to block %d, which is neither a case nor the merge block of the switch", s.label(r, c), s.label(r, t))
	case s.falls[c] != 0 && s.falls[c] != t+1:
		r.fail("the case at block %d falls through to two others, block %d and block %d", s.label(r, c), s.label(r, s.falls[c]-1), s.label(r, t))
	case s.into[t] != 0 && s.into[t] != c+1:
		r.fail("two cases fall through to block %d, at block %d and at block %d", s.label(r, t), s.label(r, s.into[t]-1), s.label(r, c))
	}
	s.falls[c], s.into[t] = t+1, c+1
}

// checkCases checks that a case that falls through to another is listed just before it in the switch. A case that falls
// through to the default is listed before the case that the default falls through to.
func (r *reader) checkCases(s *structure) {
	for i := range s.areas {
		a := &s.areas[i]
		if a.kind != areaSwitch {
			continue
		}
		ts := s.g.targets(a.head)[1:] // without the edge to the merge block
		again := slices.Contains(ts[1:], ts[0])
		for j, n := range ts[1:] {
			t, to := uint32(n), s.falls[n]
			if t == a.merge || to == 0 {
				continue
			}
			if to == uint32(ts[0])+1 && !again {
				if to = s.falls[ts[0]]; to == 0 {
					continue
				}
			}
			rest := ts[j+2:]
			for len(rest) > 0 && rest[0] == n {
				rest = rest[1:]
			}
			if len(rest) == 0 || uint32(rest[0])+1 != to {
				r.failAt(r.blocks[s.f.first+a.head].term, "the case at block %d falls through to block %d, but is not listed just before it",
					s.label(r, t), s.label(r, s.falls[t]-1))
			}
		}
	}
}

// checkSelections checks that a branch with two targets has a merge instruction, unless one of the targets occurred
// before in the order of control flow: as a merge block, a continue target, or a target of another branch. Newer
// versions of spirv-val require one in loop headers too, but some compilers' modules lack it.
func (r *reader) checkSelections(s *structure) {
	seen := r.arena.take(int(s.f.n))
	for _, b := range slices.Backward(s.g.order.Nodes) {
		b := uint32(b)
		bl := &r.blocks[s.f.first+b]
		ts := s.g.targets(b)
		if bl.merge != 0 {
			seen[ts[0]] = 1
			ts = ts[1:]
			if r.op(bl.merge) == spirvtab.OpLoopMerge {
				seen[ts[0]] = 1
				ts = ts[1:]
			}
		}
		switch r.op(bl.term) {
		case spirvtab.OpSwitch:
			if bl.merge == 0 {
				r.failAt(bl.term, "a switch without a merge instruction")
			}
		case spirvtab.OpBranchConditional:
			if bl.merge == 0 && ts[0] != ts[1] && seen[ts[0]]|seen[ts[1]] == 0 {
				r.failAt(bl.term, "begins a selection that has no merge instruction")
			}
		default:
			continue
		}
		for _, t := range ts {
			seen[t] = 1
		}
	}
}
