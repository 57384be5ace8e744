// SPDX-License-Identifier: MIT

package fold

import (
	"math/big"
)

// layout describes floats of a width, which are read as exact numbers, independently of other code for IEEE 754.

type layout struct{ prec, emin, emax, exact uint }

// layouts are the layouts by width. exact is a precision at which no sum of products of two is rounded. emin is the
// negated exponent of the smallest normal number.
var layouts = map[int]layout{
	5:  {3, 0, 1, 60},
	8:  {4, 6, 7, 60},
	16: {11, 14, 15, 200},
	32: {24, 126, 127, 1000},
	64: {53, 1022, 1023, 6500},
}

// real is a number, an infinity or NaN (nil). Zeros have a sign.
type real = *big.Float

func newReal(w int) real { return new(big.Float).SetPrec(layouts[w].exact) }

func fromFloat(w int, f float64) real { return newReal(w).SetFloat64(f) }

// decode returns the number that bits encode. flush turns denormals into zeros.
func decode(x uint64, w int, flush bool) real {
	l := layouts[w]
	fracBits := l.prec - 1
	frac := x & (1<<fracBits - 1)
	exp := x >> fracBits & (1<<(uint(w)-1-fracBits) - 1)
	r := newReal(w)
	switch {
	case exp == uint64(2*l.emax+1) && frac != 0:
		return nil
	case exp == uint64(2*l.emax+1):
		r.SetInf(false)
	case exp == 0 && !flush:
		r.SetMantExp(newReal(w).SetUint64(frac), -int(l.emin)-int(fracBits))
	case exp != 0:
		r.SetMantExp(newReal(w).SetUint64(frac|1<<fracBits), int(exp)-int(l.emax)-int(fracBits))
	}
	if x>>(uint(w)-1)&1 != 0 {
		r.Neg(r)
	}
	return r
}

// direction is one of the roundings of IEEE 754-2008, 4.3, in the order of
// SPIR-V's FP Rounding Mode (3.16).
type direction int

const (
	nearest direction = iota
	zeroward
	upward
	downward
)

// encode returns the bits of a number, rounded once. flush turns denormals into zeros.
func encode(r real, w int, d direction, flush bool) uint64 {
	l := layouts[w]
	fracBits := int(l.prec) - 1
	inf := uint64(2*l.emax+1) << fracBits
	if r == nil {
		return inf | 1<<(fracBits-1)
	}
	sign := uint64(0)
	if r.Signbit() {
		sign = 1 << (w - 1)
	}
	if r.IsInf() {
		return sign | inf
	}
	if r.Sign() == 0 {
		return sign
	}
	a := new(big.Float).SetPrec(7000).Abs(r)
	e := a.MantExp(nil) - 1 // a in [2^e, 2^(e+1))
	q := max(e, -int(l.emin)) - fracBits
	a.SetMantExp(a, -q) // now the last place counts 1
	n, _ := a.Int(nil)
	rest := new(big.Float).SetPrec(7000).Sub(a, new(big.Float).SetPrec(7000).SetInt(n))
	c := rest.Cmp(big.NewFloat(0.5))
	grow := d == nearest && (c > 0 || c == 0 && n.Bit(0) == 1) ||
		rest.Sign() != 0 && (d == upward && sign == 0 || d == downward && sign != 0)
	if grow {
		n.Add(n, big.NewInt(1))
	}
	if n.BitLen() > fracBits+1 {
		n.Rsh(n, 1)
		q++
	}
	if q+fracBits > int(l.emax) {
		// Section 7.4: which of the two depends on the direction and the sign.
		if d == zeroward || d == upward && sign != 0 || d == downward && sign == 0 {
			return sign | (inf - 1)
		}
		return sign | inf
	}
	if n.BitLen() <= fracBits { // denormal
		if flush {
			return sign
		}
		return sign | n.Uint64()
	}
	return sign | uint64(q+fracBits+int(l.emax))<<fracBits | n.Uint64()&(1<<fracBits-1)
}

// op2 calls f; the result is NaN (nil) if an operand is NaN or f panics with big.ErrNaN.
func op2(w int, f func(z, x, y real) real, x, y real) (r real) {
	if x == nil || y == nil {
		return nil
	}
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(big.ErrNaN); !ok {
				panic(e)
			}
			r = nil
		}
	}()
	return f(newReal(w), x, y)
}

func add(w int, x, y real) real { return op2(w, (*big.Float).Add, x, y) }
func sub(w int, x, y real) real { return op2(w, (*big.Float).Sub, x, y) }
func mul(w int, x, y real) real { return op2(w, (*big.Float).Mul, x, y) }
func quo(w int, x, y real) real {
	return op2(w, func(z, x, y real) real { return z.SetPrec(300).Quo(x, y) }, x, y)
}
func fma(w int, x, y, z real) real { return add(w, mul(w, x, y), z) }

func neg(x real) real {
	if x == nil {
		return nil
	}
	return new(big.Float).Neg(x)
}

func sqrt(w int, x real) real {
	if x == nil || x.Sign() < 0 {
		return nil
	}
	if x.Sign() == 0 || x.IsInf() {
		return x
	}
	return new(big.Float).SetPrec(300).Sqrt(x)
}

// integral rounds to an integer. The mode is -1 for down, 0 for toward zero, 1 for up and 2 for nearest even. The
// sign survives when the result is zero.
func integral(x real, mode int) real {
	if x == nil || x.IsInf() || x.Sign() == 0 {
		return x
	}
	n, acc := x.Int(nil)
	if acc != big.Exact {
		away := false
		switch mode {
		case -1:
			away = x.Sign() < 0
		case 1:
			away = x.Sign() > 0
		case 2:
			rest := new(big.Float).SetPrec(7000).Sub(x, new(big.Float).SetPrec(7000).SetInt(n))
			c := rest.Abs(rest).Cmp(big.NewFloat(0.5))
			away = c > 0 || c == 0 && n.Bit(0) == 1
		}
		if away {
			n.Add(n, big.NewInt(int64(x.Sign())))
		}
	}
	r := new(big.Float).SetPrec(x.Prec()).SetInt(n)
	if r.Sign() == 0 && x.Signbit() {
		r.Neg(r)
	}
	return r
}

func less(x, y real) bool  { return x != nil && y != nil && x.Cmp(y) < 0 }
func equal(x, y real) bool { return x != nil && y != nil && x.Cmp(y) == 0 }

// pick returns minNum or maxNum of IEEE 754-2008 with -0 below +0.
func pick(x, y real, larger bool) real {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	c := x.Cmp(y)
	if c == 0 && x.Signbit() != y.Signbit() {
		c = 1
		if x.Signbit() {
			c = -1
		}
	}
	if (c > 0) == larger {
		return x
	}
	return y
}
