// SPDX-License-Identifier: MIT

package stage

import (
	"jacquard.example/backend/intel/isel/subgroup"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// quadShifts are the shifts that move the sample number of a quad to the low bits in eight lanes, as a packed
// immediate. A byte holds two sample numbers.
const quadShifts = 0x44440000

// sampleBits is the mask of a sample number.
const sampleBits = 15

// SampleID extracts each quad's sample number from the header.
func SampleID(c *value.Context, v ir.Value) {
	words := mir.V(c.F.AddReg(mir.RegInfo{Bytes: c.F.GRF.Round(uint32(2 * c.Width)), Lane: 2, Uniform: true, Align: c.F.GRF.Align()}),
		isa.TypeUW)
	for at := 0; at < c.Width; at += 2 * subgroup.QuadLanes {
		c.B.Exec, c.B.Chan, c.B.NoMask = 2*subgroup.QuadLanes, 0, true
		c.B.Emit(isa.OpShr, words.At(uint32(2*at)),
			c.HalfField(abi.SampleIDs, at/value.HalfLanes).As(isa.TypeUB).At(uint32(at%value.HalfLanes/(2*subgroup.QuadLanes))),
			mir.ImmOp(quadShifts, isa.TypeV))
	}
	t := mir.V(c.F.NewReg(1, 4), isa.TypeUD)
	subgroup.EachPiece(c, t, func(to mir.Operand, at int) { c.B.Mov(to, words.At(uint32(2*at))) })
	c.B.Vector()
	c.B.Emit(isa.OpAnd, c.Result(v, isa.TypeUD), c.Source(t), mir.UD(sampleBits))
}

// SamplePos converts the sample's position in its pixel.
func SamplePos(c *value.Context, v ir.Value) {
	used := analysis.UsedComps(c.S, v)
	for k := range uint32(2) {
		if used>>k&1 != 0 {
			c.B.Vector()
			c.B.Mov(c.Component(c.Result(v, isa.TypeF), int(k)), c.Source(samplePlace(c, k)))
		}
	}
}

// sixteenth is the unit of sample positions.
const sixteenth = 0x3d800000 // 1/16

// samplePlace returns a coordinate of the sample's position in its pixel, which is a byte of the payload.
func samplePlace(c *value.Context, k uint32) mir.Operand {
	number, place := c.NewTemp(isa.TypeUD), c.NewTemp(isa.TypeF)
	subgroup.EachPiece(c, number, func(to mir.Operand, at int) {
		c.B.Mov(to, c.SampleOffset(at/value.HalfLanes).At(k).WithStride(2))
	})
	c.B.Vector()
	whole := c.NewTemp(isa.TypeF)
	c.B.Mov(whole, c.Source(number))
	c.B.Emit(isa.OpMul, place, c.Source(whole), mir.ImmOp(sixteenth, isa.TypeF))
	return place
}

// Fields of messages to the pixel interpolator.
const (
	steps     = 0x41800000 // steps per pixel: 16.0
	stepBits  = 4          // bits of a signed offset
	sampleBit = 4          // first bit of the sample number in a descriptor
)

// AtOffset queries the pixel interpolator for coordinates at an offset from the pixel centers. The offset is
// rounded toward the center and clamped (TGL PRM vol. 9, "Pixel Interpolator"). Machines without an interpolator evaluate
// planes, at the offset as it is.
func AtOffset(c *value.Context, v ir.Value) {
	if !c.Target.Messages.Does(message.EvaluateOffset) {
		atOffset(c, v)
		return
	}
	var by [2]mir.Operand
	x := c.S.Src(v, 0)
	for k := range by {
		f, d := c.NewTemp(isa.TypeF), c.NewTemp(isa.TypeD)
		c.B.Emit(isa.OpMul, f, c.Plain(c.Use(x.Comp(k), isa.TypeF), isa.TypeF), mir.ImmOp(steps, isa.TypeF))
		c.B.Mov(d, c.Source(f))
		low, high := c.NewTemp(isa.TypeD), c.NewTemp(isa.TypeD)
		c.B.Emit(isa.OpSel, low, c.Source(d), mir.D(-1<<(stepBits-1))).CMod = isa.CModGE
		c.B.Emit(isa.OpSel, high, c.Source(low), mir.D(1<<(stepBits-1)-1)).CMod = isa.CModLT
		by[k] = c.Source(high).As(isa.TypeUD)
	}
	m := mir.Message{Msg: mir.Msg{Name: message.EvaluateOffset}}
	m.Address, m.AddressLen = by[0], c.Lanes()
	m.Data, m.DataLen = by[1], c.Lanes()
	evaluate(c, v, m)
}

// AtSample queries the pixel interpolator for coordinates at a sample, or evaluates planes.
func AtSample(c *value.Context, v ir.Value) {
	if !c.Target.Messages.Does(message.EvaluateSample) {
		atSample(c, v)
		return
	}
	n := c.Use(c.S.Src(v, 0), isa.TypeUD)
	switch {
	case n.File == mir.Imm:
		n.Num = n.Num & sampleBits << sampleBit
	case n.IsScalar():
		b := c.B
		t := c.ScalarTemp()
		c.B.ScalarMode()
		c.B.Emit(isa.OpShl, t, n, mir.UD(sampleBit))
		c.B.Exec, c.B.Chan, c.B.NoMask = b.Exec, b.Chan, b.NoMask
		n = c.Source(t)
	default:
		failDivergent(c, v)
		return
	}
	evaluate(c, v, mir.Message{Msg: mir.Msg{Name: message.EvaluateSample, Space: message.Image}, Surface: n})
}

// failDivergent fails for a sample that differs between the lanes.
func failDivergent(c *value.Context, v ir.Value) {
	c.Fail(v, "a sample that differs between the lanes must be lowered before selection")
}

// evaluate sends a message to the pixel interpolator, or one for each 16 lanes if there are 32. The response, like
// the payload, alternates between the coordinates every eight lanes; apart gives each coordinate consecutive registers.
func evaluate(c *value.Context, v ir.Value, m mir.Message) {
	if value.IsLinear(c.S, v) {
		m.Op = 1
	}
	dst := c.Result(v, isa.TypeUD)
	if c.Width == int(c.F.GRF.Dwords()) {
		m.Dst, m.DstLen = dst, 2*c.Lanes()
		c.B.Message(m)
		return
	}
	address, data := m.Address, m.Data
	var halves [2]mir.Operand
	for at := 0; at < c.Width; at += value.HalfLanes {
		c.B.Exec, c.B.Chan, c.B.NoMask = value.HalfLanes, uint8(at), false
		m.DstLen = 2 * c.Lanes()
		m.Dst = mir.V(c.F.NewPiece(m.DstLen), isa.TypeUD)
		halves[at/value.HalfLanes] = m.Dst
		if m.Address, m.Data = address, data; m.AddressLen > 0 {
			m.Address.Slice(uint32(at), value.HalfLanes)
			m.Data.Slice(uint32(at), value.HalfLanes)
			m.AddressLen, m.DataLen = c.Lanes(), c.Lanes()
		}
		c.B.Message(m)
	}
	apart(c, dst, 2, func(half, group, comp int) mir.Operand {
		return halves[half].At(c.F.GRF.Start(uint32(group*2 + comp)))
	})
}

// apart moves components that alternate for the lanes of every register to consecutive registers per component. from returns a
// component of a group of lanes in a half of the lanes.
func apart(c *value.Context, to mir.Operand, comps int, from func(half, group, comp int) mir.Operand) {
	lanes := int(c.F.GRF.Dwords())
	for at := 0; at < c.Width; at += lanes {
		for comp := range comps {
			c.B.Exec, c.B.Chan, c.B.NoMask = uint8(lanes), uint8(at), false
			c.B.Mov(to.At(uint32(comp)*c.F.Pitch(4)+4*uint32(at)), from(at/value.HalfLanes, at%value.HalfLanes/lanes, comp))
		}
	}
}
