// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"
	"math/bits"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

// Data port messages: the types of data cache 0 and 1, bits 18:14 of the descriptor (TGL PRM vol. 5/7, "Data
// Port Message Descriptors"; names as printed by iga64).

// atomics16 has a bit for each type of data cache 1 that is an atomic on words.
const atomics16 = 1<<0x03 | 1<<0x13 | 1<<0x1E

// DecodeDC0 decodes a message to data cache 0.
func DecodeDC0(m *thread.Message, machine *target.Target, desc, _ uint32) *thread.OpError {
	if desc>>18&1 != 0 {
		return decodeScratch(m, machine, desc)
	}
	switch typ := desc >> 14 & 0x1F; typ {
	case 0x00, 0x01, 0x08: // block read at an OWord, at a byte; block write
		m.Units, m.Size = 16, 16
		if typ == 1 {
			m.Units, m.Size = 1, 4
		}
		sizes := [...]uint16{16, 16, 32, 64, 128, 256}
		c := desc >> 8 & 7
		if int(c) >= len(sizes) {
			return thread.Operr(thread.FaultMessage, "unknown block size %d in descriptor 0x%08x", c, desc)
		}
		m.Bytes = sizes[c]
		if c == 1 {
			m.Offset = 16 // the upper half of the register
		}
		regs := (int(m.Bytes) + m.GRF - 1) / m.GRF
		if !m.Header {
			return thread.Operr(thread.FaultMessage, "a block message needs a header (descriptor 0x%08x)", desc)
		}
		if typ == 8 {
			m.Run = runBlockWrite
			return want(m, regs, 0)
		}
		m.Run = runBlockRead
		return want(m, 0, regs)
	case dualBlockRead, dualBlockWrite:
		if machine.Can(target.Vectors) {
			return dualBlock(m, desc)
		}
	case 0x03, 0x0B: // dword scattered
		m.Size, m.Units, m.Elems = 4, 4, 1
		if desc>>10&3 != 0 || desc>>9&1 == 0 {
			return thread.Operr(thread.FaultMessage, "invalid dword-scattered descriptor 0x%08x", desc)
		}
		setSIMD16(m, desc>>8&1)
		return scattered(m, typ == 0x0B)
	case 0x04, 0x0C: // byte scattered
		c := desc >> 10 & 3
		if c == 3 || desc>>9&1 != 0 {
			return thread.Operr(thread.FaultMessage, "invalid byte-scattered descriptor 0x%08x", desc)
		}
		m.Size, m.Units, m.Elems = 1<<c, 1, 1
		setSIMD16(m, desc>>8&1)
		return scattered(m, typ == 0x0C)
	case 0x07: // fence
		commit := int(desc >> 13 & 1)
		m.Run = runFence
		if m.AllSpaces = !machine.Can(target.SharedFence); m.AllSpaces && m.Bti != 0 {
			return thread.Operr(thread.FaultMessage, "fences of this machine serve all memory, but this one names surface %d", m.Bti)
		}
		return wantFence(m, commit)
	}
	return thread.Operr(thread.FaultMessage, "unknown data cache 0 message 0x%08x", desc)
}

// wantFence checks a fence's lengths. The payload register is the header itself, so want does not apply.
func wantFence(m *thread.Message, commit int) *thread.OpError {
	if m.Mlen != 1 || m.Exlen != 0 || int(m.Rlen) != commit {
		return thread.Operr(thread.FaultMessage, "a fence takes one register and returns %d", commit)
	}
	return nil
}

func setSIMD16(m *thread.Message, bit uint32) {
	m.SIMD = 8
	if bit != 0 {
		m.SIMD = 16
	}
}

func scattered(m *thread.Message, write bool) *thread.OpError {
	m.PerLane = true
	n := m.LaneRegs()
	addr := n
	if m.Wide {
		addr = 2 * n
	}
	data := n * dataDwords(m)
	if write {
		m.Run = runScatteredWrite
		return want(m, addr+data, 0)
	}
	m.Run = runScatteredRead
	return want(m, addr, data)
}

