// SPDX-License-Identifier: MIT

package stage

import (
	"jacquard.example/backend/intel/isel/subgroup"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
)

// firstOfQuads has a bit for the first lane of each quad.
const firstOfQuads = 0x1111_1111

// killedLanes returns the register with the mask of lanes that were killed but continue for their quads.
func killedLanes(c *value.Context) mir.Operand {
	if c.Killed == 0 {
		c.Killed = c.F.NewScalar(4)
	}
	return mir.V(c.Killed, isa.TypeUD)
}

// EmitKilled clears the mask of killed lanes at the start.
func EmitKilled(c *value.Context) {
	if c.Killed == 0 {
		return
	}
	c.B.ScalarMode()
	c.B.Mov(killedLanes(c), mir.UD(0))
}

// Kill turns the active lanes into helpers and records that they were killed.
func Kill(c *value.Context, _ ir.Value) {
	lanes := c.ScalarTemp()
	subgroup.Active(c, lanes)
	KillLanes(c, lanes)
	killed := killedLanes(c)
	c.B.Emit(isa.OpOr, killed, c.Source(killed), c.Source(lanes)).SideEff = true
}

// IsKilled sets a boolean in the lanes that were killed and continue for their quads.
func IsKilled(c *value.Context, v ir.Value) { lanesIn(c, v, c.Source(killedLanes(c))) }

// quadsWithout returns the lanes of all quads that have no lane in a mask.
func quadsWithout(c *value.Context, lanes mir.Operand) mir.Operand {
	scalar := func(o isa.Op, x, y mir.Operand) mir.Operand {
		t := c.ScalarTemp()
		c.B.ScalarMode()
		c.B.Emit(o, t, x, y)
		return c.Source(t)
	}
	some := scalar(isa.OpOr, lanes, scalar(isa.OpShr, lanes, mir.UD(1)))
	some = scalar(isa.OpOr, some, scalar(isa.OpShr, some, mir.UD(2)))
	first := scalar(isa.OpAnd, some, mir.UD(firstOfQuads))
	pairs := scalar(isa.OpOr, first, scalar(isa.OpShl, first, mir.UD(1)))
	all := scalar(isa.OpOr, pairs, scalar(isa.OpShl, pairs, mir.UD(2)))
	all.Neg = true // bitwise not
	return all
}

// QuadIsGone sets a boolean in the lanes whose quads have no live lane.
func QuadIsGone(c *value.Context, v ir.Value) {
	t := c.ScalarTemp()
	gone := quadsWithout(c, liveMask(c))
	c.B.ScalarMode()
	c.B.Emit(isa.OpAnd, t, gone, mir.UD(^uint32(0)))
	lanesIn(c, v, c.Source(t))
}

// IsAbandoned sets a boolean in the killed lanes whose quads have no active live lane.
func IsAbandoned(c *value.Context, v ir.Value) {
	active, here, t := c.ScalarTemp(), c.ScalarTemp(), c.ScalarTemp()
	subgroup.Active(c, active)
	c.B.ScalarMode()
	c.B.Emit(isa.OpAnd, here, c.Source(active), liveMask(c))
	gone := quadsWithout(c, c.Source(here))
	c.B.ScalarMode()
	c.B.Emit(isa.OpAnd, t, gone, c.Source(killedLanes(c)))
	lanesIn(c, v, c.Source(t))
}

// lanesIn sets a boolean in the active lanes that are in a mask.
func lanesIn(c *value.Context, v ir.Value, mask mir.Operand) {
	flag := subgroup.FlagOf(c, mask)
	c.B.Vector()
	t := c.NewTemp(isa.TypeD)
	c.B.Mov(t, mir.D(-1))
	c.B.Sel(flag, false, c.Result(v, isa.TypeD), c.Source(t), mir.D(0))
}
