// SPDX-License-Identifier: MIT

package lower_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/lower"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
	"jacquard.example/generated/target"
)

// mostUlp is the largest error of a reciprocal that LowerDivision allows, in units in the last place.
const mostUlp = 2

// pair is a dividend and a divisor.
type pair struct{ n, d uint32 }

// edges returns 0, the powers of two, and the numbers near them.
func edges() (list []uint32) {
	list = []uint32{0, math.MaxUint32}
	for k := range 32 {
		x := uint32(1) << k
		list = append(list, x-1, x, x+1, -x-1)
	}
	return list
}

// pairs returns all pairs of edges and random pairs of all magnitudes, with dividends next to multiples of the divisor.
func pairs(random int) (list []pair) {
	for _, n := range edges() {
		for _, d := range edges() {
			list = append(list, pair{n, d})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range random {
		d := r.Uint32() >> r.IntN(32)
		n := r.Uint32() >> r.IntN(32)
		if d != 0 && r.IntN(2) == 0 {
			n = n/d*d + uint32(r.IntN(3)) - 1
		}
		list = append(list, pair{n, d})
	}
	return list
}

// quotients returns a shader that stores the quotient and the remainder of the two numbers of each invocation. Only the
// bits of mask are taken from the dividend.
func quotients(t *testing.T, mask uint32) *ir.Shader {
	t.Helper()
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{64, 1, 1}
	s.Info.Bindings = []ir.Binding{{Mode: kind.ModeSSBO, Count: 1}}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := build.New(s)
	b.AtEnd(s.FirstBlock(f))
	group, lane := b.LoadWorkgroupID(32).Comp(0), b.LoadLocalInvocationIndex(32)
	at := b.IShl(b.IAdd(b.IShl(group, b.Imm(6)), lane), b.Imm(3))
	x := b.LoadSSBO(2, 32, b.Imm(0), at, 0, 8, 0)
	n := x.Comp(0)
	if mask != math.MaxUint32 {
		n = b.IAnd(n, b.Imm(mask))
	}
	q, r := b.UDiv(n, x.Comp(1)), b.UMod(n, x.Comp(1))
	b.StoreSSBO(pass.Vec(b, []ir.Src{q, r}), b.Imm(0), at, 3, 0, 8, 0)
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return s
}

type values = [fold.MaxComps]uint64

// perturbed returns an Override that is wrong by the number of units in the last place that off returns. The reciprocals
// of zeros and infinities are exact.
func perturbed(off func() int32) func(o op.Op, bits uint8, src *[op.MaxSrc]values, dst *values, mode fold.Mode) bool {
	return func(o op.Op, bits uint8, src *[op.MaxSrc]values, dst *values, mode fold.Mode) bool {
		if o != op.FRcp || !fold.Eval(o, bits, 1, src, dst, mode) {
			return false
		}
		if x := math.Float32frombits(uint32(dst[0])); x != 0 && !math.IsInf(float64(x), 0) {
			dst[0] = uint64(uint32(dst[0]) + uint32(off()))
		}
		return true
	}
}

// TestDivision runs quotients and remainders before and after the pass, with reciprocals that are wrong by up to two
// units in the last place, in both directions of rounding.
func TestDivision(t *testing.T) {
	machine := *target.TGL
	machine.Rewrite.Set(option.LowerDivision, true)
	list := pairs(1 << 14)
	for len(list)%64 != 0 {
		list = append(list, pair{})
	}
	r := rand.New(rand.NewPCG(3, 4))
	errors := map[string]func() int32{
		"least": func() int32 { return -mostUlp }, "most": func() int32 { return mostUlp },
		"random": func() int32 { return r.Int32N(2*mostUlp+1) - mostUlp },
	}
	for _, mask := range []uint32{math.MaxUint32, 1<<18 - 1} {
		for _, truncate := range []bool{false, true} {
			s := quotients(t, mask)
			if truncate {
				s.Info.RoundTowardZero = 1 << 1
			}
			c := pass.New(s)
			c.Options.Target = &machine
			if !lower.LowerDivision(c) || lower.LowerDivision(c) {
				t.Error("the pass did not change the shader exactly once")
			}
			if err := validate.Shader(s); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(s))
			}
			for name, off := range errors {
				compareDivisions(t, fmt.Sprintf("mask %#x truncated %v error %s", mask, truncate, name), s, list, mask, off)
			}
		}
	}
}

// compareDivisions runs a shader of quotients on a list of pairs.
func compareDivisions(t *testing.T, name string, s *ir.Shader, list []pair, mask uint32, off func() int32) {
	t.Helper()
	data := make([]byte, 0, 8*len(list))
	for _, p := range list {
		data = binary.LittleEndian.AppendUint32(data, p.n)
		data = binary.LittleEndian.AppendUint32(data, p.d)
	}
	call := &interp.Call{Groups: [3]uint32{uint32(len(list) / 64), 1, 1}, Width: 32, Buffers: []interp.Buffer{{Data: data}}, Override: perturbed(off)}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text.Print(s))
	}
	for i, p := range list {
		q, r := uint32(math.MaxUint32), p.n&mask
		if p.d != 0 {
			q, r = r/p.d, r%p.d
		}
		gotQ, gotR := binary.LittleEndian.Uint32(data[8*i:]), binary.LittleEndian.Uint32(data[8*i+4:])
		if gotQ != q || gotR != r {
			t.Fatalf("%s: %#x by %#x is %#x with remainder %#x, want %#x and %#x\n%s", name, p.n&mask, p.d, gotQ, gotR, q, r, text.Print(s))
		}
	}
}

// TestDivisionBounds checks the bounds of the proof in LowerDivision's comment with reciprocals of the largest error.
func TestDivisionBounds(t *testing.T) {
	for _, p := range pairs(1 << 20) {
		if p.d == 0 {
			continue
		}
		for _, off := range []int32{-mostUlp, mostUlp} {
			r := math.Float32frombits(math.Float32bits(1/float32(p.d)) + uint32(off) - 16)
			// Both roundings of the float, the second of which is that of an unfused sum.
			estimate := func(n uint32, unfused bool) uint32 {
				x := float32(n)
				if unfused {
					return uint32(min(float64(float32(x*r)+r), math.MaxUint32))
				}
				return uint32(min(float64(float32(math.FMA(float64(x), float64(r), float64(r)))), math.MaxUint32))
			}
			for _, unfused := range []bool{false, true} {
				q := estimate(p.n, unfused)
				rest := uint64(p.n) - uint64(q)*uint64(p.d)
				if q > p.n/p.d || rest >= uint64(p.d)+1<<14 || p.n < 1<<18 && q != p.n/p.d {
					t.Fatalf("%#x by %#x, reciprocal off by %d: the first estimate is %#x", p.n, p.d, off, q)
				}
				more := estimate(uint32(rest), unfused)
				if last := rest - uint64(more)*uint64(p.d); more >= 1<<16 || last >= 2*uint64(p.d) {
					t.Fatalf("%#x by %#x, reciprocal off by %d: the second estimate is %#x", p.n, p.d, off, more)
				}
			}
		}
	}
}
