// SPDX-License-Identifier: MIT

package opcodes

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"jacquard.example/gen/internal/eval"
)

// claims tests the algebraic properties of a row on values: a property that
// fails for one vector is an error that shows it. Rounding operations are associative
// only up to rounding and are not tested.
func (c *checker) claims(o *Op) {
	for _, p := range []struct {
		name string
		ok   func(o *Op, size int, args [][]uint64) bool
	}{
		{"commutative", commutes},
		{"associative", associates},
		{"idempotent", idempotent},
		{"selection", selects},
	} {
		if !o.Has(p.name) {
			continue
		}
		for _, size := range o.execSizes() {
			if args := counterexample(o, size, p.ok); args != nil {
				c.errorf("props", "%q does not hold for %s", p.name, describe(o, size, args))
				break
			}
		}
	}
}

// counterexample searches for sources for which the property fails.
func counterexample(o *Op, size int, ok func(*Op, int, [][]uint64) bool) [][]uint64 {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	for range 200 {
		args := make([][]uint64, len(o.Srcs))
		for i, s := range o.Srcs {
			for range max(s.Comps, 1) {
				args[i] = append(args[i], Sample(r, s.Type(size)))
			}
		}
		if !ok(o, size, args) {
			return args
		}
	}
	return nil
}

func describe(o *Op, size int, args [][]uint64) string {
	var b strings.Builder
	for i, s := range o.Srcs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.Name + " = " + formatValues(args[i], s.Type(size)))
	}
	return b.String()
}

// run is like Run, for sources that are known to be valid.
func (o *Op) run(size int, args ...[]uint64) []uint64 {
	fn := o.Meaning[size]
	dst := make([]uint64, fn.Comps())
	fn.Run(args, dst)
	return dst
}

func commutes(o *Op, size int, args [][]uint64) bool {
	swapped := slices.Clone(args)
	swapped[0], swapped[1] = args[1], args[0]
	return slices.Equal(o.run(size, args...), o.run(size, swapped...))
}

func associates(o *Op, size int, args [][]uint64) bool {
	x, y, z := args[0], args[1], o.run(size, args...) // any third value
	z[0] ^= x[0] >> 1
	left := o.run(size, o.run(size, x, y), z)
	right := o.run(size, x, o.run(size, y, z))
	if slices.Equal(left, right) {
		return true
	}
	return o.Meaning[size].Rounds()
}

// idempotent compares with the source as the operation reads it, with NaNs
// made canonical.
func idempotent(o *Op, size int, args [][]uint64) bool {
	return slices.Equal(o.run(size, args[0], args[0]), canonical(args[0], o.Out.Type(size)))
}

func selects(o *Op, size int, args [][]uint64) bool {
	got := o.run(size, args...)
	for _, a := range args[1:] {
		if slices.Equal(got, canonical(a, o.Out.Type(size))) {
			return true
		}
	}
	return false
}

func canonical(v []uint64, t eval.Type) []uint64 {
	if t.Base != eval.Float {
		return v
	}
	out := make([]uint64, len(v))
	for i, x := range v {
		out[i] = eval.FloatBits(eval.FloatValue(x, t.Bits), t.Bits)
	}
	return out
}

// Sample returns a random value of a type for testing a claim: often a corner case, otherwise
// arbitrary bits.
func Sample(r *rand.Rand, t eval.Type) uint64 {
	mask := ^uint64(0) >> (64 - t.Bits)
	top := uint64(1) << (t.Bits - 1)
	switch r.IntN(6) {
	case 0:
		return r.Uint64N(4) & mask
	case 1:
		return (top + r.Uint64N(3) - 1) & mask
	case 2:
		return -r.Uint64N(4) & mask
	case 3:
		if t.Bits >= 16 {
			return eval.FloatBits(r.NormFloat64()*float64(r.IntN(1000)), t.Bits)
		}
	case 4:
		if t.Bits < 16 {
			return r.Uint64N(70) & mask
		}
		corners := []float64{0, 1, -0.5, 2.5, 65504, 1e-7, 1e30}
		if k := r.IntN(len(corners) + 2); k < len(corners) {
			return eval.FloatBits(corners[k], t.Bits) ^ top*r.Uint64N(2)
		}
		nan := eval.FloatBits(math.NaN(), t.Bits)
		inf := nan &^ (nan & -nan) // without its only payload bit
		return [2]uint64{nan, inf | top*r.Uint64N(2)}[r.IntN(2)]
	}
	return r.Uint64() & mask
}
