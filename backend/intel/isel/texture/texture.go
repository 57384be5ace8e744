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

// sampling is a texture operation, or a query of a storage image, that is being selected.
type sampling struct {
	Request
	v        ir.Value
	comps    int                            // number of components of the response
	resident bool                           // an extra component reports whether the texels have memory
	given    [message.NumParams]mir.Operand // the values of the parameters
}

// Texture emits the messages of a texture operation.
func Texture(c *value.Context, v ir.Value, row *selector.Message) {
	r, ok := RequestOf(c, v, row)
	if !ok {
		return
	}
	t := sampling{Request: r, v: v, comps: c.ResultComps(v)}
	for i := range r.Params {
		x := &r.Params[i]
		t.given[x.Kind] = c.Use(x.Src, isa.TypeUD)
	}
	if c.S.Tex(v).Flags()&kind.TexFlagSparse != 0 && t.comps == int(c.S.At(v).Comps) { // the residency code is read
		t.resident, t.Header = true, true
		t.Dword2 |= residency
		t.comps--
	}
	messageWidth(c)
	packLayer(c, &t)
	if slices.Contains(message.Operations[t.Op].Params, message.ParamMcs0) {
		controlSurface(c, &t)
	}
	request(c, &t, row)
}

// request emits a message to the sampler whose result goes to the register of the instruction.
func request(c *value.Context, t *sampling, row *selector.Message) {
	if row.Param != 0 {
		t.given[row.Param] = mir.UD(row.Value)
	}
	to := mir.V(c.RegOf(t.v), isa.TypeUD)
	switch row.Component {
	case 0: // all
		sample(c, t, to)
	case 1:
		t.comps = 1
		sample(c, t, to)
	default:
		part(c, t, to, int(row.Component)-1)
	}
}

// residency is the bit of header doubleword 2 that requests a mask of the lanes whose texels all have memory.
const residency = 1 << 23

// messageWidth sets the number of lanes of a message. A message for a uniform value has a lane for each doubleword of a register.
func messageWidth(c *value.Context) {
	if c.B.NoMask {
		c.B.Exec = c.F.GRF.Dwords()
	} else {
		c.B.Vector()
	}
}

// controlSurface reads the location of a texel's samples, which is a parameter of single-sample reads.
func controlSurface(c *value.Context, t *sampling) {
	q := *t
	q.Op, q.comps, q.Header = isa.SamplerLdMcs, 2, false
	q.Dword2, q.resident = 0, false
	to := mir.V(c.ParamReg(2), isa.TypeUD)
	sample(c, &q, to)
	t.given[message.ParamMcs0] = parameterOf(c, to, 0)
	t.given[message.ParamMcs1] = parameterOf(c, to, 1)
}

// parameterOf returns component k of a response at the current width.
func parameterOf(c *value.Context, o mir.Operand, k int) mir.Operand {
	return o.At(c.F.GRF.Start(uint32(k * c.Lanes())))
}

// part emits a query of an image and copies one component of the response, other than the first, to a register.
func part(c *value.Context, t *sampling, to mir.Operand, component int) {
	t.comps = component + 1
	all := mir.V(c.ParamReg(component+1), isa.TypeUD)
	uniform := c.B.NoMask
	sample(c, t, all)
	from := parameterOf(c, all, component)
	if uniform {
		c.B.ScalarMode()
		from.Stride = 0
	}
	c.B.Mov(to, from)
}

// Query emits a query of the size or the number of samples of a storage image.
func Query(c *value.Context, v ir.Value, row *selector.Message) {
	bindless, ok := form(c, v)
	if !ok {
		return
	}
	messageWidth(c)
	t := sampling{v: v, comps: int(row.Comps), Request: Request{Op: row.Sampler, Image: row.Surface.Of(c.S, v), Bindless: bindless,
		Header: row.Name == message.SampleHeader}}
	if row.AsRead {
		t.comps = c.ResultComps(v)
	}
	request(c, &t, row)
}

