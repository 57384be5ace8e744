// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"testing"

	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/spv"
)

// TestUsesSubgroups: modules with capabilities of group operations are known.
func TestUsesSubgroups(t *testing.T) {
	const header, shader = 5, 1
	for c, want := range map[uint32]bool{shader: false, 60: false, 61: true, 64: true, 68: true, 69: false, 4423: true, 4431: true} {
		words := make([]uint32, header, header+4)
		words[0] = 0x07230203
		words = append(words, 2<<16|17, shader, 2<<16|17, c)
		if got := usesSubgroups(spv.Bytes(words)); got != want {
			t.Errorf("capability %d: %v", c, got)
		}
	}
}

// TestBusyDraw: the loops of a made-up draw's shader run, without leaving its buffers.
func TestBusyDraw(t *testing.T) {
	const head = `#version 450
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0, std140) uniform U { uint n; float f[20]; };
void main() { color = vec4(0.5); `
	for _, c := range []struct {
		body string
		want byte // the first byte of the uniform buffer; 0 stands for a random small number
	}{
		{"for (uint i = 8u; i < n; i++) color.x += 0.01 * f[i]; }", 16},
		{"for (uint i = 0u; i < n; i++) color.x += 0.01 * f[2u * i]; }", 5},
		{"color.x += f[0]; }", 0},
	} {
		module, err := oracle.GLSL(t, "frag", []byte(head+c.body))
		if err != nil {
			t.Fatal(err)
		}
		var cache tools.Cache
		d, err := busyDraw(t.Context(), &cache, &modules.Staged{Module: &modules.Module{SPIRV: module}, Entry: "main"}, kind.StageFragment)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Bindings[0].Data[0]; got != c.want && (c.want != 0 || got > 3) {
			t.Errorf("%s: %d, want %d", c.body, got, c.want)
		}
	}
}

// TestVariants: at most some variants of a source are drawn, unless all are asked for.
func TestVariants(t *testing.T) {
	var list []modules.Module
	for i, name := range []string{"fs-op-add-int-int.shader_test", "fs-op-add-vec2-vec2.shader_test", "fs-sin.shader_test"} {
		source := fmt.Sprintf("#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(%d.0); }", i)
		module, err := oracle.GLSL(t, "frag", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, modules.Module{Name: name, SPIRV: module})
	}
	for most, want := range []int{3, 2, 3} {
		if got := len(drawnCorpusSet(list, kind.StageFragment, most, false)); got != want {
			t.Errorf("%d variants: %d draws, want %d", most, got, want)
		}
	}
}
