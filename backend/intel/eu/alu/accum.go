// SPDX-License-Identifier: MIT

package alu

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// execMach multiplies source 0 by the upper half of source 1 and adds the accumulator, which contains the
// product with the lower half. With {AccWrEn} the destination receives the upper 32 bits and the accumulator
// the lower ones; without it the destination receives the lower ones (TGL PRM vol. 2a, mach and macl, which
// share an opcode; on Xe2 they have one each, IGC, BinaryEncodingIGA.cpp).
func execMach(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, _ := sourcesI(t, o)
	signed := o.Src[0].Typ == isa.TypeD || o.Src[1].Typ == isa.TypeD
	r := &t.BufI[3]
	for i := range r[:o.N] {
		hi := b[i] >> 16
		sum := accI(t, i, signed) + a[i]*hi<<16
		if !o.AccWr {
			r[i] = int64(uint32(sum))
			continue
		}
		r[i] = sum >> 32
		if mask>>i&1 != 0 {
			putAcc(t, i, int64(uint32(sum)))
		}
	}
	t.StoreI(o, r, mask)
}

// putAcc writes v to 32-bit element i of the accumulator, if there is such an element.
func putAcc(t *thread.Thread, i int, v int64) {
	if i >= len(t.Acc) {
		return
	}
	t.Acc[i], t.AccLow[i] = v, uint32(v)
	at := thread.AccBase + 4*i
	t.Reg[at], t.Reg[at+1] = byte(v), byte(v>>8)
	t.Reg[at+2], t.Reg[at+3] = byte(v>>16), byte(v>>24)
}

func execMacI(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, _ := sourcesI(t, o)
	r := &t.BufI[3]
	for i := range r[:o.N] {
		var acc int64
		if o.Dst.Typ.Size() == 2 {
			acc = t.IntAt(thread.AccBase+2*i, o.Dst.Typ)
		} else {
			acc = accI(t, i, o.Dst.Typ.IsSigned())
		}
		r[i] = a[i]*b[i] + acc
	}
	t.StoreI(o, r, mask)
}

// execCarry executes addc and subb. The carry or borrow goes to the accumulator.
func execCarry(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, _ := sourcesI(t, o)
	r := &t.BufI[3]
	for i := range r[:o.N] {
		x, y := uint32(a[i]), uint32(b[i])
		sum := x + y
		carry := sum < x
		if o.Op == isa.OpSubb {
			sum, carry = x-y, x < y
		}
		r[i] = int64(sum)
		if mask>>i&1 != 0 {
			c := int64(0)
			if carry {
				c = 1
			}
			putAcc(t, i, c)
		}
	}
	t.StoreI(o, r, mask)
}

// accI returns the integer in 32-bit element i of the accumulator: the wide value that was stored last or, if the
// register has been overwritten since, its 32 bits, sign-extended if signed is set. It returns 0 if there is no such
// element.
func accI(t *thread.Thread, i int, signed bool) int64 {
	if i >= len(t.Acc) {
		return 0
	}
	low := binary.LittleEndian.Uint32(t.Reg[thread.AccBase+4*i:])
	if t.AccLow[i] == low && uint32(t.Acc[i]) == low {
		return t.Acc[i]
	}
	if signed {
		return int64(int32(low))
	}
	return int64(low)
}
