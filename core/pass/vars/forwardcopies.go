// SPDX-License-Identifier: MIT

package vars

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// copyUse describes the uses of a private variable that is written by a copy of a whole object.
type copyUse struct {
	copy  ir.Value // the only instruction that writes it
	reads int32    // number of loads of, and copies from, the variable or a part of it
	other bool     // it has other uses, or is written again
	stale bool     // the other fields may be out of date
}

// ForwardCopies removes private variables that are mere copies: all reads of the copy read the original instead, if
// nothing may write the original before the last of them. The reader copies each large object that is loaded, since it does not
// look ahead.
func ForwardCopies(pc *pass.Context) bool {
	c := in(pc)
	changed := false
	for range maxChain { // copies of copies
		if !c.forwardCopies() {
			break
		}
		values.DeadCode(c.Context) // removes derefs of copies
		changed = true
	}
	return changed
}

func (c context) forwardCopies() bool {
	s := c.S
	c.copies = c.copies[:0]
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() == intrinsic.CopyDeref {
				c.copies = append(c.copies, v)
			}
		}
	}
	if len(c.copies) == 0 {
		return false
	}
	c.copyUses = reuse.Zeroed(c.copyUses, s.NumVars())
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			c.noteUses(v)
		}
	}
	c.CFG.Build(s, c.F)
	c.Dom.Build(&c.CFG)
	changed := false
	for _, v := range c.copies {
		d := s.Src(v, 0).Val
		x := s.DerefVar(d)
		if u := &c.copyUses[x]; x == 0 || u.copy != v || u.other || u.stale || !c.forwardable(v) {
			continue
		}
		if !c.readBeforeChange(v, x) && !c.readOnly(v, x) {
			continue
		}
		c.forward(v, x)
		changed = true
	}
	return changed
}

// noteUses records the uses of private variables by an instruction.
func (c context) noteUses(v ir.Value) {
	s := c.S
	in := s.At(v)
	id := in.Intrinsic()
	for i := range int(in.NSrc) {
		d := s.Src(v, i).Val
		if s.At(d).Kind != kind.Deref || !ir.ModeMayBe(s.Modes(d), pass.Promotable) {
			continue
		}
		x := s.DerefVar(d)
		if x == 0 {
			continue
		}
		u := &c.copyUses[x]
		switch {
		case in.Kind == kind.Deref && in.DerefKind() != kind.DerefCast && i == 0:
		case id == intrinsic.LoadDeref, id == intrinsic.CopyDeref && i == 1:
			u.reads++
		case id == intrinsic.CopyDeref && u.copy == 0 && s.At(d).DerefKind() == kind.DerefVar:
			u.copy = v
		default:
			u.other = true
		}
	}
}

// forwardable reports whether the source of a copy can be read in place of the copy, any number of times.
func (c context) forwardable(v ir.Value) bool {
	s := c.S
	const observed = kind.AccessVolatile | kind.AccessCoherent
	dst, src := s.Src(v, 0).Val, s.Src(v, 1).Val
	if s.At(src).Kind != kind.Deref || s.DerefType(dst) != s.DerefType(src) {
		return false
	}
	x := s.DerefVar(src)
	if x == 0 {
		return false
	}
	a := kind.Access(s.Index(v, intrinsic.IxAccess)|s.Index(v, intrinsic.IxSrcAccess)) | s.Var(x).Access | s.Var(s.DerefVar(dst)).Access
	return a&observed == 0 && c.ordinary(s.DerefType(src), new([]ir.Type))
}

// ordinary reports whether a type contains no members that are volatile or coherent. It adds the structs that it visits
// to seen, since a struct may contain another one many times.
func (c context) ordinary(t ir.Type, seen *[]ir.Type) bool {
	c.Work.Spend(1 + len(*seen))
	tt := &c.S.Types
	switch x := tt.At(t); x.Kind {
	case ir.TypeArray:
		return c.ordinary(x.Elem, seen)
	case ir.TypeStruct:
		if slices.Contains(*seen, t) {
			return true
		}
		*seen = append(*seen, t)
		for i := range tt.Members(t) {
			m := tt.Members(t)[i]
			if m.Access&(kind.AccessVolatile|kind.AccessCoherent) != 0 || !c.ordinary(m.Type, seen) {
				return false
			}
		}
	}
	return true
}

// readBeforeChange reports whether all reads of x, which v writes, follow v in its block before anything may change the
// source.
func (c context) readBeforeChange(v ir.Value, x ir.Var) bool {
	s := c.S
	src := s.Src(v, 1).Val
	left := c.copyUses[x].reads
	for w := s.At(v).Next(); w != 0 && left > 0; w = s.At(w).Next() {
		if c.reads(w, x) {
			left--
			if c.overlapsPartly(w, src) {
				return false
			}
		}
		if left > 0 && c.mayChange(w, src) {
			return false
		}
	}
	return left == 0
}

// reads reports whether an instruction reads a variable through a deref.
func (c context) reads(w ir.Value, x ir.Var) bool {
	switch c.S.At(w).Intrinsic() {
	case intrinsic.LoadDeref:
		return c.S.DerefVar(c.S.Src(w, 0).Val) == x
	case intrinsic.CopyDeref:
		return c.S.DerefVar(c.S.Src(w, 1).Val) == x
	}
	return false
}

