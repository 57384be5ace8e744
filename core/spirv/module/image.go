// SPDX-License-Identifier: MIT

package module

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// Opaque reports whether objects of a type are descriptors: they can be named and accessed, but are not data.
func (t *TypeRec) Opaque() bool {
	return t.Op == spirvtab.OpTypeImage || t.Op == spirvtab.OpTypeSampler || t.Op == spirvtab.OpTypeSampledImage
}

// Descriptors returns the type of images or samplers that t is, or is an array of; nil for data. Arrays of images or
// samplers are loaded, copied and passed as a whole, like single ones.
func (r *Reader) Descriptors(t *TypeRec) *TypeRec {
	if t.Op == spirvtab.OpTypeArray {
		t = r.TypeAt(t.Elem)
	}
	if t.Opaque() {
		return t
	}
	return nil
}

// imageType reads OpTypeImage.
func (r *Reader) imageType(t *TypeRec, in []uint32) {
	e := r.TypeAt(in[2])
	switch {
	case e.Op != spirvtab.OpTypeInt && e.Op != spirvtab.OpTypeFloat:
		r.Fail("the type of the texels is not numeric")
	case e.Base == ir.TypeFloat && e.Bits != 32 || e.Base != ir.TypeFloat && e.Bits != 32 && e.Bits != 64:
		r.Refuse("%d-bit texels are not supported", e.Bits)
	}
	x := ir.TypeInfo{Kind: ir.TypeImage, Elem: e.Ir, Shadow: in[4] == 1, Arrayed: in[5] != 0, Multisampled: in[6] != 0, Storage: in[7] == 2}
	dim := r.Known("image shape", spirvtab.Dims, in[3])
	x.Dim = kind.ImageDim(dim.To)
	if x.Dim == kind.DimSubpass && r.Opt.Stage != kind.StageFragment {
		r.checkStage()
		r.Fail("only fragment shaders have input attachments")
	}
	if x.Multisampled {
		switch x.Dim {
		case kind.Dim2D:
			x.Dim = kind.DimMs
		case kind.DimSubpass:
			x.Dim = kind.DimSubpassMs
		default:
			r.Fail("an image of shape %s cannot be multisampled", dim.Name)
		}
	}
	if x.Arrayed && (x.Dim == kind.Dim3D || x.Dim == kind.DimBuf) {
		r.Fail("an image of shape %s cannot have layers", dim.Name)
	}
	if in[7] != 1 && in[7] != 2 {
		r.Refuse("images whose operand Sampled is 0 (known only at run time) are not supported")
	}
	x.Format = kind.Format(r.Known("image format", spirvtab.ImageFormats, in[8]).To)
	t.Ir, t.Base, t.Bits = r.S.Types.Intern(x), e.Base, e.Bits
	t.leafs, t.Elem = 1, in[2]
}

func (r *Reader) sampledImageType(t *TypeRec, in []uint32) {
	e := r.TypeAt(in[2])
	if e.Op != spirvtab.OpTypeImage {
		r.Fail("id %d is not an image type", in[2])
	}
	x := *r.S.Types.At(e.Ir)
	if x.Storage {
		r.Fail("the image is not a sampled image")
	}
	x.Kind = ir.TypeSampledImage
	t.Ir, t.Base, t.Bits = r.S.Types.Intern(x), e.Base, e.Bits
	t.leafs, t.Elem = 1, in[2]
}

// OpaqueMode returns the mode of variables of a type.
func (r *Reader) OpaqueMode(t *TypeRec) kind.Mode {
	if t.Ir != 0 && r.S.Types.At(t.Ir).Storage {
		return kind.ModeImage
	}
	return kind.ModeUniform
}

// resource fills in the binding of an image or a sampler.
func (r *Reader) resource(info *ir.VarInfo, id, typ uint32) {
	t := r.TypeAt(typ)
	if t.Op == spirvtab.OpTypeArray || t.Op == spirvtab.OpTypeRuntimeArray {
		t = r.TypeAt(t.Elem)
	}
	if !t.Opaque() {
		r.Fail("a variable of class UniformConstant must be an image or sampler, or an array of them")
	}
	info.Mode = r.OpaqueMode(t)
	info.Set, _ = r.Find(id, spirvtab.DecorationDescriptorSet)
	info.Binding, _ = r.Find(id, spirvtab.DecorationBinding)
	if n, ok := r.Find(id, spirvtab.DecorationInputAttachmentIndex); ok {
		info.Location = int32(n & 0x7fffffff)
	}
}

// texSources collects the sources of a texture operation, in the order of their kinds.
type texSources struct {
	N      int
	Kind   [16]kind.TexSrc
	Src    [16]ir.Src
	Sparse bool // the result also tells whether the memory of the texels is resident
}

func (t *texSources) Add(k kind.TexSrc, s ir.Src) {
	t.Kind[t.N], t.Src[t.N] = k, s
	t.N++
}
