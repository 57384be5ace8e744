// SPDX-License-Identifier: MIT

package num

import "math/bits"

// Software floating point, for operations that the host's floats lack: fused and 16-bit operations with a single
// rounding, and rounding toward zero.

// format is a binary interchange format of IEEE 754.
type format struct {
	prec int // bits of the significand, the hidden one included
	emin int // exponent of the smallest normal number
	emax int
}

var (
	fmt16 = format{11, -14, 15}
	fmt32 = format{24, -126, 127}
	fmt64 = format{53, -1022, 1023}
)

func (f *format) inf() uint64     { return uint64(f.emax-f.emin+2) << (f.prec - 1) }
func (f *format) nan() uint64     { return f.inf() | 1<<(f.prec-2) }
func (f *format) signBit() uint64 { return (f.inf() + 1<<(f.prec-1)) }

func (f *format) signed(neg bool, x uint64) uint64 {
	if neg {
		x |= f.signBit()
	}
	return x
}

type class uint8

const (
	zero class = iota
	finite
	infinite
	nan
)

// number is a decomposed float: hi:lo times 2 to the power exp.
type number struct {
	hi, lo uint64
	exp    int
	neg    bool
	class  class
}

func (f *format) unpack(x uint64) number {
	n := number{neg: x&f.signBit() != 0}
	x &^= f.signBit()
	switch {
	case x > f.inf():
		n.class = nan
		return n
	case x == f.inf():
		n.class = infinite
		return n
	case x == 0:
		return n
	}
	n.class = finite
	hidden := uint64(1) << (f.prec - 1)
	n.lo = x & (hidden - 1)
	e := int(x >> (f.prec - 1))
	if e != 0 {
		n.lo |= hidden
		e--
	}
	n.exp = e + f.emin - (f.prec - 1)
	return n
}

// pack rounds hi:lo (plus a sticky bit below it) times 2 to the power exp.
func (f *format) pack(neg bool, hi, lo uint64, exp int, sticky bool, r Rounding) uint64 {
	if hi|lo == 0 {
		return f.signed(neg, 0)
	}
	top := 127 - bits.LeadingZeros64(hi)
	if hi == 0 {
		top = 63 - bits.LeadingZeros64(lo)
	}
	e := max(top+exp, f.emin)
	drop := e - (f.prec - 1) - exp // bits below the last place
	var mant uint64
	half := false
	switch {
	case drop <= 0:
		mant = lo << -drop
	case drop > 128:
		sticky = true
	default:
		var below bool
		_, mant, half, below = shiftRight(hi, lo, drop)
		sticky = sticky || below
	}
	if r.away(neg, mant&1 != 0, half, sticky) {
		mant++ // a carry out of the significand correctly increments the exponent
	}
	x := mant + uint64(e-f.emin)<<(f.prec-1)
	if x >= f.inf() || e > f.emax {
		x = f.inf()
		if !r.overflows(neg) {
			x--
		}
	}
	return f.signed(neg, x)
}

// away reports whether a magnitude is rounded up. half and below describe the bits that are cut off: whether the
// highest is set, and whether any other is.
func (r Rounding) away(neg, odd, half, below bool) bool {
	switch r {
	case NearestEven:
		return half && (below || odd)
	case Upward:
		return !neg && (half || below)
	case Downward:
		return neg && (half || below)
	}
	return false
}

// overflows reports whether an overflowing result becomes infinite, instead of the largest
// finite number (IEEE 754-2008, 7.4).
func (r Rounding) overflows(neg bool) bool {
	return r == NearestEven || r == Upward && !neg || r == Downward && neg
}

// shiftRight shifts hi:lo by 1 to 128 places and describes the bits shifted out: whether the highest is set, and
// whether any other is.
func shiftRight(hi, lo uint64, n int) (h, l uint64, half, below bool) {
	m := n - 1 // all but one place first
	switch {
	case m == 0:
	case m < 64:
		below = lo<<(64-m) != 0
		lo = lo>>m | hi<<(64-m)
		hi >>= m
	case m == 64:
		below = lo != 0
		hi, lo = 0, hi
	default:
		below = lo != 0 || hi<<(128-m) != 0
		hi, lo = 0, hi>>(m-64)
	}
	half = lo&1 != 0
	return hi >> 1, lo>>1 | hi<<63, half, below
}

// normalize shifts the highest one bit of a finite number to position top.
func (n *number) normalize(top int) {
	if n.hi == 0 {
		n.hi, n.lo, n.exp = n.lo, 0, n.exp-64
	}
	s := bits.LeadingZeros64(n.hi)
	n.hi = n.hi<<s | n.lo>>(64-s)
	n.lo <<= s
	n.exp -= s
	if r := 127 - top; r > 0 { // r < 64, and the low bits are clear for all callers
		n.lo = n.lo>>r | n.hi<<(64-r)
		n.hi >>= r
		n.exp += r
	}
}

