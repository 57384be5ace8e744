// SPDX-License-Identifier: MIT

package validate

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// deref checks a link of a chain against its parent. Casts are trusted.
func (c *checker) deref(v ir.Value) {
	s := c.s
	in := s.At(v)
	modes := s.Modes(v)
	c.need(modes != 0, "deref-modes", "a deref must have at least one mode")
	k := in.DerefKind()
	if k == kind.DerefVar {
		x := s.Var(ir.Var(s.Words(v)[kind.FieldDerefVarVar]))
		if x.Mode != modes {
			c.fail("deref-var-mode", "the variable has another mode, %s", x.Mode)
		}
		c.need(x.Type == s.DerefType(v), "deref-var-type", "the variable has another type")
		c.need(x.Mode != kind.ModeFunctionTemp || x.Func == c.f, "deref-scope", "the variable belongs to another function")
		return
	}
	p := s.Src(v, 0).Val
	if k == kind.DerefCast {
		c.cast(v, p)
		return
	}
	parent := s.At(p)
	c.need(parent.Kind == kind.Deref, "deref-parent", "the parent is not a deref")
	c.need(parent.Bits == in.Bits && parent.Comps == in.Comps, "deref-size", "the parent is a pointer of another size")
	if s.Modes(p) != modes {
		c.fail("deref-parent-mode", "the parent has other modes, %s", s.Modes(p))
	}
	t := s.DerefType(p)
	x := s.Types.At(t)
	switch k {
	case kind.DerefStruct:
		i := s.Words(v)[kind.FieldDerefStructMember]
		c.need(x.Kind == ir.TypeStruct, "deref-struct", "the parent does not point to a struct")
		if i >= x.Len {
			c.fail("deref-member", "there is no member %d; the struct has %d", i, x.Len)
		}
		c.need(s.Types.Members(t)[i].Type == s.DerefType(v), "deref-member-type", "the member has another type")
	case kind.DerefArray, kind.DerefArrayWildcard:
		c.need(x.Kind == ir.TypeArray || x.Kind == ir.TypeMatrix || x.Kind == ir.TypeVector && k == kind.DerefArray,
			"deref-array", "the parent does not point to an indexable type")
		c.need(s.Types.ElemType(t) == s.DerefType(v), "deref-elem-type", "the elements have another type")
		if k == kind.DerefArray {
			c.index1(v)
		}
	case kind.DerefPtrAsArray:
		pk := parent.DerefKind()
		c.need(pk == kind.DerefArray || pk == kind.DerefPtrAsArray || pk == kind.DerefCast, "deref-ptr",
			"the parent of ptr_as_array must be an array element, another ptr_as_array or a cast")
		c.need(t == s.DerefType(v), "deref-ptr-type", "the parent points to another type")
		c.index1(v)
	}
}

func (c *checker) index1(v ir.Value) {
	in := c.s.At(c.s.Src(v, 1).Val)
	if in.Bits != c.s.At(v).Bits {
		c.fail("deref-index-bits", "the index has %d bits, but the pointer has %d", in.Bits, c.s.At(v).Bits)
	}
}

func (c *checker) cast(v, p ir.Value) {
	s := c.s
	mul, off := s.Words(v)[kind.FieldDerefCastAlignMul], s.Words(v)[kind.FieldDerefCastAlignOffset]
	if mul&(mul-1) != 0 {
		c.fail("cast-align", "align_mul %d is not a power of two", mul)
	}
	if off >= mul && (mul != 0 || off != 0) {
		c.fail("cast-align-offset", "align_offset %d is not less than align_mul %d", off, mul)
	}
	if s.At(p).Kind == kind.Deref {
		if !ir.ModeMayBe(s.Modes(p), s.Modes(v)) {
			c.fail("cast-modes", "the parent's modes, %s, have none in common with the cast's", s.Modes(p))
		}
	}
	const generic = kind.ModeShared | kind.ModeGlobal | kind.ModeFunctionTemp | kind.ModeShaderTemp
	m := s.Modes(v)
	if m&(m-1) != 0 && m&^generic != 0 {
		c.fail("cast-generic", "only %s can be combined", generic)
	}
}
