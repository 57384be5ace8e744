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
)

// headerPart returns, as a scalar, a header field that is smaller than a doubleword. It clears the other bits of the
// doubleword and does not shift the field.
func headerPart(c *value.Context, value abi.Value) mir.Operand {
	from, mask := c.Field(value)
	t := c.ScalarTemp()
	c.B.ScalarMode()
	c.B.Emit(isa.OpAnd, t, from, mir.UD(mask))
	return c.Source(t)
}

// FrontFace tests the header's bit for back-facing primitives.
func FrontFace(c *value.Context, v ir.Value) {
	bit := headerPart(c, abi.BackFacing)
	c.B.Vector()
	c.B.Cmp(isa.CModEQ, c.F.NewFlag(), c.Result(v, isa.TypeD), bit.As(isa.TypeD), mir.D(0))
}

// LayerID extracts the framebuffer layer from the header.
func LayerID(c *value.Context, v ir.Value) {
	bits := headerPart(c, abi.Layer)
	_, mask := c.Field(abi.Layer)
	shift := uint32(0)
	for mask>>shift&1 == 0 {
		shift++
	}
	c.B.Vector()
	c.B.Emit(isa.OpShr, c.Result(v, isa.TypeUD), bits, mir.UD(shift))
}

// quadSteps are the offsets of the pixels of a quad from its upper left pixel, as a packed immediate: x of four
// lanes, y of four lanes.
const quadSteps = 0x11001010

// pixelCenter is the position of a fragment in its pixel.
const pixelCenter = 0x3f000000 // 0.5

// FragCoord computes x and y from the positions of the quads in the header, and w as the inverse of
// the payload's value; z is in the payload.
func FragCoord(c *value.Context, v ir.Value) {
	used := analysis.UsedComps(c.S, v)
	if used&3 != 0 {
		pixelCoords(c, v, used)
	}
	if used>>value.FragW&1 != 0 {
		c.B.Vector()
		c.B.MathOp(isa.MathInv, c.Component(c.Result(v, isa.TypeF), value.FragW), c.PixelPart(abi.W, isa.TypeF))
	}
}

// pixelCoords computes the window coordinates of the lanes, which are pixel centers or sample positions.
func pixelCoords(c *value.Context, v ir.Value, used uint32) {
	words := cornerWords(c)
	for k := range uint32(2) {
		if used>>k&1 == 0 {
			continue
		}
		t := corner(c, words, k)
		place := mir.ImmOp(pixelCenter, isa.TypeF)
		if c.Interface.PerSample {
			place = c.Source(samplePlace(c, k))
		}
		c.B.Emit(isa.OpAdd, c.Component(c.Result(v, isa.TypeF), int(k)), t, place)
	}
}

// cornerWords computes the coordinates of the upper left corners of the lanes' pixels, as words: x of two quads, then y.
func cornerWords(c *value.Context) mir.Reg {
	words := c.F.AddReg(mir.RegInfo{Bytes: uint32(4 * c.Width), Lane: 2, Uniform: true, Align: c.F.GRF.Align()})
	for at := 0; at < c.Width; at += subgroup.QuadLanes {
		quad := c.HalfField(abi.Quad0+abi.Value(at%value.HalfLanes/subgroup.QuadLanes), at/value.HalfLanes)
		c.B.Exec, c.B.Chan, c.B.NoMask = 2*subgroup.QuadLanes, 0, true
		c.B.Emit(isa.OpAdd, mir.V(words, isa.TypeUW).At(uint32(4*at)), quad.As(isa.TypeUW).WithRegion(1, 4, 0),
			mir.ImmOp(quadSteps, isa.TypeV))
	}
	return words
}

// corner returns coordinate k of cornerWords as floats.
func corner(c *value.Context, words mir.Reg, k uint32) mir.Operand {
	t := mir.V(c.F.NewReg(1, 4), isa.TypeF)
	subgroup.EachPiece(c, t, func(to mir.Operand, at int) {
		c.B.Mov(to, mir.V(words, isa.TypeUW).At(uint32(4*at)+2*subgroup.QuadLanes*k).WithRegion(2*subgroup.QuadLanes,
			subgroup.QuadLanes, 1))
	})
	c.B.Vector()
	return c.Source(t)
}

