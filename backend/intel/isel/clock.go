// SPDX-License-Identifier: MIT

package isel

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
)

// shaderClock reads the time stamp register tm0 (TGL PRM vol. 2a, "Timestamp Register"), whose first two
// doublewords are the low and high half of a counter. One instruction reads both, so that they are consistent.
// The counter may not be a single clock for the whole device: Mesa 25.0.7 offers shaderSubgroupClock, not
// shaderDeviceClock. Reads of the clock are kept in order with each other and with memory accesses.
func shaderClock(c *value.Context, v ir.Value) {
	if s := kind.Scope(c.S.Index(v, intrinsic.IxClockScope)); s != kind.ScopeSubgroup {
		c.Fail(v, "%s has no clock of scope %s (shader_clock)", c.Target.Name, s)
		return
	}
	c.B.ScalarMode()
	c.B.Exec = 2
	in := c.B.Mov(c.Result(v, isa.TypeUD), mir.Arch(isa.ARFTM0, 0, isa.TypeUD))
	in.SideEff, in.Orders = true, mir.EverySpace
}
