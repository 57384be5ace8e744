// SPDX-License-Identifier: MIT

package amber

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/run/runner"
)

const vkHead = `# a comment
[require]
shaderInt64
VK_KHR_storage_buffer_storage_class

[compute shader]
#version 450
void main() {}

[test]
`

// vkRun parses a script and runs it with an engine that records the arguments of
// every dispatch.
func vkRun(t *testing.T, test string) ([]runner.Call, *runner.Report) {
	t.Helper()
	s, err := Parse("t.vkscript", []byte(vkHead+test))
	if err != nil {
		t.Fatal(err)
	}
	var calls []runner.Call
	report, err := s.Run(context.Background(), runner.EngineFunc(func(_ context.Context, c *runner.Call) error {
		k := *c
		k.Bindings = append([]runner.Binding(nil), c.Bindings...)
		for i := range k.Bindings {
			k.Bindings[i].Data = append([]byte(nil), k.Bindings[i].Data...)
		}
		calls = append(calls, k)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return calls, report
}

// TestVkScript: buffers grow with the commands, data is set between dispatches,
// layouts are std430 and std140, and probes compare.
func TestVkScript(t *testing.T) {
	calls, report := vkRun(t, `
ssbo 3 16
ssbo 0:1 subdata vec3 0  1 2 3  4 5 6
uniform ubo 2:0 mat2x3 0  1 2 3 \
                          4 5 6
uniform int 8 -5
compute 1 2 3
ssbo 0:1 subdata float 4 9
uniform int 12 7
compute entrypoint other
compute 4 5 6
probe ssbo float 0:1 0 == 1 9 3
probe ssbo vec3 0:1 16 != 4 5 6
probe ssbo uint 3 0 < 1 1
tolerance 1%
probe ssbo float 0:1 0 ~= 1.009
probe ssbo float 0:1 0 ~= 1.02
`)
	if len(calls) != 2 || calls[0].Entry != "main" || calls[1].Entry != "other" || calls[0].Groups != [3]uint32{1, 2, 3} || calls[1].Groups != [3]uint32{4, 5, 6} {
		t.Fatalf("%+v", calls)
	}
	floats := func(b []byte) (out []float32) {
		for i := 0; i+4 <= len(b); i += 4 {
			out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))
		}
		return out
	}
	same := func(what string, got, want []float32) {
		if len(got) < len(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", what, got, want)
				return
			}
		}
	}
	for i, b := range calls[0].Bindings {
		switch [2]uint32{b.Set, b.Binding} {
		case [2]uint32{0, 3}:
			if len(b.Data) != 64 || b.Kind != runner.Storage {
				t.Errorf("ssbo 3: %d bytes, %s: 16 elements of what is probed, uint", len(b.Data), b.Kind)
			}
		case [2]uint32{0, 1}:
			same("vec3s", floats(b.Data), []float32{1, 2, 3, 0, 4, 5, 6})
			same("vec3s later", floats(calls[1].Bindings[i].Data), []float32{1, 9, 3, 0, 4, 5, 6})
		case [2]uint32{2, 0}:
			same("mat2x3", floats(b.Data), []float32{1, 2, 3, 0, 4, 5, 6})
			if b.Kind != runner.Uniform {
				t.Errorf("ubo: %s", b.Kind)
			}
		default:
			t.Errorf("a binding %d:%d", b.Set, b.Binding)
		}
	}
	if p := calls[0].PushConstants; len(p) != 16 || int32(binary.LittleEndian.Uint32(p[8:])) != -5 || p[12] != 0 ||
		calls[1].PushConstants[12] != 7 {
		t.Errorf("push constants % x, % x", p, calls[1].PushConstants)
	}
	errs := report.Errors()
	if len(report.Checks) != 5 || len(errs) != 2 || !strings.HasPrefix(errs[0].Error(), "t.vkscript:23:1:") ||
		!strings.HasPrefix(errs[1].Error(), "t.vkscript:27:1:") {
		t.Errorf("%d checks, failed: %v", len(report.Checks), errs)
	}
	s, _ := Parse("x", []byte(vkHead))
	if s.DeviceFeatures[0] != "shaderInt64" || s.DeviceExtensions[0] != "VK_KHR_storage_buffer_storage_class" ||
		!strings.HasPrefix(s.Shaders[0].Source, "#version") {
		t.Errorf("%+v", s)
	}
}

