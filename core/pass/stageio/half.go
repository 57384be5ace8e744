// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// halfBits is the size of components that take a whole 32-bit component of a slot. Vertex attributes arrive and colors
// leave as 32 bits whatever their format; both stages convert the values that they exchange.
const halfBits = 16

// widen converts components from 16 to 32 bits.
func (c context) widen(x ir.Src, b kind.BaseType) ir.Src {
	switch b {
	case kind.BaseFloat:
		return c.B.F2F32(x)
	case kind.BaseInt:
		return c.B.I2I32(x)
	}
	return c.B.U2U32(x)
}

// narrow converts components from 32 to 16 bits.
func (c context) narrow(x ir.Src, b kind.BaseType) ir.Src {
	if b == kind.BaseFloat {
		return c.B.F2F16(x)
	}
	return c.B.U2U16(x)
}
