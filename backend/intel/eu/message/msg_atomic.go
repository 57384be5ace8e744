// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"
	"math"

	"jacquard.example/backend/intel/eu/thread"
)

// Integer atomic operations, bits 11:8 of the descriptor.
const (
	AopAnd = 1 + iota
	AopOr
	AopXor
	AopMov
	AopInc
	AopDec
	AopAdd
	AopSub
	AopRevSub
	AopIMax
	AopIMin
	AopUMax
	AopUMin
	AopCmpWr
	AopPreDec
)

// Float atomic operations, bits 10:8. Gen12.1 has no others: operations 4 and 5, which would be sum and
// difference, are in other messages on later machines (TGL PRM vol. 2a, "Atomic Float Operation Message
// Descriptor Control Field").
const (
	FopMax   = 1
	FopMin   = 2
	FopCmpWr = 3
	FopAdd   = 4 // only messages of the load/store unit have it
	FopSub   = 5
)

// atomic decodes an atomic message on numbers of 2, 4 or 8 bytes. A 2-byte number takes a dword in the payload
// and in the response, whose upper half is unused; 8-byte numbers are packed.
func atomic(m *thread.Message, desc uint32, float bool, bytes uint8) *thread.OpError {
	if err := atomicOperation(m, desc, float, bytes); err != nil {
		return err
	}
	addr, resp := m.LaneRegs(), 0
	if m.Wide {
		addr *= 2
	}
	if m.Ret {
		resp = atomRegs(m)
	}
	return want(m, addr+atomRegs(m)*int(m.Ncomps), resp)
}

// atomRegs returns the number of registers of an atomic's operand.
func atomRegs(m *thread.Message) int {
	if m.Size == 8 {
		return 2 * m.LaneRegs()
	}
	return m.LaneRegs()
}

// atomicOperation decodes an atomic message's operation and number of operands.
func atomicOperation(m *thread.Message, desc uint32, float bool, bytes uint8) *thread.OpError {
	m.Ret = desc>>13&1 != 0
	m.PerLane, m.AtomicOp = true, true
	m.Size = bytes
	operands := 1
	if float {
		m.Aop = uint8(desc >> 8 & 7)
		if m.Aop < FopMax || m.Aop > FopCmpWr {
			return thread.Operr(thread.FaultMessage, "the machine has no float atomic %d (descriptor 0x%08x)", m.Aop, desc)
		}
		if m.Aop == FopCmpWr {
			operands = 2
		}
		m.Run = runAtomicFloat
	} else {
		m.Aop = uint8(desc >> 8 & 15)
		switch m.Aop {
		case 0:
			return thread.Operr(thread.FaultMessage, "unknown atomic 0 in descriptor 0x%08x", desc)
		case AopInc, AopDec, AopPreDec:
			operands = 0
			m.ReturnsNew = m.Aop == AopPreDec
		case AopCmpWr:
			operands = 2
		}
		m.Run = runAtomicInt
	}
	m.Ncomps = uint8(operands)
	return nil
}

// operand returns a lane's k-th operand, or 0 if the message has fewer.
func operand(t *thread.Thread, o *thread.Op, m *thread.Message, k, lane int) uint64 {
	if k >= int(m.Ncomps) {
		return 0
	}
	at := data(m) + k*atomRegs(m)*m.GRF
	switch m.Size {
	case 8:
		return binary.LittleEndian.Uint64(t.Reg[o.Payload(m, at+8*lane):])
	case 2:
		return uint64(uint16(Payload32(t, o, m, at+4*lane)))
	}
	return uint64(Payload32(t, o, m, at+4*lane))
}

