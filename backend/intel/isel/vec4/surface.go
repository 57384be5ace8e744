// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// surface returns the binding table index of an access, which is the same for both vertices if both are active.
func (c *Context) surface(v ir.Value, r ir.Src) mir.Operand {
	o, ch := c.at(r.Val, int(r.Swz.Comp(0)), isa.TypeUD)
	at := o.Operand.At(4 * uint32(ch)).WithStride(0)
	switch first, _ := c.resolve(r.Val, int(r.Swz.Comp(0))); {
	case o.constant:
		return mir.UD(o.value)
	case o.Rows != 0, c.S.At(first).Intrinsic() == intrinsic.ReadFirstInvocation, c.always(v):
		return at
	}
	return c.first(o, ch)
}

// always reports whether the first vertex is active at a value. A thread has at least one vertex, and no second one without
// the first.
func (c *Context) always(v ir.Value) bool {
	return !c.Halts && c.S.NodeKind(c.S.Parent(c.S.At(v).Block())) == ir.NodeFunc
}

// first returns a component of the first active vertex as a scalar. The second vertex's component is overwritten if the
// first vertex is active.
func (c *Context) first(o row, ch uint8) mir.Operand {
	tmp := mir.V(c.newReg(1), isa.TypeUD)
	second := o.Operand.At(rowBytes + 4*uint32(ch)).WithStride(0)
	c.B.Insert(mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: tmp, Src: [3]mir.Operand{second}})
	saved := c.frame
	c.frame = whole(1)
	c.emit(isa.OpMov, tmp, o.source(c.frame, [channels]uint8{ch, ch, ch, ch}, isa.TypeUD))
	c.frame = saved
	return tmp.WithStride(0)
}

// ReadFirstInvocation gives both vertices the value of the first active one.
func (t Rows) ReadFirstInvocation(v ir.Value) {
	c := t.Context
	r := c.Operand(v, intrinsic.RoleValue)
	f := c.frame
	for i, comp := range f {
		if comp < 0 {
			continue
		}
		c.frame = empty
		c.frame[i] = 0
		o, ch := c.at(r.Val, int(r.Swz.Comp(int(comp))), isa.TypeUD)
		in := mir.Inst{Op: isa.OpMov, NoMask: true, Exec: uint8(c.Width), Align16: true, Dst: c.Dst(v, 0, isa.TypeUD)}
		in.Dst.Mask = c.frame.mask()
		switch {
		case o.constant:
			in.Src[0] = mir.UD(o.value)
		case o.Rows != 0:
			in.Src[0] = o.source(all(0), [channels]uint8{ch, ch, ch, ch}, isa.TypeUD)
		default:
			x := c.first(o, ch)
			in.Src[0] = x.WithRegion(0, channels, 1)
			in.Src[0].Swizzle = all(0).swizzle()
		}
		c.B.Insert(in)
	}
	c.frame = f
}
