// SPDX-License-Identifier: MIT

package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
)

// FloatMode returns the shader's float mode. Denormals are flushed, which the machine does after reset and Vulkan
// allows, unless an execution mode preserves them. Rounding is to nearest even unless a mode asks for truncation.
func FloatMode(s *ir.Shader) num.Mode {
	m := num.Flush16 | num.Flush32 | num.Flush64
	for i, f := range [...]num.Mode{num.Flush16, num.Flush32, num.Flush64} {
		if s.Info.DenormPreserve>>i&1 != 0 {
			m &^= f
		}
	}
	for i, r := range [...]num.Mode{num.RTZ16, num.RTZ32, num.RTZ64} {
		if s.Info.RoundTowardZero>>i&1 != 0 {
			m |= r
		}
	}
	return m
}
