// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// row is a register with components of a value, a half of a register that both vertices read, or a constant.
type row struct {
	mir.Operand
	constant bool
	value    uint32 // of a constant
}

// at returns where component i of a value is: a row and the channel there. The result of a mov or a vector is where its
// parts are.
func (c *Context) at(v ir.Value, i int, t isa.Type) (row, uint8) {
	v, i = c.resolve(v, i)
	in := c.S.At(v)
	switch in.Kind {
	case kind.LoadConst:
		x := uint32(c.S.Const(v, i))
		if in.Bits == 1 {
			x = -x
		}
		return row{constant: true, value: x}, 0
	case kind.Undef:
		return row{constant: true}, 0
	case kind.Intrinsic:
		if o, ch, ok := c.given(v, i, t); ok {
			return o, ch
		}
	}
	c.Needed[v] = true
	p := c.placeOf(v)
	o := mir.V(p.reg, t).At(p.off + c.F.GRF.Start(uint32(i/channels)))
	return row{Operand: o}, p.channel[i%channels]
}

// resolve follows component i of a value through moves, and through vectors that are not in registers of their own.
func (c *Context) resolve(v ir.Value, i int) (ir.Value, int) {
	for c.place[v].reg == 0 {
		in := c.S.At(v)
		if in.Kind != kind.ALU {
			break
		}
		var r ir.Src
		switch in.ALUOp() {
		case op.Mov:
			r = c.S.Src(v, 0).Comp(i)
		case op.Vec2, op.Vec3, op.Vec4:
			r = c.S.Src(v, i)
		default:
			return v, i
		}
		v, i = r.Val, int(r.Swz.Comp(0))
	}
	return v, i
}

// given returns where a component is that the payload contains: an attribute or a system value of each vertex, or push
// data that both share.
func (c *Context) given(v ir.Value, i int, t isa.Type) (row, uint8, bool) {
	id := c.S.At(v).Intrinsic()
	if sel.Places[id].Kind == selector.InSlot {
		o, ch := c.systemValue(id, t)
		return o, ch, true
	}
	if id == intrinsic.LoadInput {
		if !c.Lowered(v) {
			return row{constant: true}, 0, true
		}
		off, _ := c.S.ConstOf(c.Operand(v, intrinsic.RoleOffset))
		return c.attribute(c.S.Index(v, intrinsic.IxBase)+uint32(off), t), uint8(c.S.Index(v, intrinsic.IxComponent)) + uint8(i), true
	}
	o, ok := c.InPushData(v, i, t)
	switch {
	case !ok:
		return row{}, 0, false
	case o.File == mir.Imm:
		return row{constant: true, value: o.Num}, 0, true
	}
	ch := o.Off % rowBytes / 4
	o.Off -= 4 * ch
	return row{Operand: o.WithRegion(0, channels, 1)}, uint8(ch), true
}

// systemValue returns where a system value is: a row and the channel there.
func (c *Context) systemValue(id intrinsic.ID, t isa.Type) (row, uint8) {
	at := &sel.Places[id]
	for i := range c.Interface.Inputs {
		if in := &c.Interface.Inputs[i]; in.Name == at.Slot {
			return c.attribute(in.Index, t), at.Comp
		}
	}
	return row{constant: true}, 0
}

// attribute returns the register of an input slot.
func (c *Context) attribute(slot uint32, t isa.Type) row {
	return row{Operand: mir.Fixed(c.Layout.At(abi.AttributeVectors)+int(slot), t)}
}

// read returns a source for an instruction that computes the channels of a frame from the components of r.
func (c *Context) read(f frame, r ir.Src, t isa.Type) mir.Operand {
	from, found := row{constant: true}, false
	var swizzle [channels]uint8
	for ch, i := range f {
		if i < 0 {
			continue
		}
		o, at := c.at(r.Val, int(r.Swz.Comp(int(i))), t)
		switch {
		case !found:
			from, found = o, true
		case o != from:
			return c.gathered(f, r, t)
		}
		swizzle[ch] = at
	}
	return from.source(f, swizzle, t)
}

// source returns a source in which the channels of a frame read the given channels of the row. The others, which compute
// nothing, read what another one reads.
func (r row) source(f frame, swizzle [channels]uint8, t isa.Type) mir.Operand {
	if r.constant {
		return mir.ImmOp(r.value, t)
	}
	last := uint8(0)
	for ch := channels - 1; ch >= 0; ch-- {
		if f[ch] >= 0 {
			last = swizzle[ch]
		}
	}
	for ch, i := range f {
		if i < 0 {
			swizzle[ch] = last
		} else {
			last = swizzle[ch]
		}
	}
	r.Swizzle = fields.SwizzleOf(swizzle[0], swizzle[1], swizzle[2], swizzle[3])
	return r.Operand
}

// gathered returns a source whose components are in several places. A vector gets a register where it is composed;
// constants are loaded at the start.
func (c *Context) gathered(f frame, r ir.Src, t isa.Type) mir.Operand {
	if c.S.At(r.Val).IsALU(op.Vec2) || c.S.At(r.Val).IsALU(op.Vec3) || c.S.At(r.Val).IsALU(op.Vec4) {
		if c.place[r.Val].reg == 0 {
			c.placeOf(r.Val)
			c.Needed[r.Val] = true
			return c.read(f, r, t)
		}
	}
	if o, ok := c.constants(f, r, t); ok {
		return o
	}
	// Components of a value that are in several registers, or of moves of several values.
	x := filling{dst: mir.V(c.newReg(1), isa.TypeUD), rest: f, zero: empty}
	for ch, i := range f {
		if i >= 0 {
			x.parts[ch] = c.part(r.Comp(int(i)))
		}
	}
	saved := c.frame
	c.move(&x)
	c.frame = saved
	return x.dst.As(t)
}
