package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
)

// headerPart returns a header field that does not fill its doubleword as a scalar, masked in place.
func (c *Ctx) headerPart(value abi.Value) mir.Operand {
	from, mask := c.field(value)
	t := c.scalarTemp()
	c.B.ScalarMode()
	c.B.Emit(isa.OpAnd, t, from, mir.UD(mask))
	return c.source(t)
}

// FrontFace tests the header's bit for back-facing primitives.
func (c *Ctx) FrontFace(v ir.Value) {
	bit := c.headerPart(abi.BackFacing)
	c.B.Vector()
	c.B.Cmp(isa.CModEQ, c.F.NewFlag(), c.dst(v, isa.TypeD), bit.As(isa.TypeD), mir.D(0))
}

// LayerID extracts the framebuffer layer from the header.
func (c *Ctx) LayerID(v ir.Value) {
	bits := c.headerPart(abi.Layer)
	_, mask := c.field(abi.Layer)
	shift := uint32(0)
	for mask>>shift&1 == 0 {
		shift++
	}
	c.B.Vector()
	c.B.Emit(isa.OpShr, c.dst(v, isa.TypeUD), bits, mir.UD(shift))
}

// quadSteps are the offsets of the pixels of a quad from its upper left pixel, as a packed immediate: x of four
// lanes, y of four lanes.
const quadSteps = 0x11001010

// pixelCenter is the position of a fragment in its pixel.
const pixelCenter = 0x3f000000 // 0.5

// FragCoord computes x and y from the positions of the quads in the header, and w as the inverse of
// the payload's value; z is in the payload.
func (c *Ctx) FragCoord(v ir.Value) {
	used := analysis.UsedComps(c.S, v)
	if used&3 != 0 {
		c.pixels(v, used)
	}
	if used>>fragW&1 != 0 {
		c.B.Vector()
		c.B.MathOp(isa.MathInv, c.component(c.dst(v, isa.TypeF), fragW), c.pixelPart(abi.W, isa.TypeF))
	}
}

// pixels computes the window coordinates of the lanes, which are pixel centers or sample positions.
func (c *Ctx) pixels(v ir.Value, used uint32) {
	words := c.F.AddReg(mir.RegInfo{Bytes: uint32(4 * c.Width), Lane: 2, Uniform: true, Align: mir.GRFBytes})
	for at := 0; at < c.Width; at += quadLanes {
		quad := c.halfField(abi.Quad0+abi.Value(at%halfLanes/quadLanes), at/halfLanes)
		c.B.Exec, c.B.Chan, c.B.NoMask = 2*quadLanes, 0, true
		c.B.Emit(isa.OpAdd, mir.V(words, isa.TypeUW).At(uint32(4*at)), quad.As(isa.TypeUW).WithRegion(1, 4, 0), mir.ImmOp(quadSteps, isa.TypeV))
	}
	for k := range uint32(2) {
		if used>>k&1 == 0 {
			continue
		}
		t := mir.V(c.F.NewReg(1, 4), isa.TypeF)
		c.eachPiece(t, func(to mir.Operand, at int) {
			c.B.Mov(to, mir.V(words, isa.TypeUW).At(uint32(4*at)+2*quadLanes*k).WithRegion(2*quadLanes, quadLanes, 1))
		})
		c.B.Vector()
		place := mir.ImmOp(pixelCenter, isa.TypeF)
		if c.Interface.PerSample {
			place = c.source(c.samplePlace(k))
		}
		c.B.Emit(isa.OpAdd, c.component(c.dst(v, isa.TypeF), int(k)), c.source(t), place)
	}
}

// dispatched returns the mask of lanes that were not helpers at the start.
func (c *Ctx) dispatched() mir.Operand {
	if c.Width <= halfLanes {
		return c.halfField(abi.LiveMask, 0).As(isa.TypeUW)
	}
	if c.dispatch == 0 {
		c.dispatch = c.F.NewScalar(4)
	}
	return c.source(mir.V(c.dispatch, isa.TypeUD))
}

