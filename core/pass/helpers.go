package pass

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
)

// Promotable are the modes of variables that are private to an invocation: they can become SSA values.
const Promotable = kind.ModeFunctionTemp | kind.ModeShaderTemp

// Vec inserts a vector of scalars; a single scalar is copied.
func Vec(b *build.Builder, parts []ir.Src) ir.Src {
	switch len(parts) {
	case 1:
		return b.Mov(parts[0])
	case 2:
		return b.Vec2(parts[0], parts[1])
	case 3:
		return b.Vec3(parts[0], parts[1], parts[2])
	case 4:
		return b.Vec4(parts[0], parts[1], parts[2], parts[3])
	case 5:
		return b.Vec5(Vec(b, parts[:4]), parts[4])
	case 8:
		return b.Vec8(Vec(b, parts[:4]), Vec(b, parts[4:]))
	case 16:
		return b.Vec16(Vec(b, parts[:8]), Vec(b, parts[8:]))
	}
	panic("pass: no vector has that many components")
}

// ImmF inserts a 32-bit float constant.
func ImmF(b *build.Builder, x float32) ir.Src { return b.Imm(math.Float32bits(x)) }
