// SPDX-License-Identifier: MIT

package thread

import (
	"math"

	"jacquard.example/generated/isa"
)

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

// log2 returns the base-2 logarithm. It is accurate relative to its result, even near 1.
func log2(x float64) float64 {
	if x > 0.5 && x < 2 {
		return math.Log1p(x-1) / math.Ln2
	}
	return math.Log2(x)
}