// TestVkScriptErrors pins the wording and the positions of errors. Lines count from
// the section [test].
func TestVkScriptErrors(t *testing.T) {
	for _, c := range []struct{ at, msg, src string }{
		{"11:1", "unknown command 'dance'", "dance 1"},
		{"11:1", "no vertex shader to draw with", "draw rect 0 0 1 1"},
		{"11:1", "probe all has 3 numbers, but needs 4", "probe all rgba 1 1 1"},
		{"11:1", "the rectangle is outside the 250x250 pixels of the framebuffer", "relative probe rect rgb (0.5, 0.5, 0.6, 0.5) (1, 1, 1)"},
		{"11:1", "the rectangle is outside the 250x250 pixels of the framebuffer", "probe rect rgb (9000000000000000000, 0, 9000000000000000000, 1) (1, 1, 1)"},
		{"11:1", "the rectangle is outside the 250x250 pixels of the framebuffer", "probe rgb (nan, 0) (1, 1, 1)"},
		{"11:17", "a word that starts with VK_COMPARE_OP_ is missing or unknown, found 'VK_COMPARE_OP_LES'", "front.compareOp VK_COMPARE_OP_LES"},
		{"11:1", "patch: geometry and tessellation shaders, and draws without pictures, are not supported", "patch parameter vertices 3"},
		{"11:6", "expected a binding, found 'x'", "ssbo x 4"},
		{"11:8", "the size must be an integer from 0 to 268435456, not 'y'", "ssbo 1 y"},
		{"11:16", "expected a type, found 'vec5'", "ssbo 1 subdata vec5 0 1"},
		{"11:22", "offset 2 is not a multiple of the number size of 4 bytes", "ssbo 1 subdata float 2 1"},
		{"11:26", "2 values are not a multiple of the 3 that an element takes", "ssbo 1 subdata vec3 0 1 2"},
		{"11:22", "0 values are not a multiple of the 1 that an element takes", "ssbo 1 subdata int 0 "},
		{"11:22", "'1.5' is not an integer in the 64-bit range, as int32 requires", "ssbo 1 subdata int 0 1.5"},
		{"12:13", "'1' is a storage buffer", "ssbo 1 4\nuniform ubo 1 int 0 1"},
		{"11:22", "expected a comparator (==, !=, <, <=, >, >=, ~=), found '='", "probe ssbo int 0:1 0 = 1"},
		{"11:9", "the number of workgroups must be an integer from 0 to 4294967295, not the end of the script", "compute "},
		{"11:1", "tolerance takes one value or four, not 2", "tolerance 1 2"},
		{"11:1", "section [geometry shader]: geometry and tessellation shaders are not supported", "[geometry shader]"},
		{"12:1", "a vertex attribute is location/format or location/type/GLSL type, not '0'", "[vertex data]\n0"},
		{"13:4", "vertex data: the end of the line is not a number", "[vertex data]\n0/float/vec3\n1 2\n"},
		{"14:1", "duplicate section [vertex data]", "[vertex data]\n0/float/vec4 1/float/vec4\n1 2 3 4 5 6 7 8\n[vertex data]\n2/float/float 3/float/float\n1 2\n"},
		{"13:1", "duplicate section [indices]", "[indices]\n0\n[indices]\n1\n"},
		{"12:13", "'D32_SFLOAT' is not a framebuffer format", "[require]\nframebuffer D32_SFLOAT"},
		{"11:1", "unknown section [foo]", "[foo]"},
		{"11:1", "duplicate section [test]", "[test]"},
		{"11:1", "unknown shader format 'hlsl'", "[compute shader hlsl]"},
		{"11:1", "the shader is empty", "[compute shader spirv]"},
		{"12:2", "weaving: neither the interpreter nor the model supports it", "[require]\n weaving"},
		{"12:1", "VK_KHR_ray_query: neither the interpreter nor the model supports it", "[require]\nVK_KHR_ray_query"},
		{"11:1", "'[test' is not a section name in brackets", "[test"},
	} {
		src := vkHead + c.src
		if c.msg == "the shader is empty" {
			src = "[test]\n\n\n\n\n\n\n\n\n\n" + c.src
		}
		want := "t.vkscript:" + c.at + ": error: " + c.msg
		if _, err := Parse("t.vkscript", []byte(src)); err == nil || err.Error() != want {
			t.Errorf("%s\n got  %v\n want %s", c.src, err, want)
		}
	}
	if _, err := Parse("t.vkscript", []byte("[require]\n")); err == nil ||
		err.Error() != "t.vkscript:1:1: error: section [test] is missing" {
		t.Error(err)
	}
	if _, err := Parse("t.vkscript", []byte("[test]\ncompute 1 1 1\n")); err == nil ||
		err.Error() != "t.vkscript:2:1: error: no compute shader to run" {
		t.Error(err)
	}
}
