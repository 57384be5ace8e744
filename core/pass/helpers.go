// SPDX-License-Identifier: MIT

package pass

import (
	"cmp"

	"math"

	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
)

// Promotable are the modes of variables that are private to an invocation: they can become SSA values.
const Promotable = kind.ModeFunctionTemp | kind.ModeShaderTemp

// Buffers are the modes of memory that is accessed through descriptors.
const Buffers = kind.ModeUBO | kind.ModeSSBO

// InTable are the modes of variables whose descriptors have entries in the binding table.
const InTable = Buffers | kind.ModeImage | kind.ModeUniform

// DescriptorsOf returns the number of descriptors of a variable with a mode of InTable.
func (c *Context) DescriptorsOf(x ir.Var) uint32 {
	s := c.S
	t := s.Var(x).Type
	if n, _ := s.Types.Descriptors(t); n != 0 {
		return n
	}
	each, _ := s.Types.Descriptors(s.Types.At(t).Elem)
	return ir.SatMul(each, c.UnknownLength())
}

// UnknownLength returns the number of descriptors of an array of unknown length.
func (c *Context) UnknownLength() uint32 { return cmp.Or(c.Options.Descriptors, DefaultDescriptors) }

// MayTouch reports whether an instruction is of a kind that may access memory.
func MayTouch(in *ir.Instr) bool { return in.Kind == kind.Intrinsic || in.Kind == kind.Tex }

// Vec inserts a vector of 1 to 5, 8 or 16 scalars, and panics for other numbers; a single scalar is copied.
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

// VecOrOne inserts a vector of scalars; a single scalar is returned as it is.
func VecOrOne(b *build.Builder, parts []ir.Src) ir.Src {
	if len(parts) == 1 {
		return parts[0]
	}
	return Vec(b, parts)
}

// Slice returns components i … i+n-1 of r.
func Slice(r ir.Src, i, n int) ir.Src {
	out := ir.Src{Val: r.Val, N: uint8(n)}
	for k := range 8 {
		out.Swz = out.Swz.With(k, r.Swz.Comp(min(i+k, i+n-1)))
	}
	return out
}

// ImmF inserts a 32-bit float constant.
func ImmF(b *build.Builder, x float32) ir.Src { return b.Imm(math.Float32bits(x)) }
