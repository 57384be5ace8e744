// SPDX-License-Identifier: MIT

package eval

import (
	"math"
	"math/bits"

	"jacquard.example/core/num"
)

// Run computes the meaning on bit patterns: src[s][c] holds component c of
// source s, zero-extended; src[s] has a single component if source s is per
// component. The result is written to dst. The float mode is the default one: nearest even, denormals
// kept.
func (f *Func) Run(src [][]uint64, dst []uint64) { f.RunNoting(src, dst, nil) }

// RunNoting is like Run, but calls note, unless it is nil, with every intermediate float and its size.
func (f *Func) RunNoting(src [][]uint64, dst []uint64, note func(bits uint64, size int)) {
	vals := make([]uint64, len(f.lets))
	r := run{src: src, lets: vals, note: note}
	for i, l := range f.lets {
		vals[i] = r.eval(l.val)
	}
	for i, n := range f.results {
		dst[i] = r.eval(n)
	}
}

// Comps returns the number of values that Run writes.
func (f *Func) Comps() int { return len(f.results) }

type run struct {
	src  [][]uint64
	lets []uint64
	note func(bits uint64, size int)
}

func (r *run) eval(n *node) uint64 {
	x := r.value(n)
	if r.note != nil && n.typ.Base == Float && n.prim > pLet {
		r.note(x, n.typ.Bits)
	}
	return x
}

func (r *run) value(n *node) uint64 {
	switch n.prim {
	case pConst:
		return n.bits
	case pLet:
		return r.lets[n.src]
	case pSrc:
		x := r.src[n.src][max(n.comp, 0)]
		if n.typ.Base == Float { // every NaN becomes the canonical one
			return fromF64(toF64(x, n.typ.Bits), n.typ.Bits)
		}
		return x & mask(n.typ.Bits)
	case pSel:
		if r.eval(n.args[0]) != 0 {
			return r.eval(n.args[1])
		}
		return r.eval(n.args[2])
	}
	var a [3]uint64
	for i, x := range n.args {
		a[i] = r.eval(x)
	}
	t := n.args[0].typ
	switch {
	case n.prim >= pConv && n.prim <= pConvRTN:
		return convert(n, t, a[0])
	case n.prim == pCast:
		return a[0]
	case t.Base == Float:
		return floatOp(n, t, a)
	}
	return intOp(n, t, a) & mask(n.typ.Bits)
}

func mask(bits int) uint64 { return ^uint64(0) >> (64 - bits) }

func sext(x uint64, bits int) int64 { return int64(x<<(64-bits)) >> (64 - bits) }

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// intOp computes on integers, bools and plain bits; the caller truncates the result
// to its width.
func intOp(n *node, t Type, v [3]uint64) uint64 {
	a, b, w := v[0], v[1], t.Bits
	signed := t.Base == Int
	sa, sb := sext(a, w), sext(b, w)
	less := a < b
	if signed {
		less = sa < sb
	}
	switch n.prim {
	case pAdd:
		return a + b
	case pSub:
		return a - b
	case pMul:
		return a * b
	case pDiv:
		if signed {
			return uint64(num.DivS(sa, sb))
		}
		return num.DivU(a, b)
	case pRem:
		if signed {
			return uint64(num.RemS(sa, sb))
		}
		return num.RemU(a, b)
	case pFloorMod:
		return uint64(num.ModS(sa, sb))
	case pAnd:
		return a & b
	case pOr:
		return a | b
	case pXor:
		return a ^ b
	case pAndNot:
		return a &^ b
	case pNot:
		return ^a
	case pNeg:
		return -a
	case pShl:
		return a << b
	case pShr:
		if signed {
			return uint64(sa >> b)
		}
		return a >> b
	case pLt:
		return truth(less)
	case pGe:
		return truth(!less)
	case pGt:
		return truth(!less && a != b)
	case pLe:
		return truth(less || a == b)
	case pEq:
		return truth(a == b)
	case pNe:
		return truth(a != b)
	case pMin, pMax:
		if less == (n.prim == pMin) {
			return a
		}
		return b
	case pMulHigh:
		hi, lo := bits.Mul64(a, b)
		if signed {
			hi, lo = bits.Mul64(uint64(sa), uint64(sb))
			hi = hi - uint64(sa>>63)&uint64(sb) - uint64(sb>>63)&uint64(sa)
		}
		if w == 64 {
			return hi
		}
		return lo>>w | hi<<(64-w)
	case pAddSat, pSubSat:
		return saturate(n.prim == pSubSat, signed, a, b, w)
	case pPopCount:
		return uint64(bits.OnesCount64(a))
	case pCLZ:
		return uint64(bits.LeadingZeros64(a) - (64 - w))
	case pCTZ:
		return uint64(min(bits.TrailingZeros64(a), w))
	case pReverse:
		return bits.Reverse64(a) >> (64 - w)
	}
	panic("eval: integer operation without meaning")
}

