// SPDX-License-Identifier: MIT

package vec4

import (
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// part is a component of a value.
type part struct {
	val  ir.Value
	comp int
}

// fill writes components to the channels of a register: channel ch gets component f[ch] of srcs.
func (c *Context) fill(dst mir.Operand, f, taken frame, srcs [channels]ir.Src) {
	x := filling{dst: dst, rest: f, zero: empty}
	c.compute(&x, taken, srcs)
	c.move(&x)
}

// filling is a register whose channels are being written.
type filling struct {
	dst   mir.Operand
	rest  frame          // the channels into which nothing is computed
	zero  frame          // the channels that are set to zero
	parts [channels]part // by channel
}

// compute makes the register the place of values that are to be written to it. A value is computed there instead of being
// copied if it has no register yet, the channels get each of its components at most once, and there is room for the others
// that are used, in channels that are not in taken, or that are not written before the last use. Other uses of it then
// read the register, which keeps the value.
func (c *Context) compute(x *filling, taken frame, srcs [channels]ir.Src) {
	f := x.rest
	for ch, i := range f {
		if i >= 0 {
			x.parts[ch].val, x.parts[ch].comp = c.resolve(srcs[i].Val, int(srcs[i].Swz.Comp(0)))
		}
	}
	for ch := range f {
		if x.rest[ch] >= 0 && c.inPlace(x.dst, f, &taken, &x.parts, x.parts[ch].val) {
			for k := range f {
				if x.parts[k].val == x.parts[ch].val {
					x.rest[k] = none
				}
			}
		}
	}
}

// move copies the components that are not computed in the register, and sets the other channels that are written to zero.
func (c *Context) move(x *filling) {
	dst, rest, parts := x.dst, x.rest, &x.parts
	c.packConstants(dst, &rest, parts)
	for ch := range rest {
		if rest[ch] < 0 {
			continue
		}
		from, _ := c.at(parts[ch].val, parts[ch].comp, dst.Type)
		group, swizzle := empty, ir.Identity
		for k := ch; k < channels; k++ {
			if rest[k] < 0 {
				continue
			}
			if o, _ := c.at(parts[k].val, parts[k].comp, dst.Type); o == from && (from.constant || parts[k].val == parts[ch].val) {
				group[k], rest[k] = int8(k), none
				swizzle = swizzle.With(k, uint8(parts[k].comp))
			}
		}
		c.frame = group
		if from.constant { // components of different values, which are equal
			c.emit(isa.OpMov, dst, mir.ImmOp(from.value, dst.Type))
			continue
		}
		c.emit(isa.OpMov, dst, c.read(group, ir.Src{Val: parts[ch].val, Swz: swizzle, N: channels}, dst.Type))
	}
	if x.zero != empty {
		c.frame = x.zero
		c.emit(isa.OpMov, dst, mir.UD(0))
	}
}

// packConstants writes the constants among the parts with one instruction if that takes fewer: if they differ, and are
// floats that one immediate can hold. It removes them from rest.
func (c *Context) packConstants(dst mir.Operand, rest *frame, parts *[channels]part) {
	var x constant
	done, group := *rest, empty
	differ := false
	for ch := range rest {
		if rest[ch] < 0 {
			continue
		}
		from, _ := c.at(parts[ch].val, parts[ch].comp, dst.Type)
		if !from.constant {
			continue
		}
		if _, ok := num.PackedFloat(from.value); !ok {
			continue
		}
		for k := range ch {
			differ = differ || group[k] >= 0 && x[k] != from.value
		}
		x[ch], group[ch], done[ch] = from.value, 0, none
	}
	packed, ok := packedFloats(x)
	if !differ || !ok {
		return
	}
	c.frame, *rest = group, done
	c.emit(isa.OpMov, dst.As(isa.TypeF), mir.ImmOp(packed, isa.TypeVF))
}

// inPlace makes dst the place of value v, if that is possible, and adds the channels that it takes.
func (c *Context) inPlace(dst mir.Operand, f frame, taken *frame, parts *[channels]part, v ir.Value) bool {
	if v == 0 || c.place[v].reg != 0 || !isComputed(c.S, v) {
		return false
	}
	if x := c.storing; x.store != 0 && !c.computable(v, x.store, x.reg) {
		return false
	}
	p := place{reg: mir.Reg(dst.Num), off: dst.Off}
	found := uint32(0)
	for ch, i := range f {
		if i < 0 || parts[ch].val != v {
			continue
		}
		k := parts[ch].comp
		if k >= channels || found>>k&1 != 0 {
			return false
		}
		found |= 1 << k
		p.channel[k] = uint8(ch)
	}
	others := *taken
	for k := range channels { // other components go to channels that nothing is written to
		if analysis.UsedComps(c.S, v)&^found>>k&1 == 0 {
			continue
		}
		ch := slices.Index(others[:], none)
		if ch < 0 {
			if ch = c.reused(v, k, f, parts, &others); ch < 0 {
				return false
			}
		}
		p.channel[k], others[ch] = uint8(ch), reusedMark
		found |= 1 << k
	}
	if analysis.UsedComps(c.S, v)&^found != 0 {
		return false
	}
	*taken = others
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
