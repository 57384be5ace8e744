package eu

import (
	"encoding/binary"
	"math"

	"jacquard.example/generated/isa"
)

// intRange returns the range of an integer type.
func intRange(t isa.Type) (lo, hi int64) {
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

// wrap truncates an integer to a type.
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

// destination predecodes the destination.
func (p *Program) destination(o *op, in *isa.Inst) *opError {
	d, a := &o.dst, &in.Dst
	d.typ, d.accIdx = a.Type, -1
	if a.Type == a.Type.Elem() && a.Type.Size() > 8 || a.Type != a.Type.Elem() {
		return operr(FaultIllegal, "type %s in the destination", a.Type)
	}
	if a.File == isa.FileARF && a.Reg == isa.ARFNull && !a.Indirect || a.File == isa.FileNone {
		d.null = true
		return p.valid(a.Type)
	}
	if err := p.valid(a.Type); err != nil {
		return err
	}
	switch a.HStride {
	case 1, 2, 4:
	default:
		return operr(FaultOperand, "destination stride %d", a.HStride)
	}
	size := a.Type.Size()
	d.stride = int32(size) * int32(a.HStride)
	d.packed = a.HStride == 1
	if a.Indirect {
		d.indirect, d.sub, d.addr = true, a.AddrSub, int32(a.AddrOff)
		return nil
	}
	base, limit, arf, err := place(a, 0)
	if err != nil {
		return err
	}
	end := base + int(o.n-1)*int(d.stride) + size
	if int(a.Sub)%size != 0 {
		return operr(FaultOperand, "the destination is not aligned to its type")
	}
	if end > limit {
		return operr(FaultOperand, "the destination ends past the last register")
	}
	if a.File == isa.FileGRF && base/grfSize+1 < (end-1)/grfSize {
		return operr(FaultOperand, "the destination spans more than two registers")
	}
	if arf == arfCE || arf == arfIP {
		return operr(FaultOperand, "this architecture register cannot be written")
	}
	d.base, d.arf = int32(base), arf
	if arf == arfAcc && size == 4 && a.HStride == 1 {
		d.accIdx = int8((base - accBase) / 4)
	}
	return nil
}

// dstAddr returns the byte address of lane 0 after resolving a0. ok is false after a fault.
func (t *Thread) dstAddr(o *op) (int, bool) {
	d := &o.dst
	if !d.indirect {
		if d.arf != arfNone {
			t.fetchARF(d.arf, o) // the write may be partial
		}
		return int(d.base), true
	}
	size := int(d.typ.Size())
	at := int(binary.LittleEndian.Uint16(t.reg[a0Base+2*int(d.sub):])) + int(d.addr)
	end := at + int(o.n-1)*int(d.stride) + size
	if at < 0 || end > grfEnd || at%size != 0 {
		t.faultf(o, FaultOperand, "the destination is byte %d to %d of the registers, type %s", at, end-1, d.typ)
		return 0, false
	}
	return at, true
}

// storeI writes integer results after conversion, saturation, comparison and masking.
func (t *Thread) storeI(o *op, r *[32]int64, mask uint32) {
	d := &o.dst
	n := int(o.n)
	if d.typ.IsFloat() {
		f := &t.bufF[3]
		for i := range f[:n] {
			f[i] = intToFloat(r[i], t.round)
		}
		t.storeF(o, f, mask)
		return
	}
	wide := d.accIdx >= 0 || o.accWr && !o.noAccResult()
	if wide {
		t.storeWide(o, r, mask)
	}
	if o.sat {
		lo, hi := intRange(d.typ)
		for i := range r[:n] {
			r[i] = min(max(r[i], lo), hi)
		}
	}
	if o.cmod != isa.CModNone && o.flagFromResult() {
		var bits uint32
		for i := range r[:n] {
			v := wrap(r[i], d.typ)
			hit := false
			switch o.cmod {
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
		t.setFlags(o, bits, mask)
	}
	if d.null {
		return
	}
	at, ok := t.dstAddr(o)
	if !ok {
		return
	}
	if d.packed && mask == o.full && d.typ.Size() == 4 {
		b := t.reg[at:]
		for i := range r[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], uint32(r[i]))
		}
	} else {
		for i := 0; i < n; i, at = i+1, at+int(d.stride) {
			if mask>>i&1 == 0 {
				continue
			}
			switch d.typ.Size() {
			case 1:
				t.reg[at] = uint8(r[i])
			case 2:
				binary.LittleEndian.PutUint16(t.reg[at:], uint16(r[i]))
			default:
				binary.LittleEndian.PutUint32(t.reg[at:], uint32(r[i]))
			}
		}
	}
	if d.arf != arfNone {
		t.commitARF(d.arf)
	}
}

// noAccResult reports whether the operation writes a value other than its result to the accumulator.
func (o *op) noAccResult() bool {
	return o.op == isa.OpMach || o.op == isa.OpAddc || o.op == isa.OpSubb
}

// flagFromResult reports whether the conditional modifier tests the result; in the other operations it selects
// the result or tests the sources.
func (o *op) flagFromResult() bool {
	switch o.op {
	case isa.OpSel, isa.OpCsel, isa.OpCmp, isa.OpCmpn:
		return false
	}
	return true
}

// setFlags writes the flag bits of the lanes in mask.
func (t *Thread) setFlags(o *op, bits, mask uint32) {
	f := &t.flag[o.flagReg]
	*f = *f&^(mask<<o.flagBit) | (bits&mask)<<o.flagBit
}

// saturate clamps values to [0, 1]; NaN becomes 0.
func saturate[T float32 | float64](r []T) {
	for i, v := range r {
		switch {
		case !(v > 0):
			r[i] = 0
		case v > 1:
			r[i] = 1
		}
	}
}

// against returns the lanes whose values pass a test against 0.
func against[T float32 | float64](c isa.CMod, r []T) (bits uint32) {
	for i, v := range r {
		if compare(c, v, 0) {
			bits |= 1 << i
		}
	}
	return bits
}

// storeF writes float32 results. Results of float16 arithmetic for a float16 destination have already been
// rounded.
func (t *Thread) storeF(o *op, r *[32]float32, mask uint32) {
	d := &o.dst
	n := int(o.n)
	if o.sat && d.typ.IsFloat() {
		saturate(r[:n])
	}
	if o.cmod != isa.CModNone && o.flagFromResult() {
		t.setFlags(o, against(o.cmod, r[:n]), mask)
	}
	if o.accWr && !o.noAccResult() {
		for i := range r[:n] {
			if mask>>i&1 == 0 {
				continue
			}
			if d.typ == isa.TypeHF {
				binary.LittleEndian.PutUint16(t.reg[accBase+2*i:], round16(float64(r[i]), t.round))
			} else if 4*i < accSize {
				binary.LittleEndian.PutUint32(t.reg[accBase+4*i:], math.Float32bits(r[i]))
			}
		}
	}
	if d.null {
		return
	}
	at, ok := t.dstAddr(o)
	if !ok {
		return
	}
	switch d.typ {
	case isa.TypeF:
		if d.packed && mask == o.full {
			b := t.reg[at:]
			for i := range r[:n] {
				binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(r[i]))
			}
			break
		}
		for i := 0; i < n; i, at = i+1, at+int(d.stride) {
			if mask>>i&1 != 0 {
				binary.LittleEndian.PutUint32(t.reg[at:], math.Float32bits(r[i]))
			}
		}
	case isa.TypeHF:
		for i := 0; i < n; i, at = i+1, at+int(d.stride) {
			if mask>>i&1 != 0 {
				h := round16(float64(r[i]), t.round)
				if t.flush16 && h&0x7C00 == 0 && o.op != isa.OpMov && o.op != isa.OpSel && o.op != isa.OpCsel {
					h &= 0x8000
				}
				binary.LittleEndian.PutUint16(t.reg[at:], h)
			}
		}
	default:
		lo, hi := intRange(d.typ)
		for i := 0; i < n; i, at = i+1, at+int(d.stride) {
			if mask>>i&1 == 0 {
				continue
			}
			v := floatToInt(r[i], lo, hi)
			switch d.typ.Size() {
			case 1:
				t.reg[at] = uint8(v)
			case 2:
				binary.LittleEndian.PutUint16(t.reg[at:], uint16(v))
			default:
				binary.LittleEndian.PutUint32(t.reg[at:], uint32(v))
			}
		}
	}
	if d.arf != arfNone {
		t.commitARF(d.arf)
	}
}