// emitDispatched combines the masks of both halves at the start.
func (c *Ctx) emitDispatched() {
	if c.dispatch == 0 {
		return
	}
	upper, shifted := c.scalarTemp(), c.scalarTemp()
	c.B.ScalarMode()
	c.B.Mov(upper, c.halfField(abi.LiveMask, 1).As(isa.TypeUW))
	c.B.Emit(isa.OpShl, shifted, c.source(upper), mir.UD(halfLanes))
	c.B.Emit(isa.OpOr, mir.V(c.dispatch, isa.TypeUD), c.source(shifted), c.halfField(abi.LiveMask, 0).As(isa.TypeUW))
}

// liveMask returns the mask of lanes that are not helpers.
func (c *Ctx) liveMask() mir.Operand {
	if !c.Interface.Discards {
		return c.dispatched()
	}
	return c.source(c.liveLanes())
}

// liveLanes returns the register with the mask of live lanes, in shaders that discard.
func (c *Ctx) liveLanes() mir.Operand {
	if c.live == 0 {
		c.live = c.F.NewScalar(4)
	}
	return mir.V(c.live, isa.TypeUD)
}

// liveFlag returns a flag with the live lanes. It leaves the builder's mode unchanged.
func (c *Ctx) liveFlag() mir.Flag {
	b := c.B
	flag := c.flagOf(c.liveMask())
	c.B.Exec, c.B.Chan, c.B.NoMask = b.Exec, b.Chan, b.NoMask
	return flag
}

// acting returns the flag that predicates memory effects, which helper lanes must not have, or 0 if there are
// no helpers.
func (c *Ctx) acting() mir.Flag {
	if !c.isFragment() {
		return 0
	}
	return c.liveFlag()
}

// effect emits a message with an effect on memory, predicated by lanes unless that is 0.
func (c *Ctx) effect(m mir.Message, lanes mir.Flag) {
	in := c.B.Message(m)
	if lanes != 0 {
		in.Pred, in.Flag = isa.PredNormal, lanes
	}
}

// HelperInvocation sets a boolean in the lanes that were helpers at the start.
func (c *Ctx) HelperInvocation(v ir.Value) { c.helper(v, c.dispatched()) }

// IsHelperInvocation sets a boolean in the lanes that are helpers now.
func (c *Ctx) IsHelperInvocation(v ir.Value) { c.helper(v, c.liveMask()) }

// helper sets a boolean in the lanes that are not in a mask.
func (c *Ctx) helper(v ir.Value, mask mir.Operand) {
	flag := c.flagOf(mask)
	c.B.Vector()
	t := c.temp(isa.TypeD)
	c.B.Mov(t, mir.D(-1))
	c.B.Sel(flag, true, c.dst(v, isa.TypeD), c.source(t), mir.D(0))
}

// Demote turns the active lanes into helpers.
func (c *Ctx) Demote(ir.Value) {
	lanes := c.scalarTemp()
	c.active(lanes)
	c.kill(lanes)
}

// DemoteIf turns the active lanes for which a condition holds into helpers.
func (c *Ctx) DemoteIf(v ir.Value) {
	lanes := c.scalarTemp()
	c.ballot(lanes, c.S.Src(v, 0))
	c.kill(lanes)
}

// kill removes lanes from the live lanes.
func (c *Ctx) kill(lanes mir.Operand) {
	c.B.ScalarMode()
	gone := c.source(lanes)
	gone.Neg = true // bitwise not
	live := c.liveLanes()
	c.B.Emit(isa.OpAnd, live, c.source(live), gone).SideEff = true
}

// emitLive initializes the mask of live lanes.
func (c *Ctx) emitLive() {
	if c.live == 0 {
		c.emitDispatched()
		return
	}
	from := c.dispatched()
	c.emitDispatched()
	c.B.ScalarMode()
	c.B.Mov(mir.V(c.live, isa.TypeUD), from)
}
