package eu

import (
	"encoding/binary"
	"math/bits"

	"jacquard.example/generated/target"
)

// Data port messages: the types of data cache 0 and 1, bits 18:14 of the descriptor (TGL PRM vol. 5/7, "Data
// Port Message Descriptors"; names as printed by iga64).

// atomics16 has a bit for each type of data cache 1 that is an atomic on words.
const atomics16 = 1<<0x03 | 1<<0x13 | 1<<0x1E

func decodeDC0(m *message, machine *target.Target, desc, _ uint32) *opError {
	if desc>>18&1 != 0 {
		return m.decodeScratch(desc)
	}
	switch typ := desc >> 14 & 0x1F; typ {
	case 0x00, 0x01, 0x08: // block read at an OWord, at a byte; block write
		m.units, m.size = 16, 16
		if typ == 1 {
			m.units, m.size = 1, 4
		}
		sizes := [...]uint16{16, 16, 32, 64, 128, 256}
		c := desc >> 8 & 7
		if int(c) >= len(sizes) {
			return operr(FaultMessage, "block size %d in descriptor 0x%08x", c, desc)
		}
		m.bytes = sizes[c]
		if c == 1 {
			m.offset = 16 // the upper half of the register
		}
		regs := (int(m.bytes) + grfSize - 1) / grfSize
		if !m.header {
			return operr(FaultMessage, "a block message needs a header (descriptor 0x%08x)", desc)
		}
		if typ == 8 {
			m.run = runBlockWrite
			return m.want(regs, 0)
		}
		m.run = runBlockRead
		return m.want(0, regs)
	case 0x03, 0x0B: // dword scattered
		m.size, m.units, m.elems = 4, 4, 1
		if desc>>10&3 != 0 || desc>>9&1 == 0 {
			return operr(FaultMessage, "dword-scattered descriptor 0x%08x", desc)
		}
		m.setSIMD16(desc >> 8 & 1)
		return m.scattered(typ == 0x0B)
	case 0x04, 0x0C: // byte scattered
		c := desc >> 10 & 3
		if c == 3 || desc>>9&1 != 0 {
			return operr(FaultMessage, "byte-scattered descriptor 0x%08x", desc)
		}
		m.size, m.units, m.elems = 1<<c, 1, 1
		m.setSIMD16(desc >> 8 & 1)
		return m.scattered(typ == 0x0C)
	case 0x07: // fence
		commit := int(desc >> 13 & 1)
		m.run = runFence
		if m.allSpaces = !machine.Can(target.SharedFence); m.allSpaces && m.bti != 0 {
			return operr(FaultMessage, "fences of this machine serve all memory, this one names surface %d", m.bti)
		}
		return m.wantFence(commit)
	}
	return operr(FaultMessage, "unknown data cache 0 message 0x%08x", desc)
}

// wantFence checks a fence's lengths. The payload register is the header itself, so want does not apply.
func (m *message) wantFence(commit int) *opError {
	if m.mlen != 1 || m.exlen != 0 || int(m.rlen) != commit {
		return operr(FaultMessage, "a fence takes one register and returns %d", commit)
	}
	return nil
}

func (m *message) setSIMD16(bit uint32) {
	m.simd = 8
	if bit != 0 {
		m.simd = 16
	}
}

func (m *message) scattered(write bool) *opError {
	m.perLane = true
	n := m.laneRegs()
	addr := n
	if m.wide {
		addr = 2 * n
	}
	data := n * m.dataDwords()
	if write {
		m.run = runScatteredWrite
		return m.want(addr+data, 0)
	}
	m.run = runScatteredRead
	return m.want(addr, data)
}

// dataDwords returns the number of payload dwords for the data of one lane.
func (m *message) dataDwords() int {
	if m.size == 8 {
		return 2 * int(m.elems)
	}
	if m.size == 1 {
		return (int(m.elems) + 3) / 4
	}
	return int(m.elems)
}

// decodeScratch decodes block accesses to the thread's own scratch space.
func (m *message) decodeScratch(desc uint32) *opError {
	regs := 1 << (desc >> 12 & 3)
	m.offset = desc & 0xFFF * grfSize
	m.bytes = uint16(regs * grfSize)
	if !m.header {
		return operr(FaultMessage, "a scratch message needs a header (descriptor 0x%08x)", desc)
	}
	if desc>>17&1 != 0 {
		m.ret = desc>>16&1 != 0 // dwords are selected by lane
		m.run = runScratchWrite
		return m.want(regs, 0)
	}
	m.run = runScratchRead
	return m.want(0, regs)
}

// decodeConstantCache decodes a message to the constant cache, which reads blocks at an OWord and at a byte.
func decodeConstantCache(m *message, machine *target.Target, desc, ex uint32) *opError {
	if desc>>14&0x1F > 1 {
		return operr(FaultMessage, "unknown constant cache message 0x%08x", desc)
	}
	return decodeDC0(m, machine, desc, ex)
}

