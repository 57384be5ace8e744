// SPDX-License-Identifier: MIT

package precision

import (
	"math"

	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

// sloppiness is the error of an operation of the math unit: it returns a neighbor of the exact result, or has an
// absolute error, at 16 and at 32 bits.
type sloppiness struct {
	of  func(float64) float64
	abs [2]float64
}

// The error of the math unit is assumed to be less than a unit, except that sines are off by nearly as much as the
// specification allows.
var mathUnit = map[op.Op]sloppiness{
	op.FRcp:  {of: func(x float64) float64 { return 1 / x }},
	op.FSqrt: {of: math.Sqrt},
	op.FRsq:  {of: func(x float64) float64 { return 1 / math.Sqrt(x) }},
	op.FExp2: {of: math.Exp2},
	op.FLog2: {of: math.Log2},
	op.FSin:  {of: math.Sin, abs: [2]float64{0.9 * half.sineError, 0.9 * single.sineError}},
	op.FCos:  {of: math.Cos, abs: [2]float64{0.9 * half.sineError, 0.9 * single.sineError}},
}

// sloppy computes an operation of the math unit with an error that depends on the
// operand.
func sloppy(o op.Op, bits uint8, src *[op.MaxSrc][fold.MaxComps]uint64, dst *[fold.MaxComps]uint64, mode fold.Mode) bool {
	m, ok := mathUnit[o]
	if !ok {
		return false
	}
	size := 0
	f := &half
	if bits == 32 {
		size, f = 1, &single
	}
	x := src[0][0]
	y := 0.0
	if bits == 16 {
		y = m.of(float64(num.Load16(x, mode)))
	} else {
		y = m.of(float64(num.Load32(x, mode)))
	}
	way := int(x*0x9e3779b97f4a7c15>>40%3) - 1
	switch u := f.ulp(y); {
	case m.abs[size] != 0:
		y += float64(way) * m.abs[size]
	case u == 0 || math.IsNaN(y):
	case way < 0:
		y = math.Floor(y/u) * u
	case way > 0:
		y = math.Ceil(y/u) * u
	}
	if bits == 16 {
		dst[0] = num.Store16(num.Narrow16(y, mode), mode)
	} else {
		dst[0] = num.Store32(num.Narrow32(y, mode), mode)
	}
	return true
}