// overlapsPartly reports whether the destination of a copy w may overlap memory src without being the same object. In
// that case, copying element by element differs from copying all at once. Objects of one type that belong to one
// variable, or to variables that do not alias, are equal or disjoint.
func (c context) overlapsPartly(w, src ir.Value) bool {
	s := c.S
	if s.At(w).Intrinsic() != intrinsic.CopyDeref {
		return false
	}
	d := s.Src(w, 0).Val
	switch x, y := s.DerefVar(d), s.DerefVar(src); {
	case c.unlike(d, src):
		return false
	case x == 0 || x != y:
		return true
	default: // elements of an array of buffers may be parts of one buffer
		return ir.ModeMayBe(s.Modes(d), kind.ModeSSBO) && s.Types.At(s.Var(x).Type).Kind == ir.TypeArray
	}
}

// unlike reports whether two derefs certainly refer to different memory.
func (c context) unlike(a, b ir.Value) bool {
	s := c.S
	if c.relate(a, b) == apart {
		return true
	}
	x, y := s.DerefVar(a), s.DerefVar(b)
	if x == 0 || y == 0 || x == y {
		return false
	}
	p, q := s.Var(x), s.Var(y)
	const bound = kind.ModeSSBO | kind.ModeUBO
	return p.Mode&bound != 0 && q.Mode&bound != 0 && (p.Access|q.Access)&kind.AccessAliased == 0 &&
		(p.Set != q.Set || p.Binding != q.Binding)
}

// mayChange reports whether an instruction may change memory src, or let others change it.
func (c context) mayChange(w, src ir.Value) bool {
	s := c.S
	c.Work.Spend(lookSteps)
	in := s.At(w)
	switch {
	case in.Kind == kind.Call:
		return true
	case in.Kind != kind.Intrinsic:
		return false
	}
	switch id := in.Intrinsic(); {
	case id.Info().Flags&intrinsic.CanEliminate != 0:
		return false
	case in.NSrc > 0 && s.At(s.Src(w, 0).Val).Kind == kind.Deref:
		return !c.unlike(s.Src(w, 0).Val, src)
	case id == intrinsic.Barrier:
		return kind.Mode(s.Index(w, intrinsic.IxMemoryModes))&s.Modes(src) != 0
	}
	return !ir.ModeMustBe(s.Modes(src), pass.Promotable)
}

// readOnly reports whether no instruction of the shader may change the source of copy v, and v dominates all reads of
// x, which it writes.
func (c context) readOnly(v ir.Value, x ir.Var) bool {
	s := c.S
	src := s.Src(v, 1).Val
	at := int(c.CFG.Index[s.At(v).Block()])
	for b := range s.Blocks(c.F) {
		dominated := c.Dom.Dominates(at, int(c.CFG.Index[b]))
		after := b != s.At(v).Block()
		for w := range s.Instrs(b) {
			after = after || w == v
			if c.reads(w, x) && !(dominated && after) {
				return false
			}
			if in := s.At(w); in.Kind == kind.Intrinsic && in.Intrinsic() == intrinsic.Barrier || w == v {
				continue // no instruction writes the memory
			}
			if c.mayChange(w, src) {
				return false
			}
		}
	}
	return true
}

// forward makes all reads of x, a copy by v, read the original.
func (c context) forward(v ir.Value, x ir.Var) {
	s := c.S
	src := s.Src(v, 1).Val
	if y := s.DerefVar(src); y != 0 {
		c.copyUses[y].stale = true
	}
	var work []ir.Value
	for b := range s.Blocks(c.F) {
		for w := range s.Instrs(b) {
			if c.reads(w, x) {
				work = append(work, w)
			}
		}
	}
	access := s.Index(v, intrinsic.IxSrcAccess)
	for _, w := range work {
		i, slot := 0, intrinsic.IxAccess
		if s.At(w).Intrinsic() == intrinsic.CopyDeref {
			i, slot = 1, intrinsic.IxSrcAccess
		}
		c.B.Before(w)
		d := c.partOf(s.Src(w, i).Val, src)
		s.SetSrc(w, i, s.All(d))
		s.SetIndex(w, slot, s.Index(w, slot)|access)
	}
	s.Remove(v)
}

// partOf inserts and returns a deref that starts with src and continues with the steps from d's variable to d.
func (c context) partOf(d, src ir.Value) ir.Value {
	s := c.S
	if s.At(d).DerefKind() == kind.DerefVar {
		return src
	}
	p := c.partOf(s.Src(d, 0).Val, src)
	if s.At(d).DerefKind() == kind.DerefStruct {
		return c.B.DerefStruct(p, int(s.Words(d)[kind.FieldDerefStructMember]))
	}
	n := c.B.DerefArray(p, s.Src(d, 1))
	s.Words(n)[kind.FieldDerefArrayInBounds] = s.Words(d)[kind.FieldDerefArrayInBounds]
	return n
}
