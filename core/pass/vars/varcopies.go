// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerVarCopies turns copies of whole objects into loads and stores of their vectors and scalars, and wildcards into
// one copy per element. Arrays of many vectors are copied by loops, so that neither the size of the code nor the number
// of registers depends on their lengths.
func LowerVarCopies(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	c.stores = c.stores[:0]
	work := c.Values[:0]
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() == intrinsic.CopyDeref {
				work = append(work, v)
			}
		}
	}
	c.Values = work
	for _, v := range work {
		c.B.Before(v)
		dst, src := c.unfold(s.Src(v, 0).Val), c.unfold(s.Src(v, 1).Val)
		c.copyPart(dst, src, kind.Access(s.Index(v, intrinsic.IxAccess)), kind.Access(s.Index(v, intrinsic.IxSrcAccess)), v)
		c.storeLoaded()
		s.Remove(v)
		if c.Failed() {
			break
		}
	}
	return len(work) > 0
}

// copyPath is a decomposed chain of derefs: its start up to a wildcard and the remaining steps, so that the wildcards
// can be filled in.
type copyPath struct {
	at    ir.Value
	steps []ir.Value // derefs below, outermost first
}

// unfold splits a chain at its first wildcard.
func (c context) unfold(d ir.Value) copyPath {
	s := c.S
	var steps []ir.Value
	first := -1
	for v := d; ; v = s.Src(v, 0).Val {
		k := s.At(v).DerefKind()
		if s.At(v).Kind != kind.Deref || k == kind.DerefVar || k == kind.DerefCast {
			break
		}
		steps = append(steps, v)
		if k == kind.DerefArrayWildcard {
			first = len(steps)
		}
	}
	if first < 0 {
		return copyPath{at: d}
	}
	steps = steps[:first]
	p := copyPath{at: s.Src(steps[first-1], 0).Val}
	for i := len(steps) - 1; i >= 0; i-- {
		p.steps = append(p.steps, steps[i])
	}
	return p
}

// advance follows the steps up to the next wildcard.
func (c context) advance(p copyPath) copyPath {
	s := c.S
	for len(p.steps) > 0 && s.At(p.steps[0]).DerefKind() != kind.DerefArrayWildcard {
		st := p.steps[0]
		switch s.At(st).DerefKind() {
		case kind.DerefStruct:
			p.at = c.B.DerefStruct(p.at, int(s.Words(st)[kind.FieldDerefStructMember]))
		default:
			p.at = c.B.DerefArray(p.at, s.Src(st, 1))
		}
		p.steps = p.steps[1:]
	}
	return p
}

// maxUnrolled is the maximum number of vectors of an array that are copied without a loop, and the number that an
// iteration of a loop copies. maxCopy bounds the accesses of one copy of a struct.
const (
	maxUnrolled = 16
	maxCopy     = 1 << 14
)

// copyPart inserts the copy of the parts that the paths lead to. The cursor is before instruction at.
func (c context) copyPart(dst, src copyPath, da, sa kind.Access, at ir.Value) {
	s, b := c.S, c.B
	if c.Failed() {
		return
	}
	dst, src = c.advance(dst), c.advance(src)
	t := s.DerefType(dst.at)
	x := *s.Types.At(t)
	switch {
	case len(dst.steps) > 0 || len(src.steps) > 0 || x.Kind == ir.TypeArray || x.Kind == ir.TypeMatrix:
		element := func(i ir.Src, at ir.Value) {
			d, r := dst, src
			d.at, r.at = c.copyElement(d.at, i), c.copyElement(r.at, i)
			if len(d.steps) > 0 {
				d.steps = d.steps[1:]
			}
			if len(r.steps) > 0 {
				r.steps = r.steps[1:]
			}
			c.copyPart(d, r, da, sa, at)
		}
		if x.Len == 0 {
			c.FailAt(c.B.Loc, "arrays of unknown length cannot be copied")
		}
		first := uint32(0) // first element that is not copied by a loop
		if c.vectorsOf(t) > maxUnrolled {
			step := uint32(max(maxUnrolled/max(c.vectorsOf(s.Types.ElemType(t)), 1), 1))
			if first = x.Len - x.Len%step; first > step {
				c.countedLoop(at, first, step, element)
			} else {
				first = 0
			}
		}
		for i := first; i < x.Len; i++ {
			element(b.Imm(i), at)
		}
	case x.Kind == ir.TypeStruct:
		if c.accesses(t) > maxCopy {
			c.FailAt(c.B.Loc, "copies of more than %d values are not supported", maxCopy)
			return
		}
		for i := range int(x.Len) {
			d, r := copyPath{at: b.DerefStruct(dst.at, i)}, copyPath{at: b.DerefStruct(src.at, i)}
			c.copyPart(d, r, da|c.memberAccess(dst.at, i), sa|c.memberAccess(src.at, i), at)
		}
	default:
		c.copyVector(dst.at, src.at, da, sa)
	}
}

