// SPDX-License-Identifier: MIT

// Package fold holds definitions of the opcodes written by hand over big numbers, independently of the tables
// ([Define]), and tests that compare the generated constant folder with them, on corner values and random ones at
// every size. A mistake in an opcode's eval, or in the generator that translates it to Go, would have to be repeated
// here to go unnoticed. "make foldtest" runs the tests at length.
package fold

import (
	"math"

	"jacquard.example/core/num"
)

// Define computes an opcode at a size by its definition: correctly rounded to nearest even, with denormals kept.
// Opcodes that the tables mark as approximate use the host's library. Floats may also have 8 or 5 bits, with an
// exponent of four or two bits. ok is false if the opcode has no definition.
func Define(name string, size int, src [][]uint64) (out []uint64, ok bool) {
	e := env{w: size, mode: num.Mode(0)}
	if f := refs[name]; f != nil {
		return f(e, src), true
	}
	a, ok := approximations[name]
	if !ok {
		return nil, false
	}
	var x []float64
	for _, s := range src {
		f := math.NaN()
		if r := decode(s[0], size, false); r != nil {
			f, _ = r.Float64()
		}
		x = append(x, f)
	}
	y := a.f(x...)
	if math.IsNaN(y) {
		return one(encode(nil, size, nearest, false)), true
	}
	return one(encode(fromFloat(size, y), size, nearest, false)), true
}

// Float rounds a number to a float's bits.
func Float(size int, f float64) uint64 {
	if math.IsNaN(f) {
		return encode(nil, size, nearest, false)
	}
	return encode(fromFloat(size, f), size, nearest, false)
}

// Number returns the number that a float's bits encode.
func Number(size int, x uint64) float64 {
	r := decode(x, size, false)
	if r == nil {
		return math.NaN()
	}
	f, _ := r.Float64()
	return f
}
