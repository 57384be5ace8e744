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

// constants returns a register that is loaded at the start with the components of r. ok is false if a component is not
// constant.
func (c *Context) constants(f frame, r ir.Src, t isa.Type) (o mir.Operand, ok bool) {
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
	return mir.V(c.word(constant{o.Num, o.Num, o.Num, o.Num}), o.Type)
}

// loadConstants loads the constants that the shader reads from registers.
func (c *Context) loadConstants() {
	for _, x := range c.order {
		c.set(mir.V(c.words[x], isa.TypeUD), whole(channels), x)
	}
}

// set sets the channels of a frame to constants: those that an immediate of type VF can hold by one instruction, and the
// others by one for each different constant.
func (c *Context) set(dst mir.Operand, f frame, x constant) {
	floats, packed, differ := empty, uint32(0), false
	first := -1
	for ch, i := range f {
		b, ok := num.PackedFloat(x[ch])
		if i < 0 || !ok {
			continue
		}
		if first < 0 {
			first = ch
		}
		floats[ch] = i
		packed |= uint32(b) << (8 * ch)
		differ = differ || x[ch] != x[first]
	}
	if differ {
		c.frame = floats
		c.emit(isa.OpMov, dst.As(isa.TypeF), mir.ImmOp(packed, isa.TypeVF))
	}
	for ch := range f {
		if f[ch] < 0 || differ && floats[ch] >= 0 {
			continue
		}
		c.frame = empty
		for k := ch; k < channels; k++ {
			if f[k] >= 0 && x[k] == x[ch] {
				c.frame[k], f[k] = 0, none
			}
		}
		c.emit(isa.OpMov, dst, mir.UD(x[ch]))
	}
}
