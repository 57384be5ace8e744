package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
)

// firstOfQuads has a bit for the first lane of each quad.
const firstOfQuads = 0x1111_1111

// killedLanes returns the register with the mask of lanes that were killed but continue for their quads.
func (c *Ctx) killedLanes() mir.Operand {
	if c.killed == 0 {
		c.killed = c.F.NewScalar(4)
	}
	return mir.V(c.killed, isa.TypeUD)
}

// emitKilled clears the mask of killed lanes at the start.
func (c *Ctx) emitKilled() {
	if c.killed == 0 {
		return
	}
	c.B.ScalarMode()
	c.B.Mov(c.killedLanes(), mir.UD(0))
}

// Kill turns the active lanes into helpers and records that they were killed.
func (c *Ctx) Kill(ir.Value) {
	lanes := c.scalarTemp()
	c.active(lanes)
	c.kill(lanes)
	killed := c.killedLanes()
	c.B.Emit(isa.OpOr, killed, c.source(killed), c.source(lanes)).SideEff = true
}

// IsKilled sets a boolean in the lanes that were killed and continue for their quads.
func (c *Ctx) IsKilled(v ir.Value) { c.lanesIn(v, c.source(c.killedLanes())) }

// quadsWithout returns the lanes of all quads that have no lane in a mask.
func (c *Ctx) quadsWithout(lanes mir.Operand) mir.Operand {
	scalar := func(o isa.Op, x, y mir.Operand) mir.Operand {
		t := c.scalarTemp()
		c.B.ScalarMode()
		c.B.Emit(o, t, x, y)
		return c.source(t)
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
func (c *Ctx) QuadIsGone(v ir.Value) {
	t := c.scalarTemp()
	gone := c.quadsWithout(c.liveMask())
	c.B.ScalarMode()
	c.B.Emit(isa.OpAnd, t, gone, mir.UD(^uint32(0)))
	c.lanesIn(v, c.source(t))
}

// IsAbandoned sets a boolean in the killed lanes whose quads have no active live lane.
func (c *Ctx) IsAbandoned(v ir.Value) {
	active, here, t := c.scalarTemp(), c.scalarTemp(), c.scalarTemp()
	c.active(active)
	c.B.ScalarMode()
	c.B.Emit(isa.OpAnd, here, c.source(active), c.liveMask())
	gone := c.quadsWithout(c.source(here))
	c.B.ScalarMode()
	c.B.Emit(isa.OpAnd, t, gone, c.source(c.killedLanes()))
	c.lanesIn(v, c.source(t))
}

// lanesIn sets a boolean in the active lanes that are in a mask.
func (c *Ctx) lanesIn(v ir.Value, mask mir.Operand) {
	flag := c.flagOf(mask)
	c.B.Vector()
	t := c.temp(isa.TypeD)
	c.B.Mov(t, mir.D(-1))
	c.B.Sel(flag, false, c.dst(v, isa.TypeD), c.source(t), mir.D(0))
}
