// SPDX-License-Identifier: MIT

package sampler

import (
	"math/bits"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

// readHeader reads the header of a message. Dword 2 has the offsets, the components to omit, the component to
// gather, and the residency flag; dword 3 points to the sampler states. The response must have the length that follows
// from the header (IMAGES.md 2.3).
func readHeader(c *thread.Sampling) *thread.OpError {
	m, h := c.M, &c.Header
	d := message.Payload32(c.T, c.O, m, 8)
	row := m.Sampling
	for i := range h.Offset { // U is in the highest bits
		h.Offset[i] = int32(d<<(20+4*i)) >> 28
	}
	if h.Offset != [3]int32{} && row.Flags&thread.SamplerOffsets == 0 {
		return thread.Operr(thread.FaultUnsupported, "offsets in the header of %s are not supported (0x%08x)", row.Name, d)
	}
	h.Comps = ^uint8(d>>12) & 15
	h.Channel = int(d >> 16 & 3)
	h.Resident = d>>23&1 != 0
	want := bits.OnesCount8(h.Comps) * respRegs(m)
	if m.Vectors {
		want = 1
	}
	if h.Resident {
		want++
	}
	if want != int(m.Rlen) {
		return thread.Operr(thread.FaultMessage, "the response has %d registers, but by its header 0x%08x the message returns %d",
			m.Rlen, d, want)
	}
	p := message.Payload32(c.T, c.O, m, 12)
	if !c.T.Prog.Machine.Can(target.SamplerPointerAsIs) && p&31 != 0 {
		return thread.Operr(thread.FaultMessage, "the pointer to sampler states 0x%08x in the header has some of its low five bits set", p)
	}
	if p &^= 31; p < thread.SamplerStates && row.Flags&thread.SamplerState != 0 {
		h.Heap = int(p / thread.SamplerHeapStep)
		return nil
	}
	off := p - thread.SamplerStates
	if off%thread.SamplerStateStep != 0 || off > 1<<20 {
		return thread.Operr(thread.FaultMessage, "the header points to sampler states at 0x%08x, but the thread's are at 0x%08x", p,
			uint32(thread.SamplerStates))
	}
	h.Sampler = int(off / thread.SamplerStateBytes)
	return nil
}
