// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// knownMemory records the known value of a piece of memory.
type knownMemory struct {
	deref ir.Value
	key   uint32 // key of the deref's step
	val   ir.Src
}

// maxKnown bounds the number of records; the oldest record is dropped first.
const maxKnown = 24

// forwarded are the modes whose stores are forwarded to later loads. Buffers are not included: a store out of a
// buffer's bounds is dropped, and a load there returns zero.
const forwarded = pass.Promotable | kind.ModeShared

// CopyPropVars forwards loaded and stored values to later loads. A known value holds in the rest of the list of nodes and
// in the arms of its ifs, until an instruction may change it, an if contains such an instruction, or a loop begins.
func CopyPropVars(pc *pass.Context) bool {
	c := in(pc)
	c.known, c.frame = c.known[:0], 0
	c.relating()
	return c.copyPropList(c.S.Body(c.S.Func(c.F).Node))
}

// copyPropList processes a list of nodes; the known memory is c.known[c.frame:].
func (c context) copyPropList(n ir.Node) bool {
	s := c.S
	changed := false
	for ; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			changed = c.copyPropBlock(n) || changed
		case ir.NodeIf:
			outer := c.frame
			quiet := true
			for _, arm := range [2]ir.Node{s.Then(n), s.Else(n)} {
				c.frame = len(c.known)
				c.known = append(c.known, c.known[outer:c.frame]...)
				changed = c.copyPropList(arm) || changed
				c.known = c.known[:c.frame]
				quiet = quiet && !c.writesMemory(arm)
			}
			c.frame = outer
			if !quiet {
				c.forgetAll()
			}
		default:
			c.forgetAll()
			changed = c.copyPropList(s.Body(n)) || changed
			c.forgetAll()
		}
	}
	return changed
}

// writesMemory reports whether n or a node after it may change memory or let other invocations change it.
func (c context) writesMemory(n ir.Node) bool {
	s := c.S
	for ; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			for v := range s.Instrs(n) {
				c.Work.Spend(lookSteps)
				if in := s.At(v); in.Kind == kind.Call || in.Kind == kind.Intrinsic && in.Intrinsic() != intrinsic.LoadDeref &&
					in.Intrinsic().Info().Flags&intrinsic.CanEliminate == 0 {
					return true
				}
			}
		case ir.NodeIf:
			if c.writesMemory(s.Then(n)) || c.writesMemory(s.Else(n)) {
				return true
			}
		default:
			if c.writesMemory(s.Body(n)) {
				return true
			}
		}
	}
	return false
}

func (c context) copyPropBlock(b ir.Node) bool {
	s := c.S
	changed := false
	for next := s.First(b); next != 0; {
		v, in := next, s.At(next)
		next = in.Next()
		switch {
		case in.Kind == kind.ALU:
		case in.Kind == kind.Call:
			c.forgetAll()
		case in.Kind != kind.Intrinsic || in.Intrinsic().Info().Flags&intrinsic.CanReorder != 0:
		case in.Intrinsic() == intrinsic.LoadDeref:
			changed = c.copyPropLoad(v) || changed
		case in.Intrinsic() == intrinsic.StoreDeref:
			d := s.Src(v, 0).Val
			c.forgetMemory(d)
			val := s.Src(v, 1)
			full := uint32(1)<<in.Comps - 1
			if ir.ModeMustBe(s.Modes(d), forwarded) && s.Index(v, intrinsic.IxWriteMask)&full == full && !c.isVolatile(v) {
				c.remember(d, val)
			}
		case in.Intrinsic() == intrinsic.CopyDeref, atomicOnDeref(in.Intrinsic()):
			c.forgetMemory(s.Src(v, 0).Val)
		case in.Intrinsic() == intrinsic.Barrier:
			c.forgetModes(kind.Mode(s.Index(v, intrinsic.IxMemoryModes)))
		case in.Intrinsic().Info().Flags&intrinsic.CanEliminate == 0:
			c.forgetAll()
		}
	}
	return changed
}

// atomicOnDeref reports whether an intrinsic is an atomic that takes a deref.
func atomicOnDeref(id intrinsic.ID) bool {
	return id.Is(intrinsic.TraitAtomic) && id.Source(intrinsic.RoleDeref) == 0
}

// isVolatile reports whether an access must not be removed: it is volatile, atomic, or makes itself available or
// visible to others (and is therefore coherent).
func (c context) isVolatile(v ir.Value) bool {
	s := c.S
	a := kind.Access(s.Index(v, intrinsic.IxAccess))
	d := s.Src(v, 0).Val
	x := ir.Var(0)
	if at := c.stepOf(d); at.depth > 0 {
		x = at.root
	} else {
		x = s.DerefVar(d)
	}
	if x != 0 {
		a |= s.Var(x).Access & kind.AccessVolatile
	}
	return a&(kind.AccessVolatile|kind.AccessCoherent) != 0
}

func (c context) copyPropLoad(v ir.Value) bool {
	s := c.S
	d := s.Src(v, 0).Val
	if s.At(d).Kind != kind.Deref || ir.ModeMayBe(s.Modes(d), kind.ModeImage|kind.ModeShaderIn|kind.ModeShaderOut) || c.isVolatile(v) {
		return false
	}
	key := c.stepOf(d).key
	c.Work.Spend(len(c.known) - c.frame)
	for i := len(c.known) - 1; i >= c.frame; i-- {
		k := &c.known[i]
		if k.key != key || c.relateTo(k.deref, d) != samePlace {
			continue
		}
		if in := s.At(v); k.val.N == in.Comps && s.At(k.val.Val).Bits == in.Bits {
			s.ReplaceUses(v, k.val)
			s.Remove(v)
			return true
		}
	}
	c.remember(d, s.All(v))
	return false
}

func (c context) remember(d ir.Value, val ir.Src) {
	if len(c.known)-c.frame == maxKnown {
		copy(c.known[c.frame:], c.known[c.frame+1:])
		c.known = c.known[:len(c.known)-1]
	}
	c.known = append(c.known, knownMemory{d, c.stepOf(d).key, val})
}

func (c context) forgetAll() { c.known = c.known[:c.frame] }

// forgetMemory drops the known values that a change of d's memory may invalidate.
func (c context) forgetMemory(d ir.Value) {
	out := c.known[:c.frame]
	for _, k := range c.known[c.frame:] {
		if c.relateTo(k.deref, d) == apart {
			out = append(out, k)
		}
	}
	c.known = out
}

func (c context) forgetModes(m kind.Mode) {
	out := c.known[:c.frame]
	for _, k := range c.known[c.frame:] {
		if c.S.Modes(k.deref)&m == 0 {
			out = append(out, k)
		}
	}
	c.known = out
}
