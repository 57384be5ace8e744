// SPDX-License-Identifier: MIT

package sampler

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// The sampler's messages (IMAGES.md 2; TGL PRM vol. 9, "3D Sampler"). A message has as many lanes as a register has
// doublewords, or twice as many. Each parameter and each component of the response takes one register, or two if the message
// has twice as many lanes and it has 32 bits. An optional header comes first.

// maxSamplerPayload is the maximum number of registers of a payload, including the header.
const maxSamplerPayload = 11

// DecodeSampler decodes a sampler message.
func DecodeSampler(m *thread.Message, machine *target.Target, desc, ex uint32) *thread.OpError {
	row := &rowsOf(machine)[desc>>12&31]
	if machine.Can(target.PackedParams) && desc>>31 != 0 {
		return thread.Operr(thread.FaultUnsupported,
			"sampler messages with offsets as parameters are not supported (descriptor 0x%08x)", desc)
	}
	if row.Run == nil {
		return thread.Operr(thread.FaultMessage, "unknown sampler message %d in descriptor 0x%08x", desc>>12&31, desc)
	}
	m.Sampling = row
	m.PerLane = true
	m.Sampler = uint8(desc >> 8 & 15)
	m.HalfRet = desc>>30&1 != 0
	m.HalfParams = desc>>29&1 != 0
	if desc>>17&3 == 0 && machine.Can(target.Vectors) {
		return decodeVectors(m, row, desc)
	}
	switch desc >> 17 & 3 {
	case 1:
		m.SIMD = uint8(m.GRF / 4)
	case 2:
		m.SIMD = uint8(m.GRF / 2)
	default:
		return thread.Operr(thread.FaultMessage, "unsupported SIMD mode %d in descriptor 0x%08x", desc>>29&1<<2|desc>>17&3, desc)
	}
	payload := int(m.Mlen) + int(m.Exlen)
	n := payload
	if m.Header {
		n--
	}
	per := m.ParamRegs()
	switch {
	case desc>>31 != 0:
		return thread.Operr(thread.FaultMessage, "bit 31 of descriptor 0x%08x has no meaning", desc)
	case ex>>thread.HandleShift != 0 && m.Bti != thread.BtiBindless || ex&thread.CoarseLOD != 0:
		return thread.Operr(thread.FaultUnsupported, "the extended descriptor 0x%08x has more than a length", ex)
	case row.Flags&thread.SamplerHalves != 0 && !m.HalfParams:
		return thread.Operr(thread.FaultMessage, "the parameters of %s have 16 bits (descriptor 0x%08x)", row.Name, desc)
	case row.Flags&thread.SamplerHalves != 0: // on every machine that has such messages
	case m.HalfParams && !machine.Can(target.SamplerHalfParams):
		return thread.Operr(thread.FaultMessage, "the machine has no sampler messages with 16-bit parameters (descriptor 0x%08x)", desc)
	case m.HalfParams && row.Flags&thread.SamplerInts != 0:
		return thread.Operr(thread.FaultUnsupported, "16-bit integer parameters are not supported yet (descriptor 0x%08x)", desc)
	}
	switch {
	case m.SIMD > uint8(m.GRF/4) && row.Flags&thread.SamplerSingle != 0:
		return thread.Operr(thread.FaultMessage, "%s has at most %d lanes", row.Name, m.GRF/4)
	case payload > maxSamplerPayload:
		return thread.Operr(thread.FaultMessage, "the payload has %d registers; the sampler takes at most %d", payload, maxSamplerPayload)
	case row.Flags&thread.SamplerHeadered != 0 && !m.Header:
		return thread.Operr(thread.FaultMessage, "%s needs a header", row.Name)
	case n%per != 0:
		return thread.Operr(thread.FaultMessage, "the parameters have %d registers; each takes %d", n, per)
	case n/per < row.Needs():
		return thread.Operr(thread.FaultMessage, "%s has %d parameters, but needs %d", row.Name, n/per, row.Needs())
	case n/per > len(row.Params):
		return thread.Operr(thread.FaultMessage, "%s has %d parameters, but takes at most %d", row.Name, n/per, len(row.Params))
	}
	m.Coords = uint8(n / per)
	m.Run = runSampler
	if per := respRegs(m); !m.Header {
		if n := int(m.Rlen) / per; n < 1 || n > 4 || int(m.Rlen)%per != 0 {
			return thread.Operr(thread.FaultMessage, "the response has %d registers, want 1 to 4 components of %d", m.Rlen, per)
		}
	}
	return nil
}