// dispatched returns the mask of lanes that were not helpers at the start.
func dispatched(c *value.Context) mir.Operand {
	if c.Width <= value.HalfLanes {
		return c.HalfField(abi.LiveMask, 0).As(isa.TypeUW)
	}
	if c.Dispatch == 0 {
		c.Dispatch = c.F.NewScalar(4)
	}
	return c.Source(mir.V(c.Dispatch, isa.TypeUD))
}

// emitDispatched combines the masks of both halves at the start.
func emitDispatched(c *value.Context) {
	if c.Dispatch == 0 {
		return
	}
	upper, shifted := c.ScalarTemp(), c.ScalarTemp()
	c.B.ScalarMode()
	c.B.Mov(upper, c.HalfField(abi.LiveMask, 1).As(isa.TypeUW))
	c.B.Emit(isa.OpShl, shifted, c.Source(upper), mir.UD(value.HalfLanes))
	c.B.Emit(isa.OpOr, mir.V(c.Dispatch, isa.TypeUD), c.Source(shifted), c.HalfField(abi.LiveMask, 0).As(isa.TypeUW))
}

// liveMask returns the mask of lanes that are not helpers.
func liveMask(c *value.Context) mir.Operand {
	if !c.Interface.Discards {
		return dispatched(c)
	}
	return c.Source(liveLanes(c))
}

// liveLanes returns the register with the mask of live lanes, in shaders that discard.
func liveLanes(c *value.Context) mir.Operand {
	if c.Live == 0 {
		c.Live = c.F.NewScalar(4)
	}
	return mir.V(c.Live, isa.TypeUD)
}

// liveFlag returns a flag with the live lanes. It leaves the builder's mode unchanged.
func liveFlag(c *value.Context) mir.Flag {
	b := c.B
	flag := subgroup.FlagOf(c, liveMask(c))
	c.B.Exec, c.B.Chan, c.B.NoMask = b.Exec, b.Chan, b.NoMask
	return flag
}

// Acting returns the flag that predicates memory effects, which helper lanes must not have, or 0 if there are
// no helpers.
func Acting(c *value.Context) mir.Flag {
	if !c.IsFragment() {
		return 0
	}
	return liveFlag(c)
}

// Effect emits a message with an effect on memory, predicated by lanes unless that is 0.
func Effect(c *value.Context, m mir.Message, lanes mir.Flag) {
	in := c.B.Message(m)
	if lanes != 0 {
		in.Pred, in.Flag = isa.PredNormal, lanes
	}
}

// HelperInvocation sets a boolean in the lanes that were helpers at the start.
func HelperInvocation(c *value.Context, v ir.Value) { helper(c, v, dispatched(c)) }

// IsHelperInvocation sets a boolean in the lanes that are helpers now.
func IsHelperInvocation(c *value.Context, v ir.Value) { helper(c, v, liveMask(c)) }

// helper sets a boolean in the lanes that are not in a mask.
func helper(c *value.Context, v ir.Value, mask mir.Operand) {
	flag := subgroup.FlagOf(c, mask)
	c.B.Vector()
	t := c.NewTemp(isa.TypeD)
	c.B.Mov(t, mir.D(-1))
	c.B.Sel(flag, true, c.Result(v, isa.TypeD), c.Source(t), mir.D(0))
}

// Demote turns the active lanes into helpers.
func Demote(c *value.Context, _ ir.Value) {
	lanes := c.ScalarTemp()
	subgroup.Active(c, lanes)
	KillLanes(c, lanes)
}

// DemoteIf turns the active lanes for which a condition holds into helpers.
func DemoteIf(c *value.Context, v ir.Value) {
	lanes := c.ScalarTemp()
	subgroup.BallotOf(c, lanes, c.S.Src(v, 0))
	KillLanes(c, lanes)
}

// KillLanes removes lanes from the live lanes.
func KillLanes(c *value.Context, lanes mir.Operand) {
	c.B.ScalarMode()
	gone := c.Source(lanes)
	gone.Neg = true // bitwise not
	live := liveLanes(c)
	c.B.Emit(isa.OpAnd, live, c.Source(live), gone).SideEff = true
}

// EmitLive initializes the masks of lanes that are live, or were at the start, as far as they are used.
func EmitLive(c *value.Context) {
	if c.Live == 0 {
		emitDispatched(c)
		return
	}
	from := dispatched(c)
	emitDispatched(c)
	c.B.ScalarMode()
	c.B.Mov(mir.V(c.Live, isa.TypeUD), from)
}
