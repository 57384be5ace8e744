package eu

import (
	"math/bits"

	"jacquard.example/generated/target"
)

// samplerHeader is the contents of a sampler message's header, or the defaults without a header.
type samplerHeader struct {
	comps    uint8 // components returned, bit 0 is red
	offset   [3]int32
	channel  int // component to gather
	sampler  int // added to the index of the sampler state
	heap     int // index in the heap of sampler states; -1: the thread's own states
	resident bool
}

// samplerStates is bits 31:5 of r0.3, the address of the sampler states, which threads copy to headers. Each
// state has 16 bytes.
const (
	samplerStates     = 0x00015A00
	samplerStateBytes = 16
	samplerStateStep  = 16 * samplerStateBytes // distance that the descriptor cannot express
)

// readHeader reads the header of a message. Dword 2 has the offsets, the components to omit, the component to
// gather, and the residency flag; dword 3 points to the sampler states. A shorter response also omits
// components (IMAGES.md 2.3).
func (c *sampling) readHeader() *opError {
	m, h := c.m, &c.header
	d := c.t.payload32(c.o, m, 8)
	row := m.sampling
	for i := range h.offset { // U is in the highest bits
		h.offset[i] = int32(d<<(20+4*i)) >> 28
	}
	if h.offset != [3]int32{} && row.flags&samplerOffsets == 0 {
		return operr(FaultUnsupported, "offsets in the header of %s (0x%08x)", row.name, d)
	}
	h.comps = ^uint8(d>>12) & 15
	h.channel = int(d >> 16 & 3)
	h.resident = d>>23&1 != 0
	want := bits.OnesCount8(h.comps) * m.respRegs()
	if h.resident {
		want++
	}
	if want != int(m.rlen) {
		return operr(FaultMessage, "the response has %d registers, by its header 0x%08x the message returns %d", m.rlen, d, want)
	}
	p := c.t.payload32(c.o, m, 12)
	if !c.t.prog.machine.Can(target.SamplerPointerAsIs) && p&31 != 0 {
		return operr(FaultMessage, "the pointer to sampler states 0x%08x in the header has some of its low five bits set", p)
	}
	if p &^= 31; p < samplerStates && row.flags&samplerState != 0 {
		h.heap = int(p / samplerHeapStep)
		return nil
	}
	off := p - samplerStates
	if off%samplerStateStep != 0 || off > 1<<20 {
		return operr(FaultMessage, "the header points to sampler states at 0x%08x, the thread's are at 0x%08x", p, uint32(samplerStates))
	}
	h.sampler = int(off / samplerStateBytes)
	return nil
}