func decodeDC1(m *message, machine *target.Target, desc, _ uint32) *opError {
	typ := desc >> 14 & 0x1F
	if atomics16>>typ&1 != 0 && !machine.Can(target.Atomics16) {
		return operr(FaultMessage, "the machine has no atomics on 16 bits (descriptor 0x%08x)", desc)
	}
	switch typ {
	case 0x01, 0x09, 0x11, 0x19: // untyped surface read and write, A64 read and write
		switch desc >> 12 & 3 {
		case 1:
			m.simd = 16
		case 2:
			m.simd = 8
		default:
			return operr(FaultMessage, "SIMD mode in descriptor 0x%08x", desc)
		}
		m.perLane = true
		m.comps = ^uint8(desc>>8) & 15
		m.ncomps = uint8(bits.OnesCount8(m.comps))
		m.wide = typ&0x10 != 0
		if m.ncomps == 0 {
			return operr(FaultMessage, "no component in descriptor 0x%08x", desc)
		}
		n := m.laneRegs()
		addr := n
		if m.wide {
			addr = 2 * n
		}
		if typ&8 != 0 {
			m.run = runUntypedWrite
			return m.want(addr+n*int(m.ncomps), 0)
		}
		m.run = runUntypedRead
		return m.want(addr, n*int(m.ncomps))
	case 0x02, 0x03, 0x1B: // untyped atomics: int32, int16, float
		m.setSIMD16(1 - desc>>12&1)
		size := uint8(4)
		if typ == 0x03 {
			size = 2
		}
		return m.atomic(desc, typ == 0x1B, size)
	case 0x12, 0x13, 0x1D, 0x1E: // A64 atomics: int, int16, float, half
		m.wide = true
		size := uint8(4)
		switch {
		case typ == 0x12 && desc>>12&1 != 0:
			size = 8
		case typ == 0x13, typ == 0x1E:
			size = 2
		}
		return m.atomic(desc, typ >= 0x1D, size)
	case 0x10, 0x1A: // A64 scattered
		m.wide = true
		m.setSIMD16(desc >> 12 & 1)
		m.elems = 1 << (desc >> 10 & 3)
		sub := desc >> 8 & 3
		if sub > 2 {
			return operr(FaultMessage, "element size in descriptor 0x%08x", desc)
		}
		m.size, m.units = [...]uint8{1, 4, 8}[sub], 1
		return m.scattered(typ == 0x1A)
	case 0x14, 0x15: // A64 block
		m.wide = true
		sizes := [...]uint16{16, 16, 32, 64, 128, 256}
		c := desc >> 8 & 7
		if int(c) >= len(sizes) || desc>>11&3 > 1 {
			return operr(FaultMessage, "block size in descriptor 0x%08x", desc)
		}
		m.bytes = sizes[c]
		if c == 1 {
			m.offset = 16
		}
		m.size = 16
		if desc>>11&3 == 1 {
			m.size = 4
		}
		regs := (int(m.bytes) + grfSize - 1) / grfSize
		if !m.header {
			return operr(FaultMessage, "a block message needs a header (descriptor 0x%08x)", desc)
		}
		if typ == 0x15 {
			m.run = runBlockWrite
			return m.want(regs, 0)
		}
		m.run = runBlockRead
		return m.want(0, regs)
	case dc1TypedRead, dc1TypedWrite:
		return m.decodeTyped(desc, typ == dc1TypedWrite)
	case dc1TypedAtomic:
		return m.decodeTypedAtomic(desc)
	}
	return operr(FaultMessage, "unknown data cache 1 message 0x%08x", desc)
}

// address returns the address in a lane's payload.
func (t *Thread) address(o *op, m *message, lane int) uint64 {
	off := 0
	if m.header {
		off = grfSize
	}
	if m.wide {
		return binary.LittleEndian.Uint64(t.reg[o.payload(m, off+8*lane):])
	}
	a := t.payload32(o, m, off+4*lane)
	if m.units > 1 {
		a *= uint32(m.units)
	}
	return uint64(a)
}

// data returns the payload offset of the first data register.
func (m *message) data() int {
	n := m.laneRegs()
	switch {
	case m.coords > 0:
		n = int(m.coords)
	case m.wide:
		n *= 2
	}
	if m.header {
		n++
	}
	return n * grfSize
}

func (m *message) lanes(o *op, mask uint32) uint32 {
	return mask & (1<<m.simd - 1)
}

