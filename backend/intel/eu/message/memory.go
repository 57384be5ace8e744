// SPDX-License-Identifier: MIT

package message

import (
	"jacquard.example/backend/intel/eu/thread"
)

const (
	SlmMask     = 0xFFFF // code may set address bits beyond the 64 KiB of shared memory
	ScratchHole = 4096   // the first thread's scratch area starts here, never at 0
)

// memory returns the size bytes at an address of a message. It returns nil for an access outside a surface,
// which reads as zero and writes nothing. In the stateless space the program is responsible for mapped and
// aligned addresses: violations are errors.
func memory(t *thread.Thread, m *thread.Message, addr uint64, size, align, lane int, write bool) ([]byte, *thread.OpError) {
	if addr&uint64(align-1) != 0 {
		return nil, thread.Operr(thread.FaultMemory, "lane %d: address 0x%x is not aligned to %d bytes", lane, addr, align)
	}
	if m.Added != 0 && !m.Wide && addr>>32 != 0 { // no document says whether the sum is truncated
		return nil, thread.Operr(thread.FaultMemory, "lane %d: the sum of address and offset, %#x, has more than 32 bits", lane, addr)
	}
	if m.Private {
		if err := scratchState(t, m); err != nil {
			return nil, err
		}
		if addr+uint64(size) > uint64(len(t.Scratch)) {
			return nil, thread.Operr(thread.FaultMemory, "lane %d: address 0x%x is outside the scratch space of 0x%x bytes", lane, addr,
				len(t.Scratch))
		}
		return t.Scratch[addr:][:size:size], nil
	}
	if m.Flat && !write {
		if b := t.PushData(addr, size); b != nil {
			return b, nil
		}
	}
	if m.Wide || m.Flat {
		b := t.Group.Machine.Find(addr, size)
		if b == nil {
			return nil, thread.Operr(thread.FaultMemory, "lane %d: nothing is mapped at address 0x%x", lane, addr)
		}
		return b, nil
	}
	var data []byte
	switch m.Bti {
	case thread.BtiSLM:
		data = t.Group.Slm
		addr &= SlmMask
		if t.Group.Shadow != nil {
			if err := noteShared(t, addr, size, write, m.AtomicOp); err != nil {
				return nil, err
			}
		}
	case thread.BtiStateless, thread.BtiCoherent:
		b, err := scratchBytes(t, addr, size)
		if err != nil { // other memory that the launcher has mapped in this space
			if mapped := t.Group.Machine.Find(uint64(uint32(addr)), size); mapped != nil {
				return mapped, nil
			}
		}
		return b, err
	default:
		s := t.Group.Machine.Surfaces
		if int(m.Bti) >= len(s) || s[m.Bti] == nil {
			return nil, thread.Operr(thread.FaultMemory, "there is no surface at binding table index %d", m.Bti)
		}
		if s[m.Bti].Image != nil {
			return nil, thread.Operr(thread.FaultMessage, "an untyped message accesses surface %d, which is an image", m.Bti)
		}
		data = s[m.Bti].Data
		addr = uint64(uint32(addr))
	}
	if addr+uint64(size) > uint64(len(data)) {
		if write {
			t.Stats.Memory.StoresOutOfBounds++
		} else {
			t.Stats.Memory.LoadsOutOfBounds++
		}
		return nil, nil
	}
	return data[addr:][:size:size], nil
}

// surfaceOf returns the whole memory of a message's surface, or shared memory. It returns nil for other address
// spaces, for surfaces without data, and for shared memory whose accesses are checked for races.
func surfaceOf(t *thread.Thread, m *thread.Message) []byte {
	switch {
	case m.Wide || m.Flat || m.Private || m.Bti == thread.BtiStateless || m.Bti == thread.BtiCoherent:
		return nil
	case m.Bti == thread.BtiSLM && t.Group.Shadow != nil:
		return nil
	case m.Bti == thread.BtiSLM:
		return t.Group.Slm
	}
	if s := t.Group.Machine.Surfaces; int(m.Bti) < len(s) && s[m.Bti] != nil { // images have no data
		return s[m.Bti].Data
	}
	return nil
}

// scratchBytes returns memory relative to the general state base, where only the thread's own scratch area
// exists.
func scratchBytes(t *thread.Thread, addr uint64, size int) ([]byte, *thread.OpError) {
	base := uint64(t.ScratchBase)
	if addr < base || addr+uint64(size) > base+uint64(len(t.Scratch)) {
		return nil, thread.Operr(thread.FaultMemory, "address 0x%x is outside the thread's scratch space (0x%x to 0x%x)", addr,
			base, base+uint64(len(t.Scratch)))
	}
	return t.Scratch[addr-base:][:size:size], nil
}
