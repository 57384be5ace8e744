// SPDX-License-Identifier: MIT

package structure

import (
	"fmt"
	"slices"
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
	parent int32  // the construct around it; 0 means the function
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

// Constructs has the constructs of one function. Their memory is reused from function to function.
type Constructs struct {
	blocks  []Block
	g       *Graph // branches and the edges of merge instructions
	at      uint32 // the block that is being checked
	atMerge bool   // its merge instruction is, not its terminator
	areas   []area
	con     []uint32 // by block: the innermost construct that contains it, except the construct that it starts
	own     []uint32 // the construct of which it is the header, or 0
	cont    []uint32 // the continue construct that it begins, or 0
	sw      []uint32 // the switch that it is a target of, or 0
	kase    []uint32 // 1 + the target of the innermost switch around it through which control comes, or 0
	falls   []uint32 // 1 + the target that control falls through to from this target
	into    []uint32 // 1 + the target from which control falls through to this target
	latch   []uint32 // loop headers: 1 + the block with the back edge
}

// Check checks the control flow of a function by its structural graph, in which the edges of a block's merge instruction
// come before the edges of its branch. It returns the first violation, or nil.
func (s *Constructs) Check(blocks []Block, g *Graph, a *Arena) (fault *Fault) {
	defer func() {
		*s = Constructs{areas: s.areas[:0]} // the tables are in a
		if p := recover(); p != nil {
			f, ok := p.(*Fault)
			if !ok {
				panic(p)
			}
			fault = f
		}
	}()
	n := len(blocks)
	*s = Constructs{
		blocks: blocks, g: g, areas: append(s.areas[:0], area{}), con: a.Take(n), own: a.Take(n), cont: a.Take(n), sw: a.Take(n),
		kase: a.Take(n), falls: a.Take(n), into: a.Take(n), latch: a.Take(n),
	}
	for _, b := range slices.Backward(g.Order.Nodes) {
		s.place(uint32(b))
	}
	s.edgesBack()
	for _, b := range slices.Backward(g.Order.Nodes) {
		s.edgesOf(uint32(b))
	}
	s.checkCases()
	s.checkSelections(a.Take(n))
	return nil
}

// fail aborts Check with a violation at the current block.
func (s *Constructs) fail(format string, args ...any) {
	panic(&Fault{Block: s.at, Merge: s.atMerge, Text: fmt.Sprintf(format, args...)})
}

func (s *Constructs) atEnd(b uint32) { s.at, s.atMerge = b, false }

func (s *Constructs) label(b uint32) uint32 { return s.blocks[b].Label }

// place finds the construct of block b, whose dominator has been placed, and the constructs that begin with b.
func (s *Constructs) place(b uint32) {
	if b != 0 {
		p := s.g.Idom(b)
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
	bl := &s.blocks[b]
	if bl.Merge == NoMerge {
		return
	}
	s.at, s.atMerge = b, true
	m := bl.To
	if m == 0 || s.g.Idom(m) != b || m == b {
		s.fail("the header does not dominate its merge block %d", s.label(m))
	}
	around := &s.areas[s.con[b]]
	a := area{
		kind: areaSelection, inCont: around.inCont, head: b, merge: m, next: None,
		parent: int32(s.con[b]), loop: around.loop, sw: around.sw,
	}
	k := int32(len(s.areas))
	s.own[b] = uint32(k)
	if bl.Merge != LoopMerge {
		if bl.End == Switch {
			a.kind, a.sw = areaSwitch, k
			s.placeTargets(b, m, uint32(k))
		}
		s.areas = append(s.areas, a)
		return
	}
	c := bl.Next
	switch {
	case c == b: // the whole loop is its continue construct
		a.kind, a.inCont, a.header = areaContinue, true, b
		a.next, a.loop, a.sw = b, k, 0
		s.areas = append(s.areas, a)
		s.cont[b] = uint32(k)
		return
	case c == 0 || s.g.Idom(c) != b:
		s.fail("the header does not dominate its continue target, block %d", s.label(c))
	case c == m:
		s.fail("the merge block is the continue target")
	}
	a.kind, a.next = areaLoop, c
	a.loop, a.sw = k, 0
	s.areas = append(s.areas, a)
	a.kind, a.inCont, a.head = areaContinue, true, c
	a.header, a.loop = b, k+1
	s.areas = append(s.areas, a)
	s.cont[c] = uint32(k + 1)
}

// placeTargets marks the targets of the switch at the end of block b.
func (s *Constructs) placeTargets(b, merge, k uint32) {
	s.atEnd(b)
	for _, t := range s.g.Targets(b) {
		t := uint32(t)
		if t == merge {
			continue
		}
		if t == b || s.g.Idom(t) != b {
			s.fail("the switch does not dominate its target, block %d", s.label(t))
		}
		s.sw[t] = k
	}
}

// contains reports whether construct k contains block b.
func (s *Constructs) contains(k int32, b uint32) bool {
	a := &s.areas[k]
	switch {
	case a.kind == areaFunc:
		return true
	case !s.g.Dominates(a.head, b):
		return false
	case a.kind == areaContinue:
		return a.head != a.header || !s.g.Dominates(a.merge, b)
	case s.g.Dominates(a.merge, b):
		return false
	}
	return a.kind != areaLoop || !s.g.Dominates(a.next, b)
}

// edgesBack finds the latch of each loop and checks the rules for back edges: they lead only to loop headers, and to each
// of them from one block, the latch. The continue target dominates the latch, which otherwise leads only to the merge
// block.
func (s *Constructs) edgesBack() {
	for b := range uint32(len(s.blocks)) {
		s.atEnd(b)
		for _, t := range s.g.Targets(b) {
			t := uint32(t)
			if !s.g.Back(b, t) {
				continue
			}
			if s.blocks[t].Merge != LoopMerge {
				s.fail("leads back to block %d, which is not a loop header", s.label(t))
			}
			if !s.g.Reachable(b) {
				continue
			}
			if s.latch[t] != 0 && s.latch[t] != b+1 {
				s.fail("leads back to block %d, as block %d does; only one block may", s.label(t), s.label(s.latch[t]-1))
			}
			s.latch[t] = b + 1
		}
	}
	for i := range s.areas {
		a := &s.areas[i]
		if a.kind != areaContinue {
			continue
		}
		s.at, s.atMerge = a.header, true
		a.latch = s.latch[a.header]
		if a.latch == 0 {
			s.fail("no edge leads back to the loop header")
		}
		if !s.g.Dominates(a.next, a.latch-1) {
			s.fail("the continue target, block %d, does not dominate block %d, from which an edge leads back",
				s.label(a.next), s.label(a.latch-1))
		}
		s.atEnd(a.latch - 1)
		for _, t := range s.g.Targets(a.latch - 1) {
			t := uint32(t)
			if t != a.header && t != a.merge {
				s.fail("leads back to the loop header and to block %d, which is not the merge block of the loop", s.label(t))
			}
		}
	}
}

// edgesOf checks the edges from block b: each leaves constructs only for the destinations that the rules allow, and
// enters them only by their headers.
func (s *Constructs) edgesOf(b uint32) {
	bl := &s.blocks[b]
	s.atEnd(b)
	inner := int32(s.own[b])
	if inner == 0 {
		inner = int32(s.con[b])
	}
	ts := s.g.Targets(b)
	if bl.Merge != NoMerge { // the edges of the merge instruction come first
		ts = ts[1:]
		if bl.Merge == LoopMerge {
			ts = ts[1:]
		}
	}
	if len(ts) == 0 && s.areas[inner].inCont {
		s.fail("ends in a continue construct, all of whose paths must lead back to the loop header")
	}
	for _, t := range ts {
		t := uint32(t)
		s.leavesBy(b, t, inner)
		k := int32(s.con[t])
		if s.cont[t] == s.con[t] && k != 0 {
			k = s.areas[k].parent
		}
		if !s.contains(k, b) {
			s.fail("enters the %s of block %d at block %d, not at its header",
				areaNames[s.areas[k].kind], s.label(s.areas[k].head), s.label(t))
		}
		if c := s.cont[t]; c != 0 && s.areas[c].header != t && !s.contains(int32(c)-1, b) && !s.g.Back(b, t) {
			s.fail("leads to the continue target, block %d, from outside of its loop", s.label(t))
		}
		if c := s.kase[b]; c != 0 && !s.g.Dominates(c-1, t) {
			s.fallsThrough(c-1, t)
		}
	}
}

// leavesBy checks that the edge from block b, in construct k, to block t leaves each construct for an allowed
// destination.
func (s *Constructs) leavesBy(b, t uint32, k int32) {
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
			s.fail("leaves the %s of block %d to block %d, which is not an allowed destination",
				areaNames[a.kind], s.label(a.head), s.label(t))
		}
		k = a.parent
	}
}

