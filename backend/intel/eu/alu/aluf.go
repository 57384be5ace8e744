// SPDX-License-Identifier: MIT

package alu

import (
	"math"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// fltFnOf returns the function of a float operation whose result is rounded once, or nil for other operations.
func fltFnOf(op isa.Op) thread.FltFn {
	switch op {
	case isa.OpMov, isa.OpMovi:
		return func(a, _, _ float64) float64 { return a }
	case isa.OpAdd:
		return func(a, b, _ float64) float64 { return thread.OddSum(a, b) }
	case isa.OpMul:
		return func(a, b, _ float64) float64 { return a * b }
	case isa.OpMad:
		return func(a, b, c float64) float64 { return thread.OddSum(float64(b*c), a) }
	case isa.OpMac:
		return func(a, b, c float64) float64 { return thread.OddSum(float64(a*b), c) }
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
func execFlt(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a := t.LoadF(o, 0, false)
	b, c := a, a
	if o.Nsrc > 1 {
		b = t.LoadF(o, 1, false)
	}
	if o.Nsrc > 2 {
		c = t.LoadF(o, 2, false)
	}
	fltLanes(t, o, a, b, c, mask)
}

func execMacF(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, c := t.LoadF(o, 0, false), t.LoadF(o, 1, false), &t.BufF[2]
	for i := range c[:o.N] {
		if o.Class == thread.ClsF16 {
			c[i] = thread.Half32(uint16(t.IntAt(thread.AccBase+2*i, isa.TypeUW)))
		} else {
			c[i] = math.Float32frombits(uint32(t.IntAt(thread.AccBase+4*i, isa.TypeUD)))
		}
	}
	fltLanes(t, o, a, b, c, mask)
}

func fltLanes(t *thread.Thread, o *thread.Op, a, b, c *[32]float32, mask uint32) {
	r := &t.BufF[3]
	if o.Class == thread.ClsF16 {
		for i := range r[:o.N] {
			h := thread.Round16(o.FnF(float64(a[i]), float64(b[i]), float64(c[i])), t.Round)
			r[i] = thread.Half32(h)
		}
	} else {
		for i := range r[:o.N] {
			r[i] = thread.Round32(o.FnF(float64(a[i]), float64(b[i]), float64(c[i])), t.Round)
		}
		finishF(t, r, int(o.N))
	}
	t.StoreF(o, r, mask)
}

// finishF replaces every NaN with the canonical one and, if the thread flushes denormals, every denormal with a zero.
func finishF(t *thread.Thread, r *[32]float32, n int) {
	flush := t.Flush32
	for i := range r[:n] {
		bits := math.Float32bits(r[i])
		switch e := bits & 0x7F800000; {
		case e == 0 && flush:
			r[i] = math.Float32frombits(bits & 0x80000000)
		case e == 0x7F800000 && bits&0x007FFFFF != 0:
			r[i] = math.Float32frombits(thread.QuietNaN32)
		}
	}
}

// fastF32 has handlers for common float32 operations under rounding to nearest. Explicit conversions round
// products and sums separately, since Go may fuse them otherwise.
var fastF32 = [isa.NumOps]func(*thread.Thread, *thread.Op){
	isa.OpAdd: func(t *thread.Thread, o *thread.Op) {
		if t.Round != thread.RoundNearest {
			execFlt(t, o)
			return
		}
		mask := t.Mask(o)
		if !indirect(t, o, mask) {
			return
		}
		a, b, r := t.LoadF(o, 0, false), t.LoadF(o, 1, false), &t.BufF[3]
		for i := range r[:o.N] {
			r[i] = float32(a[i] + b[i])
		}
		finishF(t, r, int(o.N))
		t.StoreF(o, r, mask)
	},
	isa.OpMul: func(t *thread.Thread, o *thread.Op) {
		if t.Round != thread.RoundNearest {
			execFlt(t, o)
			return
		}
		mask := t.Mask(o)
		if !indirect(t, o, mask) {
			return
		}
		a, b, r := t.LoadF(o, 0, false), t.LoadF(o, 1, false), &t.BufF[3]
		for i := range r[:o.N] {
			r[i] = float32(a[i] * b[i])
		}
		finishF(t, r, int(o.N))
		t.StoreF(o, r, mask)
	},
	isa.OpMad: func(t *thread.Thread, o *thread.Op) {
		if t.Round != thread.RoundNearest {
			execFlt(t, o)
			return
		}
		mask := t.Mask(o)
		a, b := t.LoadF(o, 0, false), t.LoadF(o, 1, false)
		c, r := t.LoadF(o, 2, false), &t.BufF[3]
		for i := range r[:o.N] {
			r[i] = thread.Fma32(b[i], c[i], a[i])
		}
		finishF(t, r, int(o.N))
		t.StoreF(o, r, mask)
	},
}

// predecodeMath selects the function of a math instruction.
func predecodeMath(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	for k := range o.Src[:o.Nsrc] {
		if o.Src[k].Kind == thread.SrcImm && p.Machine.Can(target.Vectors) {
			return thread.Operr(thread.FaultIllegal, "the math unit of this machine takes no immediates")
		}
	}
	if in.CMod != isa.CModNone {
		return thread.Operr(thread.FaultIllegal, "math takes no conditional modifier")
	}
	if in.Math.IsInt() {
		if o.Class != thread.ClsInt || o.Src[0].Typ.Size() != 4 || o.Src[1].Typ != o.Src[0].Typ || o.Dst.Typ.Size() != 4 {
			return thread.Operr(thread.FaultIllegal, "integer division takes two 32-bit integers of one type")
		}
		if in.Math == isa.MathIDiv && !o.Dst.Null && int(o.Dst.Base)+2*max(p.GRF, int(o.N)*4) > p.End {
			return thread.Operr(thread.FaultOperand, "the remainder would end beyond the registers")
		}
		o.Exec = execDivide
		if in.Math == isa.MathIDiv {
			o.Exec = execDivideBoth
		} else if in.Math == isa.MathIRem {
			o.Exec = execRemainder
		}
		return nil
	}
	if o.Class == thread.ClsInt {
		return thread.Operr(thread.FaultIllegal, "this math function takes floats")
	}
	if isWide(o) {
		return thread.Operr(thread.FaultIllegal, "the math unit takes no 64-bit floats")
	}
	if in.Math == isa.MathFDiv {
		o.FnF = func(a, b, _ float64) float64 { return a / b }
		o.Exec = execFlt
		return nil
	}
	if in.Math == isa.MathPow {
		o.FnF = power
		o.Exec = execFlt
		return nil
	}
	f := thread.MathUnit(in.Math)
	if f == nil {
		return thread.Operr(thread.FaultIllegal, "math function %d is not modeled", in.Math)
	}
	o.FnF = func(a, _, _ float64) float64 { return f(a) }
	o.Exec = execFlt
	return nil
}

// power returns x to the power y. It is NaN for x below 0,
// where shading languages leave it undefined.
func power(x, y, _ float64) float64 {
	switch {
	case x < 0 || x != x || y != y:
		return math.NaN()
	case x == 0 && y < 0:
		return math.Inf(1)
	}
	return math.Pow(x, y)
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

func divideLanes(t *thread.Thread, o *thread.Op) (q, rem *[32]int64, mask uint32, ok bool) {
	mask = t.Mask(o)
	if !indirect(t, o, mask) {
		return nil, nil, 0, false
	}
	a, b, _ := sourcesI(t, o)
	q, rem = &t.BufI[3], &t.BufI[2]
	signed := o.Src[0].Typ == isa.TypeD
	for i := range q[:o.N] {
		q[i], rem[i] = divide(a[i], b[i], signed)
	}
	return q, rem, mask, true
}

func execDivide(t *thread.Thread, o *thread.Op) {
	if q, _, mask, ok := divideLanes(t, o); ok {
		t.StoreI(o, q, mask)
	}
}

func execRemainder(t *thread.Thread, o *thread.Op) {
	if _, rem, mask, ok := divideLanes(t, o); ok {
		t.StoreI(o, rem, mask)
	}
}

// execDivideBoth writes the quotient to the destination and the remainder to the registers
// after it.
func execDivideBoth(t *thread.Thread, o *thread.Op) {
	q, rem, mask, ok := divideLanes(t, o)
	if !ok || o.Dst.Null || o.Dst.Indirect {
		return
	}
	step := max(t.Prog.GRF, int(o.N)*int(o.Dst.Stride))
	for i := range q[:o.N] {
		if mask>>i&1 != 0 {
			at := int(o.Dst.Base) + i*int(o.Dst.Stride)
			if at+step+4 > t.Prog.End {
				break
			}
			thread.PutU32(t.Reg[at:], uint32(q[i]))
			thread.PutU32(t.Reg[at+step:], uint32(rem[i]))
		}
	}
}
