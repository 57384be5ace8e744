// SPDX-License-Identifier: MIT

package synth_test

import (
	"slices"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/synth"
)

const scalarShader = `#version 450
layout(set = 0, binding = 0, std430) readonly buffer B {
    layout(row_major) mat2x3 m; // three rows of two numbers
    int i;
    vec2 list[];
};
layout(location = 0) out vec4 color;
void main() { color = vec4(m[0], list[1].x) + float(i); }
`

// TestScalars: numbers are where the layout has them, as many as fit.
func TestScalars(t *testing.T) {
	module, err := oracle.GLSL(t, "frag", []byte(scalarShader))
	if err != nil {
		t.Fatal(err)
	}
	s, err := spirv.Read(module, spirv.Options{Stage: kind.StageFragment, Entry: "main"})
	if err != nil {
		t.Fatal(err)
	}
	for x := range s.Vars(kind.ModeSSBO) {
		const size = 32 + 12 // one and a half vectors
		var at, diagonal []uint32
		for _, n := range synth.Scalars(s, s.LayoutOf(kind.ModeSSBO), s.Var(x).Type, 0, size) {
			if at = append(at, n.At); n.Diagonal {
				diagonal = append(diagonal, n.At)
			}
			if n.Matrix != (n.At < 24) || (n.Kind == ir.TypeInt) != (n.At == 24) || n.Bits != 32 {
				t.Errorf("%+v", n)
			}
		}
		if want := []uint32{0, 8, 16, 4, 12, 20, 24, 32, 36}; !slices.Equal(at, want) {
			t.Errorf("%d, want %d", at, want)
		}
		if want := []uint32{0, 12}; !slices.Equal(diagonal, want) {
			t.Errorf("the diagonal is at %d, want %d", diagonal, want)
		}
		if list := synth.Scalars(s, s.LayoutOf(kind.ModeSSBO), s.Var(x).Type, 1<<31, size); len(list) != 0 {
			t.Errorf("%d numbers beyond the end", len(list))
		}
	}
}

// TestSetAndGet: a number has its bytes and no others.
func TestSetAndGet(t *testing.T) {
	for _, bits := range []uint8{8, 16, 32, 64} {
		data := slices.Repeat([]byte{0xAA}, 16)
		n := synth.Scalar{At: 4, Bits: bits}
		n.Set(data, 0x1122334455667788)
		if got, want := n.Get(data), uint64(0x1122334455667788)<<(64-bits)>>(64-bits); got != want || data[3] != 0xAA ||
			data[4+bits/8] != 0xAA {
			t.Errorf("%d bits: %#x, want %#x; %x", bits, got, want, data)
		}
	}
}
