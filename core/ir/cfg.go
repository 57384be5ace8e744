// SPDX-License-Identifier: MIT

package ir

import (
	"jacquard.example/core/trips"
	"jacquard.example/generated/kind"
)

// NodeKind is the kind of a node of the control-flow tree.
type NodeKind uint8

// The kinds of nodes.
const (
	NodeNone NodeKind = iota
	NodeFunc
	NodeBlock
	NodeIf
	NodeLoop
)

// nodeRec is a node of the tree. A block has a list of instructions (first, last). The other kinds have lists of nodes:
// a function or a loop has one, an if two (then, else).
type nodeRec struct {
	kind        NodeKind
	list        uint8 // which of the parent's lists contains the node
	parent      Node
	prev, next  Node
	first, last uint32  // block: instructions
	start       Value   // block: cached first non-phi instruction
	head, tail  [2]Node // lists of nodes
	cond        uint32  // if: operand of its condition
	info        NodeInfo
	follow      Node // block: cached NextBlock, valid while asked is the shader's shape
	asked       uint32
}

// LoopHints are hints from the source about a loop or a selection.
type LoopHints uint8

// The hints about loops and selections.
const (
	HintUnroll LoopHints = 1 << iota
	HintDontUnroll
	HintFlatten
	HintDontFlatten
)

// NodeInfo describes a loop or an if.
type NodeInfo struct {
	Hints LoopHints   // hints from the source
	Trips trips.Count // trip count of a loop. A pass that changes how often the body is entered must update it
}

// FuncInfo describes a function.
type FuncInfo struct {
	Name   Str
	Node   Node // the root of its tree; 0 if the function has been removed
	Params []Param
	Entry  bool // it is the entry point
}

// Param is the size of a function's parameter; derefs have the size of a
// pointer.
type Param struct {
	Comps, Bits uint8
}

// NewFunc adds a function with an empty block as its body.
func (s *Shader) NewFunc(name string, params ...Param) Func {
	f := Func(len(s.funcs))
	n := s.newNode(NodeFunc)
	s.funcs = append(s.funcs, FuncInfo{Name: s.Strs.Intern(name), Node: n, Params: params})
	s.appendNode(n, 0, s.newNode(NodeBlock))
	return f
}

// Funcs walks over the functions.
func (s *Shader) Funcs() func(yield func(Func) bool) {
	return func(yield func(Func) bool) {
		for f := 1; f < len(s.funcs); f++ {
			if s.funcs[f].Node != 0 && !yield(Func(f)) {
				return
			}
		}
	}
}

// RemoveFunc removes an uncalled function; its instructions stay unused until the shader
// is reset.
func (s *Shader) RemoveFunc(f Func) { s.funcs[f] = FuncInfo{} }

// Func returns the description of a function, valid until the next is added.
func (s *Shader) Func(f Func) *FuncInfo { return &s.funcs[f] }

// NumFuncs returns one more than the last function: the size of a table indexed by Func.
func (s *Shader) NumFuncs() int { return len(s.funcs) }

// Entry returns the entry point, or 0 if there is none.
func (s *Shader) Entry() Func {
	for f := range s.funcs {
		if s.funcs[f].Entry {
			return Func(f)
		}
	}
	return 0
}

// reshape records that control flow changes.
func (s *Shader) reshape() {
	if s.shape++; s.shape == 0 {
		s.shape++ // 0 marks nodes whose follow is not cached
	}
}

// Shape returns a number that changes whenever the tree or a jump changes.
func (s *Shader) Shape() uint32 { return s.shape }

func (s *Shader) newNode(k NodeKind) Node {
	s.reshape()
	n := Node(len(s.nodes))
	s.nodes = append(s.nodes, nodeRec{kind: k})
	return n
}

// NumNodes returns one more than the last node: the size of a table indexed by
// Node.
func (s *Shader) NumNodes() int { return len(s.nodes) }

// NodeKind returns the kind of a node.
func (s *Shader) NodeKind(n Node) NodeKind { return s.nodes[n].kind }

// Parent returns the node whose list contains n.
func (s *Shader) Parent(n Node) Node { return s.nodes[n].parent }

