// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu/thread"
)

// scratchHeader sets t.Base, the base of a message's offsets. For a stateless surface and a message with a
// header, this is the scratch base in dword 5 of the header (TGL PRM vol. 7, "MH_BTS_GO" and "Stateless"
// headers), otherwise 0. The error is always nil.
func scratchHeader(t *thread.Thread, o *thread.Op, m *thread.Message) *thread.OpError {
	t.Base = 0
	if m.Header && !m.Wide && (m.Bti == thread.BtiStateless || m.Bti == thread.BtiCoherent) {
		t.Base = uint64(Payload32(t, o, m, 20) &^ 1023)
	}
	return nil
}

// blockAddress returns the start address of a block message.
func blockAddress(t *thread.Thread, o *thread.Op, m *thread.Message) uint64 {
	if m.Wide {
		return binary.LittleEndian.Uint64(t.Reg[o.Payload(m, 0):])
	}
	t.Base = 0
	if m.Bti == thread.BtiStateless || m.Bti == thread.BtiCoherent {
		t.Base = uint64(Payload32(t, o, m, 20) &^ 1023)
	}
	return t.Base + uint64(Payload32(t, o, m, 8)*uint32(m.Units))
}

// runBlockRead copies consecutive memory to consecutive registers, regardless of the active lanes.
func runBlockRead(t *thread.Thread, o *thread.Op, m *thread.Message, _ uint32) *thread.OpError {
	addr := blockAddress(t, o, m)
	dst := o.Send.Dst*m.GRF + int(m.Offset)
	for off := 0; off < int(m.Bytes); off += 4 {
		align := 4
		if off == 0 {
			align = int(m.Size)
		}
		b, err := memory(t, m, addr+uint64(off), 4, align, -1, false)
		if err != nil {
			return err
		}
		v := uint32(0)
		if b != nil {
			v = binary.LittleEndian.Uint32(b)
		}
		binary.LittleEndian.PutUint32(t.Reg[dst+off:], v)
	}
	return nil
}

// runBlockWrite stores the dwords of the enabled lanes, eight per register, like runScratchWrite. Mesa uses
// such messages to spill inside branches (skl, 16 lanes) and expects the spill slots of other lanes to stay
// unchanged. An unmasked instruction, or one of fewer than eight lanes, stores its whole payload.
func runBlockWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	addr := blockAddress(t, o, m)
	if o.NoMask || o.N < 8 {
		mask = 1<<32 - 1
	}
	for off := 0; off < int(m.Bytes); off += 4 {
		if mask>>(off/4%max(int(o.N), m.GRF/4))&1 == 0 {
			continue
		}
		align := 4
		if off == 0 {
			align = int(m.Size)
		}
		b, err := memory(t, m, addr+uint64(off), 4, align, -1, true)
		if err != nil {
			return err
		}
		if b != nil {
			binary.LittleEndian.PutUint32(b, Payload32(t, o, m, m.GRF+int(m.Offset)+off))
		}
	}
	return nil
}

// scratchBlock returns the memory of a scratch block message.
func scratchBlock(t *thread.Thread, o *thread.Op, m *thread.Message) ([]byte, *thread.OpError) {
	base := uint64(Payload32(t, o, m, 20) &^ 1023)
	return scratchBytes(t, base+uint64(m.Offset), int(m.Bytes))
}

func runScratchRead(t *thread.Thread, o *thread.Op, m *thread.Message, _ uint32) *thread.OpError {
	b, err := scratchBlock(t, o, m)
	if err != nil {
		return err
	}
	copy(t.Reg[o.Send.Dst*m.GRF:][:m.Bytes], b)
	return nil
}

// runScratchWrite writes the payload or, if the descriptor selects dwords by lane, only the dwords of enabled lanes. A
// register holds eight of them, so lane n+8 of a SIMD16 message owns dword n of the second register, and further
// registers repeat the pattern.
func runScratchWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	b, err := scratchBlock(t, o, m)
	if err != nil {
		return err
	}
	lanes := int(o.N)
	for i := 0; i < int(m.Bytes)/4; i++ {
		if m.Ret && mask>>(i%max(lanes, m.GRF/4))&1 == 0 {
			continue
		}
		copy(b[4*i:4*i+4], t.Reg[o.Payload(m, m.GRF+4*i):][:4])
	}
	return nil
}