// copyVector loads a vector or scalar, and queues its store.
func (c context) copyVector(dst, src ir.Value, da, sa kind.Access) {
	s, b := c.S, c.B
	_, bits, comps := s.Types.ScalarOf(s.DerefType(dst))
	if comps == 0 {
		c.FailAt(c.B.Loc, "objects of this type cannot be copied")
		return
	}
	c.stores = append(c.stores, copyStore{dst, b.LoadDeref(uint8(comps), bits, s.All(src), sa), da})
	if len(c.stores) >= maxUnrolled {
		c.storeLoaded()
	}
}

// copyStore is a queued store of a copy. It follows the loads of several vectors, which then do not wait for each
// other. (An object and its copy are the same or disjoint memory.)
type copyStore struct {
	dst    ir.Value
	val    ir.Src
	access kind.Access
}

func (c context) storeLoaded() {
	for _, x := range c.stores {
		c.B.StoreDeref(c.S.All(x.dst), x.val, 1<<x.val.N-1, x.access)
	}
	c.stores = c.stores[:0]
}

// copyElement returns the deref of element i, a 32-bit integer.
func (c context) copyElement(d ir.Value, i ir.Src) ir.Value {
	if bits := c.S.At(d).Bits; bits != 32 {
		if c.S.At(i.Val).IsConst() {
			i = c.B.ImmN(bits, c.S.Const(i.Val, 0))
		} else {
			i = c.B.U2U64(i)
		}
	}
	return c.B.DerefArray(d, i)
}

func (c context) memberAccess(d ir.Value, i int) kind.Access {
	return c.S.Types.Members(c.S.DerefType(d))[i].Access
}

// vectorsOf returns the number of vectors of a type, as count does; if there are more than maxUnrolled, a number that is
// larger than that.
func (c context) vectorsOf(t ir.Type) uint64 { return c.count(t, false, maxUnrolled) }

// accesses returns the number of loads that the copy of an object expands to, as count does; if there are more than
// maxCopy, a number that is larger than that.
func (c context) accesses(t ir.Type) uint64 { return c.count(t, true, maxCopy) }

// count returns the number of vectors of a type, plus one for each member of a struct. If loops is true, an array that is
// copied by a loop counts as one element. If the number exceeds limit, the result may be any number above limit.
func (c context) count(t ir.Type, loops bool, limit uint64) uint64 {
	c.Work.Spend(1)
	tt := &c.S.Types
	switch x := tt.At(t); x.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		e := c.count(x.Elem, loops, limit)
		if e > limit || loops && uint64(x.Len)*e > maxUnrolled {
			return e
		}
		return uint64(x.Len) * e
	case ir.TypeStruct:
		n := uint64(0)
		for i := range tt.Members(t) {
			if n += 1 + c.count(tt.Members(t)[i].Type, loops, limit); n > 2*limit {
				break
			}
		}
		return n
	}
	return 1
}

// countedLoop inserts before v a loop that runs body for the numbers from 0 to n-1. Each iteration runs body step
// times; step divides n. body inserts code before the instruction that it receives, where the cursor is. The loop is
// not unrolled further: copies of private arrays would become copies of all elements.
func (c context) countedLoop(v ir.Value, n, step uint32, body func(i ir.Src, at ir.Value)) {
	s, b := c.S, c.B
	c.storeLoaded()
	zero := b.Imm(0)
	before := s.SplitFront(v)
	loop := s.InsertLoop(before)
	s.Node(loop).Hints = ir.HintDontUnroll
	first := s.Body(loop)
	b.AtEnd(first)
	phi := b.Phi(1, 32, 2)
	b.AtEnd(first)
	i := b.IMul(s.All(phi), b.Imm(step)) // shows that it is a multiple of step, which a phi would not
	next := b.IAdd(s.All(phi), b.Imm(1))
	iff := s.InsertIf(first, b.UGe(next, b.Imm(n/step)))
	b.AtEnd(s.Then(iff))
	b.Jump(kind.JumpBreak)
	s.AddPhiSrc(phi, before, zero)
	s.AddPhiSrc(phi, s.NextNode(iff), next)
	b.Before(next.Val)
	body(i, next.Val)
	for k := uint32(1); k < step; k++ {
		body(b.IAdd(i, b.Imm(k)), next.Val)
	}
	c.storeLoaded()
	b.Before(v)
}
