// SPDX-License-Identifier: MIT

package alu

import (
	"encoding/binary"
	"math"
	"math/big"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// Arithmetic on 64-bit floats, and conversions between any float and 64-bit types.

// QuietNaN64 is the NaN that operations on 64-bit floats return.
const QuietNaN64 = 0x7FF8 << 48

// pickDouble chooses the handler of an operation with floats and a 64-bit operand.
func pickDouble(o *thread.Op, in *isa.Inst) *thread.OpError {
	if in.Op == isa.OpMov {
		o.Exec = execDouble
		return nil
	}
	// Other conversions, and their rounding, are undocumented.
	for k := range o.Src[:o.Nsrc] {
		if o.Src[k].Typ != isa.TypeDF {
			return thread.Operr(thread.FaultIllegal, "an operation cannot mix sources of types df and %s", o.Src[k].Typ)
		}
	}
	switch in.Op {
	case isa.OpCmp, isa.OpCmpn: // the result is a mask
		o.Exec = execCmpD
		return nil
	case isa.OpAdd, isa.OpMul, isa.OpMad:
		o.Exec = execDouble
	case isa.OpSel:
		o.Exec = execSelD
	default:
		return thread.Operr(thread.FaultIllegal, "%s does not take 64-bit floats", in.Op)
	}
	if o.Dst.Typ != isa.TypeDF {
		return thread.Operr(thread.FaultIllegal, "only mov converts 64-bit floats")
	}
	return nil
}

// loadD reads source k as 64-bit floats: a DF, or an F that is converted.
func loadD(t *thread.Thread, o *thread.Op, k int, raw bool) *[32]float64 {
	s := &o.Src[k]
	r := &wideBuffers(t).D[k]
	n := int(o.N)
	if s.Typ != isa.TypeDF {
		f := t.LoadF(o, k, raw)
		for i := range r[:n] {
			r[i] = float64(f[i])
		}
		return r
	}
	for i := range r[:n] {
		var bits uint64
		switch s.Kind {
		case thread.SrcImm:
			bits = uint64(s.ImmI[i])
		case thread.SrcIndirect:
			bits = binary.LittleEndian.Uint64(t.Reg[t.Addr[k][i]:])
		default:
			bits = binary.LittleEndian.Uint64(t.Reg[int(s.Base)+int(s.Tab[i]):])
		}
		if t.Flush64 && !raw && bits&(0x7FF<<52) == 0 {
			bits &= 1 << 63
		}
		if s.Abs {
			bits &^= 1 << 63
		}
		if s.Neg {
			bits ^= 1 << 63
		}
		r[i] = math.Float64frombits(bits)
	}
	return r
}

// execDouble executes mov, add, mul and mad. Each result is rounded once, in the thread's rounding mode.
func execDouble(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a := loadD(t, o, 0, false)
	b, c := a, a
	if o.Nsrc > 1 {
		b = loadD(t, o, 1, false)
	}
	if o.Nsrc > 2 {
		c = loadD(t, o, 2, false)
	}
	r := &wideBuffers(t).D[3]
	for i := range r[:o.N] {
		switch o.Op {
		case isa.OpMov:
			r[i] = a[i]
		case isa.OpAdd:
			r[i] = rounded(t, a[i]+b[i], 1, a[i], b[i])
		case isa.OpMul:
			r[i] = rounded(t, a[i]*b[i], a[i], b[i], math.Copysign(0, a[i]*b[i]))
		case isa.OpMad:
			r[i] = rounded(t, math.FMA(b[i], c[i], a[i]), b[i], c[i], a[i])
		}
	}
	storeD(t, o, r, mask)
}

// rounded returns x·y+z in the thread's rounding mode; near is the result to nearest.
func rounded(t *thread.Thread, near, x, y, z float64) float64 {
	if t.Round == thread.RoundNearest || near != near || math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(z, 0) {
		return near
	}
	// Both significands have 53 bits; exponents range from -1074 to 1023.
	f := func(v float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(v) }
	p := f(x)
	p.Mul(p, f(y))
	zero := p.Sign() == 0 && z == 0 && math.Signbit(x*y) == math.Signbit(z)
	switch p.Add(p, f(z)); {
	case p.Sign() != 0:
		return round64(p, t.Round)
	case zero:
		return near
	case t.Round == thread.RoundDown: // exact cancellation (IEEE 754, 6.3)
		return math.Copysign(0, -1)
	}
	return 0
}

// round64 rounds an exact value to float64.
func round64(x *big.Float, mode uint8) float64 {
	f, off := x.Float64()
	switch {
	case mode == thread.RoundUp && off == big.Below:
		return math.Nextafter(f, math.Inf(1))
	case mode == thread.RoundDown && off == big.Above:
		return math.Nextafter(f, math.Inf(-1))
	case mode == thread.RoundZero && (off == big.Above) == (x.Sign() > 0) && off != big.Exact:
		return math.Nextafter(f, 0)
	}
	return f
}

// storeExact writes exact values to a float destination, rounded once.
func storeExact(t *thread.Thread, o *thread.Op, value func(i int) *big.Float, mask uint32) {
	if o.Dst.Typ == isa.TypeDF {
		r := &wideBuffers(t).D[3]
		for i := range r[:o.N] {
			r[i] = round64(value(i), t.Round)
		}
		storeD(t, o, r, mask)
		return
	}
	r := &t.BufF[3]
	for i := range r[:o.N] {
		x := value(i)
		f, off := x.Float32()
		r[i] = f
		switch up := x.Sign() > 0; {
		case t.Round == thread.RoundUp && off == big.Below, t.Round == thread.RoundZero && off == big.Below && !up:
			r[i] = math.Nextafter32(f, float32(math.Inf(1)))
		case t.Round == thread.RoundDown && off == big.Above, t.Round == thread.RoundZero && off == big.Above && up:
			r[i] = math.Nextafter32(f, float32(math.Inf(-1)))
		}
	}
	t.StoreF(o, r, mask)
}

// storeD writes 64-bit floats to a destination of any type.
func storeD(t *thread.Thread, o *thread.Op, r *[32]float64, mask uint32) {
	d, n := &o.Dst, int(o.N)
	if d.Typ == isa.TypeF {
		f := &t.BufF[3]
		for i := range f[:n] {
			f[i] = thread.Round32(r[i], t.Round)
		}
		finishF(t, f, n)
		t.StoreF(o, f, mask)
		return
	}
	for i := range r[:n] {
		bits := math.Float64bits(r[i])
		switch e := bits & (0x7FF << 52); {
		case r[i] != r[i]:
			r[i] = math.Float64frombits(QuietNaN64)
		case e == 0 && t.Flush64 && d.Typ == isa.TypeDF:
			r[i] = math.Float64frombits(bits & (1 << 63))
		}
	}
	if o.Sat && d.Typ == isa.TypeDF {
		thread.Saturate(r[:n])
	}
	if o.Cmod != isa.CModNone && o.FlagFromResult() {
		t.SetFlags(o, thread.Against(o.Cmod, r[:n]), mask)
	}
	if d.Null {
		return
	}
	storeBits(t, o, func(i int) uint64 {
		switch d.Typ {
		case isa.TypeDF:
			return math.Float64bits(r[i])
		case isa.TypeUQ:
			return toUint64(r[i])
		case isa.TypeQ:
			return uint64(toInt64(r[i]))
		}
		lo, hi := thread.IntRange(d.Typ)
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

func execCmpD(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b := loadD(t, o, 0, false), loadD(t, o, 1, false)
	var bits uint32
	for i := range a[:o.N] {
		if thread.Compare(o.Cmod, a[i], b[i]) || o.Op == isa.OpCmpn && b[i] != b[i] {
			bits |= 1 << i
		}
	}
	compared(t, o, bits, mask)
}

func execSelD(t *thread.Thread, o *thread.Op) {
	mask := t.LaneMask(o)
	if !indirect(t, o, mask) {
		return
	}
	byFlag := o.Pred != isa.PredNone
	a, b := loadD(t, o, 0, byFlag), loadD(t, o, 1, byFlag)
	r := &wideBuffers(t).D[3]
	sel := uint32(0)
	if byFlag {
		sel = t.Predicate(o)
	}
	for i := range r[:o.N] {
		r[i] = b[i]
		if byFlag && sel>>i&1 != 0 || !byFlag && (b[i] != b[i] || thread.Compare(o.Cmod, a[i], b[i])) {
			r[i] = a[i]
		}
	}
	storeD(t, o, r, mask)
}
