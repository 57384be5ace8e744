package eu

import (
	"encoding/binary"
	"math"
	"math/big"

	"jacquard.example/generated/isa"
)

// Arithmetic on 64-bit floats, and conversions between any float and 64-bit types.

const quietNaN64 = 0x7FF8 << 48

// pickDouble chooses the handler of an operation with floats and a 64-bit operand.
func (o *op) pickDouble(in *isa.Inst) *opError {
	if in.Op == isa.OpMov {
		o.exec = execDouble
		return nil
	}
	// Other conversions, and their rounding, are undocumented.
	for k := range o.src[:o.nsrc] {
		if o.src[k].typ != isa.TypeDF {
			return operr(FaultIllegal, "types df and %s in one operation", o.src[k].typ)
		}
	}
	switch in.Op {
	case isa.OpCmp, isa.OpCmpn: // the result is a mask
		o.exec = execCmpD
		return nil
	case isa.OpAdd, isa.OpMul, isa.OpMad:
		o.exec = execDouble
	case isa.OpSel:
		o.exec = execSelD
	default:
		return operr(FaultIllegal, "%s does not take 64-bit floats", in.Op)
	}
	if o.dst.typ != isa.TypeDF {
		return operr(FaultIllegal, "only mov converts 64-bit floats")
	}
	return nil
}

// loadD reads source k as 64-bit floats: a DF, or an F that is converted.
func (t *Thread) loadD(o *op, k int, raw bool) *[32]float64 {
	s := &o.src[k]
	r := &t.wideBuffers().d[k]
	n := int(o.n)
	if s.typ != isa.TypeDF {
		f := t.loadF(o, k, raw)
		for i := range r[:n] {
			r[i] = float64(f[i])
		}
		return r
	}
	for i := range r[:n] {
		var bits uint64
		switch s.kind {
		case srcImm:
			bits = uint64(s.immI[i])
		case srcIndirect:
			bits = binary.LittleEndian.Uint64(t.reg[t.addr[k][i]:])
		default:
			bits = binary.LittleEndian.Uint64(t.reg[int(s.base)+int(s.tab[i]):])
		}
		if t.flush64 && !raw && bits&(0x7FF<<52) == 0 {
			bits &= 1 << 63
		}
		if s.abs {
			bits &^= 1 << 63
		}
		if s.neg {
			bits ^= 1 << 63
		}
		r[i] = math.Float64frombits(bits)
	}
	return r
}

// execDouble executes mov, add, mul and mad. Each result is rounded once, in the thread's rounding mode.
func execDouble(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a := t.loadD(o, 0, false)
	b, c := a, a
	if o.nsrc > 1 {
		b = t.loadD(o, 1, false)
	}
	if o.nsrc > 2 {
		c = t.loadD(o, 2, false)
	}
	r := &t.wideBuffers().d[3]
	for i := range r[:o.n] {
		switch o.op {
		case isa.OpMov:
			r[i] = a[i]
		case isa.OpAdd:
			r[i] = t.rounded(a[i]+b[i], 1, a[i], b[i])
		case isa.OpMul:
			r[i] = t.rounded(a[i]*b[i], a[i], b[i], math.Copysign(0, a[i]*b[i]))
		case isa.OpMad:
			r[i] = t.rounded(math.FMA(b[i], c[i], a[i]), b[i], c[i], a[i])
		}
	}
	t.storeD(o, r, mask)
}

// rounded returns x·y+z in the thread's rounding mode; near is the result to nearest.
func (t *Thread) rounded(near, x, y, z float64) float64 {
	if t.round == roundNearest || near != near || math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(z, 0) {
		return near
	}
	// Both significands have 53 bits; exponents range from -1074 to 1023.
	f := func(v float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(v) }
	p := f(x)
	p.Mul(p, f(y))
	zero := p.Sign() == 0 && z == 0 && math.Signbit(x*y) == math.Signbit(z)
	switch p.Add(p, f(z)); {
	case p.Sign() != 0:
		return round64(p, t.round)
	case zero:
		return near
	case t.round == roundDown: // exact cancellation (IEEE 754, 6.3)
		return math.Copysign(0, -1)
	}
	return 0
}

