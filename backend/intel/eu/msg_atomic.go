package eu

import (
	"encoding/binary"
	"math"
)

// Integer atomic operations, bits 11:8 of the descriptor.
const (
	aopAnd = 1 + iota
	aopOr
	aopXor
	aopMov
	aopInc
	aopDec
	aopAdd
	aopSub
	aopRevSub
	aopIMax
	aopIMin
	aopUMax
	aopUMin
	aopCmpWr
	aopPreDec
)

// Float atomic operations, bits 10:8. Gen12.1 has no others: operations 4 and 5, which would be sum and
// difference, are in other messages on later machines (TGL PRM vol. 2a, "Atomic Float Operation Message
// Descriptor Control Field").
const (
	fopMax   = 1
	fopMin   = 2
	fopCmpWr = 3
)

// atomic decodes an atomic message on numbers of 2, 4 or 8 bytes. A 2-byte number takes a dword in the payload
// and in the response, whose upper half is unused; 8-byte numbers are packed.
func (m *message) atomic(desc uint32, float bool, bytes uint8) *opError {
	if err := m.atomicOperation(desc, float, bytes); err != nil {
		return err
	}
	addr, resp := m.laneRegs(), 0
	if m.wide {
		addr *= 2
	}
	if m.ret {
		resp = m.atomRegs()
	}
	return m.want(addr+m.atomRegs()*int(m.ncomps), resp)
}

// atomRegs returns the number of registers of an atomic's operand.
func (m *message) atomRegs() int {
	if m.size == 8 {
		return 2 * m.laneRegs()
	}
	return m.laneRegs()
}

// atomicOperation decodes an atomic message's operation and number of operands.
func (m *message) atomicOperation(desc uint32, float bool, bytes uint8) *opError {
	m.ret = desc>>13&1 != 0
	m.perLane, m.atomicOp = true, true
	m.size = bytes
	operands := 1
	if float {
		m.aop = uint8(desc >> 8 & 7)
		if m.aop < fopMax || m.aop > fopCmpWr {
			return operr(FaultMessage, "the machine has no float atomic %d (descriptor 0x%08x)", m.aop, desc)
		}
		if m.aop == fopCmpWr {
			operands = 2
		}
		m.run = runAtomicFloat
	} else {
		m.aop = uint8(desc >> 8 & 15)
		switch m.aop {
		case 0:
			return operr(FaultMessage, "unknown atomic 0 in descriptor 0x%08x", desc)
		case aopInc, aopDec, aopPreDec:
			operands = 0
			m.returnsNew = m.aop == aopPreDec
		case aopCmpWr:
			operands = 2
		}
		m.run = runAtomicInt
	}
	m.ncomps = uint8(operands)
	return nil
}

// operand returns a lane's k-th operand, or 0 if the message has fewer.
func (t *Thread) operand(o *op, m *message, k, lane int) uint64 {
	if k >= int(m.ncomps) {
		return 0
	}
	at := m.data() + k*m.atomRegs()*grfSize
	switch m.size {
	case 8:
		return binary.LittleEndian.Uint64(t.reg[o.payload(m, at+8*lane):])
	case 2:
		return uint64(uint16(t.payload32(o, m, at+4*lane)))
	}
	return uint64(t.payload32(o, m, at+4*lane))
}

// atomicLanes applies f to each lane's memory in lane order and returns the old values.
func (t *Thread) atomicLanes(o *op, m *message, mask uint32, f func(m *message, old, a, b uint64) uint64, at func(lane int) ([]byte, *opError)) *opError {
	mask = m.lanes(o, mask)
	var resp [16]uint64
	for w := mask; w != 0; w &= w - 1 {
		lane := trailing(w)
		mem, err := at(lane)
		if err != nil {
			return err
		}
		if mem == nil {
			continue // the lane receives 0
		}
		old := number(mem)
		nu := f(m, old, t.operand(o, m, 0, lane), t.operand(o, m, 1, lane))
		setNumber(mem, nu)
		if resp[lane] = old; m.returnsNew {
			resp[lane] = number(mem)
		}
	}
	for w := mask; w != 0 && m.ret; w &= w - 1 {
		lane := trailing(w)
		if out := t.reg[o.send.dst*grfSize:]; m.size == 8 {
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

func runAtomicInt(t *Thread, o *op, m *message, mask uint32) *opError {
	return t.atomicLanes(o, m, mask, atomicInt, func(lane int) ([]byte, *opError) { return t.atomicMemory(o, m, lane) })
}

func runAtomicFloat(t *Thread, o *op, m *message, mask uint32) *opError {
	return t.atomicLanes(o, m, mask, atomicFloat, func(lane int) ([]byte, *opError) { return t.atomicMemory(o, m, lane) })
}

// atomicMemory returns the memory at a lane's address.
func (t *Thread) atomicMemory(o *op, m *message, lane int) ([]byte, *opError) {
	return t.memory(m, t.address(o, m, lane), int(m.size), int(m.size), lane, true)
}

// atomicInt returns the new value of an integer atomic in the low bytes (TGL PRM vol. 7, "Atomic Operations").
func atomicInt(m *message, old, a, b uint64) uint64 {
	unused := 64 - 8*m.size
	signed := func(v uint64) int64 { return int64(v << unused) }
	switch m.aop {
	case aopAnd:
		return old & a
	case aopOr:
		return old | a
	case aopXor:
		return old ^ a
	case aopMov:
		return a
	case aopInc:
		return old + 1
	case aopDec, aopPreDec:
		return old - 1
	case aopAdd:
		return old + a
	case aopSub:
		return old - a
	case aopRevSub:
		return a - old
	case aopIMax:
		if signed(a) > signed(old) {
			return a
		}
	case aopIMin:
		if signed(a) < signed(old) {
			return a
		}
	case aopUMax:
		return max(old, a)
	case aopUMin:
		return min(old, a)
	case aopCmpWr:
		if old == a {
			return b
		}
	}
	return old
}

// atomicFloat returns the new value of a float atomic. Minimum and maximum prefer a number to NaN; denormals
// are preserved.
func atomicFloat(m *message, old, a, b uint64) uint64 {
	val := func(v uint64) float32 { return math.Float32frombits(uint32(v)) }
	if m.size == 2 {
		val = func(v uint64) float32 { return half32(uint16(v)) }
	}
	switch x, y := val(old), val(a); m.aop {
	case fopMax:
		if !(y > x) && x == x {
			return old
		}
		return a
	case fopMin:
		if !(y < x) && x == x {
			return old
		}
		return a
	case fopCmpWr:
		if x == y {
			return b
		}
	}
	return old
}