// NextNode returns the node after n in its list, 0 at the end.
func (s *Shader) NextNode(n Node) Node { return s.nodes[n].next }

// PrevNode returns the node before n in its list, 0 at the start.
func (s *Shader) PrevNode(n Node) Node { return s.nodes[n].prev }

// Node returns the description of a loop or an if, valid until the next node is added.
func (s *Shader) Node(n Node) *NodeInfo { return &s.nodes[n].info }

// Body returns the first node of a function or loop.
func (s *Shader) Body(n Node) Node { return s.nodes[n].head[0] }

// BodyEnd returns the last node (a block) of a function or loop.
func (s *Shader) BodyEnd(n Node) Node { return s.nodes[n].tail[0] }

// Then returns the first node of an if's then list.
func (s *Shader) Then(n Node) Node { return s.nodes[n].head[0] }

// ThenEnd returns the last node of an if's then list.
func (s *Shader) ThenEnd(n Node) Node { return s.nodes[n].tail[0] }

// Else returns the first node of an if's else list.
func (s *Shader) Else(n Node) Node { return s.nodes[n].head[1] }

// ElseEnd returns the last node of an if's else list.
func (s *Shader) ElseEnd(n Node) Node { return s.nodes[n].tail[1] }

// LoopOf returns the innermost loop around a node, or 0 if there is none.
func (s *Shader) LoopOf(n Node) Node {
	for n = s.nodes[n].parent; n != 0 && s.nodes[n].kind != NodeLoop; {
		n = s.nodes[n].parent
	}
	return n
}

func (s *Shader) appendNode(parent Node, list uint8, n Node) {
	s.insertNode(parent, list, s.nodes[parent].tail[list], n)
}

// insertNode inserts n after node after (0 means at the start) in a list of parent.
func (s *Shader) insertNode(parent Node, list uint8, after, n Node) {
	s.reshape()
	p := &s.nodes[parent]
	r := &s.nodes[n]
	r.parent, r.list, r.prev = parent, list, after
	if after != 0 {
		r.next = s.nodes[after].next
		s.nodes[after].next = n
	} else {
		r.next = p.head[list]
		p.head[list] = n
	}
	if r.next != 0 {
		s.nodes[r.next].prev = n
	} else {
		p.tail[list] = n
	}
}

func (s *Shader) unlinkNode(n Node) {
	s.reshape()
	r := &s.nodes[n]
	p := &s.nodes[r.parent]
	if r.prev != 0 {
		s.nodes[r.prev].next = r.next
	} else {
		p.head[r.list] = r.next
	}
	if r.next != 0 {
		s.nodes[r.next].prev = r.prev
	} else {
		p.tail[r.list] = r.prev
	}
	r.parent, r.prev = 0, 0
	r.next, r.list = 0, 0
}

// Cond returns the condition of an if.
func (s *Shader) Cond(n Node) Src {
	o := s.operands[s.nodes[n].cond]
	return Src{o.val, o.swz, 1}
}

// SetCond sets the condition of an if to r, a scalar bool.
func (s *Shader) SetCond(n Node, r Src) {
	o := s.nodes[n].cond
	s.detach(o)
	s.attach(o, r.Val, r.Swz)
}

// newIf creates a detached if with an empty block in each arm.
func (s *Shader) newIf(cond Src) Node {
	n := s.newNode(NodeIf)
	o := s.allocOperands(1, 0)
	s.links[o].user = nodeUser | uint32(n)
	s.nodes[n].cond = o
	s.attach(o, cond.Val, cond.Swz)
	s.appendNode(n, 0, s.newNode(NodeBlock))
	s.appendNode(n, 1, s.newNode(NodeBlock))
	return n
}

// newLoop creates a detached loop with an empty block as its body.
func (s *Shader) newLoop() Node {
	n := s.newNode(NodeLoop)
	s.appendNode(n, 0, s.newNode(NodeBlock))
	return n
}

// InsertIf inserts an if, with an empty block in each arm, after block after, and an
// empty block after it unless a block follows (see SplitBlock). Instructions are not moved.
func (s *Shader) InsertIf(after Node, cond Src) Node { return s.insertBetween(after, s.newIf(cond)) }

