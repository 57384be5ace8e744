package eu

import "encoding/binary"

// scratchHeader sets t.base, the base of a message's offsets. For a stateless surface and a message with a
// header, this is the scratch base in dword 5 of the header (TGL PRM vol. 7, "MH_BTS_GO" and "Stateless"
// headers).
func (t *Thread) scratchHeader(o *op, m *message) *opError {
	t.base = 0
	if m.header && !m.wide && (m.bti == btiStateless || m.bti == btiCoherent) {
		t.base = uint64(t.payload32(o, m, 20) &^ 1023)
	}
	return nil
}

// blockAddress returns the start address of a block message.
func (t *Thread) blockAddress(o *op, m *message) uint64 {
	if m.wide {
		return binary.LittleEndian.Uint64(t.reg[o.payload(m, 0):])
	}
	t.base = 0
	if m.bti == btiStateless || m.bti == btiCoherent {
		t.base = uint64(t.payload32(o, m, 20) &^ 1023)
	}
	return t.base + uint64(t.payload32(o, m, 8)*uint32(m.units))
}

// runBlockRead copies consecutive memory to consecutive registers, regardless of the active lanes.
func runBlockRead(t *Thread, o *op, m *message, _ uint32) *opError {
	addr := t.blockAddress(o, m)
	dst := o.send.dst*grfSize + int(m.offset)
	for off := 0; off < int(m.bytes); off += 4 {
		align := 4
		if off == 0 {
			align = int(m.size)
		}
		b, err := t.memory(m, addr+uint64(off), 4, align, -1, false)
		if err != nil {
			return err
		}
		v := uint32(0)
		if b != nil {
			v = binary.LittleEndian.Uint32(b)
		}
		binary.LittleEndian.PutUint32(t.reg[dst+off:], v)
	}
	return nil
}

// runBlockWrite stores the dwords of the enabled lanes, eight per register, like runScratchWrite. Mesa uses
// such messages to spill inside branches (skl, 16 lanes) and expects the spill slots of other lanes to stay
// unchanged. A message of fewer than eight lanes stores its whole payload.
func runBlockWrite(t *Thread, o *op, m *message, mask uint32) *opError {
	addr := t.blockAddress(o, m)
	if o.noMask || o.n < 8 {
		mask = 1<<32 - 1
	}
	for off := 0; off < int(m.bytes); off += 4 {
		if mask>>(off/4%max(int(o.n), 8))&1 == 0 {
			continue
		}
		align := 4
		if off == 0 {
			align = int(m.size)
		}
		b, err := t.memory(m, addr+uint64(off), 4, align, -1, true)
		if err != nil {
			return err
		}
		if b != nil {
			binary.LittleEndian.PutUint32(b, t.payload32(o, m, grfSize+int(m.offset)+off))
		}
	}
	return nil
}

// scratchBlock returns the memory of a scratch block message.
func (t *Thread) scratchBlock(o *op, m *message) ([]byte, *opError) {
	base := uint64(t.payload32(o, m, 20) &^ 1023)
	return t.scratchBytes(base+uint64(m.offset), int(m.bytes))
}

func runScratchRead(t *Thread, o *op, m *message, _ uint32) *opError {
	b, err := t.scratchBlock(o, m)
	if err != nil {
		return err
	}
	copy(t.reg[o.send.dst*grfSize:][:m.bytes], b)
	return nil
}

// runScratchWrite writes the dwords of the enabled lanes. A register holds eight of them, so lane n+8 of a
// SIMD16 message owns dword n of the second register, and further registers repeat the pattern.
func runScratchWrite(t *Thread, o *op, m *message, mask uint32) *opError {
	b, err := t.scratchBlock(o, m)
	if err != nil {
		return err
	}
	lanes := int(o.n)
	for i := 0; i < int(m.bytes)/4; i++ {
		if m.ret && mask>>(i%max(lanes, 8))&1 == 0 {
			continue
		}
		copy(b[4*i:4*i+4], t.reg[o.payload(m, grfSize+4*i):][:4])
	}
	return nil
}
