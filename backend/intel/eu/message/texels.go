// SPDX-License-Identifier: MIT

package message

import (
	"jacquard.example/backend/intel/eu/thread"
)

// Typed messages of the load/store unit load and store channels of texels, and execute atomics on one channel. The first part
// of the payload has the coordinates u, v, r and the level of detail, of which the last ones may be missing; the second has
// the data by channel, or an atomic's operands. Each of them is a doubleword for each lane (IGA,
// MessageDecoderLSC.cpp, HAS_UVRLOD; IGC, translateLscTypedInst; Mesa, lower_lsc_memory_logical_send). Either part may
// hold the end of the coordinates, since the lengths alone count (Mesa's code for lnl has u and v in different parts).
//
// With registers of 32 bytes, a message has at most 8 lanes, and with registers of 64 bytes at most 32 (IGC,
// getMaxLSCTypedMessageSize; Mesa sends 32 lanes on lnl). Each coordinate and channel takes at least a register.

// typedLanes returns the largest number of lanes of a typed message.
func typedLanes(m *thread.Message) uint8 {
	if m.GRF == 32 {
		return 8
	}
	return uint8(m.GRF / 2)
}

// decodeTexels decodes a typed message to the load/store unit.
func decodeTexels(m *thread.Message, desc, ex uint32) *thread.OpError {
	if err := texelSurface(m, desc, ex); err != nil {
		return err
	}
	most := typedLanes(m)
	switch op, size := desc&thread.LSCOpMask, desc>>9&7; {
	case m.Lanes > most:
		return thread.Operr(thread.FaultMessage, "a typed message of the load/store unit has at most %d lanes, not %d", most, m.Lanes)
	case size != dataD32:
		return thread.Operr(thread.FaultUnsupported, "typed data of size %d are not supported (descriptor 0x%08x)", size, desc)
	case op == thread.LSCLoadQuad || op == thread.LSCStoreQuad:
		m.SIMD = max(m.Lanes, uint8(m.GRF/4))
		m.Comps = uint8(desc >> 12 & 15)
		return typedComponents(m, desc, op == thread.LSCStoreQuad)
	case op >= thread.LSCFirstAtomic && op <= thread.LSCLastAtomic:
		m.SIMD = max(m.Lanes, uint8(m.GRF/4))
		return decodeTexelAtomic(m, desc, op)
	default:
		return thread.Operr(thread.FaultUnsupported,
			"typed operation %d of the load/store unit is not supported (descriptor 0x%08x)", op, desc)
	}
}

// texelSurface decodes which image a message accesses. Coordinates have no offset (IGC, translateLscTypedInst).
func texelSurface(m *thread.Message, desc, ex uint32) *thread.OpError {
	if size := desc >> 7 & 3; size != addr32 {
		return thread.Operr(thread.FaultMessage, "coordinates have 32 bits (descriptor 0x%08x)", desc)
	}
	switch kind := desc >> 29 & 3; {
	case kind == bindingTable && ex<<(32-tableIndex)>>(32-tableIndex+flatOffsets) != 0:
		return thread.Operr(thread.FaultMessage, "coordinates have no offset in the extended descriptor, 0x%08x", ex)
	case kind == bindingTable:
		if m.Bti = uint8(ex >> tableIndex); m.Bti >= thread.BtiBindless {
			return thread.Operr(thread.FaultMessage, "binding table index %d has no meaning in the load/store unit", m.Bti)
		}
	case kind == bindlessState:
		// With the length in the word, bits 31:6 are the offset of the state (Mesa 25.0.7 and 26.2.6 for lnl).
		if m.Bti, m.Handle = thread.BtiBindless, ex>>stateShift; !m.Separate {
			m.Handle = ex >> thread.HandleShift
		}
	case kind == flatMemory:
		return thread.Operr(thread.FaultMessage, "a typed message needs a surface (descriptor 0x%08x)", desc)
	default:
		return thread.Operr(thread.FaultUnsupported, "typed messages with surface states are not supported (descriptor 0x%08x)", desc)
	}
	return nil
}

// decodeTexelAtomic decodes an atomic on texels.
func decodeTexelAtomic(m *thread.Message, desc, op uint32) *thread.OpError {
	m.Size = 4
	if err := lscOperation(m, desc, op); err != nil {
		return err
	}
	resp := 0
	if m.Ret {
		resp = 1
	}
	m.Run = runTypedAtomic
	if isFloatAtomic(op) {
		m.Run = runTypedFloatAtomic
	}
	return typedCoords(m, int(m.Ncomps), resp)
}
