// SPDX-License-Identifier: MIT

package intel_test

import (
	"slices"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// TestProducts checks that two doublewords are multiplied by one instruction if the machine has it, otherwise
// by words, and that a factor known to be small is always multiplied as a word.
func TestProducts(t *testing.T) {
	wide := *target.TGL
	wide.Name, wide.Has = "wide", wide.Has|target.Mul32x32
	one := []isa.Op{isa.OpMul}
	pieces := []isa.Op{isa.OpMul, isa.OpMul, isa.OpAdd, isa.OpMov}
	for _, c := range []struct {
		name    string
		machine *target.Target
		by      func(b *build.Builder, x ir.Src) ir.Src
		want    []isa.Op
	}{
		{"pieces", target.TGL, func(_ *build.Builder, x ir.Src) ir.Src { return x }, pieces},
		{"whole", &wide, func(_ *build.Builder, x ir.Src) ir.Src { return x }, one},
		{"constant in pieces", target.TGL, func(b *build.Builder, _ ir.Src) ir.Src { return b.Imm(0x12345) }, slices.Insert(slices.Clone(pieces), 0, isa.OpMov)},
		{"whole constant", &wide, func(b *build.Builder, _ ir.Src) ir.Src { return b.Imm(0x12345) }, one},
		{"word", target.TGL, func(b *build.Builder, _ ir.Src) ir.Src { return b.Imm(0x1234) }, one},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, b := newShader(16)
			at := b.IShl(b.LoadSubgroupInvocation(32), b.Imm(2))
			x := b.LoadSSBO(1, 32, b.Imm(0), at, 0, 4, 0)
			b.StoreSSBO(b.IMul(x, c.by(b, x)), b.Imm(0), at, 1, 0, 4, 0)
			var got []isa.Op
			_, err := intel.Compile(s, intel.Options{Target: c.machine, SIMD: 16, Buffers: 1, StopAfter: "select",
				Trace: func(_ string, u *mir.Unit, _ time.Duration) {
					load := false
					for i := u.Func.Blocks[0].First; i != 0; i = u.Func.Next(i) {
						in := u.Func.At(i)
						if load && in.Op == mir.OpMessage {
							return // the store, together with the computation of its data, follows the load
						}
						if load {
							got = append(got, in.Op)
						}
						load = load || in.Op == mir.OpMessage
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
