// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// Operand returns the source of an intrinsic with a role.
func (c *Context) Operand(v ir.Value, role intrinsic.Role) ir.Src {
	return c.S.Src(v, c.S.At(v).Intrinsic().Source(role))
}

// ConstSrc returns the value of a source, if it is known.
func ConstSrc(s *ir.Shader, v ir.Value, role intrinsic.Role) (uint64, bool) {
	return s.ConstOf(s.Src(v, s.At(v).Intrinsic().Source(role)))
}

// Component returns component i of a register operand.
func (c *Context) Component(o mir.Operand, i int) mir.Operand {
	if o.File != mir.VReg {
		return o
	}
	if r := c.F.Reg(mir.Reg(o.Num)); r.Uniform {
		return o.At(uint32(i) * uint32(r.Lane))
	}
	return o.At(uint32(i) * c.F.Pitch(4))
}

// Lanes returns the number of GRFs of a message parameter at the current width.
func (c *Context) Lanes() int { return c.F.GRF.Count(uint32(c.B.Exec) * 4) }

// ParamReg returns a register for n message parameters at the current width and mask.
func (c *Context) ParamReg(n int) mir.Reg {
	if c.B.NoMask {
		return c.F.NewGRFs(n * c.Lanes())
	}
	return c.F.NewReg(n, 4)
}

// inRow reports whether v is a uniform vector loaded as a row.
func (c *Context) inRow(v ir.Value) bool {
	m := c.Sel.Message(v)
	return m != nil && m.Result == selector.InRow
}

// RowWidth returns the number of doublewords that a row load of n components reads: one or two GRFs of them.
func (c *Context) RowWidth(n int) int {
	if per := int(c.F.GRF.Dwords()); n <= per {
		return per
	}
	return int(c.F.GRF.Lanes())
}

// Payload composes parameters side by side for the next message emitted.
func (c *Context) Payload(params []mir.Operand) mir.Operand {
	if len(params) == 1 {
		return params[0]
	}
	p := mir.V(c.ParamReg(len(params)), isa.TypeUD)
	c.B.Compose(p, params...)
	return p
}

// ResultComps returns the number of components in the register of a value. Texel reads and queries return the
// components up to the last used one.
func (c *Context) ResultComps(v ir.Value) int {
	if m := c.Sel.Message(v); m == nil || !m.AsRead && m.Component == 0 {
		return int(c.S.At(v).Comps)
	}
	n := 1
	for u := range c.S.Uses(v) {
		if u.If != 0 {
			continue
		}
		r := c.S.UseSrc(u)
		for i := range int(r.N) {
			n = max(n, int(r.Swz.Comp(i))+1)
		}
	}
	return n
}
