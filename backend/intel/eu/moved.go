package eu

import "math/bits"

const (
	lineBytes = 64 // bytes in a cache line
	slmBanks  = 16 // banks of shared memory, each a dword wide
)

// moved returns the number of bytes that a message moves between its lanes and memory, and the number of steps
// that memory needs: the cache lines touched or, in shared memory, the dwords in the fullest bank (Intel's
// OpenCL developer guide, "Local Memory"). Images count as many lines as their texels fill.
func (t *Thread) moved(o *op, m *message, mask uint32) (bytes, lines uint64) {
	switch {
	case m.bytes > 0: // a block
		bytes = uint64(m.bytes)
		return bytes, (bytes + lineBytes - 1) / lineBytes
	case m.urb.data > 0 || m.toTarget || m.interp.lanes > 0:
		lanes := bits.OnesCount32(mask & (1<<m.simd - 1))
		bytes = uint64((int(m.mlen)+int(m.exlen)+int(m.rlen))*grfSize*lanes) / uint64(m.simd)
		return bytes, (bytes + lineBytes - 1) / lineBytes
	case m.sampling != nil:
		lanes := bits.OnesCount32(mask & (1<<m.simd - 1))
		bytes = uint64(int(m.rlen)*grfSize*lanes) / uint64(m.simd)
		return bytes, (bytes + lineBytes - 1) / lineBytes
	case !m.perLane:
		return 0, 0
	}
	mask = m.lanes(o, mask)
	lanes := uint64(bits.OnesCount32(mask))
	if m.coords > 0 {
		bytes = 4 * lanes
		if !m.atomicOp {
			bytes *= uint64(m.ncomps)
		}
		return bytes, (bytes + lineBytes - 1) / lineBytes
	}
	span := uint64(m.size) * uint64(max(m.elems, 1)) // bytes of memory from a lane's address on
	bytes = lanes * span
	if m.comps != 0 {
		span = 4 * uint64(bits.Len8(m.comps))
		bytes = lanes * 4 * uint64(m.ncomps)
	}
	var touched places
	unit := uint64(lineBytes)
	if m.bti == btiSLM && !m.wide {
		unit = 4
	}
	for ; mask != 0; mask &= mask - 1 {
		at := t.address(o, m, trailing(mask))
		for n := at / unit; n <= (at+span-1)/unit; n++ {
			touched.add(n)
		}
	}
	if unit == lineBytes {
		return bytes, uint64(touched.n)
	}
	return bytes, touched.fullestBank()
}

// places is a set of lines or dwords.
type places struct {
	at [maxPlaces]uint64
	n  int
}

// maxPlaces is reached by 16 lanes of eight quadwords or of four dwords each.
const maxPlaces = 16 * 16

func (p *places) add(n uint64) {
	for i := p.n - 1; i >= 0; i-- {
		if p.at[i] == n {
			return
		}
	}
	if p.n < maxPlaces {
		p.at[p.n] = n
		p.n++
	}
}

// fullestBank returns the largest number of dwords in one bank.
func (p *places) fullestBank() (most uint64) {
	var banks [slmBanks]uint64
	for _, n := range p.at[:p.n] {
		banks[n%slmBanks]++
		most = max(most, banks[n%slmBanks])
	}
	return most
}
