// SPDX-License-Identifier: MIT

package eu

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// TestDescriptorParts checks that the value or'ed into a descriptor may change only the binding table index.
func TestDescriptorParts(t *testing.T) {
	for _, c := range []struct {
		name            string
		value, constant uint64
		want            string
	}{
		{"an entry", 0xFE, 0x02106E00, ""},
		{"a larger index", 0x1FE, 0x02106E00, "with 0x000001fe, which reaches beyond the binding table index"},
		{"another length", 0x001000FE, 0x02106E00, "which reaches beyond the binding table index"},
		{"the index is in the constant as well", 0xFE, 0x02106EFE, "which reaches beyond the binding table index"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := arith(isa.OpMov, 1, dst(9, isa.TypeUD), imm(isa.TypeUD, c.value))
			or := arith(isa.OpOr, 1, isa.Operand{File: isa.FileARF, Reg: isa.ARFA0, Type: isa.TypeUD, HStride: 1},
				grf(9, 0, isa.TypeUD, 0, 1, 0), imm(isa.TypeUD, c.constant))
			set.NoMask, or.NoMask, or.SWSB = true, true, fields.SWSBDist(1)
			send := load(20, 2, fields.SWSBDist(1)|fields.SWSBSet(0))
			send.Desc, send.DescReg = 0, true
			b := newBench(t, 8, thread.HazardsStrict, set, or, send)
			run(b.Thread, 100)
			switch {
			case c.want == "" && b.Err != nil:
				t.Errorf("unexpected fault: %v", b.Err)
			case c.want != "" && (b.Err == nil || !strings.Contains(b.Err.Error(), c.want)):
				t.Errorf("got %v, want %q", b.Err, c.want)
			}
		})
	}
}

// TestDescriptorOfSampler checks that a dynamic sampler descriptor may select a surface and a sampler state.
func TestDescriptorOfSampler(t *testing.T) {
	images := []*texture.Image{nil, samplerImage(t, "2d", "R32_SFLOAT", 1)}
	biased := linearSampler()
	biased.Bias = 1
	for _, c := range []struct {
		value uint64
		want  string
	}{{0x201, ""}, {0x1201, "with 0x00001201, which reaches beyond"}, {0x301, "no sampler state at index 3"}, {0x202, "no surface at binding table index 2"}} {
		set := arith(isa.OpMov, 1, dst(9, isa.TypeUD), imm(isa.TypeUD, c.value))
		or := arith(isa.OpOr, 1, isa.Operand{File: isa.FileARF, Reg: isa.ARFA0, Type: isa.TypeUD, HStride: 1},
			grf(9, 0, isa.TypeUD, 0, 1, 0), imm(isa.TypeUD, uint64(samplerDesc(24, 8, 2, 1))))
		set.NoMask, or.NoMask, or.SWSB = true, true, fields.SWSBDist(1)
		in := send(isa.SFIDSampler, 8, 0, 0)
		in.Dst = dst(100, isa.TypeUD)
		in.DescReg, in.SWSB = true, fields.SWSBDist(1)|fields.SWSBSet(0)
		b := imageBench(t, target.TGL, images, set, or, in)
		b.Group.Machine.Samplers = []*texture.Sampler{nil, nil, biased}
		run(b.Thread, 10)
		switch {
		case c.want != "":
			if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
				t.Errorf("%#x: %v, want %q", c.value, b.Err, c.want)
			}
		case b.Err != nil:
			t.Errorf("%#x: %v", c.value, b.Err)
		default:
			if want := images[1].Sample(biased, new(texture.Query)); b.u(100, 6) != uint32(want[0]) {
				t.Errorf("%#x: %x, want %x", c.value, b.u(100, 6), want[0])
			}
		}
	}
}
