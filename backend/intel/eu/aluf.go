package eu

import (
	"math"

	"jacquard.example/generated/isa"
)

// fltFnOf returns the function of a float operation that is rounded once.
func fltFnOf(op isa.Op) fltFn {
	switch op {
	case isa.OpMov, isa.OpMovi:
		return func(a, _, _ float64) float64 { return a }
	case isa.OpAdd:
		return func(a, b, _ float64) float64 { return oddSum(a, b) }
	case isa.OpMul:
		return func(a, b, _ float64) float64 { return a * b }
	case isa.OpMad:
		return func(a, b, c float64) float64 { return oddSum(float64(b*c), a) }
	case isa.OpMac:
		return func(a, b, c float64) float64 { return oddSum(float64(a*b), c) }
	case isa.OpFrc:
		// The result stays below 1, although rounding could reach it.
		return func(a, _, _ float64) float64 { return math.Min(a-math.Floor(a), 0x1.fffffep-1) }
	case isa.OpRndd:
		return func(a, _, _ float64) float64 { return math.Floor(a) }
	case isa.OpRndu:
		return func(a, _, _ float64) float64 { return math.Ceil(a) }
	case isa.OpRnde:
		return func(a, _, _ float64) float64 { return math.RoundToEven(a) }
	case isa.OpRndz:
		return func(a, _, _ float64) float64 { return math.Trunc(a) }
	}
	return nil
}

// execFlt executes a float operation in any rounding mode and width. It is the general handler.
func execFlt(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a := t.loadF(o, 0, false)
	b, c := a, a
	if o.nsrc > 1 {
		b = t.loadF(o, 1, false)
	}
	if o.nsrc > 2 {
		c = t.loadF(o, 2, false)
	}
	t.fltLanes(o, a, b, c, mask)
}

func execMacF(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b, c := t.loadF(o, 0, false), t.loadF(o, 1, false), &t.bufF[2]
	for i := range c[:o.n] {
		if o.class == clsF16 {
			c[i] = half32(uint16(t.intAt(accBase+2*i, isa.TypeUW)))
		} else {
			c[i] = math.Float32frombits(uint32(t.intAt(accBase+4*(i&15), isa.TypeUD)))
		}
	}
	t.fltLanes(o, a, b, c, mask)
}

func (t *Thread) fltLanes(o *op, a, b, c *[32]float32, mask uint32) {
	r := &t.bufF[3]
	if o.class == clsF16 {
		for i := range r[:o.n] {
			h := round16(o.fnF(float64(a[i]), float64(b[i]), float64(c[i])), t.round)
			r[i] = half32(h)
		}
	} else {
		for i := range r[:o.n] {
			r[i] = round32(o.fnF(float64(a[i]), float64(b[i]), float64(c[i])), t.round)
		}
		t.finishF(r, int(o.n))
	}
	t.storeF(o, r, mask)
}

// finishF replaces every NaN by the canonical one and flushes denormals.
func (t *Thread) finishF(r *[32]float32, n int) {
	flush := t.flush32
	for i := range r[:n] {
		bits := math.Float32bits(r[i])
		switch e := bits & 0x7F800000; {
		case e == 0 && flush:
			r[i] = math.Float32frombits(bits & 0x80000000)
		case e == 0x7F800000 && bits&0x007FFFFF != 0:
			r[i] = math.Float32frombits(quietNaN32)
		}
	}
}

// fastF32 has handlers for common float32 operations under rounding to nearest. Explicit conversions round
// products and sums separately, since Go may fuse them otherwise.
var fastF32 = [isa.NumOps]func(*Thread, *op){
	isa.OpAdd: func(t *Thread, o *op) {
		if t.round != roundNearest {
			execFlt(t, o)
			return
		}
		mask := t.mask(o)
		if !t.indirect(o, mask) {
			return
		}
		a, b, r := t.loadF(o, 0, false), t.loadF(o, 1, false), &t.bufF[3]
		for i := range r[:o.n] {
			r[i] = float32(a[i] + b[i])
		}
		t.finishF(r, int(o.n))
		t.storeF(o, r, mask)
	},
	isa.OpMul: func(t *Thread, o *op) {
		if t.round != roundNearest {
			execFlt(t, o)
			return
		}
		mask := t.mask(o)
		if !t.indirect(o, mask) {
			return
		}
		a, b, r := t.loadF(o, 0, false), t.loadF(o, 1, false), &t.bufF[3]
		for i := range r[:o.n] {
			r[i] = float32(a[i] * b[i])
		}
		t.finishF(r, int(o.n))
		t.storeF(o, r, mask)
	},
	isa.OpMad: func(t *Thread, o *op) {
		if t.round != roundNearest {
			execFlt(t, o)
			return
		}
		mask := t.mask(o)
		a, b, c, r := t.loadF(o, 0, false), t.loadF(o, 1, false), t.loadF(o, 2, false), &t.bufF[3]
		for i := range r[:o.n] {
			r[i] = fma32(b[i], c[i], a[i])
		}
		t.finishF(r, int(o.n))
		t.storeF(o, r, mask)
	},
}

