// SPDX-License-Identifier: MIT

package unspecified

import (
	"math"

	"jacquard.example/core/num"
	"jacquard.example/generated/op"
)

// value reads a float of 16, 32 or 64 bits.
func value(x uint64, bits uint8) float64 {
	switch bits {
	case 16:
		return float64(num.F16ToF32(uint16(x)))
	case 32:
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

// round converts to a float of the given size.
func round(f float64, bits uint8) uint64 {
	switch bits {
	case 16:
		return uint64(num.F64ToF16(f, 0))
	case 32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// ulp returns the distance from a float to the next one away from zero; for zero, infinities and NaN, the smallest
// denormal.
func ulp(f float64, bits uint8) float64 {
	mantissa, least := 52, -1074
	switch bits {
	case 16:
		mantissa, least = 10, -24
	case 32:
		mantissa, least = 23, -149
	}
	if f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return math.Ldexp(1, least)
	}
	_, e := math.Frexp(f)
	return math.Ldexp(1, max(e-1-mantissa, least))
}

// share returns a number from -1 to 1; half of the time it is one of the ends.
func (c *call) share() float64 {
	switch c.rng >> 8 & 3 {
	case 0:
		return -1
	case 1:
		return 1
	}
	return float64(int64(mix(c.rng+2))) / math.MaxInt64
}

// within changes a result by at most an absolute error.
func (c *call) within(x uint64, most float64) uint64 {
	return round(value(x, c.out)+c.share()*most, c.out)
}

// neighbor returns a rounded result or, unless the shader chooses the rounding, perhaps the float before or after it.
func (c *call) neighbor(x uint64) uint64 {
	if c.round&(c.out>>4) != 0 {
		return x
	}
	f := value(x, c.out)
	return round(f+float64(int(c.rng>>8%3)-1)*ulp(f, c.out), c.out)
}

// pick selects by the size of floats.
func pick(bits uint8, half, single float64) float64 {
	if bits == 16 {
		return half
	}
	return single
}

// rounded returns a result within the precision that Vulkan requires. Exact results are kept unless they come from an
// approximated function.
func (c *call) rounded(x uint64) uint64 {
	f := value(x, c.out)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return x
	}
	u := ulp(f, c.out)
	switch c.op {
	case op.FAdd:
		return c.sum(x, c.float(0), c.float(1))
	case op.FSub:
		return c.sum(x, c.float(0), -c.float(1))
	case op.FMul:
		a, b := c.float(0), c.float(1)
		if exactProduct(a, b, f) {
			return x
		}
		return c.neighbor(x)
	case op.FFma: // or a product, rounded, and a sum
		a, b, k := c.float(0), c.float(1), c.float(2)
		if a*b+k == f && exactProduct(a, b, value(round(a*b, c.out), c.out)) {
			return c.sum(x, a*b, k)
		}
		return c.within(x, u+ulp(a*b, c.out))
	case op.FLrp:
		a, b, k := c.float(0), c.float(1), c.float(2)
		if k == 0 || a == b {
			return x
		}
		return c.within(x, 2*ulp(math.Max(math.Abs(a), math.Abs(b)), c.out))
	case op.FDiv, op.FRcp:
		a, b := 1.0, c.float(0)
		if c.op == op.FDiv {
			a, b = c.float(0), c.float(1)
		}
		if math.FMA(f, b, -a) == 0 {
			return x
		}
		return c.within(x, 2.5*u)
	case op.FRem, op.FMod:
		return c.remainder(x)
	case op.FSqrt:
		if a := c.float(0); math.FMA(f, f, -a) == 0 {
			return x
		}
		return c.within(x, 3*u)
	case op.FRsq:
		if a := c.float(0); f*f*a == 1 {
			return x
		}
		return c.within(x, 2*u)
	case op.FExp2:
		return c.within(x, (pick(c.out, 1, 3)+2*math.Abs(c.float(0)))*u)
	case op.FLog2:
		if a := c.float(0); a >= 0.5 && a <= 2 {
			return c.within(x, pick(c.out, 0x1p-7, 0x1p-21))
		}
		return c.within(x, 3*u)
	case op.FPow: // exp2 of the product with a logarithm
		l, y := math.Log2(c.float(0)), c.float(1)
		err := math.Abs(y)*math.Max(3*ulp(l, c.out), pick(c.out, 0x1p-7, 0x1p-21)) + ulp(l*y, c.out)
		return c.within(x, (pick(c.out, 1, 3)+2*math.Abs(l*y))*u+math.Abs(f)*err*math.Ln2)
	case op.FSin, op.FCos:
		return c.within(x, pick(c.out, 0x1p-7, 0x1p-11))
	case op.FDot2, op.FDot3, op.FDot4:
		return c.dot(x)
	}
	if c.info.NumSrc == 1 && c.info.Src[0].Base == op.Float && c.size(0) > c.out { // a conversion
		if c.float(0) != f {
			return c.neighbor(x)
		}
	}
	if base := c.info.Src[0].Base; c.info.NumSrc == 1 && (base == op.Int || base == op.Uint) && u > 1 {
		return c.neighbor(x) // an integer that may have been rounded
	}
	return x
}

// sum returns a sum whose usual result is x.
func (c *call) sum(x uint64, a, b float64) uint64 {
	f := value(x, c.out)
	s := a + b
	if s != f || (s-a)-b != 0 || (s-b)-a != 0 {
		return c.neighbor(x)
	}
	return x
}

// exactProduct reports whether a product was not rounded.
func exactProduct(a, b, product float64) bool { return math.FMA(a, b, -product) == 0 }

// remainder returns a - b * q with the quotient, which has the precision of a division, rounded
// to an integer.
func (c *call) remainder(x uint64) uint64 {
	a, b := c.float(0), c.float(1)
	q := a / b
	if value(round(q, c.out), c.out)*b != a {
		q += c.share() * 2.5 * ulp(q, c.out)
	}
	whole := math.Floor(q)
	if c.op == op.FRem {
		whole = math.Trunc(q)
	}
	if p := b * whole; value(round(p, c.out), c.out) != p {
		return round(a-p+c.share()*ulp(p, c.out), c.out)
	}
	return round(a-b*whole, c.out)
}

// dot returns a sum of products in any order, fused or not.
func (c *call) dot(x uint64) uint64 {
	n := int(c.info.Src[0].Comps)
	exact, largest := true, 0.0
	s := 0.0
	for j := range n {
		a, b := value(c.arg(0, j), c.size(0)), value(c.arg(1, j), c.size(1))
		p := a * b
		exact = exact && exactProduct(a, b, value(round(p, c.out), c.out))
		largest = max(largest, math.Abs(p), math.Abs(s+p))
		s += p
		exact = exact && value(round(s, c.out), c.out) == s
	}
	if exact {
		return x
	}
	return c.within(x, float64(n)*ulp(largest, c.out))
}

// halves rounds each half of two packed floats; SPIR-V does not specify how.
func (c *call) halves(x uint64) uint64 {
	for i := range 2 {
		a := c.arg(0, i)
		if c.op == op.PackHalf2x16Split {
			a = c.arg(i, 0)
		}
		h := x >> (16 * i) & 0xffff
		if f := value(h, 16); value(a, 32) != f && !math.IsInf(f, 0) && !math.IsNaN(f) {
			h = round(f+float64(int(c.rng>>(8+8*i)%3)-1)*ulp(f, 16), 16) & 0xffff
		}
		x = x&^(0xffff<<(16*i)) | h<<(16*i)
	}
	return x
}
