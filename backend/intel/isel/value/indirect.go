// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// mode sets the width and mask for writing v's register.
func (c *Context) mode(v ir.Value) {
	if c.F.Reg(c.RegOf(v)).Uniform {
		c.B.ScalarMode()
	} else {
		c.B.Vector()
	}
}

// indirect reads a doubleword at byte offset off in a range of GRFs.
func (c *Context) indirect(v ir.Value, dst, from mir.Operand, grfs int, off mir.Operand) {
	c.mode(v)
	if off.File == mir.Imm {
		c.B.Mov(dst, mir.Operand{File: from.File, Type: isa.TypeUD, Num: from.Num, Off: from.Off + off.Num})
		return
	}
	in := c.Insert(mir.Inst{Op: mir.OpIndirect, Dst: dst, Src: [3]mir.Operand{from, off}})
	in.Len[0] = uint8(grfs)
}

// DynamicPush reads push constants at an offset that is not constant.
func (c *Context) DynamicPush(v ir.Value) {
	in := c.S.At(v)
	if in.Bits != 32 {
		c.Fail(v, "%d-bit push constants at a non-constant offset are not supported", in.Bits)
		return
	}
	regs := c.F.GRF.Count(c.Layout.PushBytes)
	offset := c.Use(c.Operand(v, intrinsic.RoleOffset).X(), isa.TypeUD)
	base := c.S.Index(v, intrinsic.IxBase)
	for i := range int(in.Comps) {
		c.mode(v)
		sum, whole, off := c.NewTemp(isa.TypeUD), c.NewTemp(isa.TypeUD), c.NewTemp(isa.TypeUD)
		c.B.NoMask = true // inactive lanes need valid addresses too: inside the registers, and aligned
		c.B.Emit(isa.OpAdd, sum, offset, mir.UD(base+4*uint32(i)))
		c.B.Emit(isa.OpAnd, whole, c.Source(sum), mir.UD(^uint32(3)))
		c.B.MinMax(isa.CModLT, off, c.Source(whole), mir.UD(c.Layout.PushBytes-4))
		c.indirect(v, c.Component(c.Result(v, isa.TypeUD), i), mir.Fixed(c.Layout.user(), isa.TypeUD), regs, c.Source(off).LowWords())
	}
}
