// SPDX-License-Identifier: MIT

package ir

import (
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Cloner copies instructions and nodes within one shader. It replaces references to values, nodes and variables with
// references to their copies, if it has copied them before or their copies were set.
type Cloner struct {
	// Skip, if set, selects instructions that List omits.
	Skip func(Value) bool

	s      *Shader
	values copies[Value]
	nodes  copies[Node]
	vars   copies[Var]
	fix    []Value // copied phis, whose sources may be defined later
}

// Start prepares the cloner for a new copy.
func (c *Cloner) Start(s *Shader) {
	c.s, c.Skip = s, nil
	c.values.start(s.NumValues())
	c.nodes.start(s.NumNodes())
	c.vars.start(s.NumVars())
	c.fix = c.fix[:0]
}

// copies maps handles to their copies. Restarting takes time proportional to the number of copies, not to the size of
// the shader.
type copies[H ~uint32] struct {
	of  []H // by handle; 0 means itself
	set []H
	n   int // the number of handles at the start; later handles map to themselves
}

func (m *copies[H]) start(n int) {
	for _, x := range m.set {
		m.of[x] = 0
	}
	m.set = m.set[:0]
	m.n = n
	if n > len(m.of) {
		m.of = append(m.of, make([]H, n+n/4-len(m.of))...)
	}
}

func (m *copies[H]) put(x, to H) {
	if int(x) < m.n {
		m.of[x] = to
		m.set = append(m.set, x)
	}
}

func (m *copies[H]) get(x H) H {
	if int(x) < m.n && m.of[x] != 0 {
		return m.of[x]
	}
	return x
}

// SetValue sets the copy of v.
func (c *Cloner) SetValue(v, copy Value) { c.values.put(v, copy) }

// SetVar sets the copy of x.
func (c *Cloner) SetVar(x, copy Var) { c.vars.put(x, copy) }

// Value returns the copy of v: v itself if it was not copied.
func (c *Cloner) Value(v Value) Value {
	return c.values.get(v)
}

// Node returns the copy of the block n: n itself if it was not copied.
func (c *Cloner) Node(n Node) Node {
	return c.nodes.get(n)
}

// Instr copies an instruction; the copy is in no block.
func (c *Cloner) Instr(v Value) Value {
	s := c.s
	old := *s.At(v)
	n := s.New(old.Kind, old.Op, int(old.NSrc), int(old.NAux))
	if s.onNew != nil {
		s.onNew(n, v)
	}
	in := s.At(n)
	in.Float, in.Loc = old.Float, old.Loc
	in.Bits, in.Comps = old.Bits, old.Comps
	copy(s.aux[in.aux:], s.aux[old.aux:old.aux+uint32(old.NAux)])
	for i := range uint32(old.NSrc) {
		o := s.operands[old.src+i]
		s.attach(in.src+i, c.Value(o.val), o.swz)
	}
	c.words(n)
	c.values.put(v, n)
	if old.Kind == kind.Phi {
		c.fix = append(c.fix, n)
	}
	return n
}

// words replaces handles in the words of a copy.
func (c *Cloner) words(n Value) {
	in := c.s.At(n)
	if in.Kind == kind.ALU || in.Kind == kind.Intrinsic {
		return
	}
	sh := kind.Infos[in.Kind].ShapeOf(in.Op)
	words := c.s.Words(n)
	at := 0
	for _, f := range sh.Fields {
		switch f.Class {
		case kind.ClassVar:
			words[at] = uint32(c.vars.get(Var(words[at])))
		case kind.ClassBlocks:
			for i, w := range words[at:] {
				words[at+i] = uint32(c.Node(Node(w)))
			}
		}
		at += f.Class.Words()
	}
}

// List copies the nodes from first, a block, to the end of its list. The block after serves as the copy of first: copies
// of first's instructions are appended to it, and the copies of the other nodes follow it. List returns the copy of the
// last block.
func (c *Cloner) List(first, after Node) Node {
	cur := c.list(first, after)
	for _, v := range c.fix {
		for i := range int(c.s.At(v).NSrc) {
			r := c.s.Src(v, i)
			r.Val = c.Value(r.Val)
			c.s.SetSrc(v, i, r)
		}
		c.words(v)
	}
	c.fix = c.fix[:0]
	return cur
}

func (c *Cloner) list(first, cur Node) Node {
	s := c.s
	for n := first; n != 0; n = s.nodes[n].next {
		switch s.nodes[n].kind {
		case NodeBlock:
			c.nodes.put(n, cur)
			for v := s.First(n); v != 0; v = s.At(v).next {
				if c.Skip == nil || !c.Skip(v) {
					s.appendInstr(cur, c.Instr(v))
				}
			}
		case NodeIf:
			cond := s.Cond(n)
			cond.Val = c.Value(cond.Val)
			x := s.insertAfter(cur, s.newIf(cond))
			s.nodes[x].info = s.nodes[n].info
			c.list(s.Then(n), s.Then(x))
			c.list(s.Else(n), s.Else(x))
			cur = s.nodes[x].next
		case NodeLoop:
			x := s.insertAfter(cur, s.newLoop())
			s.nodes[x].info = s.nodes[n].info
			c.list(s.Body(n), s.Body(x))
			cur = s.nodes[x].next
		}
	}
	return cur
}

// Equal reports whether two instructions without effects compute the same value: they have the same kind, opcode,
// sizes, fields and sources, the latter in either order if the opcode is commutative. The float mask is ignored; the
// instruction that is kept must get the intersection.
func (s *Shader) Equal(a, b Value) bool {
	x, y := s.At(a), s.At(b)
	if x.Kind != y.Kind || x.Op != y.Op || x.Bits != y.Bits || x.Comps != y.Comps || x.NSrc != y.NSrc || x.NAux != y.NAux {
		return false
	}
	for i := range uint32(x.NAux) {
		if s.aux[x.aux+i] != s.aux[y.aux+i] {
			return false
		}
	}
	if x.NSrc == 2 && s.commutes(x) && s.sameSrc(a, b, x, y, 0, 1) && s.sameSrc(a, b, x, y, 1, 0) {
		return true
	}
	for i := range int(x.NSrc) {
		if !s.sameSrc(a, b, x, y, i, i) {
			return false
		}
	}
	return true
}

// sameSrc reports whether operand i of a and operand j of b read the same components. p and q are the records of a and
// b.
func (s *Shader) sameSrc(a, b Value, p, q *Instr, i, j int) bool {
	x, y := s.operands[p.src+uint32(i)], s.operands[q.src+uint32(j)]
	return x.val == y.val && (x.swz == y.swz || x.swz.first(s.reads(a, p, i)) == y.swz.first(s.reads(b, q, j)))
}

// first keeps only the fields of the first n components.
func (z Swizzle) first(n uint8) Swizzle {
	if n < 8 {
		return z & (1<<(4*n) - 1)
	}
	return z
}

func (s *Shader) commutes(in *Instr) bool {
	return in.Kind == kind.ALU && in.ALUOp().Info().Has(op.Commutative)
}

// Hash returns a hash that is the same for instructions that are Equal.
func (s *Shader) Hash(in *Instr) uint32 {
	h := mix(2166136261, uint32(in.Kind)|uint32(in.Bits)<<8|uint32(in.Comps)<<16)
	h = mix(h, uint32(in.Op)|uint32(in.NSrc)<<16)
	for _, w := range s.aux[in.aux:][:in.NAux] {
		h = mix(h, w)
	}
	src := s.operands[in.src:][:in.NSrc]
	if in.Kind == kind.ALU {
		return hashALU(h, in, src)
	}
	for i := range src {
		h = mix(h, uint32(src[i].val)) // the swizzle seldom makes a difference
	}
	return h
}

// hashALU adds the operands of an ALU instruction to a hash.
func hashALU(h uint32, in *Instr, src []operand) uint32 {
	info := in.ALUOp().Info()
	if len(src) == 2 && info.Has(op.Commutative) {
		x, y := src[0].hash(in.comps(info, 0)), src[1].hash(in.comps(info, 1))
		return mix(h, scatter(x)+scatter(y))
	}
	for i := range src {
		h = mix(h, src[i].hash(in.comps(info, i)))
	}
	return h
}

// mix adds a word to a hash.
func mix(h, x uint32) uint32 {
	h = (h ^ x) * 16777619
	return h ^ h>>15
}

// hash returns the hash of an operand of which n components are read.
func (o *operand) hash(n uint8) uint32 {
	return uint32(o.val)*2654435761 ^ uint32(o.swz.first(n))*40503
}

// scatter scrambles a hash, so that sums of operand hashes differ even if one handle is greater and the other is
// smaller by the same amount.
func scatter(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x7feb352d
	return h ^ h>>15
}

// CanEliminate reports whether an instruction may be removed if its result is unused.
func (s *Shader) CanEliminate(v Value) bool {
	in := s.At(v)
	switch in.Kind {
	case kind.Intrinsic:
		volatile := kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessVolatile != 0
		return intrinsic.ID(in.Op).Info().Flags&intrinsic.CanEliminate != 0 && !volatile
	default:
		return kind.Infos[in.Kind].Result == kind.ResultAlways
	}
}

// CanReorder reports whether an instruction depends only on its sources, so that it may be moved, and merged with an
// equal one.
func (s *Shader) CanReorder(v Value) bool {
	in := s.At(v)
	switch in.Kind {
	case kind.ALU, kind.LoadConst, kind.Deref:
		return true
	case kind.Intrinsic:
		f := intrinsic.ID(in.Op).Info().Flags
		if f&(intrinsic.Convergent|intrinsic.CanEliminate) != intrinsic.CanEliminate {
			return false // has an effect, whatever its memory
		}
		a := kind.Access(s.Index(v, intrinsic.IxAccess))
		return a&kind.AccessVolatile == 0 && (f&intrinsic.CanReorder != 0 || a&kind.AccessCanReorder != 0)
	}
	return false
}