// InsertLoop inserts a loop, with an empty block as its body, after block after, and an
// empty block after it unless a block follows (see SplitBlock).
func (s *Shader) InsertLoop(after Node) Node { return s.insertBetween(after, s.newLoop()) }

// insertBetween inserts an if or a loop after a block, and an empty block after it unless a block follows.
func (s *Shader) insertBetween(after, n Node) Node {
	if next := s.nodes[after].next; next != 0 && s.nodes[next].kind == NodeBlock {
		s.insertNode(s.nodes[after].parent, s.nodes[after].list, after, n)
		return n
	}
	return s.insertAfter(after, n)
}

// insertAfter inserts an if or a loop, and an empty block after it, after a block.
func (s *Shader) insertAfter(after, n Node) Node {
	parent, list := s.nodes[after].parent, s.nodes[after].list
	s.insertNode(parent, list, after, n)
	s.insertNode(parent, list, n, s.newNode(NodeBlock))
	return n
}

// SplitBlock moves v and the instructions after it (none if v is 0) out of block b into a new block after it, which it
// returns. The two blocks are adjacent until a node is inserted between them (InsertIf, InsertLoop) or they are merged
// again. Phis that name b as a predecessor are not updated.
func (s *Shader) SplitBlock(b Node, v Value) Node {
	n := s.newNode(NodeBlock)
	s.insertNode(s.nodes[b].parent, s.nodes[b].list, b, n)
	for v != 0 {
		next := s.At(v).next
		s.unlink(v)
		s.appendInstr(n, v)
		v = next
	}
	return n
}

// SplitFront moves the instructions before v out of its block into a new block before it, and returns the new block. A
// caller that walks a block forwards and splits it often thus moves each instruction only once. The block of v remains
// the predecessor of the nodes after it. The two blocks are adjacent, as after SplitBlock.
func (s *Shader) SplitFront(v Value) Node {
	b := s.At(v).block
	n := s.newNode(NodeBlock)
	s.insertNode(s.nodes[b].parent, s.nodes[b].list, s.nodes[b].prev, n)
	for x := s.First(b); x != v; {
		next := s.At(x).next
		s.unlink(x)
		s.appendInstr(n, x)
		x = next
	}
	return n
}

// MergeBlocks moves everything in the block after b into b and removes that block. b must not end in a jump.
func (s *Shader) MergeBlocks(b Node) {
	n := s.nodes[b].next
	for v := s.First(n); v != 0; {
		in := s.At(v)
		in.block = b
		v = in.next
	}
	to, from := &s.nodes[b], &s.nodes[n]
	if from.first != 0 {
		if to.last != 0 {
			s.At(Value(to.last)).next = Value(from.first)
		} else {
			to.first = from.first
		}
		s.At(Value(from.first)).prev = Value(to.last)
		to.last = from.last
	}
	s.unlinkNode(n)
	s.nodes[n] = nodeRec{}
}

// MoveNodes moves the nodes first … last, which are consecutive in one list, after node
// after, which is elsewhere in the tree.
func (s *Shader) MoveNodes(first, last, after Node) {
	for n := first; ; {
		next := s.nodes[n].next
		s.unlinkNode(n)
		s.insertNode(s.nodes[after].parent, s.nodes[after].list, after, n)
		if n == last {
			return
		}
		after, n = n, next
	}
}

// RemoveNode removes a node and everything in it. No value in it may be used outside. The blocks around it are not
// merged.
func (s *Shader) RemoveNode(n Node) {
	s.dropUses(n)
	s.dropNode(n)
	s.unlinkNode(n)
	s.nodes[n] = nodeRec{}
}

// dropUses clears the operands of every instruction below n, so that they can be removed
// in any order.
func (s *Shader) dropUses(n Node) {
	r := &s.nodes[n]
	switch r.kind {
	case NodeBlock:
		for v := Value(r.first); v != 0; v = s.At(v).next {
			in := s.At(v)
			for i := range uint32(in.NSrc) {
				s.detach(in.src + i)
			}
		}
	case NodeIf:
		s.detach(r.cond)
	}
	for l := range 2 {
		for c := s.nodes[n].head[l]; c != 0; c = s.nodes[c].next {
			s.dropUses(c)
		}
	}
}

