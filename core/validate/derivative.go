// SPDX-License-Identifier: MIT

package validate

import (
	"jacquard.example/generated/kind"
)

// derivativeGroup checks that the workgroups of a shader consist of whole derivative groups, all with one arrangement.
func (c *checker) derivativeGroup() {
	const quads, linear = kind.StageModeDerivativeGroupQuads, kind.StageModeDerivativeGroupLinear
	n := c.s.Info.WorkgroupSize
	switch c.s.Info.Modes & (quads | linear) {
	case 0:
	case quads:
		c.need(n[0]%2 == 0 && n[1]%2 == 0, "derivative-group", "workgroups do not consist of blocks of two by two invocations")
	case linear:
		c.need(n[0]*n[1]*n[2]%4 == 0, "derivative-group", "workgroups do not consist of groups of four invocations")
	default:
		c.fail("derivative-group", "the shader has two arrangements of derivative groups")
	}
}

// derivative checks that the invocations that execute a derivative, or a texture operation with an implicit level of
// detail, are in quads.
func (c *checker) derivative() {
	info := &c.s.Info
	c.need(info.Stage != kind.StageCompute || info.Modes&(kind.StageModeDerivativeGroupQuads|kind.StageModeDerivativeGroupLinear) != 0,
		"derivative", "the compute shader has no derivative groups")
}
