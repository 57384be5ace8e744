// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/interp"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/spv"
)

// addressPrograms are shaders that access memory by address. They have the addresses of two areas of 4 KiB, a and b, in
// push constants, and 48 invocations; their stores do not depend on the addresses. AmberScript has no command for
// addresses of buffers.
var addressPrograms = []struct{ name, decls, body string }{
	{"stepped", `
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform P { Words a, b; };`, `
  b.v[i] = a.v[47u - i] + a.v[3];
  b.v[i + 64u] = a.v[(i * 7u) % 64u];`},
	{"vectors", `
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vectors { uvec4 v[]; };
layout(push_constant) uniform P { Vectors a, b; };`, `
  uvec4 x = a.v[i];
  b.v[i] = x.wzyx + uvec4(i);
  b.v[i + 64u].yw = x.xz;`},
	{"small", `
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Halves { uint16_t v[]; };
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Bytes { uint8_t v[]; };
layout(push_constant) uniform P { Halves a; Bytes b; };`, `
  uint16_t h = a.v[i * 3u];
  b.v[i] = uint8_t(h);
  b.v[i * 2u + 64u] = uint8_t(h >> 8);
  Halves(b).v[i + 512u] = uint16_t(uint(h) + i);`},
	{"wide", `
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Quads { uint64_t v[]; };
layout(push_constant) uniform P { Quads a, b; };`, `
  uint64_t x = a.v[i];
  b.v[i] = x * 3ul + a.v[i + 48u];
  b.v[i + 64u] = uint64_t(int64_t(x) >> (i & 31u));`},
	// A list through both areas, each node in the order of a permutation; the links, which
	// are addresses, are erased again.
	{"list", `
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { Node next; uint value, sum; };
layout(push_constant) uniform P { Node a, b; };
Node node(uint k) { return Node(((k & 1u) != 0u ? uint64_t(b) : uint64_t(a)) + uint64_t(16u * k)); }`, `
  node(i).value = i * i + 1u;
  node(i).next = node((i * 5u + 7u) % 48u);
  memoryBarrierBuffer();
  barrier();
  Node n = node(i);
  uint sum = 0u;
  for (uint k = 0u; k <= i; k++) {
    sum += n.value;
    if ((n.value & 3u) == 2u) n = n.next; else n = n.next.next;
  }
  memoryBarrierBuffer();
  barrier();
  node(i).sum = sum;
  node(i).next = Node(uint64_t(0));`},
	{"chosen", `
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform P { Words a, b; };`, `
  Words p = a, q = b;
  if (i % 3u == 0u) { p = b; q = a; }
  uint x = i % 5u < 2u ? p.v[i] : p.v[i + 48u];
  if ((x & 1u) != 0u) q.v[i + 128u] = x; else q.v[i + 192u] = ~x;`},
	// Members of 16 bits at several alignments: the first two of a block form a dword, the middle two do not.
	{"halves", `
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Four { uint16_t x, y, z, w; };
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Two { uint16_t x, y, z, w; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Floats { float16_t x, y, z, w; };
layout(push_constant) uniform P { uint64_t a, b; };`, `
  Four p = Four(a + uint64_t(12u * i + 4u));
  Two q = Two(a + uint64_t(10u * i + 2u));
  Four r = Four(b + uint64_t(8u * i + 4u));
  Two s = Two(b + uint64_t(10u * i + 1026u));
  Floats f = Floats(b + uint64_t(8u * i + 2048u));
  uint16_t x = p.x, y = p.y, z = p.z, w = p.w, qx = q.x, qy = q.y, qz = q.z, qw = q.w;
  r.x = y; r.y = uint16_t(x + z); r.z = w; r.w = z;
  s.x = qw; s.y = qz; s.z = uint16_t(qx ^ x); s.w = qy;
  float16_t g = float16_t(float(i));
  f.x = g; f.y = g + 1.0hf; f.z = g * 2.0hf; f.w = -g;`},
	// Elements at signed indices from an address a multiple of 4 GiB away: 32-bit sums that wrap, and sums that do not.
	{"signed", `
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform P { uint64_t a, b; };`, `
  int wraps = int(i ^ 0x7fffffc0u) + 64, back = int(i) * 4 - 256;
  Words p = Words(a + 0x200000000ul), q = Words(b + 1024ul), r = Words(a + 1024ul);
  uint x = p.v[wraps], y = r.v[back | 1] + r.v[back | 2];
  q.v[back] = x; q.v[back + 1] = y; q.v[back + 3] = x + y;`},
	{"two words", `
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform P { uvec2 a, b; };`, `
  uvec2 p = a;
  uint carry;
  p.x = uaddCarry(p.x, 8u * i, carry);
  p.y += carry;
  uint x = Words(p).v[1];
  Words q = Words(i % 2u == 0u ? b : a);
  q.v[i + 512u] = x;
  uvec2 back = uvec2(Words(p));
  Words(b).v[i + 600u] = uint(back == p) + uint(uint64_t(Words(p)) - uint64_t(Words(a)));`},
	{"atomics", `
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform P { Words a, b; };`, `
  uint old = atomicAdd(a.v[i], i + 1u);
  b.v[i] = old + atomicExchange(a.v[i], 5u * i) + atomicCompSwap(a.v[i], 5u * i, old);
  atomicMin(b.v[64], a.v[i + 64u]);
  atomicMax(b.v[65], a.v[i + 64u]);
  atomicXor(b.v[66], a.v[i + 64u]);
  if (i % 3u != 0u) atomicAdd(b.v[67], i);`},
	{"wide atomics", `
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Quads { uint64_t v[]; };
layout(push_constant) uniform P { Quads a, b; };`, `
  uint64_t x = a.v[i + 64u];
  uint64_t old = atomicAdd(a.v[i], x);
  b.v[i] = old + atomicExchange(a.v[i], x) + atomicCompSwap(a.v[i], x, old);
  atomicMin(b.v[64], x);
  atomicMax(b.v[65], x);
  atomicXor(b.v[66], x);
  if (i % 3u != 0u) atomicAdd(b.v[67], x);`},
}