// predecodeMath selects the function of a math instruction.
func (o *op) predecodeMath(in *isa.Inst) *opError {
	if in.CMod != isa.CModNone {
		return operr(FaultIllegal, "math takes no conditional modifier")
	}
	if in.Math.IsInt() {
		if o.class != clsInt || o.src[0].typ.Size() != 4 || o.src[1].typ != o.src[0].typ || o.dst.typ.Size() != 4 {
			return operr(FaultIllegal, "integer division takes two 32-bit integers of one type")
		}
		if in.Math == isa.MathIDiv && !o.dst.null && int(o.dst.base)+2*max(grfSize, int(o.n)*4) > grfEnd {
			return operr(FaultOperand, "the remainder would end beyond the registers")
		}
		o.exec = execDivide
		if in.Math == isa.MathIDiv {
			o.exec = execDivideBoth
		} else if in.Math == isa.MathIRem {
			o.exec = execRemainder
		}
		return nil
	}
	if o.class == clsInt {
		return operr(FaultIllegal, "this math function takes floats")
	}
	if o.isWide() {
		return operr(FaultIllegal, "the math unit takes no 64-bit floats")
	}
	if in.Math == isa.MathFDiv {
		o.fnF = func(a, b, _ float64) float64 { return a / b }
		o.exec = execFlt
		return nil
	}
	f := MathUnit(in.Math)
	if f == nil {
		return operr(FaultIllegal, "math function %d is not modeled", in.Math)
	}
	o.fnF = func(a, _, _ float64) float64 { return f(a) }
	o.exec = execFlt
	return nil
}

// MathUnit returns the math unit's function of one float source as the model computes it, before rounding to
// the destination type. It returns nil for other functions. Hardware may differ in the last bits.
func MathUnit(fn isa.MathFn) func(float64) float64 {
	switch fn {
	case isa.MathInv:
		return func(a float64) float64 { return 1 / a }
	case isa.MathLog2:
		return log2
	case isa.MathExp2:
		return math.Exp2
	case isa.MathSqrt:
		return math.Sqrt
	case isa.MathRsqrt:
		return func(a float64) float64 { return 1 / math.Sqrt(a) }
	case isa.MathSin:
		return math.Sin
	case isa.MathCos:
		return math.Cos
	}
	return nil
}

// log2 is accurate relative to its result, even near 1.
func log2(x float64) float64 {
	if x > 0.5 && x < 2 {
		return math.Log1p(x-1) / math.Ln2
	}
	return math.Log2(x)
}

// divide returns quotient and remainder of two 32-bit integers. Unsigned division by zero
// returns all ones; signed, the largest value with the dividend's sign (TGL PRM vol. 2a,
// math "INT DIV"). The remainder has the dividend's sign.
func divide(a, b int64, signed bool) (q, r int64) {
	if b != 0 {
		return a / b, a % b
	}
	switch {
	case !signed:
		return math.MaxUint32, math.MaxUint32
	case a < 0:
		return math.MinInt32, math.MinInt32
	}
	return math.MaxInt32, math.MaxInt32
}

func (t *Thread) divideLanes(o *op) (q, rem *[32]int64, mask uint32, ok bool) {
	mask = t.mask(o)
	if !t.indirect(o, mask) {
		return nil, nil, 0, false
	}
	a, b, _ := t.sourcesI(o)
	q, rem = &t.bufI[3], &t.bufI[2]
	signed := o.src[0].typ == isa.TypeD
	for i := range q[:o.n] {
		q[i], rem[i] = divide(a[i], b[i], signed)
	}
	return q, rem, mask, true
}

func execDivide(t *Thread, o *op) {
	if q, _, mask, ok := t.divideLanes(o); ok {
		t.storeI(o, q, mask)
	}
}

func execRemainder(t *Thread, o *op) {
	if _, rem, mask, ok := t.divideLanes(o); ok {
		t.storeI(o, rem, mask)
	}
}

// execDivideBoth writes the quotient to the destination and the remainder to the registers
// after it.
func execDivideBoth(t *Thread, o *op) {
	q, rem, mask, ok := t.divideLanes(o)
	if !ok || o.dst.null || o.dst.indirect {
		return
	}
	step := max(grfSize, int(o.n)*int(o.dst.stride))
	for i := range q[:o.n] {
		if mask>>i&1 != 0 {
			at := int(o.dst.base) + i*int(o.dst.stride)
			if at+step+4 > grfEnd {
				break
			}
			putU32(t.reg[at:], uint32(q[i]))
			putU32(t.reg[at+step:], uint32(rem[i]))
		}
	}
}
