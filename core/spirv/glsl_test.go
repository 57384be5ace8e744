// SPDX-License-Identifier: MIT

package spirv_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// readGLSL compiles and reads a compute shader.
func readGLSL(t *testing.T, source string) *ir.Shader {
	t.Helper()
	module, err := oracle.GLSL(t, "comp", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGLSL runs small shaders of one invocation whose results are known.
func TestGLSL(t *testing.T) {
	f := math.Float32bits
	for _, c := range []struct {
		name, global, body string
		want               []uint32
	}{
		{"struct by value", "struct S { uint a; uvec2 b[2]; };\nS f(S s) { s.a += s.b[1].y; s.b[0] = s.b[1]; return s; }",
			"S s; s.a = 5; s.b[0] = uvec2(1, 2); s.b[1] = uvec2(3, 4); S r = f(s); o[0] = r.a; o[1] = r.b[0].x; o[2] = r.b[0].y; o[3] = s.b[0].x;",
			[]uint32{9, 3, 4, 1}},
		{"matrix by value", "mat2x3 f(mat2x3 m, float k) { m[1].z = k; return m * 2.0; }",
			"mat2x3 m = f(mat2x3(1, 2, 3, 4, 5, 6), 7); o[0] = floatBitsToUint(m[0][0]); o[1] = floatBitsToUint(m[1][2]); o[2] = floatBitsToUint(m[1][1]);",
			[]uint32{f(2), f(14), f(10)}},
		{"inout", "void f(inout uvec3 v, out uint s) { s = v.x + v.z; v.y = 9; }",
			"uvec3 v = uvec3(1, 2, 3); uint s; f(v, s); o[0] = v.x; o[1] = v.y; o[2] = s;", []uint32{1, 9, 4}},
		{"nested calls and returns", "uint g(uint x) { if (x > 3) return x; for (uint i = 0; i < 10; i++) { if (i * x > 7) return i; } return 100; }\nuint f(uint x) { return g(x) + g(x + 1); }",
			"for (uint i = 0; i < 5; i++) o[i] = f(i);", []uint32{108, 12, 7, 7, 9}},
		{"row major", "layout(set = 0, binding = 1, std430, row_major) buffer M { mat3x2 m; mat2x3 a[2]; };",
			"m = mat3x2(1, 2, 3, 4, 5, 6); m[1].y = 40; a[1] = transpose(m); a[1][0] += vec3(100); vec2 c = m[2]; o[0] = floatBitsToUint(c.x); o[1] = floatBitsToUint(m[1][1]); o[2] = floatBitsToUint(a[1][0].z); o[3] = floatBitsToUint(a[1][1].y);",
			[]uint32{f(5), f(40), f(105), f(40)}},
		{"dynamic components", "", "uint k = gl_LocalInvocationID.x; vec4 v = vec4(1, 2, 3, 4); v[k + 2] = 9; o[0] = floatBitsToUint(v[k + 2] + v[k + 1]); mat3 m = mat3(1); m[k + 1][k] = 5; o[1] = floatBitsToUint(m[k + 1][0]);",
			[]uint32{f(11), f(5)}},
		{"private with initializer", "uint p[3] = uint[](7, 8, 9);\nconst uint c[4] = uint[](1, 3, 5, 7);", "uint k = gl_LocalInvocationID.x; o[0] = p[k + 1]; p[k] = 2; o[1] = p[0]; o[2] = c[k + 3];", []uint32{8, 2, 7}},
		{"loop with late work in continue", "uint g(uint x) { return x * 3u; }",
			"uint s = 0; uint i = 0; do { if ((i & 1u) == 0u) continue; s += g(i); if (s > 40) break; } while (++i < 10 + s % 2u || i == 3); o[0] = s; o[1] = i;",
			loopLate()},
		{"break out of switch in loop", "", "uint s = 0; for (uint i = 0; i < 8; i++) { switch (i % 4) { case 0: if (i == 4) break; s += 1; case 1: s += 10; if (i == 5) continue; break; case 2: { for (;;) { s += 100; if (s > 500) break; } } break; default: s += 1000; } s += 7; } o[0] = s;",
			[]uint32{switchLoop()}},
		{"modf and frexp", "", "float w; int e; float x = uintBitsToFloat(0x40600000u + gl_LocalInvocationID.x); float fr = modf(x, w); float m = frexp(x, e); o[0] = floatBitsToUint(fr); o[1] = floatBitsToUint(w); o[2] = floatBitsToUint(m); o[3] = uint(e);",
			[]uint32{f(0.5), f(3), f(0.875), 2}},
		{"extended multiplication", "", "uint h, l; umulExtended(0xffffffffu - gl_LocalInvocationID.x, 3, h, l); o[0] = h; o[1] = l; uint c; o[2] = uaddCarry(0xffffffffu, 2 + gl_LocalInvocationID.x, c); o[3] = c; uint b; o[4] = usubBorrow(gl_LocalInvocationID.x, 1, b); o[5] = b;",
			[]uint32{2, 0xfffffffd, 1, 1, 0xffffffff, 1}},
		{"inverse", "", "float k = float(gl_LocalInvocationID.x); mat3 m = mat3(2, 0, 0, 1, 4 + k, 0, 0, 0, 8); mat3 i = inverse(m); o[0] = floatBitsToUint(i[0][0]); o[1] = floatBitsToUint(i[1][0]); o[2] = floatBitsToUint(i[1][1]); o[3] = floatBitsToUint(i[2][2]); o[4] = floatBitsToUint(determinant(m));",
			[]uint32{f(0.5), f(-0.125), f(0.25), f(0.125), f(64)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0, std430) buffer O { uint o[]; };\n" +
				c.global + "\nvoid main() {\n" + c.body + "\n}\n"
			s := readGLSL(t, src)
			if err := validate.Shader(s); err != nil {
				t.Fatal(err)
			}
			data := make([]byte, 64)
			bufs := []interp.Buffer{{Data: data}, {Binding: 1, Data: make([]byte, 256)}}
			if _, err := interp.Run(t.Context(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 1, MaxSteps: 1e6, Buffers: bufs}); err != nil {
				t.Fatal(err)
			}
			var got []uint32
			for i := range c.want {
				got = append(got, binary.LittleEndian.Uint32(data[4*i:]))
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("gives %#x, want %#x\n%s", got, c.want, text.Print(s))
			}
		})
	}
}

func loopLate() []uint32 {
	s, i := uint32(0), uint32(0)
	for {
		if i&1 != 0 {
			if s += i * 3; s > 40 {
				break
			}
		}
		if i++; !(i < 10+s%2 || i == 3) {
			break
		}
	}
	return []uint32{s, i}
}

func switchLoop() uint32 {
	s := uint32(0)
	for i := range 8 {
		switch i % 4 {
		case 0:
			if i == 4 {
				break
			}
			s++
			fallthrough
		case 1:
			if s += 10; i == 5 {
				continue
			}
		case 2:
			for {
				if s += 100; s > 500 {
					break
				}
			}
		default:
			s += 1000
		}
		s += 7
	}
	return s
}
