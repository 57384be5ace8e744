// SPDX-License-Identifier: MIT

package num

import "math/bits"

// Multiplier returns the factor that replaces a division by d: for every n below 2^w, n / d is n m >> p, rounded down. p
// is the smallest such value that is at least from, which is at least w. The result is m modulo 2^64; fits reports
// whether m is below 2^64. d must be above 1, below 2^w and 2^63, and not a power of two.
//
// With m = ⌊2^p / d⌋ + 1 and e = m d - 2^p, which lies between 1 and d,
//
//	n m / 2^p = n / d + n e / (d 2^p)
//
// and the second term is below 1/d, too little to reach the next integer, if
// e ≤ 2^(p-w). (Granlund and Montgomery, Division by Invariant Integers using
// Multiplication, 1994, theorem 4.2.)
func Multiplier(d uint64, w, from uint8) (m uint64, p uint8, fits bool) {
	for p = from; ; p++ {
		hi, lo := uint64(0), uint64(0)
		if p < 64 {
			lo = 1 << p
		} else {
			hi = 1 << (p - 64)
		}
		fits = hi < d
		q, r := bits.Div64(hi%d, lo, d) // hi/d contributes only multiples of 2^64
		if e := d - r; p-w >= 64 || e <= 1<<(p-w) {
			m = q + 1
			return m, p, fits && m != 0
		}
	}
}

// SignedMultiplier is like Multiplier, for a signed n of w bits and the magnitude d of a divisor: n / d, rounded toward
// zero, is n m >> p, rounded down, plus one for a negative n. Here e ≤ 2^(p-w+1) has to hold: a magnitude is at most
// 2^(w-1); for a negative n of that magnitude the sum may reach, but must not pass, the integer below.
func SignedMultiplier(d uint64, w, from uint8) (m uint64, p uint8, fits bool) {
	return Multiplier(d, w-1, from)
}
