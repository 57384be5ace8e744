// SPDX-License-Identifier: MIT

package main

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"jacquard.example/core/texture"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/synth"
)

// TestCompareTexels: images are compared by texels, whose components may be rounded to the next step.
func TestCompareTexels(t *testing.T) {
	f, err := texture.Named("R8G8B8A8_UNORM")
	if err != nil {
		t.Fatal(err)
	}
	c := &contest{entry: &entry{scale: 1}}
	before, want := make([]byte, 8), []byte{9, 9, 9, 9, 10, 20, 30, 40}
	if err := c.compare(f, before, [][]byte{want}, []byte{9, 9, 9, 9, 10, 21, 30, 40}); err != nil || c.result.exact != 1 || c.result.close != 1 {
		t.Errorf("a step: %v, %+v", err, c.result)
	}
	if err := c.compare(f, before, [][]byte{want}, []byte{9, 9, 9, 9, 10, 24, 30, 40}); err == nil || !strings.Contains(err.Error(), "byte 4") {
		t.Errorf("another color: %v", err)
	}
}

// TestCompareGenerated: with generated inputs, results may differ where runs of the interpreter differ, and so may one in
// fifty of the other results.
func TestCompareGenerated(t *testing.T) {
	const n = 100
	c := &contest{entry: &entry{scale: 1, generated: true}}
	words := func(change map[int]float32) (out []byte) {
		for i := range n {
			x, ok := change[i]
			if !ok {
				x = 1
			}
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
		return out
	}
	before := make([]byte, 4*n)
	want := [][]byte{words(nil), words(map[int]float32{5: 3, 6: 1.0001})}
	for _, x := range []struct {
		change map[int]float32
		ok     bool
	}{
		{map[int]float32{5: 7}, true}, {map[int]float32{6: 1.0001}, true}, {map[int]float32{7: 2}, true},
		{map[int]float32{6: 2, 7: 2}, false},
	} {
		if err := c.compare(nil, before, want, words(x.change)); err == nil != x.ok {
			t.Errorf("%v: %v", x.change, err)
		}
	}
}

// TestCompareHalves: a doubleword may hold two 16-bit floats if the module has some.
func TestCompareHalves(t *testing.T) {
	word := func(high, low uint32) []byte { return binary.LittleEndian.AppendUint32(nil, high<<16|low) }
	for _, x := range []struct {
		halves    bool
		high, low uint32
		ok        bool
	}{{true, 0x3c02, 0x3bff, true}, {false, 0x3c02, 0x3bff, false}, {true, 0x3e00, 0x3c00, false}, {true, 0xbc00, 0x3c00, false}} {
		c := &contest{entry: &entry{scale: 1, generated: true}, halves: x.halves}
		err := c.compare(nil, make([]byte, 4), [][]byte{word(0x3c00, 0x3c00)}, word(x.high, x.low))
		if err == nil != x.ok {
			t.Errorf("%+v: %v", x, err)
		}
	}
}

// TestSourceOf: what a generator made for several types is one source.
func TestSourceOf(t *testing.T) {
	for name, want := range map[string]string{
		"generated_tests/spec/x/cs-op-bitand-not-abs-ivec4-int.shader_test": "cs-op-bitand-not-abs",
		"a/cs-op-div-mat2x3-mat2.shader_test":                               "cs-op-div",
		"a/cs-op-div-u64vec4-uint64_t.shader_test":                          "cs-op-div",
		"shaders-msl/asm/comp/storage-buffer.asm.comp":                      "storage-buffer",
		"shaders/comp/storage-buffer.comp":                                  "storage-buffer",
	} {
		if got := sourceOf(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestUndefinedWork: a shader whose loops depend on the order of invocations is not judged; one whose results do is.
func TestUndefinedWork(t *testing.T) {
	const head = `#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer O { uint o[]; };
layout(set = 0, binding = 1, std430) buffer C { uint count; };
void main() { `
	for _, c := range []struct{ body, want string }{
		{"o[gl_GlobalInvocationID.x] = atomicAdd(count, 1u); }", ""},
		{"uint n = atomicAdd(count, 1u); for (uint k = 0u; k < n * n; k += gl_GlobalInvocationID.x + 1u) o[k & 63u] += k; }",
			"what it has to do"},
	} {
		module, err := oracle.GLSL(t, "comp", []byte(head+c.body))
		if err != nil {
			t.Fatal(err)
		}
		d, _, err := synth.Busy(t.Context(), module, "main", synth.Limits{Run: 1 << 16, Total: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		k := newContest(&opponent{&peer.Compiler{Machine: target.TGL}, 16}, &entry{module: module, scale: 1, generated: true})
		_, err = k.interpret(t.Context(), picture.CopyDispatch(&d.Call))
		if err == nil != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
