// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// copies reports whether an operation is a copy, or builds a vector from other values.
func copies(o op.Op) bool {
	switch o {
	case op.Mov, op.Vec2, op.Vec3, op.Vec4, op.Vec5, op.Vec8, op.Vec16:
		return true
	}
	return false
}

// CopyProp replaces copies, and vectors built from other values, in their uses with the originals.
func CopyProp(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for next := s.First(b); next != 0; {
			v, in := next, s.At(next)
			next = in.Next()
			if in.Kind != kind.ALU {
				continue
			}
			switch in.ALUOp() {
			case op.Mov:
				if in.Used() {
					s.ReplaceUses(v, s.Src(v, 0))
					changed = true
				}
			case op.Vec2, op.Vec3, op.Vec4, op.Vec5, op.Vec8, op.Vec16:
				if in.Used() {
					changed = c.propagateVec(v) || changed
				}
			}
		}
	}
	return changed
}

// propagateVec replaces a vector with one of the values that it is built from, in each use that reads only components of
// that value.
func (c context) propagateVec(v ir.Value) bool {
	s := c.S
	changed := false
	for u := range s.Uses(v) {
		r := s.UseSrc(u)
		if u.If == 0 && !swizzles(s.At(u.User).Kind) || r.N > 8 {
			continue
		}
		first := c.component(v, r.Swz.Comp(0))
		z, same := ir.Identity, true
		for i := range int(r.N) {
			x := c.component(v, r.Swz.Comp(i))
			same = same && x.Val == first.Val
			z = z.With(i, x.Swz.Comp(0))
		}
		if !same {
			continue
		}
		if r.N == 1 {
			z = ir.Broadcast(int(z.Comp(0)))
		}
		s.SetUse(u, ir.Src{Val: first.Val, Swz: z, N: r.N})
		changed = true
	}
	return changed
}

// component returns the source of a component of a constructed vector.
func (c context) component(v ir.Value, i uint8) ir.Src {
	n := uint8(1) // components per source
	switch c.S.At(v).ALUOp() {
	case op.Vec5, op.Vec8:
		n = 4
	case op.Vec16:
		n = 8
	}
	return c.S.Src(v, int(i/n)).Comp(int(i % n))
}

// swizzles reports whether sources of a kind of instruction may read components in any order; other kinds read whole
// values.
func swizzles(k kind.Kind) bool {
	return k == kind.ALU || k == kind.Intrinsic || k == kind.Tex || k == kind.Phi
}
