// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/image"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// atomic reads the atomics. Barriers around an atomic implement the ordering of its semantics; the access itself is
// relaxed.
func atomic(r *module.Reader, info *spirvtab.Op, in []uint32) {
	if info.Num == spirvtab.OpAtomicStore {
		typ := r.Ids[in[4]].Typ
		if !value.PointsTo(r, in[1], typ) {
			r.Fail("the value has a different type than the pointer points to")
		}
		if r.Ids[in[1]].Kind == module.IdTexel {
			value.AtomicBarrier(r, in[2], in[3], value.ReleaseBits)
			image.TexelStore(r, image.Texel(r, in[1]), value.Src(r, in[4]), kind.AccessCoherent)
			return
		}
		d, a := value.View(r, in[1], typ)
		value.AtomicBarrier(r, in[2], in[3], value.ReleaseBits)
		value.StoreLeaf(r, d, value.Src(r, in[4]), a|kind.AccessCoherent)
		return
	}
	if !value.PointsTo(r, in[3], in[1]) {
		r.Fail("the result has a different type than the pointer points to")
	}
	id, t := in[2], r.TypeOf(in[2])
	if t.Comps != 1 || t.Base == ir.TypeBool {
		r.Fail("the result is not a number")
	}
	switch info.Num {
	case spirvtab.OpAtomicLoad, spirvtab.OpAtomicExchange:
	case spirvtab.OpAtomicFAddEXT, spirvtab.OpAtomicFMinEXT, spirvtab.OpAtomicFMaxEXT:
		if t.Base != ir.TypeFloat {
			r.Fail("the result is not a float")
		}
	default:
		if t.Base == ir.TypeFloat {
			r.Fail("the result is not an integer")
		}
	}
	if r.Ids[in[3]].Kind == module.IdTexel {
		image.TexelAtomic(r, info, in, t)
		return
	}
	d, a := value.View(r, in[3], in[1])
	value.AtomicBarrier(r, in[4], in[5], value.ReleaseBits)
	ptr := ir.Src{Val: d, Swz: ir.Identity, N: 1}
	var v ir.Value
	switch info.Num {
	case spirvtab.OpAtomicLoad:
		value.SetSrc(r, id, value.LoadLeaf(r, d, 1, t.Bits, a|kind.AccessCoherent))
		value.AtomicBarrier(r, in[4], in[5], value.AcquireBits)
		return
	case spirvtab.OpAtomicCompareExchange:
		data, cmp := value.Scalar(r, in[7], t.Bits), value.Scalar(r, in[8], t.Bits)
		v = r.B.Intrinsic(intrinsic.DerefAtomicSwap, 1, t.Bits, ptr, cmp, data)
	default:
		v = r.B.Intrinsic(intrinsic.DerefAtomic, 1, t.Bits, ptr, image.AtomicData(r, info.Num, in, t.Bits))
	}
	r.S.SetIndex(v, intrinsic.IxAtomicOp, uint32(info.Atomic-1))
	r.S.SetIndex(v, intrinsic.IxAccess, uint32(a))
	value.SetSrc(r, id, r.S.All(v))
	value.AtomicBarrier(r, in[4], in[5], value.AcquireBits)
}
