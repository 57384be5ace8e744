// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// flagOf is the flag into which a comparison is computed, if any.
type flagOf struct {
	on   bool
	flag mir.Flag
}

// Flag computes a scalar condition into all channels of a new flag. inv reports whether the flag contains the inverse.
func (c *Context) Flag(r ir.Src) (flag mir.Flag, inv bool) {
	c.B.Vector()
	return c.condition(all(0), r)
}

// condition computes a condition into a new flag, for the channels of a frame.
func (c *Context) condition(f frame, r ir.Src) (flag mir.Flag, inv bool) {
	flag = c.F.NewFlag()
	for {
		in := c.S.At(r.Val)
		if !in.IsALU(op.INot) && !in.IsALU(op.Mov) {
			break
		}
		inv = inv != in.IsALU(op.INot)
		x := c.S.Src(r.Val, 0)
		r = ir.Src{Val: x.Val, Swz: r.Swz.Compose(x.Swz), N: r.N}
	}
	frame, to := c.frame, c.to
	if c.S.At(r.Val).Kind == kind.ALU && c.isCompare(r.Val) {
		c.frame = empty
		for ch, i := range f {
			if i >= 0 {
				c.frame[ch] = int8(r.Swz.Comp(int(i)))
			}
		}
		c.to = flagOf{on: true, flag: flag}
		c.Sel.Emit(r.Val)
	} else {
		x := c.read(f, r, isa.TypeD)
		c.frame = f
		in := c.emit(isa.OpMov, mir.Null(isa.TypeD), x)
		in.CMod, in.Flag = isa.CModNE, flag
	}
	c.frame, c.to = frame, to
	return flag, inv
}

// compare emits a comparison into the flag that is being computed, or into the register of its result.
func (c *Context) compare(in mir.Inst) {
	if c.to.on {
		in.Flag = c.to.flag
		c.to = flagOf{}
		in.Dst = mir.Null(in.Src[0].Type)
		in.Switch = true // Haswell PRM vol. 7, "cmp": with a null destination
		c.insert(in)
		return
	}
	in.Flag = c.F.NewFlag()
	in.Dst.Type = in.Src[0].Type
	c.insert(in)
}

// Select emits a select of a if the condition holds, else of b.
func (c *Context) Select(v ir.Value, cond, a, b ir.Src) {
	t := isa.TypeUD
	dst, x, y := c.Dst(v, 0, t), c.read(c.frame, a, t), c.read(c.frame, b, t)
	flag, inv := c.condition(c.frame, cond)
	in := mir.Inst{Op: isa.OpSel, Dst: dst, Src: [3]mir.Operand{x, y}, Pred: isa.PredNormal, PredInv: inv, Flag: flag}
	c.insert(in)
}
