// SPDX-License-Identifier: MIT

package jacquard

import (
	"strings"
	"testing"

	"jacquard.example/generated/gpu"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

// TestWidthReasons: the reason for a width is the rule by which it was chosen.
func TestWidthReasons(t *testing.T) {
	module := func(name string) []byte {
		words, err := shaders.Module(name)
		if err != nil {
			t.Fatal(err)
		}
		return spv.Bytes(words)
	}
	// Shaders in text form that the modules do not cover: other stages, and a required subgroup size.
	vertex := []byte("shader vertex \"main\"\nfn 1 \"main\"() entry {\n  b0:\n}\n")
	fragment := []byte("shader fragment \"main\"\nfn 1 \"main\"() entry {\n  b0:\n}\n")
	sized := []byte("shader compute \"main\"\nworkgroup_size 64 1 1\nsubgroup_size 32\nfn 1 \"main\"() entry {\n  b0:\n}\n")
	for _, c := range []struct {
		name   string
		source []byte
		simd   int
		want   Width
	}{
		{"usual", module("saxpy"), 0, Width{SIMD: 16, Reason: WidthUsual, Text: "SIMD16 is the first choice for workgroups of more than 8 invocations, and it does not spill"}},
		{"asked", module("saxpy"), 8, Width{SIMD: 8, Reason: WidthAsked, Text: "this width was requested"}},
		{"small", module("private_stride"), 0, Width{SIMD: 8, Reason: WidthWorkgroup, Text: "the workgroup has 4 invocations, for which 8 lanes suffice"}},
		{"spills", module("spill"), 0, Width{SIMD: 8, Reason: WidthSpills, Text: "SIMD16 spills, so SIMD8 was compiled too"}},
		{"vec4", vertex, 0, Width{SIMD: 8, Reason: WidthVertex, Text: "a thread of a vertex shader has 2 vertices, with 4 lanes each"}},
		{"vertex", vertex, 0, Width{SIMD: 8, Reason: WidthVertex, Text: "a thread of a vertex shader has 8 vertices"}},
		{"wide vertex", vertex, 0, Width{SIMD: 16, Reason: WidthVertex, Text: "a thread of a vertex shader has 16 vertices"}},
		{"wide small", module("private_stride"), 0, Width{SIMD: 16, Reason: WidthWorkgroup, Text: "the workgroup has 4 invocations, for which 16 lanes suffice"}},
		{"wide usual", module("saxpy"), 0, Width{SIMD: 16, Reason: WidthUsual, Text: "SIMD16 is the first choice for workgroups of more than 16 invocations, and it does not spill"}},
		{"wide spills", module("spill"), 0, Width{SIMD: 16, Reason: WidthUsual, Text: "SIMD16 is the first choice for workgroups of more than 16 invocations; it spills, but there is no SIMD8 on lnl"}},
		{"fragment", fragment, 0, Width{SIMD: 16, Reason: WidthUsual, Text: "SIMD16 is the first choice for fragment shaders, and it does not spill"}},
		{"sized", sized, 0, Width{SIMD: 32, Reason: WidthSubgroup, Text: "the shader requires subgroups of 32"}},
	} {
		o := Options{SIMD: c.simd, Explain: true}
		if c.name == "vec4" {
			o.Target = gpu.HSW
		}
		if strings.HasPrefix(c.name, "wide ") {
			o.Target = gpu.LNL
		}
		p, err := Compile(t.Context(), c.source, o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := p.Width
		if !strings.HasPrefix(got.Text, c.want.Text) || got.SIMD != c.want.SIMD || got.Reason != c.want.Reason ||
			p.Variants[0].SIMD != got.SIMD {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