func runUntypedRead(t *Thread, o *op, m *message, mask uint32) *opError {
	step := m.laneRegs() * grfSize
	dst := o.send.dst * grfSize
	mask = m.lanes(o, mask)
	surface := t.surfaceOf(m)
	for w := mask; w != 0; w &= w - 1 {
		lane := trailing(w)
		addr := t.address(o, m, lane)
		at := lane
		for c := uint64(0); c < 4; c++ {
			if m.comps>>c&1 == 0 {
				continue
			}
			v := uint32(0)
			// The common case of an ordinary surface. Accesses outside it take the general path, which also
			// detects faults.
			if a := addr + 4*c; a+4 <= uint64(len(surface)) && a&3 == 0 {
				v = binary.LittleEndian.Uint32(surface[a:])
			} else if b, err := t.memory(m, a, 4, 4, lane, false); err != nil {
				return err
			} else if b != nil {
				v = binary.LittleEndian.Uint32(b)
			}
			t.resp[at] = v
			at += step / 4
		}
	}
	// Write the response after all addresses have been read: they may overlap.
	for w := mask; w != 0; w &= w - 1 {
		at := trailing(w)
		for c := 0; c < int(m.ncomps); c++ {
			binary.LittleEndian.PutUint32(t.reg[dst+4*at:], t.resp[at])
			at += step / 4
		}
	}
	return nil
}

func runUntypedWrite(t *Thread, o *op, m *message, mask uint32) *opError {
	step := m.laneRegs() * grfSize
	surface := t.surfaceOf(m)
	for w := m.lanes(o, mask); w != 0; w &= w - 1 {
		lane := trailing(w)
		addr := t.address(o, m, lane)
		at := m.data() + 4*lane
		for c := uint64(0); c < 4; c++ {
			if m.comps>>c&1 == 0 {
				continue
			}
			v := t.payload32(o, m, at)
			if a := addr + 4*c; a+4 <= uint64(len(surface)) && a&3 == 0 {
				binary.LittleEndian.PutUint32(surface[a:], v)
			} else if b, err := t.memory(m, a, 4, 4, lane, true); err != nil {
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
func runScatteredRead(t *Thread, o *op, m *message, mask uint32) *opError {
	if err := t.scratchHeader(o, m); err != nil {
		return err
	}
	mask = m.lanes(o, mask)
	dst := o.send.dst * grfSize
	var buf [64]byte
	words := m.dataDwords()
	step := m.laneRegs() * grfSize
	for w := mask; w != 0; w &= w - 1 {
		lane := trailing(w)
		addr := t.address(o, m, lane) + t.base
		total := int(m.size) * int(m.elems)
		clear(buf[:])
		for e := 0; e < int(m.elems); e++ {
			b, err := t.memory(m, addr+uint64(e*int(m.size)), int(m.size), m.align(), lane, false)
			if err != nil {
				return err
			}
			if b != nil {
				copy(buf[e*int(m.size):total], b)
			}
		}
		for c := 0; c < words; c++ {
			t.resp[m.slot(c, lane, step)] = binary.LittleEndian.Uint32(buf[4*c:])
		}
	}
	for w := mask; w != 0; w &= w - 1 {
		lane := trailing(w)
		for c := 0; c < words; c++ {
			i := m.slot(c, lane, step)
			binary.LittleEndian.PutUint32(t.reg[dst+4*i:], t.resp[i])
		}
	}
	return nil
}

// slot returns the dword of the data that holds dword c of a lane. Quadwords are contiguous: lane n has qword
// n. Barycentric coordinates interleave eight lanes at a time.
func (m *message) slot(c, lane, step int) int {
	if m.interp.lanes > 0 {
		return (lane/8*2+c)*grfSize/4 + lane%8
	}
	if m.size == 8 {
		return c/2*(2*step/4) + 2*lane + c&1
	}
	return c*step/4 + lane
}

func (m *message) align() int {
	if m.wide && m.size == 1 {
		return 1
	}
	return int(m.size)
}

func runScatteredWrite(t *Thread, o *op, m *message, mask uint32) *opError {
	if err := t.scratchHeader(o, m); err != nil {
		return err
	}
	var buf [64]byte
	words := m.dataDwords()
	step := m.laneRegs() * grfSize
	for w := m.lanes(o, mask); w != 0; w &= w - 1 {
		lane := trailing(w)
		addr := t.address(o, m, lane) + t.base
		for c := 0; c < words; c++ {
			binary.LittleEndian.PutUint32(buf[4*c:], t.payload32(o, m, m.data()+4*m.slot(c, lane, step)))
		}
		for e := 0; e < int(m.elems); e++ {
			b, err := t.memory(m, addr+uint64(e*int(m.size)), int(m.size), m.align(), lane, true)
			if err != nil {
				return err
			}
			if b != nil {
				copy(b, buf[e*int(m.size):][:m.size])
			}
		}
	}
	return nil
}

// runFence waits for nothing, since messages take effect in program order. The contents of the reply are
// undefined; the model writes zeros.
func runFence(t *Thread, o *op, m *message, _ uint32) *opError {
	if m.bti == btiSLM || m.allSpaces {
		t.fences++
	}
	if m.rlen > 0 {
		clear(t.reg[o.send.dst*grfSize:][:grfSize])
	}
	return nil
}

func putU32(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }

func trailing(v uint32) int { return bits.TrailingZeros32(v) }