// respRegs returns the number of registers of a component of the response.
func respRegs(m *thread.Message) int {
	if m.HalfRet {
		return 1
	}
	return m.LaneRegs()
}

// params reads the parameters of a lane by kind; omitted ones are 0.
func params(c *thread.Sampling, lane int) (p [numParams]uint32) {
	if c.M.Vectors {
		return vectorParams(c, lane)
	}
	for k, par := range c.M.Sampling.Params[:c.M.Coords] {
		off := c.O.Payload(c.M, clock.AddressAt(c.M, k, lane))
		if c.M.HalfParams && c.M.Sampling.Flags&thread.SamplerInts != 0 {
			p[par] = uint32(binary.LittleEndian.Uint16(c.T.Reg[off:]))
		} else if c.M.HalfParams {
			p[par] = floatBits(thread.Half32(binary.LittleEndian.Uint16(c.T.Reg[off:])))
		} else {
			p[par] = binary.LittleEndian.Uint32(c.T.Reg[off:])
		}
	}
	return p
}

// runSampler executes a sampler message.
func runSampler(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	c := &t.Sampling
	*c = thread.Sampling{T: t, O: o, M: m, Header: thread.SamplerHeader{Comps: 1<<(int(m.Rlen)/respRegs(m)) - 1, Heap: -1}}
	if m.Header {
		if err := readHeader(c); err != nil {
			return err
		}
	}
	if err := bind(c); err != nil {
		return err
	}
	mask = message.Lanes(m, o, mask)
	step := m.LaneRegs() * m.GRF / 4
	for w := mask; w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		var x texture.Texel
		if c.Image != nil {
			var err *thread.OpError
			if x, err = m.Sampling.Run(c, lane); err != nil {
				return err
			}
		}
		for i := range x {
			t.Resp[i*step+lane] = uint32(x[i])
		}
	}
	respond(c, mask)
	return nil
}

// bind finds the surface and the sampler state.
func bind(c *thread.Sampling) *thread.OpError {
	m := c.M
	row := m.Sampling
	p, given, err := c.T.Group.Machine.Surface(m)
	switch {
	case err != nil:
		return err
	case p.Image == nil && given != nil:
		return thread.Operr(thread.FaultMessage, "the sampler accesses %s, which is a buffer without a format", message.SurfaceName(m))
	}
	c.Image = p.Image
	if row.Flags&thread.SamplerState != 0 {
		if c.Sampler, err = message.SamplerState(c); err != nil {
			return err
		}
	}
	switch im := c.Image; {
	case im == nil:
	case im.Samples > 1 && row.Flags&thread.SamplerMany == 0:
		return thread.Operr(thread.FaultMessage, "%s does not access surfaces of %d samples", row.Name, im.Samples)
	case im.Dim == irkind.DimBuf && row.Flags&thread.SamplerState != 0:
		return thread.Operr(thread.FaultMessage, "%s does not access buffers", row.Name)
	}
	return nil
}

// respond writes the components that the message requests and, if its header requests it, the mask of resident lanes.
func respond(c *thread.Sampling, mask uint32) {
	t, m := c.T, c.M
	step := m.LaneRegs() * m.GRF / 4
	at := c.O.Send.Dst * m.GRF
	for i := range 4 {
		if c.Header.Comps>>i&1 == 0 {
			continue
		}
		for w := mask; w != 0; w &= w - 1 {
			lane := thread.Trailing(w)
			v := t.Resp[i*step+lane]
			switch {
			case !m.HalfRet:
				binary.LittleEndian.PutUint32(t.Reg[at+4*lane:], v)
			case floats(c):
				binary.LittleEndian.PutUint16(t.Reg[at+2*lane:], thread.Round16(float64(bitsFloat(v)), 0))
			default:
				binary.LittleEndian.PutUint16(t.Reg[at+2*lane:], uint16(v))
			}
		}
		at += respRegs(m) * m.GRF
	}
	if c.Header.Resident { // the bits of disabled lanes are zero
		binary.LittleEndian.PutUint32(t.Reg[at:], mask&^c.Unbound)
	}
}

// floats reports whether the response consists of floats.
func floats(c *thread.Sampling) bool {
	switch f := c.M.Sampling.Flags; {
	case f&thread.ReturnsInts != 0 || c.Image == nil:
		return false
	case f&thread.ReturnsFloats != 0:
		return true
	}
	return c.Image.Format.Base == irkind.BaseFloat
}
