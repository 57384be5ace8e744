// SPDX-License-Identifier: MIT

package thread

import (
	"encoding/binary"
	"math"

	"jacquard.example/generated/isa"
)

// IntRange returns the range of an integer type of at most 32 bits.
func IntRange(t isa.Type) (lo, hi int64) {
	switch t {
	case isa.TypeUB:
		return 0, math.MaxUint8
	case isa.TypeB:
		return math.MinInt8, math.MaxInt8
	case isa.TypeUW:
		return 0, math.MaxUint16
	case isa.TypeW:
		return math.MinInt16, math.MaxInt16
	case isa.TypeUD:
		return 0, math.MaxUint32
	}
	return math.MinInt32, math.MaxInt32
}

// wrap truncates an integer to a type of at most 32 bits.
func wrap(v int64, t isa.Type) int64 {
	switch t {
	case isa.TypeUB:
		return int64(uint8(v))
	case isa.TypeB:
		return int64(int8(v))
	case isa.TypeUW:
		return int64(uint16(v))
	case isa.TypeW:
		return int64(int16(v))
	case isa.TypeUD:
		return int64(uint32(v))
	}
	return int64(int32(v))
}

// Destination predecodes the destination.
func (p *Program) Destination(o *Op, in *isa.Inst) *OpError {
	d, a := &o.Dst, &in.Dst
	d.Typ, d.accIdx = a.Type, -1
	if a.Type == a.Type.Elem() && a.Type.Size() > 8 || a.Type != a.Type.Elem() {
		return Operr(FaultIllegal, "the destination cannot have type %s", a.Type)
	}
	if a.File == isa.FileARF && a.Reg == isa.ARFNull && !a.Indirect || a.File == isa.FileNone {
		d.Null = true
		return p.valid(a.Type)
	}
	if err := p.valid(a.Type); err != nil {
		return err
	}
	switch a.HStride {
	case 1, 2, 4:
	default:
		return Operr(FaultOperand, "the destination cannot have stride %d", a.HStride)
	}
	size := a.Type.Size()
	d.Stride = int32(size) * int32(a.HStride)
	d.Packed = a.HStride == 1
	if a.Indirect {
		d.Indirect, d.sub, d.addr = true, a.AddrSub, int32(a.AddrOff)
		return nil
	}
	base, limit, arf, err := p.place(a, 0)
	if err != nil {
		return err
	}
	end := base + int(o.N-1)*int(d.Stride) + size
	if int(a.Sub)%size != 0 {
		return Operr(FaultOperand, "the destination is not aligned to its type")
	}
	if end > limit {
		return Operr(FaultOperand, "the destination ends past the last register")
	}
	if a.File == isa.FileGRF && base/p.GRF+1 < (end-1)/p.GRF {
		return Operr(FaultOperand, "the destination spans more than two registers")
	}
	if arf == arfCE || arf == arfIP {
		return Operr(FaultOperand, "this architecture register cannot be written")
	}
	d.Base, d.Arf = int32(base), arf
	if arf == ArfAcc && size == 4 && a.HStride == 1 {
		d.accIdx = int8((base - AccBase) / 4)
	}
	return nil
}

// DstAddr returns the byte address of lane 0 after resolving a0. ok is false after a fault.
func (t *Thread) DstAddr(o *Op) (int, bool) {
	d := &o.Dst
	if !d.Indirect {
		if d.Arf != ArfNone {
			t.fetchARF(d.Arf, o) // the write may be partial
		}
		return int(d.Base), true
	}
	size := int(d.Typ.Size())
	at := int(binary.LittleEndian.Uint16(t.Reg[A0Base+2*int(d.sub):])) + int(d.addr)
	end := at + int(o.N-1)*int(d.Stride) + size
	if at < 0 || end > t.Prog.End || at%size != 0 {
		t.Faultf(o, FaultOperand, "the destination is byte %d to %d of the registers, type %s", at, end-1, d.Typ)
		return 0, false
	}
	return at, true
}

