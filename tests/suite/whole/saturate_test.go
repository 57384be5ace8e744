// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/build"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
)

// clamped returns a shader whose invocations clamp a float that they read, or the sum
// of it and itself, between two bounds, as GLSL.std.450 FClamp does: the lower
// bound first.
func clamped(lo, hi float64, sum bool) *randomShader {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{randomLanes, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	x := &randomShader{s: s, b: build.New(s)}
	b := x.b
	b.AtEnd(s.FirstBlock(f))
	x.lane = b.LoadLocalInvocationIndex(32)
	v := b.LoadSSBO(1, 32, b.Imm(0), b.IShl(x.lane, b.Imm(2)), 0, 4, 0)
	if sum {
		v = b.FAdd(v, b.LoadSSBO(1, 32, b.Imm(0), b.Imm(0), 0, 4, 0))
	}
	imm := func(f float64) ir.Src { return b.ImmN(32, uint64(math.Float32bits(float32(f)))) }
	x.store(b.FMin(b.FMax(v, imm(lo)), imm(hi)), result{op: op.FMin, bits: 32, float: true})
	return x
}

// saturations counts the saturating instructions of a program, and its selections.
func saturations(t *testing.T, code []byte) (sat, sel int) {
	t.Helper()
	for len(code) > 0 {
		in, err := isa.Decode(isa.TGL, code)
		if err != nil {
			t.Fatal(err)
		}
		if in.Sat {
			sat++
		}
		if in.Op == isa.OpSel {
			sel++
		}
		n := 16
		if binary.LittleEndian.Uint32(code)>>29&1 != 0 { // CmptCtrl: a compacted instruction
			n = 8
		}
		code = code[n:]
	}
	return sat, sel
}

// TestR04SaturateInCode: in the machine code a clamp to 1 from a bound in [0, 1] is one instruction with saturation,
// possibly the sum before it; other clamps are two selections without. The stored result matches the clamp's
// definition, also for NaN, which becomes the lower bound, and for both zeros.
func TestR04SaturateInCode(t *testing.T) {
	negZero := math.Copysign(0, -1)
	for _, c := range []struct {
		lo, hi   float64
		sum      bool
		sat, sel int
	}{
		{0, 1, false, 1, 0},
		{0, 1, true, 1, 0},
		{0.25, 1, false, 1, 1},
		{0.25, 1, true, 1, 1},
		{1, 1, false, 0, 0}, // 1 is all that is left
		{-1, 1, false, 0, 2},
		{-1, 1, true, 0, 2},
		{negZero, 1, false, 0, 2},
		{0.25, 0.75, false, 0, 2},
		{0.25, 0.75, true, 0, 2},
	} {
		t.Run(fmt.Sprintf("%v to %v, sum %v", c.lo, c.hi, c.sum), func(t *testing.T) {
			x := clamped(c.lo, c.hi, c.sum)
			in := make([]byte, 4*randomLanes)
			values := []float64{negZero, 0, math.NaN(), 1, -1, 0.25, 0.75, 0.5, 2, -2, 0.1, math.Inf(1), math.Inf(-1), 0x1p-120, -0x1p-120, 1 - 0x1p-24, 1 + 0x1p-23}
			for l := range randomLanes {
				binary.LittleEndian.PutUint32(in[4*l:], math.Float32bits(float32(values[l%len(values)])))
			}
			want := x.interpret(t, x.s, in)
			p := pass.New(x.s)
			p.Options = pass.Options{Target: target.TGL}
			if err := pipeline.ForTarget(p, nil); err != nil {
				t.Fatal(err)
			}
			bin, err := intel.Compile(x.s, intel.Options{Target: target.TGL, SIMD: 16, Buffers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if sat, sel := saturations(t, bin.Code); sat != c.sat || sel != c.sel {
				t.Errorf("%d instructions saturate, %d select; want %d and %d\n%s", sat, sel, c.sat, c.sel, text.Print(x.s))
			}
			got := make([]byte, len(want))
			if _, err := eu.Run(context.Background(), &eu.Dispatch{
				Program: eu.Load(target.TGL, bin.Code), SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: bin.ABI.WorkgroupSize,
				Surfaces: []*eu.Surface{{Data: in}, {Data: got}}, ScratchPerThread: int(bin.ABI.ScratchBytes), Payload: eu.ComputePayload(abi.JacquardCS, nil),
			}); err != nil {
				t.Fatal(err)
			}
			for l := range randomLanes {
				v := values[l%len(values)]
				if c.sum {
					v += values[0]
				}
				// The definition of FClamp with NaN left out by max (IEEE 754-2019,
				// maximumNumber), written for this test.
				r := c.lo
				if v > c.lo || v == 0 && c.lo == 0 && !math.Signbit(v) {
					r = v
				}
				r = min(r, c.hi)
				for _, run := range []struct {
					name string
					out  []byte
				}{{"interpreter", want}, {"machine code", got}} {
					if out := binary.LittleEndian.Uint32(run.out[l*randomSlot:]); out != math.Float32bits(float32(r)) {
						t.Errorf("%s: lane %d, %v: %v, want %v", run.name, l, v, math.Float32frombits(out), r)
					}
				}
			}
		})
	}
}