// dataDwords returns the number of payload dwords for the data of one lane.
func dataDwords(m *thread.Message) int {
	if m.Size == 8 {
		return 2 * int(m.Elems)
	}
	if m.Size == 1 {
		return (int(m.Elems) + 3) / 4
	}
	return int(m.Elems)
}

// scratchSizes are the sizes of blocks of scratch space by their codes, in registers; 0 is none.
var scratchSizes, vectorScratchSizes = [4]int{1, 2, 4, 8}, [4]int{1, 2, 0, 4}

// decodeScratch decodes block accesses to the thread's own scratch space. Gen7.5 has other codes for their sizes (Haswell
// PRM vol. 7, "Scratch Block Read/Write").
func decodeScratch(m *thread.Message, machine *target.Target, desc uint32) *thread.OpError {
	regs := scratchSizes[desc>>12&3]
	if machine.Can(target.Vectors) {
		regs = vectorScratchSizes[desc>>12&3]
	}
	if regs == 0 {
		return thread.Operr(thread.FaultMessage, "unknown size of a scratch block in descriptor 0x%08x", desc)
	}
	m.Offset = desc & 0xFFF * uint32(m.GRF)
	m.Bytes = uint16(regs * m.GRF)
	if !m.Header {
		return thread.Operr(thread.FaultMessage, "a scratch message needs a header (descriptor 0x%08x)", desc)
	}
	if desc>>17&1 != 0 {
		m.Ret = desc>>16&1 != 0 // dwords are selected by lane
		m.Run = runScratchWrite
		return want(m, regs, 0)
	}
	m.Run = runScratchRead
	return want(m, 0, regs)
}

// DecodeConstantCache decodes a message to the constant cache, a read of a block at the address of an OWord or of a byte.
func DecodeConstantCache(m *thread.Message, machine *target.Target, desc, ex uint32) *thread.OpError {
	if desc>>14&0x1F > 1 {
		return thread.Operr(thread.FaultMessage, "unknown constant cache message 0x%08x", desc)
	}
	return DecodeDC0(m, machine, desc, ex)
}

