// SPDX-License-Identifier: MIT

package validate

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// copyDeref checks that the source and the destination of a copy have the same shape: the same scalars, vectors, arrays
// and structs, with possibly different layouts. Their wildcards must match in number and in the number of elements.
func (c *checker) copyDeref(v ir.Value) {
	s := c.s
	dst, src := s.Src(v, 0).Val, s.Src(v, 1).Val
	c.need(c.sameShape(s.DerefType(dst), s.DerefType(src), nil), "copy-type", "source and destination have different types")
	t := s.Types.At(s.DerefType(dst))
	c.need(t.Kind != ir.TypeArray || t.Len != 0, "copy-size", "a runtime array has no size to copy")
	for {
		var n, m uint32
		dst, n = c.wildcard(dst)
		src, m = c.wildcard(src)
		c.need((dst == 0) == (src == 0), "copy-wildcards", "source and destination have different numbers of wildcards")
		if dst == 0 {
			return
		}
		if n != m || n == 0 {
			c.fail("copy-wildcards", "a wildcard stands for %d elements in the source and %d in the destination", m, n)
		}
	}
}

// wildcard returns the parent of the last wildcard in a chain of derefs and the number of its elements, or zeros.
func (c *checker) wildcard(d ir.Value) (parent ir.Value, n uint32) {
	s := c.s
	for s.At(d).Kind == kind.Deref {
		k := s.At(d).DerefKind()
		if k == kind.DerefVar || k == kind.DerefCast {
			break
		}
		parent = s.Src(d, 0).Val
		if k == kind.DerefArrayWildcard {
			return parent, s.Types.At(s.DerefType(parent)).Len
		}
		d = parent
	}
	return 0, 0
}

// sameShape reports whether two types have the same shape. seen has the pairs known to be the same.
func (c *checker) sameShape(a, b ir.Type, seen map[[2]ir.Type]bool) bool {
	if a == b || seen[[2]ir.Type{a, b}] {
		return true
	}
	tt := &c.s.Types
	x, y := tt.At(a), tt.At(b)
	switch x.Kind {
	case ir.TypeMatrix, ir.TypeArray:
		return x.Kind == y.Kind && x.Len == y.Len && c.sameShape(x.Elem, y.Elem, seen)
	case ir.TypeStruct:
		if y.Kind != ir.TypeStruct || x.Len != y.Len {
			return false
		}
		if seen == nil {
			seen = map[[2]ir.Type]bool{}
		}
		ms, ns := tt.Members(a), tt.Members(b)
		for i := range ms {
			if !c.sameShape(ms[i].Type, ns[i].Type, seen) {
				return false
			}
		}
		seen[[2]ir.Type{a, b}] = true
		return true
	}
	_, bits, n := tt.ScalarOf(a)
	_, otherBits, m := tt.ScalarOf(b)
	return n != 0 && n == m && bits == otherBits
}
