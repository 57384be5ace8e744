// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Bits of the control register cr0.0 (TGL PRM vol. 7, "Control Register"). After reset they are clear:
// denormals are flushed, and rounding is to nearest even.
const (
	cr0RoundToZero = 3 << 4
	cr0KeepDenorm  = 1 << 7
	cr0KeepDenorm2 = 1 << 10 // for 16-bit floats
)

// FloatMode sets the float mode required by the shader's execution modes.
func (c *Context) FloatMode() {
	const half, single = 1, 2
	info := &c.S.Info
	mode := uint32(0)
	if info.DenormPreserve&half != 0 {
		mode |= cr0KeepDenorm2
	}
	if info.DenormPreserve&single != 0 {
		mode |= cr0KeepDenorm
	}
	if info.RoundTowardZero&(half|single) != 0 {
		mode |= cr0RoundToZero
	}
	if mode == 0 {
		return
	}
	cr0 := mir.Arch(isa.ARFCR0, 0, isa.TypeUD)
	c.B.ScalarMode()
	in := c.B.Emit(isa.OpOr, cr0, cr0.WithStride(0), mir.UD(mode))
	in.SideEff = true
	// A hardware scoreboard does not track the control register: an instruction that names it must switch
	// threads (SKL PRM vol. 7, "Implementation Restriction on Register Access").
	in.Switch = !c.Target.Can(target.SoftwareScoreboard)
}