// addressSource returns the whole shader of a program.
func addressSource(decls, body string) string {
	return `#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 48) in;
` + decls + "\nvoid main() {\n  uint i = gl_LocalInvocationIndex;" + body + "\n}\n"
}

// The places of the areas on the interpreter and the model: across a multiple of 4 GiB, and far above.
const (
	areaA, areaB = 0x0000_7ffe_ffff_ff00, 0x0000_0005_ffff_fff0
	areaBytes    = 4096
)

// TestAddressesOfBuffers: stores by address leave the same memory on lavapipe, on the interpreter, and on the model of
// every machine at every width.
func TestAddressesOfBuffers(t *testing.T) {
	device := lavapipe.Need(t)
	for _, c := range addressPrograms {
		t.Run(c.name, func(t *testing.T) {
			source := addressSource(c.decls, c.body)
			module, err := oracle.GLSL(t, "comp", []byte(source))
			if err != nil {
				t.Fatalf("%v\n%s", err, source)
			}
			words, err := spv.Words(module)
			if err != nil {
				t.Fatal(err)
			}
			area := func() [2][]byte {
				var out [2][]byte
				for k := range out {
					for i := range areaBytes {
						out[k] = append(out[k], byte(i*37+i/7+i/256*11+k*101))
					}
				}
				return out
			}
			push := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, areaA), areaB)
			groups := [3]uint32{1, 1, 1}

			want := area()
			if err := device.Run(&lavapipe.Dispatch{Words: words, Push: bytes.Clone(push), Groups: groups,
				Memory: []lavapipe.Memory{{Data: want[0]}, {Data: want[1], Push: 8}}}); err != nil {
				t.Fatal(err)
			}
			if first := area(); bytes.Equal(first[0], want[0]) && bytes.Equal(first[1], want[1]) {
				t.Fatal("the shader changes nothing")
			}
			compare := func(t *testing.T, got [2][]byte, code func() string) {
				t.Helper()
				for k := range got {
					for i := 0; i < areaBytes; i += 4 {
						if g, w := got[k][i:][:4], want[k][i:][:4]; !bytes.Equal(g, w) {
							t.Fatalf("area %d offset %d: %x, lavapipe has %x\n%s", k, i, g, w, code())
						}
					}
				}
			}
			t.Run("interp", func(t *testing.T) {
				s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
				if err != nil {
					t.Fatal(err)
				}
				got := area()
				if _, err := interp.Run(t.Context(), s, &interp.Call{Groups: groups, Width: 16, Push: push,
					Buffers: []interp.Buffer{{Set: 9, Address: areaA, Data: got[0]}, {Set: 9, Binding: 1, Address: areaB, Data: got[1]}}}); err != nil {
					t.Fatal(err)
				}
				compare(t, got, func() string { return source })
			})
			for _, m := range target.All {
				for _, simd := range m.Widths {
					t.Run(fmt.Sprintf("%s%d", m.Name, simd), func(t *testing.T) {
						p, err := jacquard.Compile(t.Context(), module,
							jacquard.Options{Target: jacquard.Target(m.Name), SIMD: simd, Verify: true})
						if err != nil {
							t.Fatal(err)
						}
						v := &p.Variants[0]
						code := func() string {
							var dis bytes.Buffer
							_ = isatext.Disassemble(m.Platform, v.Code, &dis)
							return dis.String()
						}
						strict := []eu.Options{{Addresses: true, Poison: true, Undefined: true}}
						if m.Can(target.Fused) {
							strict = append(strict, eu.Options{Addresses: true, Fused: true})
						}
						for _, o := range strict {
							got := area()
							_, err = eu.Run(t.Context(), &eu.Dispatch{
								Program: eu.Load(m, v.Code), SIMD: simd, Groups: groups, LocalSize: p.ABI.LocalSize,
								Mappings: []eu.Mapping{{Addr: areaA, Data: got[0]}, {Addr: areaB, Data: got[1]}}, ScratchPerThread: v.Scratch, SLMSize: p.ABI.SharedBytes,
								Payload: eu.ComputePayload(m.ABI, push), Options: o,
							})
							if err != nil {
								t.Fatalf("%v\n%s", err, code())
							}
							compare(t, got, code)
						}
					})
				}
			}
		})
	}
}

