package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// The payload of a compute thread: r0 is the thread header; r1 has what the
// dispatch tells each thread; push constants follow, and behind them the sizes
// of the buffers in the binding table, a doubleword each.
const (
	regHeader = 0
	regThread = 1
	regPush   = 2

	threadGroups    = 0  // r1: number of workgroups x, y, z
	threadBase      = 12 // base workgroup id x, y, z
	threadSubgroup  = 24 // number of the subgroup in the workgroup
	threadSubgroups = 28 // subgroups of the workgroup
)

// headerGroup are the bytes of r0 that hold the workgroup id (TGL PRM vol. 4,
// "GPGPU thread payload").
var headerGroup = [3]uint32{4, 24, 28}

// Layout is how the payload is laid out for one shader.
type Layout struct {
	PushBytes  uint32 // user push constants
	SizesBytes uint32 // buffer sizes behind them
	Buffers    int    // entries of the binding table
}

// Regs is the number of GRFs the payload fills.
func (l *Layout) Regs() int { return regPush + int(l.PushBytes+l.SizesBytes+31)/32 }

// NewLayout finds the layout of a shader with that many buffers in its binding
// table: push constants up to the last one that is read.
func NewLayout(s *ir.Shader, buffers int) Layout {
	l := Layout{PushBytes: s.Info.PushConstantSize, Buffers: buffers}
	for f := range s.Funcs() {
		for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
			for v := range s.Instrs(b) {
				switch in := s.At(v); in.Intrinsic() {
				case intrinsic.GetSSBOSize:
					l.SizesBytes = 4 * uint32(buffers)
				case intrinsic.LoadPushConstant:
					end := s.Index(v, intrinsic.IxBase)
					if off, ok := s.ConstSrc(v, 0); ok {
						end += uint32(off) + uint32(in.Comps)*uint32(in.Bits)/8
					} else {
						end += s.Index(v, intrinsic.IxRange)
					}
					l.PushBytes = max(l.PushBytes, end)
				}
			}
		}
	}
	l.PushBytes = (l.PushBytes + 3) &^ 3
	return l
}

// inPlace finds values that the payload holds, or that are constants of the
// width: they are read where they are.
func (c *Ctx) inPlace(v ir.Value, comp int, t isa.Type) (mir.Operand, bool) {
	at := func(reg int, off uint32) (mir.Operand, bool) {
		return mir.FixedScalar(reg+int(off/32), off%32, t), true
	}
	switch c.S.At(v).Intrinsic() {
	case intrinsic.LoadWorkgroupID:
		return at(regHeader, headerGroup[comp])
	case intrinsic.LoadNumWorkgroups:
		return at(regThread, threadGroups+4*uint32(comp))
	case intrinsic.LoadBaseWorkgroupID:
		return at(regThread, threadBase+4*uint32(comp))
	case intrinsic.LoadSubgroupID:
		return at(regThread, threadSubgroup)
	case intrinsic.LoadNumSubgroups:
		return at(regThread, threadSubgroups)
	case intrinsic.LoadSubgroupSize:
		return byteImm(uint32(c.Width), t), true
	case intrinsic.LoadPushConstant:
		off, ok := c.S.ConstSrc(v, 0)
		if !ok {
			return mir.Operand{}, false
		}
		bytes := uint32(c.S.At(v).Bits / 8)
		return at(regPush, uint32(off)+c.S.Index(v, intrinsic.IxBase)+bytes*uint32(comp))
	case intrinsic.GetSSBOSize:
		if b, ok := c.S.ConstSrc(v, 0); ok {
			return at(regPush, c.Layout.PushBytes+4*uint32(b))
		}
	}
	return mir.Operand{}, false
}

// laneID is the register with the number of each lane, as packed words.
func (c *Ctx) laneID() mir.Reg {
	if c.laneIDs == 0 {
		c.laneIDs = c.F.AddReg(mir.RegInfo{Bytes: (uint32(c.Width)*2 + 31) &^ 31, Lane: 2, Align: 32})
	}
	return c.laneIDs
}

// emitLaneIDs computes the lane numbers at the start of the function: a packed
// immediate for the first eight, sums for the others.
func (c *Ctx) emitLaneIDs() {
	ids := mir.V(c.laneIDs, isa.TypeUW)
	c.B.Exec, c.B.NoMask, c.B.Chan = 8, true, 0
	c.B.Mov(ids, mir.ImmOp(0x76543210, isa.TypeV))
	if c.Width >= 16 {
		c.B.Emit(isa.OpAdd, ids.At(16), ids, mir.UW(8))
	}
	if c.Width == 32 {
		c.B.Exec = 16
		c.B.Emit(isa.OpAdd, ids.At(32), ids, mir.UW(16))
	}
}
