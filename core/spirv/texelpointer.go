package spirv

import (
	"jacquard.example/core/ir"
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
func (r *reader) texelPointer(in []uint32) {
	id := in[2]
	pt, t := r.typeOf(id), r.typeAt(r.pointee(in[3]))
	switch {
	case pt.op != spirvtab.OpTypePointer:
		r.fail("the result is not a pointer")
	case t.op != spirvtab.OpTypeImage:
		r.fail("id %d is not a pointer to an image", in[3])
	case t.elem != pt.elem:
		r.fail("the result's pointee type is not that of the image's texels")
	}
	x := r.texelOperands(in)
	kids := r.newKids(3)
	r.tree[kids] = leaf(ir.Src{Val: x.image, Swz: ir.Identity, N: 1})
	r.tree[kids+1], r.tree[kids+2] = leaf(x.coord), leaf(x.sample)
	rec := &r.ids[id]
	rec.kind, rec.epoch, rec.access, rec.val = idTexel, r.block+1, uint16(x.access), value{kids: kids}
}

func (r *reader) texelOperands(in []uint32) texel {
	d, a := r.pointer(in[3])
	x := r.s.Types.At(r.s.DerefType(d))
	if !x.Storage {
		r.fail("id %d is not a pointer to a storage image", in[3])
	}
	return texel{image: d, access: a | r.access(in[2], noMember), coord: r.texelAt(x, in[4]), sample: r.index(in[5])}
}

// texel returns the components of a pointer to a texel, at the cursor.
func (r *reader) texel(id uint32) texel {
	rec := &r.ids[id]
	if rec.epoch != r.block+1 {
		if rec.flags&flagDemoted != 0 {
			r.count(1)
			return r.texelOperands(r.ins(rec.word))
		}
	}
	k := r.tree[rec.val.kids : rec.val.kids+3]
	return texel{k[0].src.Val, kind.Access(rec.access), k[1].src, k[2].src}
}

// texelAtomic reads an atomic on a texel.
func (r *reader) texelAtomic(info *spirvtab.Op, in []uint32, t *typeRec) {
	id := in[2]
	p := r.texel(in[3])
	x := r.s.Types.At(r.s.DerefType(p.image))
	target := r.s.All(p.image)
	r.order(in[4], in[5], releaseBits)
	base := baseOf(r.s.Types.At(x.Elem).Kind)
	var v ir.Value
	switch info.Num {
	case spirvtab.OpAtomicLoad:
		v = r.b.Intrinsic(intrinsic.ImageLoad, 4, t.bits, p.coord, p.sample, target)
		p.access |= kind.AccessCoherent
	case spirvtab.OpAtomicCompareExchange:
		data, cmp := r.scalar(in[7], t.bits), r.scalar(in[8], t.bits)
		v = r.b.Intrinsic(intrinsic.ImageAtomicCompSwap, 1, t.bits, p.coord, p.sample, cmp, data, target)
	default:
		var a intrinsic.ID
		var ok bool
		if a, base, ok = atomic.OnTexels(kind.AtomicOp(info.Atomic-1), base); !ok {
			r.refuse("is not supported on a texel")
		}
		v = r.b.Intrinsic(a, 1, t.bits, p.coord, p.sample, r.atomicData(info.Num, in, t.bits), target)
	}
	r.describe(v, x, p.access, base)
	r.setSrc(id, r.s.All(v).Take(1))
	r.order(in[4], in[5], acquireBits)
}

// texelStore reads an atomic store to a texel.
func (r *reader) texelStore(p texel, data ir.Src, a kind.Access) {
	x := r.s.Types.At(r.s.DerefType(p.image))
	r.storeTexel(opaque{image: p.image}, x, p.coord, p.sample, data, p.access|a, baseOf(r.s.Types.At(x.Elem).Kind))
}
