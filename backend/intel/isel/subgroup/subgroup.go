// SPDX-License-Identifier: MIT

package subgroup

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// Ballot gathers one bit from each active lane in a scalar.
func Ballot(c *value.Context, v ir.Value) {
	BallotOf(c, c.Result(v, isa.TypeUD), c.Operand(v, intrinsic.RoleValue))
}

// VoteAny reports whether a condition holds in some active lane.
func VoteAny(c *value.Context, v ir.Value) {
	b := c.ScalarTemp()
	BallotOf(c, b, c.Operand(v, intrinsic.RoleValue))
	c.B.ScalarMode()
	c.B.Cmp(isa.CModNE, c.F.NewFlag(), c.Result(v, isa.TypeD), c.Source(b), mir.UD(0))
}

// VoteAll reports whether a condition holds in all active lanes.
func VoteAll(c *value.Context, v ir.Value) {
	b, all := c.ScalarTemp(), c.ScalarTemp()
	BallotOf(c, b, c.Operand(v, intrinsic.RoleValue))
	Active(c, all)
	c.B.ScalarMode()
	c.B.Cmp(isa.CModEQ, c.F.NewFlag(), c.Result(v, isa.TypeD), c.Source(b), c.Source(all))
}

// FirstInvocation finds the first active lane.
func FirstInvocation(c *value.Context, v ir.Value) { firstLane(c, c.Result(v, isa.TypeUD)) }

// Elect sets a boolean in the first active lane.
func Elect(c *value.Context, v ir.Value) {
	first := c.ScalarTemp()
	firstLane(c, first)
	c.B.Vector()
	c.B.Cmp(isa.CModEQ, c.F.NewFlag(), c.Result(v, isa.TypeD), mir.V(c.LaneID(), isa.TypeUW), c.Source(first))
}

// ReadFirstInvocation reads a value of the first active lane.
func ReadFirstInvocation(c *value.Context, v ir.Value) {
	first := c.ScalarTemp()
	firstLane(c, first)
	readLane(c, v, c.Source(first))
}

// ReadInvocation reads a value of the lane that all active lanes select.
func ReadInvocation(c *value.Context, v ir.Value) {
	lane := c.Use(c.Operand(v, intrinsic.RoleLane), isa.TypeUD)
	if !lane.IsScalar() { // use the index of the first active lane
		first, same := c.ScalarTemp(), c.ScalarTemp()
		firstLane(c, first)
		pickLane(c, same, lane, c.Source(first))
		lane = c.Source(same)
	}
	readLane(c, v, lane)
}

// BallotOf gathers one bit from each active lane: the flag starts at zero, and the comparison writes the bits of
// active lanes only.
func BallotOf(c *value.Context, dst mir.Operand, cond ir.Src) {
	x := c.Use(cond, isa.TypeD)
	if x.File == mir.Imm {
		if x.Num != 0 {
			Active(c, dst)
			return
		}
		c.B.ScalarMode()
		c.B.Mov(dst, mir.UD(0))
		return
	}
	gatherFlag(c, dst, isa.CModNE, x, mir.D(0))
}

// Active gathers the mask of active lanes, by comparing a value with itself.
func Active(c *value.Context, dst mir.Operand) {
	x := mir.FixedScalar(value.RegHeader, 0, isa.TypeD)
	gatherFlag(c, dst, isa.CModEQ, x, x)
}

func gatherFlag(c *value.Context, dst mir.Operand, cond isa.CMod, x, y mir.Operand) {
	flag := laneFlag(c, cond, x, y)
	c.B.ScalarMode()
	c.B.Mov(dst, flag.Whole().WithStride(0)).SideEff = true
}

// FlagOf returns a flag with the bits of a scalar. It selects the scalar mode.
func FlagOf(c *value.Context, lanes mir.Operand) mir.Flag {
	flag := c.F.NewFlag()
	c.B.ScalarMode()
	c.B.Mov(flag.Whole(), lanes).SideEff = true
	return flag
}

// laneFlag returns a flag with the bits of the active lanes for which a comparison holds.
func laneFlag(c *value.Context, cond isa.CMod, x, y mir.Operand) mir.Flag {
	flag := FlagOf(c, mir.UD(0))
	c.B.Vector()
	c.B.Cmp(cond, flag, mir.Null(isa.TypeD), x, y).SideEff = true
	return flag
}

// activeFlag returns a flag with the bits of the active lanes.
func activeFlag(c *value.Context) mir.Flag {
	x := mir.FixedScalar(value.RegHeader, 0, isa.TypeD)
	return laneFlag(c, isa.CModEQ, x, x)
}

func firstLane(c *value.Context, dst mir.Operand) {
	lanes := c.ScalarTemp()
	Active(c, lanes)
	c.B.ScalarMode()
	c.B.Emit(isa.OpFbl, dst, c.Source(lanes))
}

// readLane sets the result of v to its source's value in one lane.
func readLane(c *value.Context, v ir.Value, lane mir.Operand) {
	x := c.Use(c.Operand(v, intrinsic.RoleValue), isa.TypeUD)
	if x.IsScalar() {
		c.B.ScalarMode()
		c.B.Mov(c.Result(v, isa.TypeUD), x)
		return
	}
	pickLane(c, c.Result(v, isa.TypeUD), x, lane)
}

// pickLane writes one lane's element of x to the scalar dst: it zeroes all other elements and then or's halves
// together until one element is left.
func pickLane(c *value.Context, dst, x, lane mir.Operand) {
	c.B.ScalarMode()
	if lane.File == mir.Imm {
		c.B.Mov(dst, x.At(4*(lane.Num%uint32(c.Width))).WithStride(0))
		return
	}
	one, bit := c.ScalarTemp(), c.ScalarTemp()
	c.B.Mov(one, mir.UD(1))
	c.B.Emit(isa.OpShl, bit, c.Source(one), lane)
	flag := FlagOf(c, c.Source(bit))
	t := mir.V(c.F.NewReg(1, 4), isa.TypeUD)
	c.B.Vector()
	c.B.NoMask = true
	c.B.Mov(t, mir.UD(0))
	put := c.B.Mov(t, x)
	put.Pred, put.Flag = isa.PredNormal, flag
	for n := c.Width / 2; n >= 1; n /= 2 {
		c.B.Exec = uint8(n)
		to := t
		if n == 1 {
			to = dst
		}
		c.B.Emit(isa.OpOr, to, t, t.At(uint32(4*n)))
	}
}
