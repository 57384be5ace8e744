// SPDX-License-Identifier: MIT

package stage

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// headed reports whether the write of an output needs a header, because the machine's extended descriptors do not have the
// number of the target: for targets other than the first, and for two colors (Sandy Bridge PRM vol. 4, "Render Target
// Write": Message Header).
func headed(c *value.Context, p *pixels, o *value.OutputSlot) bool {
	return !c.Target.Can(target.TargetIndex) && (o.Slot != 0 || p.others[secondOutput] != nil)
}

// The header of a render-target write: a copy of the thread's header and of the register with the positions of the pixels
// (SKL PRM vol. 2d, Render Target Message Header; IGC, TranslateSend3D.cpp).
const (
	targetHeaderRegs   = 2
	targetHeaderNumber = 4 * 2 // byte of the number of the target
	targetHeaderPixels = 4 * 7 // byte of the mask of the pixels to write, in the second register
	headerParts        = 4     // the first doubleword has the bits for the parts so much higher than an extended descriptor
)

// targetHeader composes the header of a render-target write from the payload's first register and the second or, for the
// upper half of 32 lanes, the third. The sample mask follows if the shader writes one, which only threads of up to 16 lanes do.
// It returns the register and the size of one in GRFs.
func targetHeader(c *value.Context, p *pixels, o *value.OutputSlot) (mir.Operand, int) {
	regs, parts := targetHeaderRegs, p.parts()<<headerParts
	if p.mask.File != mir.None {
		regs++
	}
	info := mir.RegInfo{Bytes: c.F.GRF.Start(uint32(regs)), Lane: uint8(c.F.GRF.Bytes()), Uniform: true, Align: c.F.GRF.Align()}
	if c.Width > value.HalfLanes { // two headers are split like a value for each lane
		info.Bytes, info.Lane, info.Uniform = 2*info.Bytes, 4, false
	}
	to := mir.V(c.F.AddReg(info), isa.TypeUD)
	lanes := c.F.GRF.Dwords()
	for at := 0; at < c.Width; at += value.HalfLanes {
		half := at / value.HalfLanes
		h := to.At(c.F.GRF.Start(uint32(half * regs)))
		second := h.At(c.F.GRF.Bytes())
		header := mir.Fixed(value.RegHeader, isa.TypeUD)
		c.B.NoMask, c.B.Chan = true, 0
		if half == 0 {
			c.B.Exec = 2 * lanes
			c.B.Mov(h, header)
		} else {
			c.B.Exec = lanes
			c.B.Mov(h, header)
			c.B.Mov(second, header.At(c.F.GRF.Start(uint32(1+half))))
		}
		if p.mask.File != mir.None {
			c.B.Exec = lanes
			c.B.Mov(h.At(c.F.GRF.Start(targetHeaderRegs)), p.mask.As(isa.TypeUD))
		}
		c.B.ScalarMode()
		if parts != 0 {
			first, _ := c.Field(abi.Zero)
			c.B.Emit(isa.OpOr, h, first, mir.UD(parts))
		}
		c.B.Mov(h.At(targetHeaderNumber), mir.UD(o.Slot))
		if c.Interface.Discards {
			c.B.Mov(second.At(targetHeaderPixels).As(isa.TypeUW), c.Source(liveLanes(c)).As(isa.TypeUW).At(uint32(2*half)))
		}
	}
	c.B.Vector()
	return to, regs
}
