package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// remarkPrivate records remarks about the variables in scratch memory, and about accesses to them with dynamic indices.
func (c context) remarkPrivate() {
	s := c.S
	for x := range s.Vars(pass.Promotable) {
		size, _ := s.LayoutOfVar(x).Size(s.Var(x).Type)
		c.RemarkVar(pass.InScratch, x, 0, int(size))
	}
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			if !mayTouch(in) {
				continue
			}
			for i := range int(in.NSrc) {
				if at := s.Src(v, i).Val; c.varies(at) {
					if x := s.DerefVar(at); x != 0 && s.Var(x).Mode&^pass.Promotable == 0 {
						c.RemarkVar(pass.IndexedIn, x, in.Loc, 1)
					}
				}
			}
		}
	}
}

// varies reports whether a chain of derefs has a dynamic index.
func (c context) varies(d ir.Value) bool {
	s := c.S
	for s.At(d).Kind == kind.Deref {
		switch s.At(d).DerefKind() {
		case kind.DerefVar, kind.DerefCast:
			return false
		case kind.DerefArray:
			if !s.At(s.Src(d, 1).Val).IsConst() {
				return true
			}
		}
		d = s.Src(d, 0).Val
	}
	return false
}