// sample emits a message of the sampler at the current width.
func sample(c *value.Context, t *sampling, to mir.Operand) {
	m := mir.Message{Msg: mir.Msg{Name: message.Sample, Space: message.Image, Op: uint8(t.Op), Bindless: t.Bindless}, Dst: to,
		DstLen: t.comps * c.Lanes()}
	if !c.Target.Messages.Does(m.Name) {
		c.Fail(t.v, "images cannot be sampled: %s has no message for it", c.Target)
		return
	}
	if t.resident {
		m.DstLen += c.Lanes()
	}
	b := c.B // to restore the width, which the scalar code changes
	sampler, ok := descriptors(c, t, &m)
	if !ok {
		return
	}
	if t.Header {
		if m.Name = message.SampleHeader; t.resident {
			m.Name = message.SampleResident
		}
		t.Dword2 |= uint32(15&^(1<<t.comps-1)) << 12 // omitted components
		m.Header = samplerHeader(c, t, sampler)
	}
	c.B.Exec, c.B.NoMask = b.Exec, b.NoMask
	params := listParams(c, t)
	if !t.Header {
		m.Address, m.AddressLen = params[0], c.Lanes()
		params = params[1:]
	}
	if len(params) > 0 {
		m.Data, m.DataLen = c.Payload(params), len(params)*c.Lanes()
	}
	c.B.Message(m)
}

// listParams lists the parameters of an operation up to the last one given, but at least the first. Missing
// ones are zero. The slice is reused.
func listParams(c *value.Context, t *sampling) []mir.Operand {
	c.Params = c.Params[:0]
	list := message.Operations[t.Op].Params
	n := min(1, len(list))
	_, packed := layerParam(c, t.Op)
	for _, p := range list {
		if p == message.ParamCoord3 && packed {
			continue
		}
		o := t.given[p]
		given := o.File != mir.None
		if !given {
			o = mir.UD(0)
		}
		if c.Params = append(c.Params, o); given {
			n = len(c.Params)
		}
	}
	return c.Params[:n]
}

// descriptors sets the image and the sampler of a message. It returns the index or handle of the sampler, and sets
// t.Header if the header must select it.
func descriptors(c *value.Context, t *sampling, m *mir.Message) (sampler mir.Operand, ok bool) {
	image, ok := index(c, t.v, t.Image, "an image")
	if !ok {
		return sampler, false
	}
	sampler = mir.UD(0)
	if t.Sampler.Val != 0 {
		if sampler, ok = index(c, t.v, t.Sampler, "a sampler"); !ok {
			return sampler, false
		}
	}
	if t.SamplerHandle || sampler.File != mir.Imm || sampler.Num >= PlainSamplers {
		t.Header = true
	}
	if t.Bindless {
		m.Surface = image
		return sampler, true
	}
	m.Surface = t.Surface(c, image, sampler)
	return sampler, true
}

// index returns the index or handle of a descriptor, which must be uniform.
func index(c *value.Context, v ir.Value, r ir.Src, what string) (mir.Operand, bool) {
	o := c.Use(r, isa.TypeUD)
	if def, _ := c.Resolve(r); o.File != mir.Imm && !c.IsUniform(def) {
		c.Fail(v, "%s that differs between the lanes of a subgroup is not supported", what)
		return o, false
	}
	return o, true
}

// Doubleword 3 of the thread's header points to the sampler states; 16 of them take 256 bytes (IMAGES.md 2.3).
const (
	samplerDword   = 3
	samplerPointer = ^uint32(31)
)

// samplerHeader emits a message header.
func samplerHeader(c *value.Context, t *sampling, sampler mir.Operand) mir.Operand {
	h := mir.V(c.F.NewGRFs(1), isa.TypeUD)
	c.B.Exec, c.B.NoMask = c.F.GRF.Dwords(), true
	c.B.Mov(h, mir.UD(0))
	c.B.Exec = 1
	if t.Dword2 != 0 {
		c.B.Mov(h.At(4*2), mir.UD(t.Dword2))
	}
	states, at := mir.FixedScalar(0, 4*samplerDword, isa.TypeUD), h.At(4*samplerDword)
	if t.SamplerHandle { // the handle points to the state
		c.B.Mov(at, sampler)
		return h
	}
	c.B.Emit(isa.OpAnd, at, states, mir.UD(samplerPointer))
	AddGroup(c, h, sampler)
	return h
}