// TestAddressesMerge: accesses to neighboring members and elements at an address are merged into fewer messages, unless
// their alignment does not allow it.
func TestAddressesMerge(t *testing.T) {
	const halves = `
layout(buffer_reference, scalar, buffer_reference_align = %d) buffer Halves { uint16_t x, y, z, w; };
layout(push_constant) uniform P { Halves a, b; };`
	const members = `
  uint16_t x = a.x, y = a.y, z = a.z, w = a.w;
  b.x = w; b.y = z; b.z = y; b.w = x;`
	const words = `
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform P { Words a, b; };`
	for _, c := range []struct {
		name, decls, body string
		sends             int // number of messages, at least two: a load or a store, and the end of the thread
	}{
		{"aligned members", fmt.Sprintf(halves, 4), members, 3},
		{"unaligned members", fmt.Sprintf(halves, 2), members, 9},
		{"elements read after a store", words, "\n  b.v[4u * i] = a.v[4u * i + 2u]; b.v[4u * i + 1u] = a.v[4u * i + 3u];", 5},
		{"elements at a signed index", words, "\n  int k = int(a.v[i + 1024u]) * 4; b.v[k] = a.v[k + 1] + a.v[k + 2] + a.v[k + 3];", 4},
		{"elements", words, "\n  int k = 4 * int(i); uint x = a.v[k], y = a.v[k + 1], z = a.v[k + 2]; b.v[k] = z; b.v[k + 1] = y; b.v[k + 2] = x;", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			module, err := oracle.GLSL(t, "comp", []byte(addressSource(c.decls, c.body)))
			if err != nil {
				t.Fatal(err)
			}
			p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: "tgl", SIMD: 8, Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			if n := p.Variants[0].Stats.Sends; n != c.sends {
				t.Errorf("%d sends, want %d", n, c.sends)
			}
		})
	}
}