// StoreI writes integer results after conversion, saturation, comparison and masking. It may saturate r in place.
func (t *Thread) StoreI(o *Op, r *[32]int64, mask uint32) {
	d := &o.Dst
	n := int(o.N)
	if d.Typ.IsFloat() {
		f := &t.BufF[3]
		for i := range f[:n] {
			f[i] = intToFloat(r[i], t.Round)
		}
		t.StoreF(o, f, mask)
		return
	}
	wide := d.accIdx >= 0 || o.AccWr && !o.noAccResult()
	if wide {
		t.storeWide(o, r, mask)
	}
	if o.Sat {
		lo, hi := IntRange(d.Typ)
		for i := range r[:n] {
			r[i] = min(max(r[i], lo), hi)
		}
	}
	if o.Cmod != isa.CModNone && o.FlagFromResult() {
		var bits uint32
		for i := range r[:n] {
			v := wrap(r[i], d.Typ)
			hit := false
			switch o.Cmod {
			case isa.CModEQ:
				hit = v == 0
			case isa.CModNE:
				hit = v != 0
			case isa.CModGT:
				hit = v > 0
			case isa.CModGE:
				hit = v >= 0
			case isa.CModLT:
				hit = v < 0
			case isa.CModLE:
				hit = v <= 0
			case isa.CModOV:
				hit = v != r[i]
			}
			if hit {
				bits |= 1 << i
			}
		}
		t.SetFlags(o, bits, mask)
	}
	if d.Null {
		return
	}
	at, ok := t.DstAddr(o)
	if !ok {
		return
	}
	if d.Packed && mask == o.Full && d.Typ.Size() == 4 {
		b := t.Reg[at:]
		for i := range r[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], uint32(r[i]))
		}
	} else {
		for i := 0; i < n; i, at = i+1, at+int(d.Stride) {
			if mask>>i&1 == 0 {
				continue
			}
			switch d.Typ.Size() {
			case 1:
				t.Reg[at] = uint8(r[i])
			case 2:
				binary.LittleEndian.PutUint16(t.Reg[at:], uint16(r[i]))
			default:
				binary.LittleEndian.PutUint32(t.Reg[at:], uint32(r[i]))
			}
		}
	}
	if d.Arf != ArfNone {
		t.CommitARF(d.Arf)
	}
}

// noAccResult reports whether the operation writes a value other than its result to the accumulator.
func (o *Op) noAccResult() bool {
	return o.Op == isa.OpMach || o.Op == isa.OpMacl || o.Op == isa.OpAddc || o.Op == isa.OpSubb
}

// FlagFromResult reports whether the conditional modifier tests the result; in the other operations it selects
// the result or tests the sources.
func (o *Op) FlagFromResult() bool {
	switch o.Op {
	case isa.OpSel, isa.OpCsel, isa.OpCmp, isa.OpCmpn:
		return false
	}
	return true
}

// SetFlags writes the flag bits of the lanes in mask.
func (t *Thread) SetFlags(o *Op, bits, mask uint32) {
	f := &t.Flag[o.FlagReg]
	*f = *f&^(mask<<o.FlagBit) | (bits&mask)<<o.FlagBit
}

// Saturate clamps values to [0, 1] in place; NaN becomes 0.
func Saturate[T float32 | float64](r []T) {
	for i, v := range r {
		switch {
		case !(v > 0):
			r[i] = 0
		case v > 1:
			r[i] = 1
		}
	}
}

// Against returns the lanes whose values pass a test against 0.
func Against[T float32 | float64](c isa.CMod, r []T) (bits uint32) {
	for i, v := range r {
		if Compare(c, v, 0) {
			bits |= 1 << i
		}
	}
	return bits
}

