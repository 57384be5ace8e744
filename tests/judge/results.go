// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/num"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/picture"
)

// agree returns an error if the bindings after a run of a program differ from the interpreter's. who names the
// program.
func (c *contest) agree(who string, before *runner.Call, want []*runner.Call, got *runner.Call) error {
	for k := range got.Bindings {
		b := &got.Bindings[k]
		var data [][]byte
		for _, w := range want {
			data = append(data, w.Bindings[k].Data)
		}
		err := c.compare(formatOf(b), before.Bindings[k].Data, data, b.Data)
		if err != nil {
			return fmt.Errorf("%s: set %d binding %d %w", who, b.Set, b.Binding, err)
		}
	}
	return nil
}

// tolerance is the maximum relative difference of floats: compilers may contract and reorder, and SPIR-V allows functions
// some units in the last place. A difference of large numbers may also be off by some of their units in the last place.
const (
	tolerance = 1e-3
	lastPlace = 0x1p-21 // four units, of 1

	toleranceHalf = 4e-3 // of 16-bit floats, and their units in the last place
	lastPlaceHalf = 0x1p-8
)

// generatedDiffers is the share of the compared results of generated inputs that may differ: where a float is rounded to an
// integer, or compared, the tolerance is not enough.
const generatedDiffers = 0.02

// formatOf returns the format of the texels of a binding, or nil if it is a buffer.
func formatOf(b *runner.Binding) *texture.Format {
	if b.Texture == nil {
		return nil
	}
	return b.Texture.Format
}

// compare compares a buffer or an image with the interpreter's: doublewords or, if there is a format, texels. It leaves
// out results that differ between the interpreter's runs: they depend on undefined values, on the order of invocations or
// on the precision.
func (c *contest) compare(f *texture.Format, before []byte, want [][]byte, got []byte) error {
	size := 4
	if f != nil {
		size = f.Bytes
	}
	var first error
	wrong, compared := 0, 0
next:
	for at := 0; at+size <= len(got); at += size {
		w, g := want[0][at:at+size], got[at:at+size]
		for _, other := range want[1:] {
			if x := other[at : at+size]; !bytes.Equal(w, x) && !(c.generated && c.nearly(f, w, x)) {
				continue next
			}
		}
		if bytes.Equal(w, before[at:at+size]) && bytes.Equal(w, g) {
			continue
		}
		compared++
		switch {
		case bytes.Equal(w, g):
			c.result.exact++
		case c.nearly(f, w, g):
			c.result.close++
		default:
			if wrong++; first == nil {
				first = fmt.Errorf("byte %d: interpreter %#x, model %#x", at, number32(w), number32(g))
			}
		}
	}
	if c.generated && float64(wrong) <= generatedDiffers*float64(compared) {
		return nil
	}
	return first
}

// number32 returns the little-endian number in the first bytes, at most four.
func number32(b []byte) uint32 {
	var word [4]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint32(word[:])
}

// nearly reports whether two doublewords, or texels, are equal within the tolerance.
func (c *contest) nearly(f *texture.Format, a, b []byte) bool {
	if f == nil {
		x, y := number32(a), number32(b)
		return c.near(x, y) || c.halves && c.nearHalf(uint16(x), uint16(y)) && c.nearHalf(uint16(x>>16), uint16(y>>16))
	}
	x, y := f.Decode(a), f.Decode(b)
	if picture.Close(f, &x, &y) {
		return true
	}
	if f.Base != kind.BaseFloat {
		return false
	}
	for i := range x {
		if f.Has(i) && x[i] != y[i] && !c.near(uint32(x[i]), uint32(y[i])) {
			return false
		}
	}
	return true
}

// near reports whether two floats are equal within the tolerance.
func (c *contest) near(a, b uint32) bool {
	x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	const ordinary = 1e-30 // below it a doubleword is more likely an integer
	if a != 0 && math.Abs(x) < ordinary || b != 0 && math.Abs(y) < ordinary {
		return false
	}
	return math.Abs(x-y) <= max(tolerance*math.Abs(y), c.scale*lastPlace)
}

// nearHalf reports whether two 16-bit floats are equal within the tolerance.
func (c *contest) nearHalf(a, b uint16) bool {
	x, y := float64(num.F16ToF32(a)), float64(num.F16ToF32(b))
	if math.IsNaN(x) || math.IsNaN(y) {
		return a == b || math.IsNaN(x) && math.IsNaN(y)
	}
	return a == b || math.Abs(x-y) <= max(toleranceHalf*math.Abs(y), c.scale*lastPlaceHalf)
}
