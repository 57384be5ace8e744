// SPDX-License-Identifier: MIT

package texture

import (
	"slices"

	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// Request describes a sampler message independently of its payload layout.
type Request struct {
	Op      isa.SamplerOp
	Params  []Param // sources that are parameters, in the order of the sources
	Image   ir.Src
	Sampler ir.Src // has no value if there is no sampler
	// The image or the sampler is a handle instead of an index.
	Bindless, SamplerHandle bool

	Header bool
	Dword2 uint32 // doubleword 2 of the header: offsets, gathered component, omitted components
}

// Param is a source of a texture operation that is a parameter of the message.
type Param struct {
	Kind message.Param
	Src  ir.Src
}

// PlainSamplers is the number of samplers that a descriptor can select; the header selects further ones.
const PlainSamplers = 16

// RequestOf returns the request of a texture operation. ok is false after an error.
func RequestOf(c *value.Context, v ir.Value, row *selector.Message) (r Request, ok bool) {
	r = Request{Op: row.Sampler, Header: row.Name == message.SampleHeader}
	if !r.descriptors(c, v) || !r.sources(c, v) {
		return r, false
	}
	o := kind.TexOp(c.S.At(v).Op)
	if r.has(message.ParamMinLOD) && !slices.Contains(message.Operations[r.Op].Params, message.ParamMinLOD) {
		c.Fail(v, "tex_%v that compares, with a minimum level of detail, is not supported", o)
		return r, false
	}
	if !r.offsets(c, v) {
		return r, false
	}
	if o == kind.TexTg4 {
		r.Header = true
		if c.S.Tex(v).Flags()&kind.TexFlagShadow == 0 {
			r.Dword2 |= c.S.Words(v)[kind.FieldTexComponent] << 16
		}
	}
	return r, true
}

// Surface joins the indices of the image and the sampler, as a message has them.
func (r *Request) Surface(c *value.Context, image, sampler mir.Operand) mir.Operand {
	c.B.ScalarMode()
	scalar := func(op isa.Op, x, y mir.Operand) mir.Operand {
		d := mir.V(c.F.NewScalar(4), isa.TypeUD)
		c.B.Emit(op, d, x, y)
		return c.Source(d)
	}
	low := mir.UD(sampler.Num % PlainSamplers << 8)
	switch {
	case r.SamplerHandle:
		low = mir.UD(0)
	case sampler.File != mir.Imm:
		low = scalar(isa.OpShl, scalar(isa.OpAnd, sampler, mir.UD(PlainSamplers-1)), mir.UD(8))
	}
	switch {
	case image.File == mir.Imm && low.File == mir.Imm:
		return mir.UD(image.Num&0xFF | low.Num)
	case image.File == mir.Imm:
		return scalar(isa.OpOr, low, mir.UD(image.Num&0xFF))
	}
	// An index too large for its field would select another sampler.
	return scalar(isa.OpOr, scalar(isa.OpAnd, image, mir.UD(0xFF)), low)
}

// groupBytes is the size of the states of PlainSamplers samplers (IMAGES.md 2.3).
const groupBytes = 256

// AddGroup adds the group of a sampler to a header's pointer to sampler states, so that the index in a descriptor counts from
// there.
func AddGroup(c *value.Context, header, sampler mir.Operand) {
	at := header.At(4 * samplerDword)
	switch own := at.WithStride(0); {
	case sampler.File != mir.Imm:
		high, by := mir.V(c.F.NewScalar(4), isa.TypeUD), mir.V(c.F.NewScalar(4), isa.TypeUD)
		c.B.Emit(isa.OpAnd, high, sampler, mir.UD(0xF0))
		c.B.Emit(isa.OpShl, by, c.Source(high), mir.UD(4))
		c.B.Emit(isa.OpAdd, at, own, c.Source(by))
	case sampler.Num >= PlainSamplers:
		c.B.Emit(isa.OpAdd, at, own, mir.UD(sampler.Num/PlainSamplers*groupBytes))
	}
}

// has reports whether a parameter is given.
func (r *Request) has(p message.Param) bool {
	return slices.ContainsFunc(r.Params, func(x Param) bool { return x.Kind == p })
}

// descriptors finds the image and the sampler of a texture operation.
func (r *Request) descriptors(c *value.Context, v ir.Value) bool {
	s := c.S
	o := kind.TexOp(s.At(v).Op)
	given := func(index, handle kind.TexSrc) (r ir.Src, bindless bool) {
		if i := s.Tex(v).Source(handle); i >= 0 {
			return s.Src(v, i), true
		}
		if i := s.Tex(v).Source(index); i >= 0 {
			r = s.Src(v, i)
		}
		return r, false
	}
	r.Image, r.Bindless = given(kind.TexSrcTextureIndex, kind.TexSrcTextureHandle)
	r.Sampler, r.SamplerHandle = given(kind.TexSrcSamplerIndex, kind.TexSrcSamplerHandle)
	switch {
	case r.Image.Val == 0:
		c.Fail(v, "tex_%v of an image that is not in the binding table is not supported", o)
		return false
	case r.Bindless && r.Sampler.Val != 0 && !r.SamplerHandle:
		c.Fail(v, "tex_%v of an image accessed by a handle with a sampler accessed by its index is not supported", o)
		return false
	}
	return !r.Bindless || handles(c, v)
}

// parameters are the first parameter by kind of source, and how many parameters a source has at most, or 0.
var parameters = [...]struct {
	first message.Param
	most  int
}{
	kind.TexSrcCoord:      {message.ParamCoord0, 4},
	kind.TexSrcDdx:        {message.ParamDdx0, 3},
	kind.TexSrcDdy:        {message.ParamDdy0, 3},
	kind.TexSrcOffset:     {message.ParamOffset0, 2},
	kind.TexSrcComparator: {message.ParamRef, 1},
	kind.TexSrcLOD:        {message.ParamLOD, 1},
	kind.TexSrcBias:       {message.ParamBias, 1},
	kind.TexSrcMinLOD:     {message.ParamMinLOD, 1},
	kind.TexSrcMsIndex:    {message.ParamSample, 1},
}

// sources collects the sources of a texture operation.
func (r *Request) sources(c *value.Context, v ir.Value) bool {
	s := c.S
	o := kind.TexOp(s.At(v).Op)
	for i := range int(s.At(v).NSrc) {
		x, k := s.Src(v, i), s.Tex(v).Kind(i)
		if bits := s.At(x.Val).Bits; bits != 32 {
			c.Fail(v, "tex_%v with a %v of %d bits is not supported", o, k, bits)
			return false
		}
		switch k {
		case kind.TexSrcTextureIndex, kind.TexSrcSamplerIndex, kind.TexSrcTextureHandle, kind.TexSrcSamplerHandle:
			continue
		}
		if int(k) >= len(parameters) || parameters[k].most == 0 {
			c.Fail(v, "tex_%v with a %v must be lowered before selection", o, k)
			return false
		}
		p := &parameters[k]
		for n := range min(int(x.N), p.most) {
			r.Params = append(r.Params, Param{p.first + message.Param(n), x.Comp(n)})
		}
	}
	return true
}

// offsets puts texel offsets into the header if they are constants that fit there. Offsets of gathers can be
// parameters instead.
func (r *Request) offsets(c *value.Context, v ir.Value) bool {
	s := c.S
	i := s.Tex(v).Source(kind.TexSrcOffset)
	switch {
	case i < 0 || slices.Contains(message.Operations[r.Op].Params, message.ParamOffset0):
		return true
	case FarOffset(c, v):
		c.Fail(v, "tex_%v with an offset that is not a constant from -8 to 7 is not supported", kind.TexOp(s.At(v).Op))
		return false
	}
	offset := s.Src(v, i)
	for k := range int(offset.N) {
		x, _ := known(c, offset.Comp(k))
		r.Dword2 |= uint32(x) & 15 << (8 - 4*k) // the first is in the highest bits
	}
	r.Header = r.Header || r.Dword2 != 0
	return true
}

// known returns the value of a 32-bit source that is constant or undefined.
func known(c *value.Context, r ir.Src) (x uint64, ok bool) {
	switch v, comp := c.Resolve(r); c.S.At(v).Kind {
	case kind.LoadConst:
		return uint64(uint32(c.S.Const(v, comp))), true
	case kind.Undef:
		return 0, true
	}
	return 0, false
}

// FarOffset reports whether a texture operation has a texel offset that does not fit into the header.
func FarOffset(c *value.Context, v ir.Value) bool {
	return ir.FarOffset(c.S, v, func(r ir.Src) (uint64, bool) { return known(c, r) })
}

// FirstLevel reports whether a texture operation has no level of detail, or the constant 0.
func FirstLevel(c *value.Context, v ir.Value) bool {
	i := c.S.Tex(v).Source(kind.TexSrcLOD)
	if i < 0 {
		return true
	}
	x, ok := known(c, c.S.Src(v, i).X())
	return ok && x == 0
}
