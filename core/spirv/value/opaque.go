// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/plan"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// Opaque is an image, a sampler, a combination of both, or an array of such objects.
type Opaque struct {
	Image, Sampler ir.Value // derefs, or 0 if there is none
	Access         kind.Access
}

// Handle returns the opaque object that a deref refers to.
func Handle(r *module.Reader, t *module.TypeRec, d ir.Value, a kind.Access) Opaque {
	o := Opaque{Access: a}
	if t.Op != spirvtab.OpTypeSampler {
		o.Image = d
	}
	if t.Op != spirvtab.OpTypeImage {
		o.Sampler = d
	}
	return o
}

// SetOpaque makes an id an image, a sampler or both.
func SetOpaque(r *module.Reader, id uint32, o Opaque) {
	rec := &r.Ids[id]
	rec.Kind, rec.Epoch, rec.Access = module.IdOpaque, r.Block+1, uint16(o.Access)
	rec.Val = module.Value{Src: ir.Src{Val: o.Image, Swz: ir.Identity, N: 1}, Kids: uint32(o.Sampler)}
}

// OpaqueOf returns the image or sampler that an id refers to, at the cursor.
func OpaqueOf(r *module.Reader, id uint32) Opaque {
	o := Opaques(r, id)
	if !r.TypeOf(id).Opaque() {
		r.Fail("id %d is an array of images or samplers, not a single one", id)
	}
	return o
}

// Opaques is like OpaqueOf, for ids that may also refer to an array.
func Opaques(r *module.Reader, id uint32) Opaque {
	CheckID(r, id)
	rec := &r.Ids[id]
	switch {
	case rec.Kind == module.IdNone:
		r.Fail("id %d is used where it is not defined", id)
	case rec.Kind == module.IdUndef && r.Descriptors(r.TypeOf(id)) != nil:
		r.Fail("id %d is an undefined image or sampler", id)
	case rec.Kind != module.IdOpaque:
		r.Fail("id %d is not an image or a sampler", id)
	}
	if rec.Epoch != r.Block+1 {
		if rec.Flags&module.FlagDemoted != 0 && plan.MadeAgain(r, rec) {
			r.Count(1)
			return OpaqueAgain(r, id, r.Ins(rec.Word))
		}
	}
	return Opaque{rec.Val.Src.Val, ir.Value(rec.Val.Kids), kind.Access(rec.Access)}
}

// OpaqueAgain returns the opaque object that the instruction of an id refers to.
func OpaqueAgain(r *module.Reader, id uint32, in []uint32) Opaque {
	var o Opaque
	switch r.Op(r.Ids[id].Word) {
	case spirvtab.OpLoad:
		a, _ := memoryAccess(r, in, 4)
		a &^= aligned
		d, pa := Pointer(r, in[3])
		o = Handle(r, r.Descriptors(r.TypeAt(in[1])), d, a|pa)
	case spirvtab.OpSampledImage:
		s := OpaqueOf(r, in[4])
		o = OpaqueOf(r, in[3])
		if o.Image == 0 || s.Sampler == 0 {
			r.Fail("needs an image and a sampler")
		}
		o.Sampler = s.Sampler
		o.Access |= s.Access & kind.AccessNonUniform
	case spirvtab.OpImage:
		if o = OpaqueOf(r, in[3]); o.Image == 0 {
			r.Fail("id %d has no image", in[3])
		}
		o.Sampler = 0
	case spirvtab.OpCompositeExtract:
		o = opaqueElement(r, in[3], in[4:])
	default: // OpCopyObject
		o = Opaques(r, in[3])
	}
	o.Access |= r.Access(id, module.NoMember)
	return o
}

// opaqueElement returns an element of an array of images or samplers.
func opaqueElement(r *module.Reader, array uint32, indices []uint32) Opaque {
	o, t := Opaques(r, array), r.TypeOf(array)
	if len(indices) != 1 {
		r.Fail("id %d is an array of images or samplers, which needs one index, not %d", array, len(indices))
	}
	if r.Part(r.Ids[array].Typ, indices[0]) == 0 {
		r.Fail("id %d has no element %d", array, indices[0])
	}
	return Handle(r, r.TypeAt(t.Elem), r.B.DerefArray(o.Deref(), Imm(r, indices[0])), o.Access)
}

// Deref returns the deref of o, which has an image or a sampler, or both in one object.
func (o Opaque) Deref() ir.Value {
	if o.Image == 0 {
		return o.Sampler
	}
	return o.Image
}

// CheckID rejects an operand that the layout check has not recognized as an id.
func CheckID(r *module.Reader, id uint32) {
	if id == 0 || id >= r.Bound {
		r.Fail("id %d is outside of the bound %d", id, r.Bound)
	}
}
