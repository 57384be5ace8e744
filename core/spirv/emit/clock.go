// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// clock reads OpReadClockKHR (SPV_KHR_shader_clock). Its result has 64 bits: an integer, or a vector of two integers
// with the low half first.
func clock(r *module.Reader, in []uint32) {
	t := r.TypeOf(in[2])
	whole := t.Comps == 1 && t.Bits == 64
	if !isInt(t) || !whole && (t.Comps != 2 || t.Bits != 32) {
		r.Fail("the result is not a 64-bit integer or a vector of two 32-bit integers")
	}
	s := value.Scope(r, in[3])
	if s != kind.ScopeSubgroup && s != kind.ScopeDevice {
		r.Fail("the scope is %v; it must be subgroup or device", s)
	}
	v := r.B.Intrinsic(intrinsic.ShaderClock, 2, 32)
	r.S.SetIndex(v, intrinsic.IxClockScope, uint32(s))
	x := r.S.All(v)
	if whole {
		x = value.Alu(r, op.Pack64_2x32, x)
	}
	value.SetSrc(r, in[2], x)
}