func saturate(sub, signed bool, a, b uint64, w int) uint64 {
	if !signed {
		if sub {
			return num.SubSatU(a, b)
		}
		return min(num.AddSatU(a, b), mask(w))
	}
	sa, sb := sext(a, w), sext(b, w)
	s := num.AddSatS(sa, sb)
	if sub {
		s = num.SubSatS(sa, sb)
	}
	most := int64(mask(w) >> 1)
	return uint64(max(min(s, most), -most-1))
}

// toF64 returns a float's value, exactly.
func toF64(x uint64, bits int) float64 {
	switch bits {
	case 16:
		return float64(num.F16ToF32(uint16(x)))
	case 32:
		return float64(num.Load32(x, 0))
	}
	return num.Load64(x, 0)
}

// fromF64 returns a float's bits, rounded once.
func fromF64(f float64, bits int) uint64 {
	switch bits {
	case 16:
		return uint64(num.F64ToF16(f, num.NearestEven))
	case 32:
		return num.Store32(float32(f), 0)
	}
	return num.Store64(f, 0)
}

func floatOp(n *node, t Type, v [3]uint64) uint64 {
	w := t.Bits
	a, b := toF64(v[0], w), toF64(v[1], w)
	to := func(f float64) uint64 { return fromF64(f, w) }
	switch n.prim {
	case pLt:
		return truth(a < b)
	case pLe:
		return truth(a <= b)
	case pGt:
		return truth(a > b)
	case pGe:
		return truth(a >= b)
	case pEq:
		return truth(a == b)
	case pNe:
		return truth(a != b)
	case pMin:
		return to(num.Min(a, b))
	case pMax:
		return to(num.Max(a, b))
	case pNeg:
		return to(-a)
	case pAbs:
		return to(math.Abs(a))
	case pFloor:
		return to(math.Floor(a))
	case pCeil:
		return to(math.Ceil(a))
	case pTrunc:
		return to(math.Trunc(a))
	case pRint:
		return to(math.RoundToEven(a))
	case pExp2:
		return to(num.Exp2(a))
	case pLog2:
		return to(num.Log2(a))
	case pSin:
		return to(num.Sin(a))
	case pCos:
		return to(num.Cos(a))
	case pPow:
		return to(num.Pow(a, b))
	case pFrexpSig:
		return to(num.FrexpSig(a))
	case pFrexpExp:
		return uint64(num.FrexpExp(a)) & mask(32)
	case pIsNaN:
		return truth(a != a)
	case pIsNormal:
		return truth(math.Abs(a) >= minNormal(w) && a-a == 0)
	}
	return rounded(n.prim, w, v)
}

