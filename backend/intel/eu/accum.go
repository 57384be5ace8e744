package eu

import (
	"encoding/binary"

	"jacquard.example/generated/isa"
)

// execMach multiplies source 0 by the upper half of source 1 and adds the accumulator, which contains the
// product with the lower half. With {AccWrEn} the destination receives the upper 32 bits and the accumulator
// the lower ones; without it the destination receives the lower ones (TGL PRM vol. 2a, mach and macl, which
// share an opcode).
func execMach(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b, _ := t.sourcesI(o)
	signed := o.src[0].typ == isa.TypeD || o.src[1].typ == isa.TypeD
	r := &t.bufI[3]
	for i := range r[:o.n] {
		hi := b[i] >> 16
		sum := t.accI(i, signed) + a[i]*hi<<16
		if !o.accWr {
			r[i] = int64(uint32(sum))
			continue
		}
		r[i] = sum >> 32
		if mask>>i&1 != 0 {
			t.putAcc(i, int64(uint32(sum)))
		}
	}
	t.storeI(o, r, mask)
}

// putAcc writes 32-bit element i of the accumulator.
func (t *Thread) putAcc(i int, v int64) {
	if i >= len(t.acc) {
		return
	}
	t.acc[i], t.accLow[i] = v, uint32(v)
	at := accBase + 4*i
	t.reg[at], t.reg[at+1], t.reg[at+2], t.reg[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func execMacI(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b, _ := t.sourcesI(o)
	r := &t.bufI[3]
	for i := range r[:o.n] {
		var acc int64
		if o.dst.typ.Size() == 2 {
			acc = t.intAt(accBase+2*i, o.dst.typ)
		} else {
			acc = t.accI(i, o.dst.typ.IsSigned())
		}
		r[i] = a[i]*b[i] + acc
	}
	t.storeI(o, r, mask)
}

// execCarry executes addc and subb. The carry or borrow goes to the accumulator.
func execCarry(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b, _ := t.sourcesI(o)
	r := &t.bufI[3]
	for i := range r[:o.n] {
		x, y := uint32(a[i]), uint32(b[i])
		sum := x + y
		carry := sum < x
		if o.op == isa.OpSubb {
			sum, carry = x-y, x < y
		}
		r[i] = int64(sum)
		if mask>>i&1 != 0 {
			c := int64(0)
			if carry {
				c = 1
			}
			t.putAcc(i, c)
		}
	}
	t.storeI(o, r, mask)
}

// storeWide saves the bits above bit 31 of a value written to an accumulator. Integer multiplication needs them
// (TGL PRM vol. 7, "Accumulator Registers": more bits than the type).
func (t *Thread) storeWide(o *op, r *[32]int64, mask uint32) {
	first := int(o.dst.accIdx)
	if first < 0 {
		first = 0
	}
	size := o.dst.typ.Size()
	for i := 0; i < int(o.n) && first+i < len(t.acc); i++ {
		if mask>>i&1 == 0 {
			continue
		}
		if o.dst.accIdx < 0 { // the copy made by {AccWrEn}
			at := accBase + i*size
			switch size {
			case 4:
				binary.LittleEndian.PutUint32(t.reg[at:], uint32(r[i]))
			case 2:
				binary.LittleEndian.PutUint16(t.reg[at:], uint16(r[i]))
			case 1:
				t.reg[at] = uint8(r[i])
			}
		}
		if size == 4 {
			t.acc[first+i] = r[i]
			t.accLow[first+i] = uint32(r[i])
		}
	}
}

// accI returns the integer in 32-bit element i of the accumulator. It is the wide value, unless the register
// has been overwritten since.
func (t *Thread) accI(i int, signed bool) int64 {
	if i >= len(t.acc) {
		return 0
	}
	low := binary.LittleEndian.Uint32(t.reg[accBase+4*i:])
	if t.accLow[i] == low && uint32(t.acc[i]) == low {
		return t.acc[i]
	}
	if signed {
		return int64(int32(low))
	}
	return int64(low)
}