// StoreF writes float32 results after saturation, comparison, conversion and masking. It may saturate r in place. Results
// of float16 arithmetic for a float16 destination have already been rounded.
func (t *Thread) StoreF(o *Op, r *[32]float32, mask uint32) {
	d := &o.Dst
	n := int(o.N)
	if o.Sat && d.Typ.IsFloat() {
		Saturate(r[:n])
	}
	if o.Cmod != isa.CModNone && o.FlagFromResult() {
		t.SetFlags(o, Against(o.Cmod, r[:n]), mask)
	}
	if o.AccWr && !o.noAccResult() {
		for i := range r[:n] {
			if mask>>i&1 == 0 {
				continue
			}
			if d.Typ == isa.TypeHF {
				binary.LittleEndian.PutUint16(t.Reg[AccBase+2*i:], Round16(float64(r[i]), t.Round))
			} else if 4*i < accSize {
				binary.LittleEndian.PutUint32(t.Reg[AccBase+4*i:], math.Float32bits(r[i]))
			}
		}
	}
	if d.Null {
		return
	}
	at, ok := t.DstAddr(o)
	if !ok {
		return
	}
	switch d.Typ {
	case isa.TypeF:
		if d.Packed && mask == o.Full {
			b := t.Reg[at:]
			for i := range r[:n] {
				binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(r[i]))
			}
			break
		}
		for i := 0; i < n; i, at = i+1, at+int(d.Stride) {
			if mask>>i&1 != 0 {
				binary.LittleEndian.PutUint32(t.Reg[at:], math.Float32bits(r[i]))
			}
		}
	case isa.TypeHF:
		for i := 0; i < n; i, at = i+1, at+int(d.Stride) {
			if mask>>i&1 != 0 {
				h := Round16(float64(r[i]), t.Round)
				if t.Flush16 && h&0x7C00 == 0 && o.Op != isa.OpMov && o.Op != isa.OpSel && o.Op != isa.OpCsel {
					h &= 0x8000
				}
				binary.LittleEndian.PutUint16(t.Reg[at:], h)
			}
		}
	default:
		lo, hi := IntRange(d.Typ)
		for i := 0; i < n; i, at = i+1, at+int(d.Stride) {
			if mask>>i&1 == 0 {
				continue
			}
			v := floatToInt(r[i], lo, hi)
			switch d.Typ.Size() {
			case 1:
				t.Reg[at] = uint8(v)
			case 2:
				binary.LittleEndian.PutUint16(t.Reg[at:], uint16(v))
			default:
				binary.LittleEndian.PutUint32(t.Reg[at:], uint32(v))
			}
		}
	}
	if d.Arf != ArfNone {
		t.CommitARF(d.Arf)
	}
}

// storeWide records doublewords that are written to an accumulator at their full width, since integer multiplication
// needs the bits above bit 31 (TGL PRM vol. 7, "Accumulator Registers": more bits than the type). If {AccWrEn} causes the
// write, storeWide also writes the register.
func (t *Thread) storeWide(o *Op, r *[32]int64, mask uint32) {
	first := int(o.Dst.accIdx)
	if first < 0 {
		first = 0
	}
	size := o.Dst.Typ.Size()
	for i := 0; i < int(o.N) && first+i < len(t.Acc); i++ {
		if mask>>i&1 == 0 {
			continue
		}
		if o.Dst.accIdx < 0 { // the copy made by {AccWrEn}
			at := AccBase + i*size
			switch size {
			case 4:
				binary.LittleEndian.PutUint32(t.Reg[at:], uint32(r[i]))
			case 2:
				binary.LittleEndian.PutUint16(t.Reg[at:], uint16(r[i]))
			case 1:
				t.Reg[at] = uint8(r[i])
			}
		}
		if size == 4 {
			t.Acc[first+i] = r[i]
			t.AccLow[first+i] = uint32(r[i])
		}
	}
}

// Compare tests a against b. Every ordered test fails on NaN; ne succeeds. Infinity and unordered tests always
// fail on integers.
func Compare[T int64 | float32 | float64](c isa.CMod, a, b T) bool {
	switch c {
	case isa.CModEQ:
		return a == b
	case isa.CModNE:
		return a != b
	case isa.CModGT:
		return a > b
	case isa.CModGE:
		return a >= b
	case isa.CModLT:
		return a < b
	case isa.CModLE:
		return a <= b
	case isa.CModOV:
		return math.IsInf(float64(a), 0)
	case isa.CModUN:
		return a != a || b != b
	}
	return false
}
