// SPDX-License-Identifier: MIT

package vec4

import (
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// part is a component of a value.
type part struct {
	val  ir.Value
	comp int
}

// filling is a register whose channels are being written.
type filling struct {
	dst   mir.Operand
	rest  frame          // the channels into which nothing is computed yet
	taken frame          // the channels that no other component can be computed in
	zero  frame          // the channels that are set to zero
	parts [channels]part // by channel; of no value where nothing is written
	store ir.Value       // the store to an IR register, if dst is the register
}

// fill writes components to the channels of a register: channel ch gets component x.rest[ch] of srcs.
func (c *Context) fill(x *filling, srcs [channels]ir.Src) {
	c.compute(x, srcs)
	c.move(x)
}

// part returns the component that a source of one component reads.
func (c *Context) part(r ir.Src) part {
	v, i := c.resolve(r.Val, int(r.Swz.Comp(0)))
	return part{v, i}
}

// compute makes the register the place of values that are to be written to it. A value is computed there instead of being
// copied if it has no register yet, the channels get each of its components at most once, and there is room for the others
// that are used, in channels that are not taken, or that are not written before the last use. Other uses of it then
// read the register, which keeps the value.
func (c *Context) compute(x *filling, srcs [channels]ir.Src) {
	for ch, i := range x.rest {
		if i >= 0 {
			x.parts[ch] = c.part(srcs[i])
		}
	}
	for ch := range channels {
		if x.rest[ch] >= 0 && c.inPlace(x, x.parts[ch].val) {
			for k := range channels {
				if x.parts[k].val == x.parts[ch].val {
					x.rest[k] = none
				}
			}
		}
	}
}

// move copies the components that are not computed in the register, with an instruction for each place, and sets the
// channels of constants.
func (c *Context) move(x *filling) {
	var rows [channels]row
	var from [channels]uint8
	var value constant
	rest, constants := x.rest, x.zero
	for ch, i := range rest {
		if i < 0 {
			continue
		}
		rows[ch], from[ch] = c.at(x.parts[ch].val, x.parts[ch].comp, x.dst.Type)
		if rows[ch].constant {
			value[ch], constants[ch], rest[ch] = rows[ch].value, i, none
		}
	}
	c.set(x.dst, constants, value)
	for ch := range rest {
		if rest[ch] < 0 {
			continue
		}
		c.frame = empty
		for k := ch; k < channels; k++ {
			if rest[k] >= 0 && rows[k] == rows[ch] {
				c.frame[k], rest[k] = int8(k), none
			}
		}
		c.emit(isa.OpMov, x.dst, rows[ch].source(c.frame, from, x.dst.Type))
	}
}

// inPlace makes the register the place of value v, if that is possible, and takes the channels for it.
func (c *Context) inPlace(x *filling, v ir.Value) bool {
	if v == 0 || c.place[v].reg != 0 || !isComputed(c.S, v) {
		return false
	}
	if x.store != 0 && !c.computable(v, x.store) {
		return false
	}
	p := place{reg: mir.Reg(x.dst.Num), off: x.dst.Off}
	used := analysis.UsedComps(c.S, v)
	found := uint32(0)
	for ch := range channels {
		if x.parts[ch].val != v {
			continue
		}
		k := x.parts[ch].comp
		if k >= channels || found>>k&1 != 0 {
			return false
		}
		found |= 1 << k
		p.channel[k] = uint8(ch)
	}
	taken := x.taken
	for k := range channels { // other components go to channels that nothing is written to
		if used&^found>>k&1 == 0 {
			continue
		}
		ch := slices.Index(taken[:], none)
		if ch < 0 {
			if ch = c.reused(x, taken, v, k); ch < 0 {
				return false
			}
		}
		p.channel[k], taken[ch] = uint8(ch), reusedMark
		found |= 1 << k
	}
	if used&^found != 0 {
		return false
	}
	x.taken = taken
	c.place[v] = p
	c.Needed[v] = true
	return true
}

// isComputed reports whether instructions with write masks compute a value.
func isComputed(s *ir.Shader, v ir.Value) bool {
	in := s.At(v)
	if in.Kind != kind.ALU {
		return false
	}
	switch in.ALUOp() {
	case op.Mov, op.Vec2, op.Vec3, op.Vec4:
		return false
	}
	return true
}