// round64 rounds an exact value to float64.
func round64(x *big.Float, mode uint8) float64 {
	f, off := x.Float64()
	switch {
	case mode == roundUp && off == big.Below:
		return math.Nextafter(f, math.Inf(1))
	case mode == roundDown && off == big.Above:
		return math.Nextafter(f, math.Inf(-1))
	case mode == roundZero && (off == big.Above) == (x.Sign() > 0) && off != big.Exact:
		return math.Nextafter(f, 0)
	}
	return f
}

// storeExact writes exact values to a float destination, rounded once.
func (t *Thread) storeExact(o *op, value func(i int) *big.Float, mask uint32) {
	if o.dst.typ == isa.TypeDF {
		r := &t.wideBuffers().d[3]
		for i := range r[:o.n] {
			r[i] = round64(value(i), t.round)
		}
		t.storeD(o, r, mask)
		return
	}
	r := &t.bufF[3]
	for i := range r[:o.n] {
		x := value(i)
		f, off := x.Float32()
		r[i] = f
		switch up := x.Sign() > 0; {
		case t.round == roundUp && off == big.Below, t.round == roundZero && off == big.Below && !up:
			r[i] = math.Nextafter32(f, float32(math.Inf(1)))
		case t.round == roundDown && off == big.Above, t.round == roundZero && off == big.Above && up:
			r[i] = math.Nextafter32(f, float32(math.Inf(-1)))
		}
	}
	t.storeF(o, r, mask)
}

// storeD writes 64-bit floats to a destination of any type.
func (t *Thread) storeD(o *op, r *[32]float64, mask uint32) {
	d, n := &o.dst, int(o.n)
	if d.typ == isa.TypeF {
		f := &t.bufF[3]
		for i := range f[:n] {
			f[i] = round32(r[i], t.round)
		}
		t.finishF(f, n)
		t.storeF(o, f, mask)
		return
	}
	for i := range r[:n] {
		bits := math.Float64bits(r[i])
		switch e := bits & (0x7FF << 52); {
		case r[i] != r[i]:
			r[i] = math.Float64frombits(quietNaN64)
		case e == 0 && t.flush64 && d.typ == isa.TypeDF:
			r[i] = math.Float64frombits(bits & (1 << 63))
		}
	}
	if o.sat && d.typ == isa.TypeDF {
		saturate(r[:n])
	}
	if o.cmod != isa.CModNone && o.flagFromResult() {
		t.setFlags(o, against(o.cmod, r[:n]), mask)
	}
	if d.null {
		return
	}
	t.storeBits(o, func(i int) uint64 {
		switch d.typ {
		case isa.TypeDF:
			return math.Float64bits(r[i])
		case isa.TypeUQ:
			return toUint64(r[i])
		case isa.TypeQ:
			return uint64(toInt64(r[i]))
		}
		lo, hi := intRange(d.typ)
		return uint64(max(lo, min(hi, toInt64(r[i]))))
	}, mask)
}

// toUint64 and toInt64 convert toward zero; out-of-range values are clamped, NaN becomes
// 0.
func toUint64(v float64) uint64 {
	switch {
	case v != v || v <= 0:
		return 0
	case v >= 0x1p64:
		return math.MaxUint64
	}
	return uint64(v)
}

func toInt64(v float64) int64 {
	switch {
	case v != v:
		return 0
	case v <= -0x1p63:
		return math.MinInt64
	case v >= 0x1p63:
		return math.MaxInt64
	}
	return int64(v)
}

func execCmpD(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b := t.loadD(o, 0, false), t.loadD(o, 1, false)
	var bits uint32
	for i := range a[:o.n] {
		if compare(o.cmod, a[i], b[i]) || o.op == isa.OpCmpn && b[i] != b[i] {
			bits |= 1 << i
		}
	}
	t.compared(o, bits, mask)
}

func execSelD(t *Thread, o *op) {
	mask := t.laneMask(o)
	if !t.indirect(o, mask) {
		return
	}
	byFlag := o.pred != isa.PredNone
	a, b := t.loadD(o, 0, byFlag), t.loadD(o, 1, byFlag)
	r := &t.wideBuffers().d[3]
	sel := uint32(0)
	if byFlag {
		sel = t.predicate(o)
	}
	for i := range r[:o.n] {
		r[i] = b[i]
		if byFlag && sel>>i&1 != 0 || !byFlag && (b[i] != b[i] || compare(o.cmod, a[i], b[i])) {
			r[i] = a[i]
		}
	}
	t.storeD(o, r, mask)
}
