package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
)

// ShaderClock reads the time stamp register tm0 (TGL PRM vol. 2a, "Timestamp Register"), whose
// first two doublewords are the low and the high half of a counter. Both are read by one
// instruction, so that they belong together. It is not known to be one clock for the whole
// device: Mesa 25.0.7 offers shaderSubgroupClock, not shaderDeviceClock. Reads keep their
// order among each other and with accesses to memory.
func (c *Ctx) ShaderClock(v ir.Value) {
	if s := kind.Scope(c.S.Index(v, intrinsic.IxClockScope)); s != kind.ScopeSubgroup {
		c.Fail(v, "%s has no clock of scope %s (shader_clock)", c.Target.Name, s)
		return
	}
	c.B.ScalarMode()
	c.B.Exec = 2
	in := c.B.Mov(c.dst(v, isa.TypeUD), mir.Arch(isa.ARFTM0, 0, isa.TypeUD))
	in.SideEff, in.Orders = true, mir.EverySpace
}