func (s *Shader) dropNode(n Node) {
	for v := Value(s.nodes[n].first); s.nodes[n].kind == NodeBlock && v != 0; {
		next := s.At(v).next
		s.Remove(v)
		v = next
	}
	for l := range 2 {
		for c := s.nodes[n].head[l]; c != 0; {
			next := s.nodes[c].next
			s.dropNode(c)
			s.nodes[c] = nodeRec{}
			c = next
		}
	}
}

// First returns the first instruction of a block.
func (s *Shader) First(b Node) Value { return Value(s.nodes[b].first) }

// Last returns the last instruction of a block.
func (s *Shader) Last(b Node) Value { return Value(s.nodes[b].last) }

// Jump returns the jump that ends a block, or 0 if control falls through.
func (s *Shader) Jump(b Node) Value {
	if v := s.Last(b); v != 0 && s.At(v).IsJump() {
		return v
	}
	return 0
}

// Instrs iterates over the instructions of a block. The current one may be removed, and
// others inserted before or after it.
func (s *Shader) Instrs(b Node) func(yield func(Value) bool) {
	return func(yield func(Value) bool) {
		for v := s.First(b); v != 0; {
			next := s.At(v).next
			if !yield(v) {
				return
			}
			v = next
		}
	}
}

// FirstBlock returns the first block of a function.
func (s *Shader) FirstBlock(f Func) Node { return s.Body(s.funcs[f].Node) }

// NextBlock returns the block after b in textual order, 0 at the end of the function.
func (s *Shader) NextBlock(b Node) Node {
	if r := &s.nodes[b]; r.asked == s.shape {
		return r.follow
	}
	return s.findNext(b)
}

// findNext computes NextBlock for a block that has not cached it.
func (s *Shader) findNext(b Node) Node {
	follow := Node(0)
	for n := b; ; {
		r := &s.nodes[n]
		if r.next != 0 {
			follow = s.firstBlockOf(r.next)
			break
		}
		p := r.parent
		if p == 0 || s.nodes[p].kind == NodeFunc {
			break
		}
		if s.nodes[p].kind == NodeIf && r.list == 0 {
			follow = s.nodes[p].head[1]
			break
		}
		n = p
	}
	r := &s.nodes[b]
	r.follow, r.asked = follow, s.shape
	return follow
}

func (s *Shader) firstBlockOf(n Node) Node {
	for s.nodes[n].kind != NodeBlock {
		n = s.nodes[n].head[0]
	}
	return n
}

// Blocks iterates over the blocks of a function in textual order, which visits a block
// after all blocks that dominate it.
func (s *Shader) Blocks(f Func) func(yield func(Node) bool) {
	return func(yield func(Node) bool) {
		for b := s.FirstBlock(f); b != 0; {
			next := s.NextBlock(b)
			if !yield(b) {
				return
			}
			b = next
		}
	}
}

func (s *Shader) appendInstr(b Node, v Value) {
	r := &s.nodes[b]
	in := s.At(v)
	if in.Kind == kind.Jump {
		s.reshape()
	}
	in.block, in.prev, in.next = b, Value(r.last), 0
	if r.last != 0 {
		s.At(Value(r.last)).next = v
	} else {
		r.first = uint32(v)
	}
	r.last = uint32(v)
}

func (s *Shader) insertBefore(at, v Value) {
	a, in := s.At(at), s.At(v)
	if in.Kind == kind.Jump {
		s.reshape()
	}
	in.block, in.prev, in.next = a.block, a.prev, at
	if a.prev != 0 {
		s.At(a.prev).next = v
	} else {
		s.nodes[a.block].first = uint32(v)
	}
	a.prev = v
}

// MoveToEnd moves an instruction to the end of block b.
func (s *Shader) MoveToEnd(v Value, b Node) {
	s.unlink(v)
	s.appendInstr(b, v)
}
