// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"
	"math/bits"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Messages of the load/store unit (GENS.md 6.6; XE_lsc.txt; Alchemist PRM vol. 2a, "LSC"): bits of the descriptor. The
// payload has an address for each lane, then data by component: each component has the registers of a doubleword or
// quadword for each lane. Cache controls have no effect on results.
//
// A transposed message has a single address and, in consecutive registers, elements at consecutive addresses. Others have
// as many lanes as a register of 32 or 64 bytes has words, or, if the instruction has no more, as it has doublewords (IGC,
// lscMinExecSize; Mesa, lsc_msg_addr_len).

// Sizes of addresses, bits 8:7.
const (
	addr32 = 2
	addr64 = 3
)

// Kinds of surfaces, bits 30:29.
const (
	flatMemory = iota
	bindlessState
	surfaceState
	bindingTable
)

// Sizes of data, bits 11:9.
const (
	dataD32    = 2
	dataD64    = 3
	dataD8U32  = 4
	dataD16U32 = 5
)

const (
	lscTranspose = 1 << 15
	flatOffsets  = 12 // bits of the extended descriptor from here on are an offset, which is signed
	tableIndex   = 24 // and, with a binding table, from here on the index
	stateShift   = 6  // bits of the extended descriptor from here on name a surface state
	besideBits   = 17 // beside a surface state in a register, the word has an offset of so many bits (IGA, decodeLscImmOff),
	besideHigh   = 19 // bit 4 and up from here on,
	besideLow    = 12 // and bits 3:0 from here on
	lengthEnd    = 11 // or from here on, if a length is below: bits 31:11 of the thread's header
)

// vectorSizes are the numbers of elements, bits 14:12.
var vectorSizes = [8]int{1, 2, 3, 4, 8, 16, 32, 64}

// DecodeLoadStore decodes a message to the load/store unit.
func DecodeLoadStore(m *thread.Message, machine *target.Target, desc, ex uint32) *thread.OpError {
	m.Header = false // the bit belongs to the cache control
	op := desc & thread.LSCOpMask
	if op == thread.LSCFence {
		m.Run, m.Bti = runFence, 0
		if m.Sfid == isa.SFIDSLM {
			m.Bti = thread.BtiSLM
		}
		return wantFence(m, min(int(m.Rlen), 1))
	}
	if m.Sfid == isa.SFIDTGM {
		return decodeTexels(m, desc, ex)
	}
	if err := lscSurface(m, desc, ex); err != nil {
		return err
	}
	if err := lscOffset(m, machine, ex); err != nil {
		return err
	}
	words := uint8(m.GRF / 2)
	if m.Lanes > words {
		return thread.Operr(thread.FaultMessage, "a message of the load/store unit has at most %d lanes, not %d", words, m.Lanes)
	}
	m.PerLane, m.Aligned = true, true
	m.Units, m.Elems = 1, 1
	if m.SIMD = words; m.Lanes <= words/2 {
		m.SIMD = words / 2
	}
	switch size := desc >> 9 & 7; size {
	case dataD32:
		m.Size = 4
	case dataD64:
		m.Size = 8
	case dataD8U32:
		m.Size = 1
	case dataD16U32:
		m.Size = 2
	default:
		return thread.Operr(thread.FaultUnsupported, "data size %d of the load/store unit is not supported (descriptor 0x%08x)", size, desc)
	}
	switch {
	case op == thread.LSCLoadQuad || op == thread.LSCStoreQuad:
		return decodeQuad(m, desc, op == thread.LSCStoreQuad)
	case op == thread.LSCLoad || op == thread.LSCStore:
		return decodeVector(m, desc, op == thread.LSCStore)
	case op >= thread.LSCFirstAtomic && op <= thread.LSCLastAtomic:
		return decodeLSCAtomic(m, desc, op)
	}
	return thread.Operr(thread.FaultUnsupported, "operation %d of the load/store unit is not supported (descriptor 0x%08x)", op, desc)
}

// settle notes whether atomics without a result have been sent to the load/store unit since its last fence.
func settle(t *thread.Thread, o *thread.Op, m *thread.Message) {
	switch {
	case m.Sfid != isa.SFIDUGM:
	case m.AtomicOp && !m.Ret:
		t.Unsettled = true
	case o.Send.Desc&thread.LSCOpMask == thread.LSCFence:
		t.Unsettled = false
	}
}