// sum rounds a + b once.
func (f *format) sum(a, b number, r Rounding) uint64 {
	switch {
	case a.class == nan || b.class == nan || a.class == infinite && b.class == infinite && a.neg != b.neg:
		return f.nan()
	case a.class == infinite || b.class == infinite:
		return f.signed(a.class == infinite && a.neg || b.class == infinite && b.neg, f.inf())
	case a.class == zero && b.class == zero:
		return f.signed(a.neg && b.neg, 0)
	case a.class == zero:
		return f.pack(b.neg, b.hi, b.lo, b.exp, false, r)
	case b.class == zero:
		return f.pack(a.neg, a.hi, a.lo, a.exp, false, r)
	}
	// Two bits stay free at the top, one of them for the carry. A product has at most 106 bits, so bits are shifted out
	// only if the operands are so far apart that the difference keeps its highest places.
	a.normalize(125)
	b.normalize(125)
	if a.exp < b.exp {
		a, b = b, a
	}
	sticky := false
	if d := a.exp - b.exp; d > 128 {
		b.hi, b.lo, sticky = 0, 0, true
	} else if d > 0 {
		var half, below bool
		b.hi, b.lo, half, below = shiftRight(b.hi, b.lo, d)
		sticky = half || below
	}
	if a.neg == b.neg {
		lo, c := bits.Add64(a.lo, b.lo, 0)
		hi, _ := bits.Add64(a.hi, b.hi, c)
		return f.pack(a.neg, hi, lo, a.exp, sticky, r)
	}
	c := uint64(0)
	if sticky {
		c = 1 // the bits shifted out of b are worth between 0 and one unit
	}
	lo, c := bits.Sub64(a.lo, b.lo, c)
	hi, c := bits.Sub64(a.hi, b.hi, c)
	neg := a.neg
	if c != 0 { // only without sticky bits
		neg = !neg
		lo, c = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, c)
	}
	if hi|lo == 0 {
		return 0 // no caller rounds a sum downward, where an exact zero is negative
	}
	return f.pack(neg, hi, lo, a.exp, sticky, r)
}

// product returns a * b, exactly.
func product(a, b number) number {
	p := number{neg: a.neg != b.neg}
	switch {
	case a.class == nan || b.class == nan,
		a.class == infinite && b.class == zero, a.class == zero && b.class == infinite:
		p.class = nan
	case a.class == infinite || b.class == infinite:
		p.class = infinite
	case a.class == finite && b.class == finite:
		p.class = finite
		p.hi, p.lo = bits.Mul64(a.lo, b.lo)
		p.exp = a.exp + b.exp
	}
	return p
}

func (f *format) add(a, b uint64, r Rounding) uint64 { return f.sum(f.unpack(a), f.unpack(b), r) }

func (f *format) mul(a, b uint64, r Rounding) uint64 {
	p := product(f.unpack(a), f.unpack(b))
	return f.round(p, r)
}

func (f *format) fma(a, b, c uint64, r Rounding) uint64 {
	return f.sum(product(f.unpack(a), f.unpack(b)), f.unpack(c), r)
}

// round rounds n to a float.
func (f *format) round(n number, r Rounding) uint64 {
	switch n.class {
	case nan:
		return f.nan()
	case infinite:
		return f.signed(n.neg, f.inf())
	}
	return f.pack(n.neg, n.hi, n.lo, n.exp, false, r)
}

func (f *format) div(x, y uint64, r Rounding) uint64 {
	a, b := f.unpack(x), f.unpack(y)
	neg := a.neg != b.neg
	switch {
	case a.class == nan || b.class == nan || a.class == b.class && a.class != finite:
		return f.nan()
	case a.class == infinite || b.class == zero:
		return f.signed(neg, f.inf())
	case a.class == zero || b.class == infinite:
		return f.signed(neg, 0)
	}
	a.normalize(126) // the dividend's high word stays below the divisor's
	b.normalize(127)
	q, rest := bits.Div64(a.hi, a.lo, b.hi)
	return f.pack(neg, 0, q, a.exp-b.exp-64, rest != 0, r)
}

func (f *format) sqrt(x uint64, r Rounding) uint64 {
	n := f.unpack(x)
	switch {
	case n.class == nan || n.class != zero && n.neg:
		return f.nan()
	case n.class != finite:
		return x
	}
	n.normalize(127)
	if n.exp&1 != 0 {
		n.normalize(126)
	}
	root, exact := sqrt128(n.hi, n.lo)
	return f.pack(false, 0, root, n.exp/2, !exact, r)
}

// sqrt128 returns the integer square root, computed bit by bit from the top, and whether it is exact.
func sqrt128(hi, lo uint64) (root uint64, exact bool) {
	for bit := uint64(1) << 63; bit != 0; bit >>= 1 {
		try := root | bit
		sh, sl := bits.Mul64(try, try)
		if sh < hi || sh == hi && sl <= lo {
			root = try
		}
	}
	sh, sl := bits.Mul64(root, root)
	return root, sh == hi && sl == lo
}

// convert rounds a float of one format to another.
func convert(from, to *format, x uint64, r Rounding) uint64 { return to.round(from.unpack(x), r) }

// fromInt rounds an integer.
func (f *format) fromInt(neg bool, mag uint64, r Rounding) uint64 {
	return f.pack(neg && mag != 0, 0, mag, 0, false, r)
}

// scale returns x times 2 to the power n, rounded once.
func (f *format) scale(x uint64, n int32, r Rounding) uint64 {
	v := f.unpack(x)
	v.exp += int(min(max(n, -10000), 10000)) // beyond any format's range
	return f.round(v, r)
}
