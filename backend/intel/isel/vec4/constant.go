// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/isa"
)

// constant is a vector of constants.
type constant [channels]uint32

// constants returns constants that differ between channels: as an immediate if imm allows it, else in a register that is
// loaded at the start. ok is false if a component is not constant.
func (c *Context) constants(f frame, r ir.Src, t isa.Type, imm bool) (o mir.Operand, ok bool) {
	var x constant
	last := uint32(0)
	for ch, i := range f {
		if i >= 0 {
			at, _ := c.at(r.Val, int(r.Swz.Comp(int(i))), t)
			if !at.constant {
				return o, false
			}
			last = at.value
		}
		x[ch] = last
	}
	if packed, ok := packedFloats(x); ok && imm && t == isa.TypeF {
		return mir.ImmOp(packed, isa.TypeVF), true
	}
	return mir.V(c.word(x), t), true
}

// word returns the register in which a constant is loaded at the start.
func (c *Context) word(x constant) mir.Reg {
	reg := c.words[x]
	if reg == 0 {
		reg = c.newReg(1)
		c.words[x] = reg
		c.order = append(c.order, x)
	}
	return reg
}

// loaded returns an immediate in a register.
func (c *Context) loaded(o mir.Operand) mir.Operand {
	if o.Type == isa.TypeVF {
		tmp := mir.V(c.newReg(1), isa.TypeF)
		c.emit(isa.OpMov, tmp, o)
		return tmp
	}
	return mir.V(c.word(constant{o.Num, o.Num, o.Num, o.Num}), o.Type)
}

// loadConstants loads the constants that the shader reads from registers: by one instruction if they are floats of
// eight bits, else by one for each different constant.
func (c *Context) loadConstants() {
	for _, x := range c.order {
		dst := mir.V(c.words[x], isa.TypeUD)
		if packed, ok := packedFloats(x); ok {
			c.frame = whole(channels)
			c.emit(isa.OpMov, dst.As(isa.TypeF), mir.ImmOp(packed, isa.TypeVF))
			continue
		}
		done := [channels]bool{}
		for ch := range x {
			if done[ch] {
				continue
			}
			c.frame = empty
			for k := ch; k < channels; k++ {
				if x[k] == x[ch] {
					c.frame[k], done[k] = 0, true
				}
			}
			c.emit(isa.OpMov, dst, mir.UD(x[ch]))
		}
	}
}

// packedFloats returns four floats as an immediate of the type VF.
func packedFloats(x constant) (packed uint32, ok bool) {
	for ch, bits := range x {
		b, ok := num.PackedFloat(bits)
		if !ok {
			return 0, false
		}
		packed |= uint32(b) << (8 * ch)
	}
	return packed, true
}
