// SPDX-License-Identifier: MIT

package stage

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
)

// Machines without a pixel interpolator have the planes of the barycentric coordinates in the payload.

// Doublewords of the planes. Each plane is its change for a pixel down, its change for a pixel to the right, and its value
// at the origin.
const (
	secondVertex = 0
	thirdVertex  = 3
	origin       = 6
	inverseW     = 11 // of PerspPlanes
	planeDown    = 0
	planeRight   = 1
	planeValue   = 2
)

// Bytes of the places of samples.
const (
	placeBytes = 16 // for each coordinate
	wordBytes  = 4  // that OpIndirect reads
)

// atOffset evaluates the planes at an offset from the pixels' centers.
func atOffset(c *value.Context, v ir.Value) {
	x := c.S.Src(v, 0)
	evaluatePlanes(c, v, func(k int) mir.Operand {
		t := c.NewTemp(isa.TypeF)
		c.B.Emit(isa.OpAdd, t, c.Use(x.Comp(k), isa.TypeF), mir.ImmOp(pixelCenter, isa.TypeF))
		return c.Source(t)
	})
}

// atSample evaluates the planes at a sample.
func atSample(c *value.Context, v ir.Value) {
	n := c.Use(c.S.Src(v, 0), isa.TypeUD)
	if n.File != mir.Imm && !n.IsScalar() {
		failDivergent(c, v)
		return
	}
	evaluatePlanes(c, v, func(k int) mir.Operand {
		c.B.ScalarMode()
		defer c.B.Vector()
		whole, place := c.ScalarTemp(), c.ScalarTemp().As(isa.TypeF)
		c.B.Mov(whole.As(isa.TypeF), sampleByte(c, n, k))
		c.B.Emit(isa.OpMul, place, c.Source(whole.As(isa.TypeF)), mir.ImmOp(sixteenth, isa.TypeF))
		return c.Source(place)
	})
}

// sampleByte returns coordinate k of the place of sample n in its pixel, a scalar.
func sampleByte(c *value.Context, n mir.Operand, k int) mir.Operand {
	from := mir.FixedScalar(c.Layout.At(abi.SamplePlaces), uint32(placeBytes*k), isa.TypeUD)
	t := c.ScalarTemp()
	if n.File == mir.Imm {
		c.B.Mov(t, from.As(isa.TypeUB).At(n.Num&sampleBits))
		return c.Source(t)
	}
	at, word := c.ScalarTemp(), c.ScalarTemp()
	shift, bits := c.ScalarTemp(), c.ScalarTemp()
	c.B.Emit(isa.OpAnd, at, n, mir.UD(sampleBits&^(wordBytes-1)))
	in := c.Insert(mir.Inst{Op: mir.OpIndirect, Dst: word, Src: [3]mir.Operand{from, c.Source(at).LowWords()}})
	in.Len[0] = 1
	c.B.Emit(isa.OpShl, shift, n, mir.UD(3)) // bits; shr ignores all but the low five
	c.B.Emit(isa.OpShr, bits, c.Source(word), c.Source(shift))
	c.B.Emit(isa.OpAnd, t, c.Source(bits), mir.UD(0xFF))
	return c.Source(t)
}

// evaluatePlanes evaluates barycentric coordinates. place returns coordinate k of the point within a pixel.
func evaluatePlanes(c *value.Context, v ir.Value, place func(k int) mir.Operand) {
	reg := c.Layout.At(value.PlanesOf(c.S, v))
	given := func(dword int) mir.Operand { return mir.FixedScalar(reg, uint32(4*dword), isa.TypeF) }
	var from [2]mir.Operand // the distance of the point from the origin
	words := cornerWords(c)
	c.B.Vector()
	for k := range from {
		within := place(k)
		start := given(origin + k)
		start.Neg = true
		pixel, t := c.NewTemp(isa.TypeF), c.NewTemp(isa.TypeF)
		c.B.Emit(isa.OpAdd, pixel, corner(c, words, uint32(k)), start)
		c.B.Emit(isa.OpAdd, t, c.Source(pixel), within)
		from[k] = c.Source(t)
	}
	plane := func(to mir.Operand, dword int) {
		t := c.NewTemp(isa.TypeF)
		c.B.Emit(isa.OpMad, t, given(dword+planeValue), from[0], given(dword+planeRight))
		c.B.Emit(isa.OpMad, to, c.Source(t), from[1], given(dword+planeDown))
	}
	dst := c.Result(v, isa.TypeF)
	if value.IsLinear(c.S, v) {
		plane(c.Component(dst, 0), secondVertex)
		plane(c.Component(dst, 1), thirdVertex)
		return
	}
	inverse, w := c.NewTemp(isa.TypeF), c.NewTemp(isa.TypeF)
	plane(inverse, inverseW)
	c.B.MathOp(isa.MathInv, w, c.Source(inverse))
	for k, dword := range [2]int{secondVertex, thirdVertex} {
		t := c.NewTemp(isa.TypeF)
		plane(t, dword)
		c.B.Emit(isa.OpMul, c.Component(dst, k), c.Source(t), c.Source(w))
	}
}
