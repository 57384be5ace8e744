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

// Float atomic operations, bits 10:8. Gen12.1 has no others: what 4 and 5 would be,
// sum and difference, later machines have in other messages (TGL PRM vol. 2a, "Atomic
// Float Operation Message Descriptor Control Field").
const (
	fopMax   = 1
	fopMin   = 2
	fopCmpWr = 3
)

// atomic decodes an atomic message.
func (m *message) atomic(desc uint32, float, half bool) *opError {
	if err := m.atomicOperation(desc, float, half); err != nil {
		return err
	}
	n := m.laneRegs()
	addr, resp := n, 0
	if m.wide {
		addr *= 2
	}
	if m.ret {
		resp = n
	}
	return m.want(addr+n*int(m.ncomps), resp)
}

// atomicOperation decodes what an atomic message does and how many operands it takes.
func (m *message) atomicOperation(desc uint32, float, half bool) *opError {
	m.ret = desc>>13&1 != 0
	m.half, m.perLane, m.atomicOp = half, true, true
	m.size = 4
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
		case aopCmpWr:
			operands = 2
		}
		m.run = runAtomicInt
	}
	m.ncomps = uint8(operands)
	return nil
}

// operands reads a lane's operands.
func (t *Thread) operands(o *op, m *message, lane int) (a, b uint32) {
	at := m.data() + 4*lane
	if m.ncomps > 0 {
		a = t.payload32(o, m, at)
	}
	if m.ncomps > 1 {
		b = t.payload32(o, m, at+m.laneRegs()*grfSize)
	}
	return a, b
}

// atomicLanes runs f on each lane's memory in lane order and returns the old
// values.
func (t *Thread) atomicLanes(o *op, m *message, mask uint32, f func(m *message, old, a, b uint32) uint32, at func(lane int) ([]byte, *opError)) *opError {
	mask = m.lanes(o, mask)
	for w := mask; w != 0; w &= w - 1 {
		lane := trailing(w)
		mem, err := at(lane)
		if err != nil {
			return err
		}
		a, b := t.operands(o, m, lane)
		old := uint32(0)
		if mem != nil {
			if m.half {
				old = uint32(binary.LittleEndian.Uint16(mem))
				binary.LittleEndian.PutUint16(mem, uint16(f(m, old, a&0xFFFF, b&0xFFFF)))
			} else {
				old = binary.LittleEndian.Uint32(mem)
				binary.LittleEndian.PutUint32(mem, f(m, old, a, b))
			}
		}
		if m.aop == aopPreDec && m.size == 4 && m.ncomps == 0 {
			old-- // gives back the new value
		}
		t.resp[lane] = old
	}
	if m.ret {
		for w := mask; w != 0; w &= w - 1 {
			lane := trailing(w)
			binary.LittleEndian.PutUint32(t.reg[o.send.dst*grfSize+4*lane:], t.resp[lane])
		}
	}
	return nil
}

func runAtomicInt(t *Thread, o *op, m *message, mask uint32) *opError {
	return t.atomicLanes(o, m, mask, atomicInt, func(lane int) ([]byte, *opError) { return t.atomicMemory(o, m, lane) })
}

func runAtomicFloat(t *Thread, o *op, m *message, mask uint32) *opError {
	return t.atomicLanes(o, m, mask, atomicFloat, func(lane int) ([]byte, *opError) { return t.atomicMemory(o, m, lane) })
}

// atomicMemory returns what a lane's address is the address of.
func (t *Thread) atomicMemory(o *op, m *message, lane int) ([]byte, *opError) {
	size := 4
	if m.half {
		size = 2
	}
	return t.memory(m, t.address(o, m, lane), size, size, lane, true)
}

// atomicInt is the new value of an integer atomic (TGL PRM vol. 7, "Atomic
// Operations").
func atomicInt(m *message, old, a, b uint32) uint32 {
	sext := func(v uint32) int32 {
		if m.half {
			return int32(int16(v))
		}
		return int32(v)
	}
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
		if sext(a) > sext(old) {
			return a
		}
	case aopIMin:
		if sext(a) < sext(old) {
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

// atomicFloat is the new value of a float atomic. Minimum and maximum prefer a
// number to NaN; denormals are kept, as in memory.
func atomicFloat(m *message, old, a, b uint32) uint32 {
	val := math.Float32frombits
	if m.half {
		val = func(v uint32) float32 { return half32(uint16(v)) }
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
