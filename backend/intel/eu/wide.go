package eu

import (
	"encoding/binary"
	"math/big"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Arithmetic with 64-bit operands, on machines that have it. It is never the common case, so it aims at
// exactness: this file computes integers in 128 bits, double.go floats.

// wideBuffers holds the operands of an instruction with 64-bit operands; [3] is the result.
type wideBuffers struct {
	i [4][32]int128
	d [4][32]float64
}

// wideOps are the integer operations that take 64-bit operands (BDW PRM vol. 2a, the instructions' type
// tables).
var wideOps = [isa.NumOps]bool{
	isa.OpMov: true, isa.OpSel: true, isa.OpNot: true, isa.OpAnd: true, isa.OpOr: true, isa.OpXor: true,
	isa.OpShl: true, isa.OpShr: true, isa.OpAsr: true, isa.OpCmp: true, isa.OpCmpn: true, isa.OpAdd: true, isa.OpMul: true,
}

// valid returns an error for types that the machine does not compute with.
func (p *Program) valid(t isa.Type) *opError {
	var need target.Capability
	switch t {
	case isa.TypeUQ, isa.TypeQ:
		need = target.Int64
	case isa.TypeDF:
		need = target.Float64
	default:
		if t.Size() == 0 {
			return operr(FaultIllegal, "an operand has no type")
		}
		return nil
	}
	if !p.machine.Can(need) {
		return operr(FaultIllegal, "type %s: this hardware has no 64-bit arithmetic", t)
	}
	return nil
}

// isWide reports whether an instruction has a 64-bit operand.
func (o *op) isWide() bool {
	if o.dst.typ.Size() == 8 {
		return true
	}
	for k := 0; k < int(o.nsrc); k++ {
		if o.src[k].typ.Size() == 8 {
			return true
		}
	}
	return false
}

// pickWide chooses the handler of an operation with 64-bit operands.
func (o *op) pickWide(in *isa.Inst) *opError {
	o.wide = true
	types := []isa.Type{o.dst.typ, o.src[0].typ, o.src[1].typ, o.src[2].typ}[:1+o.nsrc]
	for _, t := range types {
		switch t {
		// BDW PRM vol. 7, "Type Conversion": conversions between 64-bit types and these go through dwords.
		case isa.TypeB, isa.TypeUB, isa.TypeHF:
			return operr(FaultIllegal, "type %s and a 64-bit type in one operation", t)
		}
	}
	if o.accWr || o.dst.arf == arfAcc || o.dst.arf == arfAccHigh {
		return operr(FaultUnsupported, "64-bit operands and the accumulator in one operation are not modeled")
	}
	if o.class != clsInt {
		return o.pickDouble(in)
	}
	if !wideOps[in.Op] {
		return operr(FaultIllegal, "%s does not take 64-bit integers", in.Op)
	}
	if in.Op == isa.OpMul && (o.src[0].typ.Size() == 8 || o.src[1].typ.Size() == 8) {
		return operr(FaultIllegal, "this hardware multiplies integers of 32 bits at most")
	}
	if o.dst.typ.IsFloat() && in.Op != isa.OpMov {
		return operr(FaultIllegal, "only mov converts 64-bit integers")
	}
	for k := range o.src[:o.nsrc] {
		// Modifiers are applied in 128 bits: an unsigned integer may be negated, as in narrower types.
		if s := &o.src[k]; !s.logic && s.kind != srcImm {
			o.wideNeg[k], o.wideAbs[k] = s.neg, s.abs
			s.neg, s.abs = false, false
		}
	}
	o.exec = execWide
	return nil
}

// loadWide reads source k as integers.
func (t *Thread) loadWide(o *op, k int) *[32]int128 {
	s := &o.src[k]
	v, r := t.loadI(o, k), &t.wideBuffers().i[k]
	for i := range r[:o.n] {
		x := wide(v[i], s.typ)
		if o.wideAbs[k] {
			x = x.abs()
		}
		if o.wideNeg[k] {
			x = x.neg()
		}
		r[i] = x
	}
	return r
}

// wideBuffers returns the buffers, allocated when a thread first needs them.
func (t *Thread) wideBuffers() *wideBuffers {
	if t.wide == nil {
		t.wide = new(wideBuffers)
	}
	return t.wide
}

// quadShift reports whether a shift uses six bits of its count. Source 0 and the destination, but not the
// count, determine this QWord mode (BDW PRM vol. 2a, shl, shr, asr).
func (o *op) quadShift() bool { return o.src[0].typ.Size() == 8 || o.dst.typ.Size() == 8 }

func execWide(t *Thread, o *op) {
	mask := t.mask(o)
	if o.op == isa.OpSel {
		mask = t.laneMask(o)
	}
	if !t.indirect(o, mask) {
		return
	}
	a := t.loadWide(o, 0)
	b, r := a, &t.wideBuffers().i[3]
	if o.nsrc > 1 {
		b = t.loadWide(o, 1)
	}
	var bits uint32 // comparison results, or the lanes for which sel selects source 0
	switch {
	case o.op == isa.OpSel && o.pred != isa.PredNone:
		bits = t.predicate(o)
	case o.op == isa.OpSel, o.op == isa.OpCmp, o.op == isa.OpCmpn:
		for i := range r[:o.n] {
			if compare(o.cmod, int64(a[i].cmp(b[i])), 0) {
				bits |= 1 << i
			}
		}
	}
	if o.op == isa.OpCmp || o.op == isa.OpCmpn {
		t.compared(o, bits, mask)
		return
	}
	count := uint64(31)
	if o.quadShift() {
		count = 63
	}
	for i := range r[:o.n] {
		x, y := a[i], b[i]
		switch n := uint(y.lo & count); o.op {
		case isa.OpMov:
			r[i] = x
		case isa.OpNot:
			r[i] = int128{^x.hi, ^x.lo}
		case isa.OpAnd:
			r[i] = int128{x.hi & y.hi, x.lo & y.lo}
		case isa.OpOr:
			r[i] = int128{x.hi | y.hi, x.lo | y.lo}
		case isa.OpXor:
			r[i] = int128{x.hi ^ y.hi, x.lo ^ y.lo}
		case isa.OpAdd:
			r[i] = x.add(y)
		case isa.OpMul:
			r[i] = product(x, y)
		case isa.OpShl:
			r[i] = x.shl(n)
		case isa.OpAsr:
			r[i] = x.sar(n)
		case isa.OpShr:
			if count == 31 {
				x.lo = uint64(uint32(x.lo))
			}
			r[i] = int128{0, x.lo >> n}
		case isa.OpSel:
			r[i] = y
			if bits>>i&1 != 0 {
				r[i] = x
			}
		}
	}
	t.storeWideI(o, r, mask)
}

// storeWideI is storeI for 128-bit integers.
func (t *Thread) storeWideI(o *op, r *[32]int128, mask uint32) {
	d, n := &o.dst, int(o.n)
	if d.typ.IsFloat() {
		exact := func(i int) *big.Float { return r[i].float() }
		t.storeExact(o, exact, mask)
		return
	}
	if o.sat {
		lo, hi := range128(d.typ)
		for i := range r[:n] {
			if r[i].cmp(lo) < 0 {
				r[i] = lo
			} else if r[i].cmp(hi) > 0 {
				r[i] = hi
			}
		}
	}
	if o.cmod != isa.CModNone && o.flagFromResult() {
		var bits uint32
		for i := range r[:n] {
			v := wrap128(r[i], d.typ)
			if compare(o.cmod, int64(v.cmp(int128{})), 0) || o.cmod == isa.CModOV && v != r[i] {
				bits |= 1 << i
			}
		}
		t.setFlags(o, bits, mask)
	}
	if d.null {
		return
	}
	t.storeBits(o, func(i int) uint64 { return r[i].lo }, mask)
}

// storeBits writes the low bits of each lane's value to the destination.
func (t *Thread) storeBits(o *op, value func(i int) uint64, mask uint32) {
	at, ok := t.dstAddr(o)
	if !ok {
		return
	}
	d := &o.dst
	for i := 0; i < int(o.n); i, at = i+1, at+int(d.stride) {
		if mask>>i&1 != 0 {
			putBits(t.reg[at:], d.typ.Size(), value(i))
		}
	}
	if d.arf != arfNone {
		t.commitARF(d.arf)
	}
}

// putBits writes the low size bytes of a value.
func putBits(b []byte, size int, v uint64) {
	switch size {
	case 1:
		b[0] = uint8(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// pickMul32 chooses the handler of a product of two 32-bit integers.
func (o *op) pickMul32(machine *target.Target) *opError {
	switch {
	case !machine.Can(target.Mul32x32):
		return operr(FaultIllegal, "this hardware has no 32-bit by 32-bit multiply")
	case o.accWr || o.dst.arf == arfAcc || o.dst.arf == arfAccHigh:
		return operr(FaultUnsupported, "the contents of the accumulator after a product of 32-bit integers are not documented")
	}
	o.wide, o.exec = true, execWide
	return nil
}
