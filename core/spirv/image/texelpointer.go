// SPDX-License-Identifier: MIT

package image

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// A pointer to a texel is not an IR value. The reader records its components, and each atomic on it refers to image,
// coordinates and sample itself. Such a value could not be a phi, since the image must be the same for all invocations
// that execute an instruction; leaving SSA form would need a special case; and no back end has a use for it.

// texel has the components of a pointer to a texel.
type texel struct {
	image         ir.Value
	access        kind.Access
	coord, sample ir.Src
}

// texelPointer reads OpImageTexelPointer.
func texelPointer(r *module.Reader, in []uint32) {
	id := in[2]
	pt, t := r.TypeOf(id), r.TypeAt(value.Pointee(r, in[3]))
	switch {
	case pt.Op != spirvtab.OpTypePointer:
		r.Fail("the result is not a pointer")
	case t.Op != spirvtab.OpTypeImage:
		r.Fail("id %d is not a pointer to an image", in[3])
	case t.Elem != pt.Elem:
		r.Fail("the result's pointee type is not the type of the image's texels")
	}
	x := texelOperands(r, in)
	kids := value.NewKids(r, 3)
	r.Tree[kids] = value.Leaf(ir.Src{Val: x.image, Swz: ir.Identity, N: 1})
	r.Tree[kids+1], r.Tree[kids+2] = value.Leaf(x.coord), value.Leaf(x.sample)
	rec := &r.Ids[id]
	rec.Kind, rec.Epoch = module.IdTexel, r.Block+1
	rec.Access, rec.Val = uint16(x.access), module.Value{Kids: kids}
}

func texelOperands(r *module.Reader, in []uint32) texel {
	d, a := value.Pointer(r, in[3])
	x := r.S.Types.At(r.S.DerefType(d))
	if !x.Storage {
		r.Fail("id %d is not a pointer to a storage image", in[3])
	}
	return texel{image: d, access: a | r.Access(in[2], module.NoMember), coord: texelAt(r, x, in[4]), sample: value.Index(r, in[5])}
}

// Texel returns the components of a pointer to a texel. If the pointer is demoted and from another block, Texel emits its
// components again, at the cursor.
func Texel(r *module.Reader, id uint32) texel {
	rec := &r.Ids[id]
	if rec.Epoch != r.Block+1 {
		if rec.Flags&module.FlagDemoted != 0 {
			r.Count(1)
			return texelOperands(r, r.Ins(rec.Word))
		}
	}
	k := r.Tree[rec.Val.Kids : rec.Val.Kids+3]
	return texel{k[0].Src.Val, kind.Access(rec.Access), k[1].Src, k[2].Src}
}

// TexelAtomic reads an atomic on a texel.
func TexelAtomic(r *module.Reader, info *spirvtab.Op, in []uint32, t *module.TypeRec) {
	id := in[2]
	p := Texel(r, in[3])
	x := r.S.Types.At(r.S.DerefType(p.image))
	target := r.S.All(p.image)
	value.AtomicBarrier(r, in[4], in[5], value.ReleaseBits)
	base := baseOf(r.S.Types.At(x.Elem).Kind)
	var v ir.Value
	switch info.Num {
	case spirvtab.OpAtomicLoad:
		v = r.B.Intrinsic(intrinsic.ImageLoad, 4, t.Bits, p.coord, p.sample, target)
		p.access |= kind.AccessCoherent
	case spirvtab.OpAtomicCompareExchange:
		data, cmp := value.Scalar(r, in[7], t.Bits), value.Scalar(r, in[8], t.Bits)
		v = r.B.Intrinsic(intrinsic.ImageAtomicCompSwap, 1, t.Bits, p.coord, p.sample, cmp, data, target)
	default:
		var a intrinsic.ID
		var ok bool
		if a, base, ok = atomic.OnTexels(kind.AtomicOp(info.Atomic-1), base); !ok {
			r.Refuse("is not supported on a texel")
		}
		v = r.B.Intrinsic(a, 1, t.Bits, p.coord, p.sample, AtomicData(r, info.Num, in, t.Bits), target)
	}
	describe(r, v, x, p.access, base)
	value.SetSrc(r, id, r.S.All(v).Take(1))
	value.AtomicBarrier(r, in[4], in[5], value.AcquireBits)
}

// TexelStore emits a store of data to a texel; a is added to the access qualifiers of the pointer.
func TexelStore(r *module.Reader, p texel, data ir.Src, a kind.Access) {
	x := r.S.Types.At(r.S.DerefType(p.image))
	storeTexel(r, value.Opaque{Image: p.image}, x, p.coord, p.sample, data, p.access|a, baseOf(r.S.Types.At(x.Elem).Kind))
}
