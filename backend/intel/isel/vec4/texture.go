// SPDX-License-Identifier: MIT

package vec4

import (
	"slices"

	"jacquard.example/backend/intel/isel/texture"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// texture emits the message of a texture operation.
func (c *Context) texture(v ir.Value, m *selector.Message) {
	r, ok := texture.RequestOf(c.Context, v, m)
	switch {
	case !ok:
		return
	case c.S.Tex(v).Flags()&kind.TexFlagSparse != 0:
		c.Fail(v, "the residency of texels is not supported in vec4 code")
		return
	}
	c.request(v, &r, m)
}

// query emits a query of the size or the number of samples of a storage image.
func (c *Context) query(v ir.Value, m *selector.Message) {
	if c.S.TargetForm(v) != kind.FormIndex {
		c.Fail(v, "%s of an image that is not in the binding table is not supported", c.S.At(v).Intrinsic())
		return
	}
	c.request(v, &texture.Request{Op: m.Sampler, Image: m.Surface.Of(c.S, v), Header: m.Name == message.SampleHeader}, m)
}

// request emits a message to the sampler, whose response is a register.
func (c *Context) request(v ir.Value, r *texture.Request, m *selector.Message) {
	surface, sampler, ok := c.descriptors(v, r)
	if !ok {
		return
	}
	list := message.Operations[r.Op].Vectors
	if list == nil && !r.Header {
		c.Fail(v, "%s is not supported in vec4 code", c.nameOf(v))
		return
	}
	msg := mir.Msg{Name: message.VectorSample, Space: message.Image, Op: uint8(r.Op)}
	if r.Header {
		msg.Name = message.VectorSampleHeader
	}
	out := mir.Message{Msg: msg, Surface: surface, DstLen: 1}
	var given parameters
	given[m.Param].zero = m.Param != 0 // rows give no other constant
	for i := range r.Params {
		given[r.Params[i].Kind].src = r.Params[i].Src
	}
	if slices.Contains(list, message.ParamMcs0) { // where the samples of the texel are stored
		query := out
		query.Msg.Name, query.Msg.Op = message.VectorSample, uint8(isa.SamplerLdMcs)
		query.Dst = mir.V(c.newReg(1), isa.TypeUD)
		c.sample(&query, &texture.Request{}, message.Operations[isa.SamplerLdMcs].Vectors, &given, sampler)
		given[message.ParamMcs0].reg = query.Dst
	}
	p := c.placeOf(v)
	out.Dst = mir.V(p.reg, isa.TypeUD).At(p.off)
	c.sample(&out, r, list, &given, sampler)
}

// parameter is a parameter of a message to the sampler: a source, component x of a register, or the constant 0.
type parameter struct {
	src  ir.Src
	reg  mir.Operand
	zero bool
}

// parameters are the parameters of a message, by kind.
type parameters [message.NumParams]parameter

func (p *parameter) given() bool { return p.src.Val != 0 || p.reg.File != mir.None || p.zero }

// sample emits a message. Its payload consists of a header, if there is one, and of registers with four parameters of each
// vertex. Missing parameters are zero; registers after the one with the last given parameter are left out.
func (c *Context) sample(m *mir.Message, r *texture.Request, list []message.Param, given *parameters, sampler mir.Operand) {
	last := min(1, len(list))
	for k, p := range list {
		if given[p].given() {
			last = k + 1
		}
	}
	head := 0
	if r.Header {
		head = 1
	}
	m.AddressLen = head + (last+channels-1)/channels
	payload := mir.V(c.newReg(m.AddressLen), isa.TypeUD)
	m.Address = payload
	for k := 0; k < last; k += channels {
		x := filling{dst: payload.At(c.F.GRF.Start(uint32(head + k/channels))), rest: empty, taken: empty, zero: empty}
		var srcs [channels]ir.Src
		own := empty
		for ch := range min(channels, len(list)-k) {
			p := &given[list[k+ch]]
			x.taken[ch] = int8(ch)
			switch {
			case p.reg.File != mir.None:
				own[ch] = 0
			case p.src.Val != 0:
				x.rest[ch], srcs[ch] = int8(ch), p.src
			default:
				x.zero[ch] = int8(ch)
			}
		}
		c.fill(&x, srcs)
		for ch, i := range own {
			if i >= 0 {
				c.frame = empty
				c.frame[ch] = 0
				from := row{Operand: given[list[k+ch]].reg}
				c.emit(isa.OpMov, x.dst, from.source(c.frame, [channels]uint8{}, isa.TypeUD))
			}
		}
	}
	if r.Header {
		c.samplerHeader(payload, r, sampler)
	}
	c.B.Vector()
	c.B.Message(*m).Align16 = true
}

// nameOf returns the name of an operation on images, for errors.
func (c *Context) nameOf(v ir.Value) string {
	if in := c.S.At(v); in.Kind == kind.Tex {
		return "tex_" + kind.TexOp(in.Op).String()
	}
	return c.S.At(v).Intrinsic().String()
}

// descriptors returns the index of the image and the sampler, as they are in a message, and the index of the sampler.
func (c *Context) descriptors(v ir.Value, r *texture.Request) (surface, sampler mir.Operand, ok bool) {
	if r.Bindless || r.SamplerHandle {
		c.Fail(v, "%s by a handle is not supported in vec4 code", c.nameOf(v))
		return surface, sampler, false
	}
	image := c.surface(v, r.Image)
	sampler = mir.UD(0)
	if r.Sampler.Val != 0 {
		sampler = c.surface(v, r.Sampler)
	}
	r.Header = r.Header || sampler.File != mir.Imm || sampler.Num >= texture.PlainSamplers
	surface = r.Surface(c.Context, image, sampler)
	c.B.Vector()
	return surface, sampler, true
}

// optionsDword is the doubleword of a header with the offsets and the gathered component (Haswell PRM vol. 7, "Message Header" of
// the sampler).
const optionsDword = 2

// samplerHeader writes the header of a message to the sampler.
func (c *Context) samplerHeader(dst mir.Operand, r *texture.Request, sampler mir.Operand) {
	header := mir.Fixed(value.RegHeader, isa.TypeUD)
	c.B.Insert(mir.Inst{Op: isa.OpMov, Exec: uint8(c.Width), NoMask: true, Align16: true, Dst: dst, Src: [3]mir.Operand{header}})
	c.B.ScalarMode()
	c.B.Mov(dst.At(4*optionsDword), mir.UD(r.Dword2))
	texture.AddGroup(c.Context, dst, sampler)
}
