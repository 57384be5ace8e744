package spirv

import (
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// clock reads OpReadClockKHR (SPV_KHR_shader_clock). Its result has 64 bits: an integer, or a vector of two integers
// with the low half first.
func (r *reader) clock(in []uint32) {
	t := r.typeOf(in[2])
	whole := t.comps == 1 && t.bits == 64
	if !isInt(t) || !whole && (t.comps != 2 || t.bits != 32) {
		r.fail("the result is not an integer of 64 bits or a vector of two of 32 bits")
	}
	s := r.scope(in[3])
	if s != kind.ScopeSubgroup && s != kind.ScopeDevice {
		r.fail("the scope is %v; it must be subgroup or device", s)
	}
	v := r.b.Intrinsic(intrinsic.ShaderClock, 2, 32)
	r.s.SetIndex(v, intrinsic.IxClockScope, uint32(s))
	x := r.s.All(v)
	if whole {
		x = r.alu(op.Pack64_2x32, x)
	}
	r.setSrc(in[2], x)
}
