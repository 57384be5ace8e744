package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// Ballot gathers one bit from each active lane in a scalar.
func (c *Ctx) Ballot(v ir.Value) { c.ballot(c.dst(v, isa.TypeUD), c.src(v, intrinsic.RoleValue)) }

// VoteAny reports whether a condition holds in some active lane.
func (c *Ctx) VoteAny(v ir.Value) {
	b := c.scalarTemp()
	c.ballot(b, c.src(v, intrinsic.RoleValue))
	c.B.ScalarMode()
	c.B.Cmp(isa.CModNE, c.F.NewFlag(), c.dst(v, isa.TypeD), c.source(b), mir.UD(0))
}

// VoteAll reports whether a condition holds in all active lanes.
func (c *Ctx) VoteAll(v ir.Value) {
	b, all := c.scalarTemp(), c.scalarTemp()
	c.ballot(b, c.src(v, intrinsic.RoleValue))
	c.active(all)
	c.B.ScalarMode()
	c.B.Cmp(isa.CModEQ, c.F.NewFlag(), c.dst(v, isa.TypeD), c.source(b), c.source(all))
}

// FirstInvocation finds the first active lane.
func (c *Ctx) FirstInvocation(v ir.Value) { c.firstLane(c.dst(v, isa.TypeUD)) }

// Elect sets a boolean in the first active lane.
func (c *Ctx) Elect(v ir.Value) {
	first := c.scalarTemp()
	c.firstLane(first)
	c.B.Vector()
	c.B.Cmp(isa.CModEQ, c.F.NewFlag(), c.dst(v, isa.TypeD), mir.V(c.laneID(), isa.TypeUW), c.source(first))
}

// ReadFirstInvocation reads a value of the first active lane.
func (c *Ctx) ReadFirstInvocation(v ir.Value) {
	first := c.scalarTemp()
	c.firstLane(first)
	c.readLane(v, c.source(first))
}

// ReadInvocation reads a value of the lane that all active lanes select.
func (c *Ctx) ReadInvocation(v ir.Value) {
	lane := c.Use(c.src(v, intrinsic.RoleLane), isa.TypeUD)
	if !lane.IsScalar() { // use the index of the first active lane
		first, same := c.scalarTemp(), c.scalarTemp()
		c.firstLane(first)
		c.pickLane(same, lane, c.source(first))
		lane = c.source(same)
	}
	c.readLane(v, lane)
}

func (c *Ctx) scalarTemp() mir.Operand { return mir.V(c.F.NewScalar(4), isa.TypeUD) }

// ballot gathers one bit from each active lane: the flag starts at zero, and the comparison writes the bits of
// active lanes only.
func (c *Ctx) ballot(dst mir.Operand, cond ir.Src) {
	x := c.Use(cond, isa.TypeD)
	if x.File == mir.Imm {
		if x.Num != 0 {
			c.active(dst)
			return
		}
		c.B.ScalarMode()
		c.B.Mov(dst, mir.UD(0))
		return
	}
	c.gatherFlag(dst, isa.CModNE, x, mir.D(0))
}

// active gathers the mask of active lanes, by comparing a value with itself.
func (c *Ctx) active(dst mir.Operand) {
	x := mir.FixedScalar(regHeader, 0, isa.TypeD)
	c.gatherFlag(dst, isa.CModEQ, x, x)
}

func (c *Ctx) gatherFlag(dst mir.Operand, cond isa.CMod, x, y mir.Operand) {
	flag := c.laneFlag(cond, x, y)
	c.B.ScalarMode()
	c.B.Mov(dst, flag.Whole().WithStride(0)).SideEff = true
}

// flagOf returns a flag with the bits of a scalar. It selects the scalar mode.
func (c *Ctx) flagOf(lanes mir.Operand) mir.Flag {
	flag := c.F.NewFlag()
	c.B.ScalarMode()
	c.B.Mov(flag.Whole(), lanes).SideEff = true
	return flag
}

// laneFlag returns a flag with the bits of the active lanes for which a comparison holds.
func (c *Ctx) laneFlag(cond isa.CMod, x, y mir.Operand) mir.Flag {
	flag := c.flagOf(mir.UD(0))
	c.B.Vector()
	c.B.Cmp(cond, flag, mir.Null(isa.TypeD), x, y).SideEff = true
	return flag
}

// activeFlag returns a flag with the bits of the active lanes.
func (c *Ctx) activeFlag() mir.Flag {
	x := mir.FixedScalar(regHeader, 0, isa.TypeD)
	return c.laneFlag(isa.CModEQ, x, x)
}

func (c *Ctx) firstLane(dst mir.Operand) {
	lanes := c.scalarTemp()
	c.active(lanes)
	c.B.ScalarMode()
	c.B.Emit(isa.OpFbl, dst, c.source(lanes))
}

// readLane sets the result of v to its source's value in one lane.
func (c *Ctx) readLane(v ir.Value, lane mir.Operand) {
	x := c.Use(c.src(v, intrinsic.RoleValue), isa.TypeUD)
	if x.IsScalar() {
		c.B.ScalarMode()
		c.B.Mov(c.dst(v, isa.TypeUD), x)
		return
	}
	c.pickLane(c.dst(v, isa.TypeUD), x, lane)
}

// pickLane writes one lane's element of x to the scalar dst: it zeroes all other elements and then or's halves
// together until one element is left.
func (c *Ctx) pickLane(dst, x, lane mir.Operand) {
	c.B.ScalarMode()
	if lane.File == mir.Imm {
		c.B.Mov(dst, x.At(4*(lane.Num%uint32(c.Width))).WithStride(0))
		return
	}
	one, bit := c.scalarTemp(), c.scalarTemp()
	c.B.Mov(one, mir.UD(1))
	c.B.Emit(isa.OpShl, bit, c.source(one), lane)
	flag := c.flagOf(c.source(bit))
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
