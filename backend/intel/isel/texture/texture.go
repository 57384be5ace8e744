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

// plainSamplers is the number of samplers that a descriptor can select; the header selects further ones.
const plainSamplers = 16

// sampling is a texture operation, or a query of a storage image, that is being selected.
type sampling struct {
	v       ir.Value
	op      isa.SamplerOp
	comps   int // number of components of the response
	image   ir.Src
	sampler ir.Src // has no value if there is no sampler
	// The image or the sampler is a handle instead of an index.
	bindless, samplerHandle bool

	header   bool
	dword2   uint32 // doubleword 2 of the header: offsets, gathered component, omitted components
	resident bool   // an extra component reports whether the texels have memory

	given [message.NumParams]mir.Operand // the values of the parameters
}

// Texture emits the messages of a texture operation.
func Texture(c *value.Context, v ir.Value, row *selector.Message) {
	s := c.S
	o, dest := kind.TexOp(s.At(v).Op), s.At(v)
	t := sampling{v: v, op: row.Sampler, comps: c.ResultComps(v), header: row.Name == message.SampleHeader}
	if !texDescriptors(c, &t) || !texParams(c, &t) {
		return
	}
	params := message.Operations[t.op].Params
	if least := t.given[message.ParamMinLOD]; least.File != mir.None && !slices.Contains(params, message.ParamMinLOD) {
		c.Fail(v, "tex_%v that compares, with a minimum level of detail, is not supported", o)
		return
	}
	offsets(c, &t)
	if s.Tex(v).Flags()&kind.TexFlagSparse != 0 && t.comps == int(dest.Comps) { // the residency code is read
		t.resident, t.header = true, true
		t.dword2 |= residency
		t.comps--
	}
	messageWidth(c)
	switch {
	case o == kind.TexTg4:
		t.header = true
		if s.Tex(v).Flags()&kind.TexFlagShadow == 0 {
			t.dword2 |= s.Words(v)[kind.FieldTexComponent] << 16
		}
	case slices.Contains(params, message.ParamMcs0):
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

// texDescriptors finds the image and the sampler of a texture operation.
func texDescriptors(c *value.Context, t *sampling) bool {
	s, v := c.S, t.v
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
	t.image, t.bindless = given(kind.TexSrcTextureIndex, kind.TexSrcTextureHandle)
	t.sampler, t.samplerHandle = given(kind.TexSrcSamplerIndex, kind.TexSrcSamplerHandle)
	switch {
	case t.image.Val == 0:
		c.Fail(v, "tex_%v of an image that is not in the binding table is not supported", o)
		return false
	case t.bindless && t.sampler.Val != 0 && !t.samplerHandle:
		c.Fail(v, "tex_%v of an image accessed by a handle with a sampler accessed by its index is not supported", o)
		return false
	}
	return !t.bindless || handles(c, v)
}

// messageWidth sets the number of lanes of a message: eight for a uniform value.
func messageWidth(c *value.Context) {
	if c.B.NoMask {
		c.B.Exec = 8
	} else {
		c.B.Vector()
	}
}

// texParams collects the sources of a texture operation.
func texParams(c *value.Context, t *sampling) bool {
	s := c.S
	v := t.v
	for i := range int(s.At(v).NSrc) {
		r := s.Src(v, i)
		set := func(p message.Param, r ir.Src) { t.given[p] = c.Use(r, isa.TypeUD) }
		several := func(p message.Param, n int) {
			for k := range n {
				set(p+message.Param(k), r.Comp(k))
			}
		}
		k := s.Tex(v).Kind(i)
		if s.At(r.Val).Bits != 32 {
			c.Fail(v, "tex_%v with a %v of %d bits is not supported", kind.TexOp(s.At(v).Op), k, s.At(r.Val).Bits)
			return false
		}
		switch k {
		case kind.TexSrcCoord:
			several(message.ParamCoord0, int(r.N))
		case kind.TexSrcDdx:
			several(message.ParamDdx0, int(r.N))
		case kind.TexSrcDdy:
			several(message.ParamDdy0, int(r.N))
		case kind.TexSrcOffset:
			several(message.ParamOffset0, min(int(r.N), 2))
		case kind.TexSrcComparator:
			set(message.ParamRef, r)
		case kind.TexSrcLOD:
			set(message.ParamLOD, r)
		case kind.TexSrcBias:
			set(message.ParamBias, r)
		case kind.TexSrcMinLOD:
			set(message.ParamMinLOD, r)
		case kind.TexSrcMsIndex:
			set(message.ParamSample, r)
		case kind.TexSrcTextureIndex, kind.TexSrcSamplerIndex, kind.TexSrcTextureHandle, kind.TexSrcSamplerHandle:
		default:
			c.Fail(v, "tex_%v with a %v must be lowered before selection", kind.TexOp(s.At(v).Op), k)
			return false
		}
	}
	return true
}

// offsets puts texel offsets into the header if they are constants that fit there. Offsets of gathers can be
// parameters instead.
func offsets(c *value.Context, t *sampling) {
	s := c.S
	i := s.Tex(t.v).Source(kind.TexSrcOffset)
	switch {
	case i < 0 || slices.Contains(message.Operations[t.op].Params, message.ParamOffset0):
		return
	case FarOffset(c, t.v):
		c.Fail(t.v, "tex_%v with an offset that is not a constant from -8 to 7 is not supported", kind.TexOp(s.At(t.v).Op))
		return
	}
	r := s.Src(t.v, i)
	for k := range int(r.N) {
		x, _ := known(c, r.Comp(k))
		t.dword2 |= x & 15 << (8 - 4*k) // the first is in the highest bits
	}
	t.header = t.header || t.dword2 != 0
}

// known returns the value of a 32-bit source that is constant or undefined.
func known(c *value.Context, r ir.Src) (x uint32, ok bool) {
	switch v, comp := c.Resolve(r); c.S.At(v).Kind {
	case kind.LoadConst:
		return uint32(c.S.Const(v, comp)), true
	case kind.Undef:
		return 0, true
	}
	return 0, false
}

// FarOffset reports whether a texture operation has a texel offset that does not fit into the header, which
// holds constants from -8 to 7.
func FarOffset(c *value.Context, v ir.Value) bool {
	i := c.S.Tex(v).Source(kind.TexSrcOffset)
	if i < 0 {
		return false
	}
	r := c.S.Src(v, i)
	for k := range int(r.N) {
		if x, ok := known(c, r.Comp(k)); !ok || int32(x) < -8 || int32(x) > 7 {
			return true
		}
	}
	return false
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

// controlSurface reads the location of a texel's samples, which is a parameter of single-sample reads.
func controlSurface(c *value.Context, t *sampling) {
	q := *t
	q.op, q.comps, q.header = isa.SamplerLdMcs, 2, false
	q.dword2, q.resident = 0, false
	to := mir.V(c.ParamReg(2), isa.TypeUD)
	sample(c, &q, to)
	t.given[message.ParamMcs0] = parameterOf(c, to, 0)
	t.given[message.ParamMcs1] = parameterOf(c, to, 1)
}

// parameterOf returns component k of a response at the current width.
func parameterOf(c *value.Context, o mir.Operand, k int) mir.Operand {
	return o.At(uint32(k*c.Lanes()) * mir.GRFBytes)
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
	t := sampling{v: v, op: row.Sampler, image: row.Surface.Of(c.S, v), bindless: bindless, comps: int(row.Comps)}
	t.header = row.Name == message.SampleHeader
	if row.AsRead {
		t.comps = c.ResultComps(v)
	}
	request(c, &t, row)
}

// sample emits a message of the sampler at the current width.
func sample(c *value.Context, t *sampling, to mir.Operand) {
	m := mir.Message{Msg: mir.Msg{Name: message.Sample, Space: message.Image, Op: uint8(t.op), Bindless: t.bindless}, Dst: to,
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
	if t.header {
		if m.Name = message.SampleHeader; t.resident {
			m.Name = message.SampleResident
		}
		t.dword2 |= uint32(15&^(1<<t.comps-1)) << 12 // omitted components
		m.Header = samplerHeader(c, t, sampler)
	}
	c.B.Exec, c.B.NoMask = b.Exec, b.NoMask
	params := listParams(c, t)
	if !t.header {
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
	n := min(1, len(message.Operations[t.op].Params))
	for i, p := range message.Operations[t.op].Params {
		o := t.given[p]
		if o.File == mir.None {
			o = mir.UD(0)
		} else {
			n = i + 1
		}
		c.Params = append(c.Params, o)
	}
	return c.Params[:n]
}

// descriptors sets the image and the sampler of a message. It returns the index or handle of the sampler, and sets
// t.header if the header must select it.
func descriptors(c *value.Context, t *sampling, m *mir.Message) (sampler mir.Operand, ok bool) {
	image, ok := index(c, t.v, t.image, "an image")
	if !ok {
		return sampler, false
	}
	sampler = mir.UD(0)
	if t.sampler.Val != 0 {
		if sampler, ok = index(c, t.v, t.sampler, "a sampler"); !ok {
			return sampler, false
		}
	}
	if t.samplerHandle || sampler.File != mir.Imm || sampler.Num >= plainSamplers {
		t.header = true
	}
	if t.bindless {
		m.Surface = image
		return sampler, true
	}
	c.B.ScalarMode()
	scalar := func(op isa.Op, x, y mir.Operand) mir.Operand {
		d := mir.V(c.F.NewScalar(4), isa.TypeUD)
		c.B.Emit(op, d, x, y)
		return c.Source(d)
	}
	low := mir.UD(sampler.Num % plainSamplers << 8)
	switch {
	case t.samplerHandle:
		low = mir.UD(0)
	case sampler.File != mir.Imm:
		low = scalar(isa.OpShl, scalar(isa.OpAnd, sampler, mir.UD(plainSamplers-1)), mir.UD(8))
	}
	switch {
	case image.File == mir.Imm && low.File == mir.Imm:
		m.Surface = mir.UD(image.Num&0xFF | low.Num)
	case image.File == mir.Imm:
		m.Surface = scalar(isa.OpOr, low, mir.UD(image.Num&0xFF))
	default: // an index too large for its field would select another sampler
		m.Surface = scalar(isa.OpOr, scalar(isa.OpAnd, image, mir.UD(0xFF)), low)
	}
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
	c.B.Exec, c.B.NoMask = 8, true
	c.B.Mov(h, mir.UD(0))
	c.B.Exec = 1
	if t.dword2 != 0 {
		c.B.Mov(h.At(4*2), mir.UD(t.dword2))
	}
	states, at := mir.FixedScalar(0, 4*samplerDword, isa.TypeUD), h.At(4*samplerDword)
	if t.samplerHandle { // the handle points to the state
		c.B.Mov(at, sampler)
		return h
	}
	c.B.Emit(isa.OpAnd, at, states, mir.UD(samplerPointer))
	switch own := at.WithStride(0); {
	case sampler.File != mir.Imm:
		high, by := mir.V(c.F.NewScalar(4), isa.TypeUD), mir.V(c.F.NewScalar(4), isa.TypeUD)
		c.B.Emit(isa.OpAnd, high, sampler, mir.UD(0xF0))
		c.B.Emit(isa.OpShl, by, c.Source(high), mir.UD(4))
		c.B.Emit(isa.OpAdd, at, own, c.Source(by))
	case sampler.Num >= plainSamplers:
		c.B.Emit(isa.OpAdd, at, own, mir.UD(sampler.Num/plainSamplers*256))
	}
	return h
}