// DecodeDC1 decodes a message to data cache 1.
func DecodeDC1(m *thread.Message, machine *target.Target, desc, _ uint32) *thread.OpError {
	typ := desc >> 14 & 0x1F
	if machine.Can(target.Vectors) {
		switch {
		case typ == atomic4x2:
			return atomicVectors(m, desc)
		case (typ == 0x01 || typ == 0x09) && desc>>12&3 == 0:
			return untypedVectors(m, desc, typ == 0x09)
		}
	}
	if atomics16>>typ&1 != 0 && !machine.Can(target.Atomics16) {
		return thread.Operr(thread.FaultMessage, "the machine has no 16-bit atomics (descriptor 0x%08x)", desc)
	}
	switch typ {
	case 0x01, 0x09, 0x11, 0x19: // untyped surface read and write, A64 read and write
		switch desc >> 12 & 3 {
		case 1:
			m.SIMD = 16
		case 2:
			m.SIMD = 8
		default:
			return thread.Operr(thread.FaultMessage, "unknown SIMD mode in descriptor 0x%08x", desc)
		}
		m.PerLane = true
		m.Comps = ^uint8(desc>>8) & 15
		m.Ncomps = uint8(bits.OnesCount8(m.Comps))
		m.Wide = typ&0x10 != 0
		if m.Ncomps == 0 {
			return thread.Operr(thread.FaultMessage, "descriptor 0x%08x selects no component", desc)
		}
		n := m.LaneRegs()
		addr := n
		if m.Wide {
			addr = 2 * n
		}
		if typ&8 != 0 {
			m.Run = runUntypedWrite
			return want(m, addr+n*int(m.Ncomps), 0)
		}
		m.Run = runUntypedRead
		return want(m, addr, n*int(m.Ncomps))
	case 0x02, 0x03, 0x1B: // untyped atomics: int32, int16, float
		setSIMD16(m, 1-desc>>12&1)
		size := uint8(4)
		if typ == 0x03 {
			size = 2
		}
		return atomic(m, desc, typ == 0x1B, size)
	case 0x12, 0x13, 0x1D, 0x1E: // A64 atomics: int, int16, float, half
		m.Wide = true
		size := uint8(4)
		switch {
		case typ == 0x12 && desc>>12&1 != 0:
			size = 8
		case typ == 0x13, typ == 0x1E:
			size = 2
		}
		return atomic(m, desc, typ >= 0x1D, size)
	case 0x10, 0x1A: // A64 scattered
		m.Wide = true
		setSIMD16(m, desc>>12&1)
		m.Elems = 1 << (desc >> 10 & 3)
		sub := desc >> 8 & 3
		if sub > 2 {
			return thread.Operr(thread.FaultMessage, "unknown element size in descriptor 0x%08x", desc)
		}
		m.Size, m.Units = [...]uint8{1, 4, 8}[sub], 1
		return scattered(m, typ == 0x1A)
	case 0x14, 0x15: // A64 block
		m.Wide = true
		sizes := [...]uint16{16, 16, 32, 64, 128, 256}
		c := desc >> 8 & 7
		if int(c) >= len(sizes) || desc>>11&3 > 1 {
			return thread.Operr(thread.FaultMessage, "unknown block size or subtype in descriptor 0x%08x", desc)
		}
		m.Bytes = sizes[c]
		if c == 1 {
			m.Offset = 16
		}
		m.Size = 16
		if desc>>11&3 == 1 {
			m.Size = 4
		}
		regs := (int(m.Bytes) + m.GRF - 1) / m.GRF
		if !m.Header {
			return thread.Operr(thread.FaultMessage, "a block message needs a header (descriptor 0x%08x)", desc)
		}
		if typ == 0x15 {
			m.Run = runBlockWrite
			return want(m, regs, 0)
		}
		m.Run = runBlockRead
		return want(m, 0, regs)
	case thread.Dc1TypedRead, thread.Dc1TypedWrite:
		return decodeTyped(m, desc, typ == thread.Dc1TypedWrite)
	case thread.Dc1TypedAtomic:
		return decodeTypedAtomic(m, desc)
	}
	return thread.Operr(thread.FaultMessage, "unknown data cache 1 message 0x%08x", desc)
}

// address returns the address in a lane's payload.
func address(t *thread.Thread, o *thread.Op, m *thread.Message, lane int) uint64 {
	off := 0
	if m.Header {
		off = m.GRF
	}
	if m.Wide {
		return binary.LittleEndian.Uint64(t.Reg[o.Payload(m, off+8*lane):]) + uint64(int64(m.Added))
	}
	a := Payload32(t, o, m, off+4*lane)
	if m.Units > 1 {
		a *= uint32(m.Units)
	}
	return uint64(int64(a) + int64(m.Added))
}

// data returns the payload offset of the first data register.
func data(m *thread.Message) int {
	n := m.LaneRegs()
	switch {
	case m.Coords > 0:
		n *= int(m.Coords)
	case m.Wide:
		n *= 2
	}
	if m.Header {
		n++
	}
	return n * m.GRF
}

// Lanes returns the lanes of mask that a message covers.
func Lanes(m *thread.Message, o *thread.Op, mask uint32) uint32 {
	return mask & (1<<m.SIMD - 1)
}

func runUntypedRead(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	step := m.LaneRegs() * m.GRF
	dst := o.Send.Dst * m.GRF
	mask = Lanes(m, o, mask)
	surface := surfaceOf(t, m)
	for w := mask; w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		addr := address(t, o, m, lane)
		at := lane
		for c := uint64(0); c < 4; c++ {
			if m.Comps>>c&1 == 0 {
				continue
			}
			v := uint32(0)
			// The common case of an ordinary surface. Accesses outside it take the general path, which also
			// detects faults.
			if a := addr + 4*c; a+4 <= uint64(len(surface)) && a&3 == 0 {
				v = binary.LittleEndian.Uint32(surface[a:])
			} else if b, err := memory(t, m, a, 4, 4, lane, false); err != nil {
				return err
			} else if b != nil {
				v = binary.LittleEndian.Uint32(b)
			}
			t.Resp[at] = v
			at += step / 4
		}
	}
	// Write the response after all addresses have been read: it may overlap the payload.
	for w := mask; w != 0; w &= w - 1 {
		at := thread.Trailing(w)
		for c := 0; c < int(m.Ncomps); c++ {
			binary.LittleEndian.PutUint32(t.Reg[dst+4*at:], t.Resp[at])
			at += step / 4
		}
	}
	return nil
}

func runUntypedWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	step := m.LaneRegs() * m.GRF
	surface := surfaceOf(t, m)
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		addr := address(t, o, m, lane)
		at := data(m) + 4*lane
		for c := uint64(0); c < 4; c++ {
			if m.Comps>>c&1 == 0 {
				continue
			}
			v := Payload32(t, o, m, at)
			if a := addr + 4*c; a+4 <= uint64(len(surface)) && a&3 == 0 {
				binary.LittleEndian.PutUint32(surface[a:], v)
			} else if b, err := memory(t, m, a, 4, 4, lane, true); err != nil {
				return err
			} else if b != nil {
				binary.LittleEndian.PutUint32(b, v)
			}
			at += step
		}
	}
	return nil
}

// runScatteredRead reads each lane's elements: a single byte or word into the low bits of a dword, several
// bytes packed, dwords and quadwords into consecutive registers.
func runScatteredRead(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	if err := scratchHeader(t, o, m); err != nil {
		return err
	}
	mask = Lanes(m, o, mask)
	dst := o.Send.Dst * m.GRF
	var buf [64]byte
	words := dataDwords(m)
	step := m.LaneRegs() * m.GRF
	for w := mask; w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		addr := address(t, o, m, lane) + t.Base
		total := int(m.Size) * int(m.Elems)
		clear(buf[:])
		for e := 0; e < int(m.Elems); e++ {
			b, err := memory(t, m, addr+uint64(e*int(m.Size)), int(m.Size), align(m), lane, false)
			if err != nil {
				return err
			}
			if b != nil {
				copy(buf[e*int(m.Size):total], b)
			}
		}
		for c := 0; c < words; c++ {
			t.Resp[m.Slot(c, lane, step)] = binary.LittleEndian.Uint32(buf[4*c:])
		}
	}
	for w := mask; w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		for c := 0; c < words; c++ {
			i := m.Slot(c, lane, step)
			binary.LittleEndian.PutUint32(t.Reg[dst+4*i:], t.Resp[i])
		}
	}
	return nil
}

// align returns the alignment of a scattered message's elements in bytes. A byte-scattered element may begin at any byte:
// Mesa's driver uses these messages for words and dwords with an alignment of 1 (brw_nir.c, get_mem_access_size_align).
func align(m *thread.Message) int {
	if m.Units == 1 && !m.Wide && !m.Aligned {
		return 1
	}
	return int(m.Size)
}

func runScatteredWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	if err := scratchHeader(t, o, m); err != nil {
		return err
	}
	var buf [64]byte
	words := dataDwords(m)
	step := m.LaneRegs() * m.GRF
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		addr := address(t, o, m, lane) + t.Base
		for c := 0; c < words; c++ {
			binary.LittleEndian.PutUint32(buf[4*c:], Payload32(t, o, m, data(m)+4*m.Slot(c, lane, step)))
		}
		for e := 0; e < int(m.Elems); e++ {
			b, err := memory(t, m, addr+uint64(e*int(m.Size)), int(m.Size), align(m), lane, true)
			if err != nil {
				return err
			}
			if b != nil {
				copy(b, buf[e*int(m.Size):][:m.Size])
			}
		}
	}
	return nil
}

// runFence waits for nothing, since messages take effect in program order. The contents of the reply are
// undefined; the model writes zeros.
func runFence(t *thread.Thread, o *thread.Op, m *thread.Message, _ uint32) *thread.OpError {
	if m.Bti == thread.BtiSLM || m.AllSpaces {
		t.Fences++
	}
	if m.Rlen > 0 {
		clear(t.Reg[o.Send.Dst*m.GRF:][:m.GRF])
	}
	return nil
}