// rounded computes the operations that round once at the width itself.
func rounded(p prim, w int, v [3]uint64) uint64 {
	switch w {
	case 16:
		a, b, c := num.Load16(v[0], 0), num.Load16(v[1], 0), num.Load16(v[2], 0)
		var r float32
		switch p {
		case pAdd:
			r = num.Add16(a, b, 0)
		case pSub:
			r = num.Sub16(a, b, 0)
		case pMul:
			r = num.Mul16(a, b, 0)
		case pDiv:
			r = num.Div16(a, b, 0)
		case pSqrt:
			r = num.Sqrt16(a, 0)
		case pFma:
			r = num.Fma16(a, b, c, 0)
		case pLdexp:
			r = num.Ldexp16(a, int32(v[1]), 0)
		}
		return num.Store16(r, 0)
	case 32:
		a, b, c := num.Load32(v[0], 0), num.Load32(v[1], 0), num.Load32(v[2], 0)
		var r float32
		switch p {
		case pAdd:
			r = num.Add32(a, b, 0)
		case pSub:
			r = num.Sub32(a, b, 0)
		case pMul:
			r = num.Mul32(a, b, 0)
		case pDiv:
			r = num.Div32(a, b, 0)
		case pSqrt:
			r = num.Sqrt32(a, 0)
		case pFma:
			r = num.Fma32(a, b, c, 0)
		case pLdexp:
			r = num.Ldexp32(a, int32(v[1]), 0)
		}
		return num.Store32(r, 0)
	}
	a, b, c := num.Load64(v[0], 0), num.Load64(v[1], 0), num.Load64(v[2], 0)
	var r float64
	switch p {
	case pAdd:
		r = num.Add64(a, b, 0)
	case pSub:
		r = num.Sub64(a, b, 0)
	case pMul:
		r = num.Mul64(a, b, 0)
	case pDiv:
		r = num.Div64(a, b, 0)
	case pSqrt:
		r = num.Sqrt64(a, 0)
	case pFma:
		r = num.Fma64(a, b, c, 0)
	case pLdexp:
		r = num.Ldexp64(a, int32(v[1]), 0)
	}
	return num.Store64(r, 0)
}

func minNormal(bits int) float64 {
	switch bits {
	case 16:
		return num.MinNormal16
	case 32:
		return num.MinNormal32
	}
	return num.MinNormal64
}

// convert computes conversions by value.
func convert(n *node, from Type, x uint64) uint64 {
	to := n.typ
	switch {
	case n.prim != pConv && from.Base == Float && to.Bits == 16:
		return num.Store16(num.FloatTo16(toF64(x, from.Bits), roundings[n.prim]), 0)
	case n.prim != pConv && from.Base == Float && to.Bits == 32:
		return num.Store32(num.FloatTo32(toF64(x, from.Bits), roundings[n.prim]), 0)
	case from.Base == Float && to.Base == Float:
		return fromF64(toF64(x, from.Bits), to.Bits)
	case from.Base == Float && to.Base == Int:
		return uint64(num.ToInt(toF64(x, from.Bits), uint(to.Bits))) & mask(to.Bits)
	case from.Base == Float:
		return num.ToUint(toF64(x, from.Bits), uint(to.Bits))
	case to.Base == Float && from.Base == Int:
		return fromInt(sext(x, from.Bits), to.Bits, roundings[n.prim])
	case to.Base == Float:
		return fromUint(x, to.Bits, roundings[n.prim])
	case from.Base == Int:
		return uint64(sext(x, from.Bits)) & mask(to.Bits)
	}
	return x & mask(to.Bits)
}

// roundings are the directions of the conversions; pConv has the default one.
var roundings = map[prim]num.Rounding{
	pConv: num.NearestEven, pConvRTNE: num.NearestEven, pConvRTZ: num.TowardZero, pConvRTP: num.Upward, pConvRTN: num.Downward,
}

func fromInt(x int64, bits int, r num.Rounding) uint64 {
	switch bits {
	case 16:
		return num.Store16(num.IntTo16(x, r), 0)
	case 32:
		return num.Store32(num.IntTo32(x, r), 0)
	}
	return num.Store64(num.IntTo64(x, r), 0)
}

func fromUint(x uint64, bits int, r num.Rounding) uint64 {
	switch bits {
	case 16:
		return num.Store16(num.UintTo16(x, r), 0)
	case 32:
		return num.Store32(num.UintTo32(x, r), 0)
	}
	return num.Store64(num.UintTo64(x, r), 0)
}

// FloatValue returns the value of a float's bits, exactly.
func FloatValue(x uint64, bits int) float64 { return toF64(x, bits) }

// Same reports whether two values of a type are equal. Floats are compared as numbers, and NaN equals NaN.
func Same(x, y uint64, t Type) bool {
	if t.Base != Float {
		return x == y
	}
	f, g := FloatValue(x, t.Bits), FloatValue(y, t.Bits)
	return f == g || f != f && g != g
}

// FloatBits returns the bits of a value as a float, rounded once to nearest even.
func FloatBits(f float64, bits int) uint64 { return fromF64(f, bits) }
