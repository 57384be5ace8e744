package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// quadShifts are the shifts that move the sample number of a quad to the low bits in eight lanes, as a packed
// immediate. A byte holds two sample numbers.
const quadShifts = 0x44440000

// sampleBits is the mask of a sample number.
const sampleBits = 15

// SampleID extracts each quad's sample number from the header.
func (c *Ctx) SampleID(v ir.Value) {
	words := mir.V(c.F.AddReg(mir.RegInfo{Bytes: mir.RoundGRF(uint32(2 * c.Width)), Lane: 2, Uniform: true, Align: mir.GRFBytes}), isa.TypeUW)
	for at := 0; at < c.Width; at += 2 * quadLanes {
		c.B.Exec, c.B.Chan, c.B.NoMask = 2*quadLanes, 0, true
		c.B.Emit(isa.OpShr, words.At(uint32(2*at)), c.halfField(abi.SampleIDs, at/halfLanes).As(isa.TypeUB).At(uint32(at%halfLanes/(2*quadLanes))), mir.ImmOp(quadShifts, isa.TypeV))
	}
	t := mir.V(c.F.NewReg(1, 4), isa.TypeUD)
	c.eachPiece(t, func(to mir.Operand, at int) { c.B.Mov(to, words.At(uint32(2*at))) })
	c.B.Vector()
	c.B.Emit(isa.OpAnd, c.dst(v, isa.TypeUD), c.source(t), mir.UD(sampleBits))
}

// SamplePos converts the sample's position in its pixel.
func (c *Ctx) SamplePos(v ir.Value) {
	used := analysis.UsedComps(c.S, v)
	for k := range uint32(2) {
		if used>>k&1 != 0 {
			c.B.Vector()
			c.B.Mov(c.component(c.dst(v, isa.TypeF), int(k)), c.source(c.samplePlace(k)))
		}
	}
}

// sixteenth is the unit of sample positions.
const sixteenth = 0x3d800000 // 1/16

// samplePlace returns a coordinate of the sample's position in its pixel, which is a byte of the payload.
func (c *Ctx) samplePlace(k uint32) mir.Operand {
	number, place := c.temp(isa.TypeUD), c.temp(isa.TypeF)
	c.eachPiece(number, func(to mir.Operand, at int) {
		c.B.Mov(to, mir.Fixed(c.Layout.AtHalf(abi.SampleOffsets, at/halfLanes), isa.TypeUB).At(k).WithStride(2))
	})
	c.B.Vector()
	whole := c.temp(isa.TypeF)
	c.B.Mov(whole, c.source(number))
	c.B.Emit(isa.OpMul, place, c.source(whole), mir.ImmOp(sixteenth, isa.TypeF))
	return place
}

// Fields of messages to the pixel interpolator.
const (
	steps     = 0x41800000 // 16.0: steps per pixel
	stepBits  = 4          // bits of a signed offset
	sampleBit = 4          // first bit of the sample number in a descriptor
)

// AtOffset queries the pixel interpolator for coordinates at an offset from the pixel centers. The offset is
// rounded towards the center and clamped (TGL PRM vol. 9, "Pixel Interpolator").
func (c *Ctx) AtOffset(v ir.Value) {
	var by [2]mir.Operand
	x := c.S.Src(v, 0)
	for k := range by {
		f, d := c.temp(isa.TypeF), c.temp(isa.TypeD)
		c.B.Emit(isa.OpMul, f, c.plain(c.Use(x.Comp(k), isa.TypeF), isa.TypeF), mir.ImmOp(steps, isa.TypeF))
		c.B.Mov(d, c.source(f))
		low, high := c.temp(isa.TypeD), c.temp(isa.TypeD)
		c.B.Emit(isa.OpSel, low, c.source(d), mir.D(-1<<(stepBits-1))).CMod = isa.CModGE
		c.B.Emit(isa.OpSel, high, c.source(low), mir.D(1<<(stepBits-1)-1)).CMod = isa.CModLT
		by[k] = c.source(high).As(isa.TypeUD)
	}
	m := mir.Message{Msg: mir.Msg{Name: message.EvaluateOffset}}
	m.Address, m.AddressLen, m.Data, m.DataLen = by[0], c.lanes(), by[1], c.lanes()
	c.evaluate(v, m)
}

// AtSample queries the pixel interpolator for coordinates at a sample.
func (c *Ctx) AtSample(v ir.Value) {
	n := c.Use(c.S.Src(v, 0), isa.TypeUD)
	switch {
	case n.File == mir.Imm:
		n.Num = n.Num & sampleBits << sampleBit
	case n.IsScalar():
		b := c.B
		t := c.scalarTemp()
		c.B.ScalarMode()
		c.B.Emit(isa.OpShl, t, n, mir.UD(sampleBit))
		c.B.Exec, c.B.Chan, c.B.NoMask = b.Exec, b.Chan, b.NoMask
		n = c.source(t)
	default:
		c.Fail(v, "a sample that differs between the lanes must be lowered before selection")
		return
	}
	c.evaluate(v, mir.Message{Msg: mir.Msg{Name: message.EvaluateSample, Space: message.Image}, Surface: n})
}

// evaluate sends a message to the pixel interpolator for each half of the lanes. As in the payload, the
// coordinates alternate for every eight lanes, so the response is not indexed by lane.
func (c *Ctx) evaluate(v ir.Value, m mir.Message) {
	if kind.InterpMode(c.S.Index(v, intrinsic.IxInterpMode)) == kind.InterpNoperspective {
		m.Op = 1
	}
	dst := c.dst(v, isa.TypeUD)
	if c.Width == 8 {
		m.Dst, m.DstLen = dst, 2*c.lanes()
		c.B.Message(m)
		return
	}
	address, data := m.Address, m.Data
	var halves [2]mir.Operand
	for at := 0; at < c.Width; at += halfLanes {
		c.B.Exec, c.B.Chan, c.B.NoMask = halfLanes, uint8(at), false
		m.DstLen = 2 * c.lanes()
		m.Dst = mir.V(c.F.AddReg(mir.RegInfo{Bytes: uint32(m.DstLen) * mir.GRFBytes, Lane: 4, Align: mir.GRFBytes, Piece: true}), isa.TypeUD)
		halves[at/halfLanes] = m.Dst
		if m.Address, m.Data = address, data; m.AddressLen > 0 {
			m.Address.Slice(uint32(at), halfLanes)
			m.Data.Slice(uint32(at), halfLanes)
			m.AddressLen, m.DataLen = c.lanes(), c.lanes()
		}
		c.B.Message(m)
	}
	c.apart(dst, 2, func(group, comp int) mir.Operand {
		return halves[8*group/halfLanes].At(uint32(group%2*2+comp) * mir.GRFBytes)
	})
}

// apart moves components that alternate for every eight lanes to consecutive registers per component.
func (c *Ctx) apart(to mir.Operand, comps int, from func(group, comp int) mir.Operand) {
	for group := range c.Width / 8 {
		for comp := range comps {
			c.B.Exec, c.B.Chan, c.B.NoMask = 8, uint8(8*group), false
			c.B.Mov(to.At(uint32(comp)*c.F.Pitch(4)+uint32(group)*mir.GRFBytes), from(group, comp))
		}
	}
}
