// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
)

// constant is a vector of constants.
type constant [channels]uint32

// constants returns a register with constants that differ between channels, which is loaded at the start. ok is false if
// a component is not constant.
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
	reg := c.words[x]
	if reg == 0 {
		reg = c.newReg(1)
		c.words[x] = reg
		c.order = append(c.order, x)
	}
	return mir.V(reg, t), true
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

// packedFloats returns four floats as an immediate of the type VF, whose bytes have a sign, three bits of exponent with a
// bias of 3, and four bits of fraction (Haswell PRM vol. 7, "Packed Restricted Float Vector").
func packedFloats(x constant) (packed uint32, ok bool) {
	for ch, bits := range x {
		b := bits >> 31 << 7
		if bits<<1 != 0 {
			exponent := int(bits>>23&0xFF) - 127 + 3
			if exponent < 0 || exponent > 7 || bits&(1<<19-1) != 0 || exponent == 0 && bits>>19&15 == 0 {
				return 0, false
			}
			b |= uint32(exponent)<<4 | bits>>19&15
		}
		packed |= b << (8 * ch)
	}
	return packed, true
}