// fallsThrough checks and records that control gets to block t from the case that begins with block c.
func (s *Constructs) fallsThrough(c, t uint32) {
	k := s.sw[c]
	if !s.contains(int32(k), t) {
		return
	}
	switch {
	case k == 0 || s.sw[t] != k:
		s.fail("leads from the case at block %d to block %d, which is neither a case nor the merge block of the switch",
			s.label(c), s.label(t))
	case s.falls[c] != 0 && s.falls[c] != t+1:
		s.fail("the case at block %d falls through to two others, block %d and block %d", s.label(c), s.label(s.falls[c]-1), s.label(t))
	case s.into[t] != 0 && s.into[t] != c+1:
		s.fail("two cases fall through to block %d, at block %d and at block %d", s.label(t), s.label(s.into[t]-1), s.label(c))
	}
	s.falls[c], s.into[t] = t+1, c+1
}

// checkCases checks that a case that falls through to another is listed just before it in the switch. A case that falls
// through to the default is listed before the case that the default falls through to.
func (s *Constructs) checkCases() {
	for i := range s.areas {
		a := &s.areas[i]
		if a.kind != areaSwitch {
			continue
		}
		ts := s.g.Targets(a.head)[1:] // without the edge to the merge block
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
				s.atEnd(a.head)
				s.fail("the case at block %d falls through to block %d, but is not listed just before it",
					s.label(t), s.label(s.falls[t]-1))
			}
		}
	}
}

// checkSelections checks that each switch has a merge instruction. A branch with two different targets must have one too,
// unless a target occurred before in the order of control flow: as a merge block, a continue target, or a target of
// another branch. Newer versions of spirv-val require one in loop headers too, but some compilers' modules lack it. All
// elements of seen must be 0.
func (s *Constructs) checkSelections(seen []uint32) {
	for _, b := range slices.Backward(s.g.Order.Nodes) {
		b := uint32(b)
		bl := &s.blocks[b]
		s.atEnd(b)
		ts := s.g.Targets(b)
		if bl.Merge != NoMerge {
			seen[ts[0]] = 1
			ts = ts[1:]
			if bl.Merge == LoopMerge {
				seen[ts[0]] = 1
				ts = ts[1:]
			}
		}
		switch bl.End {
		case Switch:
			if bl.Merge == NoMerge {
				s.fail("needs a merge instruction")
			}
		case Conditional:
			if bl.Merge == NoMerge && ts[0] != ts[1] && seen[ts[0]]|seen[ts[1]] == 0 {
				s.fail("begins a selection that has no merge instruction")
			}
		default:
			continue
		}
		for _, t := range ts {
			seen[t] = 1
		}
	}
}