// lscSurface decodes which memory a message accesses.
func lscSurface(m *thread.Message, desc, ex uint32) *thread.OpError {
	kind, size := desc>>29&3, desc>>7&3
	if m.Beside != 0 && kind != surfaceState {
		return thread.Operr(thread.FaultMessage, "only a surface state in a register has an offset beside it (0x%08x)", m.Beside)
	}
	if size != addr32 && (size != addr64 || kind != flatMemory || m.Sfid == isa.SFIDSLM) {
		return thread.Operr(thread.FaultMessage, "addresses of size %d are not possible here (descriptor 0x%08x)", size, desc)
	}
	switch kind {
	case flatMemory:
		m.Bti, m.Added = 0, int32(ex)>>flatOffsets
		switch {
		case m.Sfid == isa.SFIDSLM:
			m.Bti = thread.BtiSLM
		case size == addr64:
			m.Wide = true
		default:
			m.Flat = true
		}
		return nil
	case bindingTable:
		m.Bti, m.Added = uint8(ex>>tableIndex), int32(ex)<<(32-tableIndex)>>(32-tableIndex+flatOffsets)
		switch {
		case m.Bti == thread.BtiCoherent && m.Sfid == isa.SFIDUGM: // IGC 2.40 loads arguments through it
			m.Bti, m.Flat = 0, true
		case m.Bti >= thread.BtiBindless:
			return thread.Operr(thread.FaultMessage, "binding table index %d has no meaning in the load/store unit", m.Bti)
		}
	case surfaceState:
		m.Private = true
		if m.Handle = ex >> stateShift; !m.Separate {
			m.Handle = ex >> lengthEnd << 1
		}
		m.Added = int32(m.Beside>>besideHigh<<4|m.Beside>>besideLow&15) << (32 - besideBits) >> (32 - besideBits)
	default:
		return thread.Operr(thread.FaultUnsupported, "bindless surfaces of the load/store unit are not supported (descriptor 0x%08x)", desc)
	}
	if m.Sfid == isa.SFIDSLM {
		return thread.Operr(thread.FaultMessage, "shared memory has no surface (descriptor 0x%08x)", desc)
	}
	return nil
}

// lscOffset checks the offset that a message adds to its addresses. IGA takes only multiples of four.
func lscOffset(m *thread.Message, machine *target.Target, ex uint32) *thread.OpError {
	switch {
	case m.Added == 0:
		return nil
	case !machine.Can(target.AddressOffsets):
		return thread.Operr(thread.FaultMessage, "the machine has no offset in the extended descriptor, 0x%08x", ex)
	case m.Added%4 != 0:
		return thread.Operr(thread.FaultMessage, "the offset %d in the extended descriptor is not a multiple of 4", m.Added)
	}
	return nil
}

// addressRegs returns the number of registers of the addresses.
func addressRegs(m *thread.Message) int {
	if m.Wide {
		return 2 * m.LaneRegs()
	}
	return m.LaneRegs()
}

// decodeQuad decodes a load or store of channels of doublewords.
func decodeQuad(m *thread.Message, desc uint32, store bool) *thread.OpError {
	m.Comps = uint8(desc >> 12 & 15)
	m.Ncomps = uint8(bits.OnesCount8(m.Comps))
	if m.Size != 4 || m.Ncomps == 0 {
		return thread.Operr(thread.FaultMessage, "channels are doublewords, and at least one (descriptor 0x%08x)", desc)
	}
	regs := m.LaneRegs() * int(m.Ncomps)
	if store {
		m.Run = runUntypedWrite
		return want(m, addressRegs(m)+regs, 0)
	}
	m.Run = runUntypedRead
	return want(m, addressRegs(m), regs)
}

// decodeVector decodes a load or store of consecutive elements.
func decodeVector(m *thread.Message, desc uint32, store bool) *thread.OpError {
	n := vectorSizes[desc>>12&7]
	if desc&lscTranspose != 0 {
		return decodeTransposed(m, desc, n, store)
	}
	if n > 1 && m.Size < 4 || n > 8 {
		return thread.Operr(thread.FaultMessage, "a lane has at most 8 elements, and one byte or word (descriptor 0x%08x)", desc)
	}
	m.Elems = uint8(n)
	regs := m.LaneRegs() * dataDwords(m)
	if store {
		m.Run = runScatteredWrite
		return want(m, addressRegs(m)+regs, 0)
	}
	m.Run = runScatteredRead
	return want(m, addressRegs(m), regs)
}

// decodeTransposed decodes a load or store of n elements at one address.
func decodeTransposed(m *thread.Message, desc uint32, n int, store bool) *thread.OpError {
	if m.Lanes != 1 || m.Size < 4 {
		return thread.Operr(thread.FaultMessage, "a transposed message has one lane and elements of 4 or 8 bytes (descriptor 0x%08x)", desc)
	}
	m.PerLane, m.Bytes = false, uint16(n*int(m.Size))
	regs := (int(m.Bytes) + m.GRF - 1) / m.GRF
	if store {
		m.Run = runTransposedStore
		return want(m, 1+regs, 0)
	}
	m.Run = runTransposedLoad
	return want(m, 1, regs)
}

