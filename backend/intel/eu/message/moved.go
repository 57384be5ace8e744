// SPDX-License-Identifier: MIT

package message

import (
	"math/bits"

	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/thread"
)

const (
	lineBytes = 64 // bytes in a cache line
	slmBanks  = 16 // banks of shared memory, each a dword wide
)

// charge charges an issued message for the data it moves, before the message takes effect.
func charge(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) {
	a, c := t.Opts.Account, &t.Clock
	class := clock.ClassOfSend(o)
	bytes, lines := moved(t, o, m, mask)
	a.Sends[class]++
	a.Bytes += bytes
	a.Lines += lines
	k := &t.Prog.Machine.Costs[class]
	busy := uint64(k.BusyLine) * lines
	c.Free[o.Cost.Unit] += busy
	a.Busy[o.Cost.Unit] += busy
	clock.Later(c, o, int(m.Rlen), uint64(k.ResultLine)*lines)
	t.Log.Touched(lines)
}

// moved returns the number of bytes that a message moves between its lanes and memory, and the number of steps
// that memory needs: the cache lines touched or, in shared memory, the dwords in the fullest bank (Intel's
// OpenCL developer guide, "Local Memory"). Images count as many lines as their texels fill.
func moved(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) (bytes, lines uint64) {
	switch {
	case m.Vectors && m.Sampling == nil:
		return vectorsMoved(t, o, m, mask)
	case m.Bytes > 0: // a block
		bytes = uint64(m.Bytes)
		return bytes, (bytes + lineBytes - 1) / lineBytes
	case m.Urb.Data > 0 || m.ToTarget || m.Interp.Lanes > 0:
		lanes := bits.OnesCount32(mask & (1<<m.SIMD - 1))
		bytes = uint64((int(m.Mlen)+int(m.Exlen)+int(m.Rlen))*m.GRF*lanes) / uint64(m.SIMD)
		return bytes, (bytes + lineBytes - 1) / lineBytes
	case m.Sampling != nil:
		lanes := bits.OnesCount32(mask & (1<<m.SIMD - 1))
		bytes = uint64(int(m.Rlen)*m.GRF*lanes) / uint64(m.SIMD)
		return bytes, (bytes + lineBytes - 1) / lineBytes
	case !m.PerLane:
		return 0, 0
	}
	mask = Lanes(m, o, mask)
	lanes := uint64(bits.OnesCount32(mask))
	if m.Coords > 0 {
		bytes = 4 * lanes
		if !m.AtomicOp {
			bytes *= uint64(m.Ncomps)
		}
		return bytes, (bytes + lineBytes - 1) / lineBytes
	}
	span := uint64(m.Size) * uint64(max(m.Elems, 1)) // bytes of memory starting at a lane's address
	bytes = lanes * span
	if m.Comps != 0 {
		span = 4 * uint64(bits.Len8(m.Comps))
		bytes = lanes * 4 * uint64(m.Ncomps)
	}
	var touched places
	unit := uint64(lineBytes)
	if m.Bti == thread.BtiSLM && !m.Wide && !m.Flat && !m.Private {
		unit = 4
	}
	for ; mask != 0; mask &= mask - 1 {
		at := address(t, o, m, thread.Trailing(mask))
		for n := at / unit; n <= (at+span-1)/unit; n++ {
			touched.add(n)
		}
	}
	if unit == lineBytes {
		return bytes, uint64(touched.n)
	}
	return bytes, touched.fullestBank()
}

// places is a set of lines or dwords. It ignores additions beyond maxPlaces.
type places struct {
	at [maxPlaces]uint64
	n  int
}

// maxPlaces is the largest number of dwords that a message accesses: 16 lanes with eight quadwords each.
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
