package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// halfBits are the bits of components that take up twice as many: slots have components of 32 bits.
// Vertex attributes arrive and colors leave as 32 bits whatever their format, and what the
// stages exchange is converted in both.
const halfBits = 16

// widen converts components of 16 bits to 32.
func (c context) widen(x ir.Src, b kind.BaseType) ir.Src {
	switch b {
	case kind.BaseFloat:
		return c.B.F2F32(x)
	case kind.BaseInt:
		return c.B.I2I32(x)
	}
	return c.B.U2U32(x)
}

// narrow converts components of 32 bits to 16.
func (c context) narrow(x ir.Src, b kind.BaseType) ir.Src {
	if b == kind.BaseFloat {
		return c.B.F2F16(x)
	}
	return c.B.U2U16(x)
}
