package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// DeadWriteVars removes stores whose values are never read: stores to private variables that are never read, and,
// within a block, stores that a later store overwrites before any possible read.
func DeadWriteVars(pc *pass.Context) bool {
	c := in(pc)
	changed := c.deadVarWrites()
	c.relating()
	for b := range c.S.Blocks(c.F) {
		changed = c.deadBlockWrites(b) || changed
	}
	return changed
}

// deadVarWrites removes the stores to private variables that have no other use.
func (c context) deadVarWrites() bool {
	if !c.private() {
		return false
	}
	s := c.S
	c.readVars = reuse.Zeroed(c.readVars, s.NumVars())
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Deref || !ir.ModeMayBe(s.Modes(v), pass.Promotable) || !c.readThrough(v) {
				continue
			}
			if x := s.DerefVar(v); x != 0 {
				c.readVars[x] = true
			}
		}
	}
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() != intrinsic.StoreDeref || s.At(v).Kind != kind.Intrinsic {
				continue
			}
			d := s.Src(v, 0).Val
			if s.At(d).Kind != kind.Deref || !ir.ModeMustBe(s.Modes(d), pass.Promotable) {
				continue
			}
			if x := s.DerefVar(d); x != 0 && !c.readVars[x] {
				s.Remove(v)
				changed = true
			}
		}
	}
	return changed
}

// readThrough reports whether a deref has a use other than as the target of a store or the parent of a deref.
func (c context) readThrough(d ir.Value) bool {
	s := c.S
	for u := range s.Uses(d) {
		if u.If != 0 {
			return true
		}
		in := s.At(u.User)
		switch {
		case in.Kind == kind.Deref && u.Index == 0 && in.DerefKind() != kind.DerefCast:
		case in.Kind == kind.Intrinsic && in.Intrinsic() == intrinsic.StoreDeref && u.Index == 0:
		default:
			return true
		}
	}
	return false
}