// atomicLanes replaces the number in each lane's memory with f's result, in lane order. If the message returns values, it
// writes the old numbers to the response, or the new ones if ReturnsNew is set.
func atomicLanes(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32,
	f func(m *thread.Message, old, a, b uint64) uint64, at func(lane int) ([]byte, *thread.OpError)) *thread.OpError {
	mask = Lanes(m, o, mask)
	var resp [32]uint64
	for w := mask; w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		mem, err := at(lane)
		if err != nil {
			return err
		}
		if mem == nil {
			continue // the lane receives 0
		}
		old := number(mem)
		nu := f(m, old, operand(t, o, m, 0, lane), operand(t, o, m, 1, lane))
		setNumber(mem, nu)
		if resp[lane] = old; m.ReturnsNew {
			resp[lane] = number(mem)
		}
	}
	for w := mask; w != 0 && m.Ret; w &= w - 1 {
		lane := thread.Trailing(w)
		if out := t.Reg[o.Send.Dst*m.GRF:]; m.Size == 8 {
			binary.LittleEndian.PutUint64(out[8*lane:], resp[lane])
		} else {
			binary.LittleEndian.PutUint32(out[4*lane:], uint32(resp[lane]))
		}
	}
	return nil
}

// number returns the number in 2, 4 or 8 bytes.
func number(b []byte) uint64 {
	switch len(b) {
	case 8:
		return binary.LittleEndian.Uint64(b)
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return uint64(binary.LittleEndian.Uint16(b))
}

// setNumber stores the low bits of v in all bytes of b.
func setNumber(b []byte, v uint64) {
	switch len(b) {
	case 8:
		binary.LittleEndian.PutUint64(b, v)
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint16(b, uint16(v))
	}
}

func runAtomicInt(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	return atomicLanes(t, o, m, mask, AtomicInt, func(lane int) ([]byte, *thread.OpError) { return atomicMemory(t, o, m, lane) })
}

func runAtomicFloat(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	return atomicLanes(t, o, m, mask, atomicFloat, func(lane int) ([]byte, *thread.OpError) { return atomicMemory(t, o, m, lane) })
}

// atomicMemory returns the memory at a lane's address.
func atomicMemory(t *thread.Thread, o *thread.Op, m *thread.Message, lane int) ([]byte, *thread.OpError) {
	return memory(t, m, address(t, o, m, lane), int(m.Size), int(m.Size), lane, true)
}

// AtomicInt returns the new value of an integer atomic in the low bytes (TGL PRM vol. 7, "Atomic Operations").
func AtomicInt(m *thread.Message, old, a, b uint64) uint64 {
	unused := 64 - 8*m.Size
	signed := func(v uint64) int64 { return int64(v << unused) }
	switch m.Aop {
	case AopAnd:
		return old & a
	case AopOr:
		return old | a
	case AopXor:
		return old ^ a
	case AopMov:
		return a
	case AopInc:
		return old + 1
	case AopDec, AopPreDec:
		return old - 1
	case AopAdd:
		return old + a
	case AopSub:
		return old - a
	case AopRevSub:
		return a - old
	case AopIMax:
		if signed(a) > signed(old) {
			return a
		}
	case AopIMin:
		if signed(a) < signed(old) {
			return a
		}
	case AopUMax:
		return max(old, a)
	case AopUMin:
		return min(old, a)
	case AopCmpWr:
		if old == a {
			return b
		}
	}
	return old
}

// atomicFloat returns the new value of a float atomic. Minimum and maximum prefer a number to NaN; denormals
// are preserved.
func atomicFloat(m *thread.Message, old, a, b uint64) uint64 {
	val := func(v uint64) float32 { return math.Float32frombits(uint32(v)) }
	if m.Size == 2 {
		val = func(v uint64) float32 { return thread.Half32(uint16(v)) }
	}
	switch x, y := val(old), val(a); m.Aop {
	case FopMax:
		if !(y > x) && x == x {
			return old
		}
		return a
	case FopMin:
		if !(y < x) && x == x {
			return old
		}
		return a
	case FopCmpWr:
		if x == y {
			return b
		}
	case FopAdd, FopSub:
		if m.Aop == FopSub {
			y = -y
		}
		if m.Size == 2 {
			return uint64(thread.Round16(float64(x)+float64(y), 0))
		}
		return uint64(math.Float32bits(float32(x + y)))
	}
	return old
}
