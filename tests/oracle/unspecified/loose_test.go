// SPDX-License-Identifier: MIT

package unspecified

import (
	"math"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

// results returns the results of a 32-bit operation under many seeds.
func results(o op.Op, args ...uint32) map[uint32]bool {
	out := map[uint32]bool{}
	for seed := range uint64(64) {
		var src [op.MaxSrc][fold.MaxComps]uint64
		var dst [fold.MaxComps]uint64
		for i, a := range args {
			src[i][0] = uint64(a)
		}
		Of(ir.New(), seed+1)(o, 32, &src, &dst, num.Flush32)
		out[uint32(dst[0])] = true
	}
	return out
}

func f(x float32) uint32 { return math.Float32bits(x) }

// TestDefined: an operation with a defined result has it under every seed.
func TestDefined(t *testing.T) {
	for _, c := range []struct {
		op   op.Op
		args []uint32
		want uint32
	}{
		{op.IAdd, []uint32{0xffffffff, 2}, 1},
		{op.IDiv, []uint32{0xfffffff9, 2}, 0xfffffffd},
		{op.IShl, []uint32{3, 31}, 0x80000000},
		{op.FAdd, []uint32{f(1.5), f(2.25)}, f(3.75)},
		{op.FMul, []uint32{f(1.5), f(-3)}, f(-4.5)},
		{op.FDiv, []uint32{f(6), f(3)}, f(2)},
		{op.FSqrt, []uint32{f(9)}, f(3)},
		{op.FMod, []uint32{f(-5.5), f(2)}, f(0.5)},
		{op.F2I32, []uint32{f(-7.9)}, 0xfffffff9},
		{op.FRoundEven, []uint32{f(2.25)}, f(2)},
	} {
		if got := results(c.op, c.args...); len(got) != 1 || !got[c.want] {
			t.Errorf("%s of %#x: %v, want %d alone", c.op, c.args, got, c.want)
		}
	}
}

// TestUndefinedResults: an operation with an undefined result has several.
func TestUndefinedResults(t *testing.T) {
	for _, c := range []struct {
		op   op.Op
		args []uint32
	}{
		{op.UDiv, []uint32{7, 0}}, {op.IDiv, []uint32{0x80000000, 0xffffffff}}, {op.IMod, []uint32{0xfffffff9, 2}},
		{op.IShl, []uint32{3, 32}}, {op.F2I32, []uint32{f(3e9)}}, {op.F2U32, []uint32{f(-1)}},
		{op.FLog2, []uint32{f(-1)}}, {op.FPow, []uint32{f(-2), f(2)}}, {op.FDiv, []uint32{f(1), 0}},
		{op.FEq, []uint32{f(float32(math.NaN())), f(1)}}, {op.FMul, []uint32{f(1e30), f(1e30)}},
		{op.FRoundEven, []uint32{f(2.5)}}, {op.FSub, []uint32{f(1), f(1)}}, // the sign of zero
		{op.BitfieldInsert, []uint32{1, 2, 30, 3}}, {op.FAdd, []uint32{1, 0}}, // a denormal
	} {
		if got := results(c.op, c.args...); len(got) < 2 {
			t.Errorf("%s of %#x: %v alone", c.op, c.args, got)
		}
	}
}

// TestPrecision: results stay within the precision that Vulkan requires, and use all of it.
func TestPrecision(t *testing.T) {
	ulps := func(n float64) func(float64) float64 {
		return func(x float64) float64 { return n * ulp(x, 32) }
	}
	for _, c := range []struct {
		op    op.Op
		args  []uint32
		want  float64
		error func(float64) float64
		least int // different results
	}{
		{op.FAdd, []uint32{f(1), f(1e-8)}, 1 + 1e-8, ulps(1.5), 3},
		{op.FMul, []uint32{f(1.1), f(1.3)}, float64(float32(1.1)) * float64(float32(1.3)), ulps(1.5), 3},
		{op.FDiv, []uint32{f(1), f(3)}, 1. / 3, ulps(3.5), 4},
		{op.FSqrt, []uint32{f(2)}, math.Sqrt2, ulps(3.5), 4},
		{op.FExp2, []uint32{f(2.5)}, math.Exp2(2.5), ulps(8.5), 8},
		{op.FLog2, []uint32{f(1)}, 0, func(float64) float64 { return 0x1p-21 }, 8},
		{op.FSin, []uint32{f(1)}, math.Sin(1), func(float64) float64 { return 0x1.01p-11 }, 16},
		{op.FFma, []uint32{f(1.1), f(1.3), f(-1.43)}, float64(float32(1.1))*float64(float32(1.3)) - float64(float32(1.43)), func(float64) float64 { return 2 * ulp(1.43, 32) }, 4},
	} {
		got := results(c.op, c.args...)
		for x := range got {
			if d := math.Abs(value(uint64(x), 32) - c.want); d > c.error(c.want) {
				t.Errorf("%s of %#x: %v, which is %v from %v", c.op, c.args, value(uint64(x), 32), d, c.want)
			}
		}
		if len(got) < c.least {
			t.Errorf("%s of %#x: only %d results", c.op, c.args, len(got))
		}
	}
}
