package eu

import (
	"encoding/binary"

	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// The sampler's messages (IMAGES.md 2; TGL PRM vol. 9, "3D Sampler"). A message has eight or sixteen lanes.
// Each parameter and each component of the response takes a register per eight lanes. An optional header comes
// first.

// maxSamplerPayload is the maximum number of registers of a payload, including the header.
const maxSamplerPayload = 11

// decodeSampler decodes a sampler message.
func decodeSampler(m *message, machine *target.Target, desc, ex uint32) *opError {
	row := &samplerRows[desc>>12&31]
	if row.run == nil {
		return operr(FaultMessage, "unknown sampler message %d in descriptor 0x%08x", desc>>12&31, desc)
	}
	m.sampling = row
	m.perLane = true
	m.sampler = uint8(desc >> 8 & 15)
	m.halfRet = desc>>30&1 != 0
	m.halfParams = desc>>29&1 != 0
	switch desc >> 17 & 3 {
	case 1:
		m.simd = 8
	case 2:
		m.simd = 16
	default:
		return operr(FaultMessage, "SIMD mode %d in descriptor 0x%08x", desc>>29&1<<2|desc>>17&3, desc)
	}
	payload := int(m.mlen) + int(m.exlen)
	n := payload
	if m.header {
		n--
	}
	per := m.paramRegs()
	switch {
	case desc>>31 != 0:
		return operr(FaultMessage, "bit 31 of descriptor 0x%08x has no meaning", desc)
	case ex>>handleShift != 0 && m.bti != btiBindless || ex&coarseLOD != 0:
		return operr(FaultUnsupported, "the extended descriptor 0x%08x has more than a length", ex)
	case m.halfParams && !machine.Can(target.SamplerHalfParams):
		return operr(FaultMessage, "the machine has no sampler messages with parameters of 16 bits (descriptor 0x%08x)", desc)
	case m.halfParams && row.flags&samplerInts != 0:
		return operr(FaultUnsupported, "integer parameters of 16 bits are not supported yet (descriptor 0x%08x)", desc)
	case m.simd > 8 && row.flags&samplerSIMD8 != 0:
		return operr(FaultMessage, "%s has 8 lanes at most", row.name)
	case payload > maxSamplerPayload:
		return operr(FaultMessage, "the payload has %d registers, the sampler takes %d", payload, maxSamplerPayload)
	case row.flags&samplerHeadered != 0 && !m.header:
		return operr(FaultMessage, "%s needs a header", row.name)
	case n%per != 0:
		return operr(FaultMessage, "the parameters have %d registers, each has %d", n, per)
	case n/per < row.needs():
		return operr(FaultMessage, "%s has %d parameters, it needs %d", row.name, n/per, row.needs())
	case n/per > len(row.params):
		return operr(FaultMessage, "%s has %d parameters, it takes %d at most", row.name, n/per, len(row.params))
	}
	m.coords = uint8(n / per)
	m.run = runSampler
	if per := m.respRegs(); !m.header {
		if n := int(m.rlen) / per; n < 1 || n > 4 || int(m.rlen)%per != 0 {
			return operr(FaultMessage, "the response has %d registers, a component has %d", m.rlen, per)
		}
	}
	return nil
}

// paramRegs returns the number of registers of a parameter.
func (m *message) paramRegs() int {
	if m.halfParams {
		return 1
	}
	return m.laneRegs()
}

// respRegs returns the number of registers of a component of the response.
func (m *message) respRegs() int {
	if m.halfRet {
		return 1
	}
	return m.laneRegs()
}

// sampling is a sampler message that is being executed.
type sampling struct {
	t       *Thread
	o       *op
	m       *message
	image   *texture.Image
	sampler *texture.Sampler
	header  samplerHeader
	unbound uint32 // lanes with a texel that has no memory
}

// samplerFn computes the result of a lane.
type samplerFn func(c *sampling, lane int) (texture.Texel, *opError)

// params reads the parameters of a lane by kind; omitted ones are 0.
func (c *sampling) params(lane int) (p [numParams]uint32) {
	for k, par := range c.m.sampling.params[:c.m.coords] {
		off := c.o.payload(c.m, c.m.addressAt(k, lane))
		if c.m.halfParams {
			p[par] = floatBits(half32(binary.LittleEndian.Uint16(c.t.reg[off:])))
		} else {
			p[par] = binary.LittleEndian.Uint32(c.t.reg[off:])
		}
	}
	return p
}

// runSampler executes a sampler message.
func runSampler(t *Thread, o *op, m *message, mask uint32) *opError {
	c := &t.sampling
	*c = sampling{t: t, o: o, m: m, header: samplerHeader{comps: 1<<(int(m.rlen)/m.respRegs()) - 1, heap: -1}}
	if m.header {
		if err := c.readHeader(); err != nil {
			return err
		}
	}
	if err := c.bind(); err != nil {
		return err
	}
	mask = m.lanes(o, mask)
	step := m.laneRegs() * grfSize / 4
	for w := mask; w != 0; w &= w - 1 {
		lane := trailing(w)
		var x texture.Texel
		if c.image != nil {
			var err *opError
			if x, err = m.sampling.run(c, lane); err != nil {
				return err
			}
		}
		for i := range x {
			t.resp[i*step+lane] = uint32(x[i])
		}
	}
	c.respond(mask)
	return nil
}

// bind finds the surface and the sampler state.
func (c *sampling) bind() *opError {
	m := c.m
	row := m.sampling
	p, given, err := c.t.group.machine.surface(m)
	switch {
	case err != nil:
		return err
	case p.image == nil && given != nil:
		return operr(FaultMessage, "the sampler accesses %s, which is a buffer without format", m.surfaceName())
	}
	c.image = p.image
	if row.flags&samplerState != 0 {
		if c.sampler, err = c.samplerState(); err != nil {
			return err
		}
	}
	switch im := c.image; {
	case im == nil:
	case im.Samples > 1 && row.flags&samplerMany == 0:
		return operr(FaultMessage, "%s does not access surfaces of %d samples", row.name, im.Samples)
	case im.Dim == irkind.DimBuf && row.flags&samplerState != 0:
		return operr(FaultMessage, "%s does not access buffers", row.name)
	}
	return nil
}

// respond writes the components that the message requests.
func (c *sampling) respond(mask uint32) {
	t, m := c.t, c.m
	step := m.laneRegs() * grfSize / 4
	at := c.o.send.dst * grfSize
	for i := range 4 {
		if c.header.comps>>i&1 == 0 {
			continue
		}
		for w := mask; w != 0; w &= w - 1 {
			lane := trailing(w)
			v := t.resp[i*step+lane]
			switch {
			case !m.halfRet:
				binary.LittleEndian.PutUint32(t.reg[at+4*lane:], v)
			case c.floats():
				binary.LittleEndian.PutUint16(t.reg[at+2*lane:], round16(float64(bitsFloat(v)), 0))
			default:
				binary.LittleEndian.PutUint16(t.reg[at+2*lane:], uint16(v))
			}
		}
		at += m.respRegs() * grfSize
	}
	if c.header.resident { // the bits of disabled lanes are zero
		binary.LittleEndian.PutUint32(t.reg[at:], mask&^c.unbound)
	}
}

// floats reports whether the response consists of floats.
func (c *sampling) floats() bool {
	switch f := c.m.sampling.flags; {
	case f&returnsInts != 0 || c.image == nil:
		return false
	case f&returnsFloats != 0:
		return true
	}
	return c.image.Format.Base == irkind.BaseFloat
}