// transposed calls f with each element's position in the data and its memory, which is nil outside of a surface.
func transposed(t *thread.Thread, o *thread.Op, m *thread.Message, write bool, f func(off int, b []byte)) *thread.OpError {
	addr := address(t, o, m, 0)
	for off := 0; off < int(m.Bytes); off += int(m.Size) {
		b, err := memory(t, m, addr+uint64(off), int(m.Size), int(m.Size), 0, write)
		if err != nil {
			return err
		}
		f(off, b)
	}
	return nil
}

func runTransposedLoad(t *thread.Thread, o *thread.Op, m *thread.Message, _ uint32) *thread.OpError {
	out := make([]byte, m.Bytes) // the response may overlap the address
	if err := transposed(t, o, m, false, func(off int, b []byte) { copy(out[off:], b) }); err != nil {
		return err
	}
	copy(t.Reg[o.Send.Dst*m.GRF:], out)
	return nil
}

func runTransposedStore(t *thread.Thread, o *thread.Op, m *thread.Message, _ uint32) *thread.OpError {
	return transposed(t, o, m, true, func(off int, b []byte) {
		for i := range b {
			b[i] = t.Reg[o.Payload(m, m.GRF+off+i)]
		}
	})
}

// scratchState checks that a surface state in the extended descriptor is that of the thread's scratch space, which the
// thread header names.
func scratchState(t *thread.Thread, m *thread.Message) *thread.OpError {
	own := binary.LittleEndian.Uint32(t.Start[scratchStateAt:]) >> scratchStateShift
	if !m.Separate {
		own &^= 1
	}
	if m.Handle != own {
		return thread.Operr(thread.FaultMessage, "surface state %d is not that of the scratch space, %d", m.Handle, own)
	}
	return nil
}

// Bits 31:10 of r0.5 name the surface state of the thread's scratch space (GENS.md 8). IGC moves them to bits 31:6 of an
// extended descriptor, Mesa leaves them where they are.
const (
	scratchStateAt    = 20
	scratchStateShift = 10
)

// lscAtomics are the operations on integers, and lscFloats those on floats, by number; 0: there is none.
var (
	lscAtomics = [...]uint8{8: AopInc, 9: AopDec, 10: AopOr, 11: AopMov, 12: AopAdd, 13: AopSub, 14: AopIMin, 15: AopIMax,
		16: AopUMin, 17: AopUMax, 18: AopCmpWr, 24: AopAnd, 25: AopOr, 26: AopXor}
	lscFloats = [...]uint8{19: FopAdd, 20: FopSub, 21: FopMin, 22: FopMax, 23: FopCmpWr}
)

// lscAtomicLoad is the atomic load: an or without an operand.
const lscAtomicLoad = 10

// isFloatAtomic reports whether an atomic is on floats.
func isFloatAtomic(op uint32) bool { return int(op) < len(lscFloats) && lscFloats[op] != 0 }

// decodeLSCAtomic decodes an atomic.
func decodeLSCAtomic(m *thread.Message, desc, op uint32) *thread.OpError {
	if err := lscOperation(m, desc, op); err != nil {
		return err
	}
	m.Run = runAtomicInt
	if isFloatAtomic(op) {
		m.Run = runAtomicFloat
	}
	resp := 0
	if m.Ret {
		resp = atomRegs(m)
	}
	return want(m, addressRegs(m)+atomRegs(m)*int(m.Ncomps), resp)
}

// lscOperation decodes an atomic's operation and the number of its operands.
func lscOperation(m *thread.Message, desc, op uint32) *thread.OpError {
	if desc>>12&15 != 0 || m.Size == 1 {
		return thread.Operr(thread.FaultMessage, "an atomic has one element of a lane, of at least 2 bytes (descriptor 0x%08x)", desc)
	}
	m.AtomicOp, m.Ret, m.Ncomps = true, m.Rlen > 0, 1
	if isFloatAtomic(op) {
		if m.Size == 8 {
			return thread.Operr(thread.FaultUnsupported, "atomics on 64-bit floats are not supported (descriptor 0x%08x)", desc)
		}
		if m.Aop = lscFloats[op]; m.Aop == FopCmpWr {
			m.Ncomps = 2
		}
		return nil
	}
	switch m.Aop = lscAtomics[op]; {
	case m.Aop == 0:
		return thread.Operr(thread.FaultUnsupported, "atomic %d of the load/store unit is not supported (descriptor 0x%08x)", op, desc)
	case m.Aop == AopInc || m.Aop == AopDec || op == lscAtomicLoad:
		m.Ncomps = 0
	case m.Aop == AopCmpWr:
		m.Ncomps = 2
	}
	return nil
}
