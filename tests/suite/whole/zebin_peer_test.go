// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

// peerKernel and peerShader have the same arguments: binding n is argument n.
const peerKernel = `
__attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((intel_reqd_sub_group_size(16)))
__kernel void k(__write_only image1d_t a, __write_only image1d_array_t b, __read_write image2d_t c, __write_only image2d_array_t d,
    __write_only image3d_t e, __write_only image1d_buffer_t f, __read_only image2d_t g, __global uint4 *o, uint v) {
  int x = get_local_id(0), y = get_local_id(1);
  uint4 t = read_imageui(c, (int2)(x, y)) + read_imageui(g, (int2)(y, x)) + v;
  write_imageui(a, x, t);
  write_imageui(b, (int2)(x, y), t);
  write_imageui(c, (int2)(x, y), t);
  write_imageui(d, (int4)(x, y, y, 0), t);
  write_imageui(e, (int4)(x, y, y, 0), t);
  write_imageui(f, x, t);
  o[x] = t;
}
`

const peerShader = `#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) uniform writeonly uimage1D a;
layout(binding = 1) uniform writeonly uimage1DArray b;
layout(binding = 2, rgba8ui) uniform uimage2D c;
layout(binding = 3) uniform writeonly uimage2DArray d;
layout(binding = 4) uniform writeonly uimage3D e;
layout(binding = 5) uniform writeonly uimageBuffer f;
layout(binding = 6, rgba8ui) uniform readonly uimage2D g;
layout(binding = 7) buffer O { uvec4 o[]; };
layout(push_constant) uniform P { uint v; };
void main() {
  int x = int(gl_LocalInvocationID.x), y = int(gl_LocalInvocationID.y);
  uvec4 t = imageLoad(c, ivec2(x, y)) + imageLoad(g, ivec2(y, x)) + v;
  imageStore(a, x, t);
  imageStore(b, ivec2(x, y), t);
  imageStore(c, ivec2(x, y), t);
  imageStore(d, ivec3(x, y, y), t);
  imageStore(e, ivec3(x, y, y), t);
  imageStore(f, x, t);
  o[x] = t;
}
`

// cores are the families of graphics cores (IGC, igfxfmid.h, GFXCORE_FAMILY). Bookworm's ocloc names the product instead;
// ocloc 26.27 names both, and the same families for dg2, lnl-m and bmg-g21.
var cores = map[string]uint32{"tgl": 18, "icl": 15, "skl": 12, "dg2": 0xC07, "lnl": 0xC09}

// TestZebinNamesItsCores: the zebin of every target has the note of its family of cores.
func TestZebinNamesItsCores(t *testing.T) {
	words, err := shaders.Module("saxpy")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range zebinTargets() {
		p, err := jacquard.Compile(t.Context(), spv.Bytes(words), jacquard.Options{Target: target, Zebin: true})
		if err != nil {
			t.Fatal(err)
		}
		file, err := p.Zebin()
		if err != nil {
			t.Fatal(err)
		}
		if got := coreOf(t, file); got != cores[string(target)] || got == 0 {
			t.Errorf("%s: core family %#x, want %#x", target, got, cores[string(target)])
		}
	}
}

// TestZebinIsLikeOcloc compares .ze_info with that of a kernel that has the same arguments,
// compiled by ocloc: every argument has the same kind, size, access and image type, an entry
// of the binding table if it has one there, threads get as many bytes of local ids and of inline data.
func TestZebinIsLikeOcloc(t *testing.T) {
	for target, device := range map[string]string{"tgl": "tgllp", "icl": "icllp", "skl": "skl", "dg2": "dg2"} {
		file, err := oracle.CompileCL(t, device, []byte(peerKernel), "-cl-std=CL2.0")
		if err != nil {
			t.Fatal(err)
		}
		peer := onlyKernel(t, file)
		module, err := oracle.GLSL(t, "comp", []byte(peerShader))
		if err != nil {
			t.Fatal(err)
		}
		p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: jacquard.Target(target), SIMD: 16, Zebin: true})
		if err != nil {
			t.Fatal(err)
		}
		if file, err = p.Zebin(); err != nil {
			t.Fatal(err)
		}
		mine := onlyKernel(t, file)

		ids := peer.LocalIDSize
		if mine.InlineData > 0 { // our threads get their number in the workgroup instead
			ids = 0
		}
		if mine.SIMD != peer.SIMD || mine.LocalIDSize != ids || mine.RequiredSize != peer.RequiredSize || mine.GRFs != peer.GRFs ||
			mine.InlineData != peer.InlineData {
			t.Errorf("%s: %+v, ocloc has %+v", target, mine, peer)
		}
		const arguments = 9
		for index := range arguments {
			at := index
			if index == arguments-1 {
				at++ // after the base of the workgroup ids
			}
			a, b := argumentOf(mine, at), argumentOf(peer, index)
			if a == nil || b == nil {
				t.Fatalf("%s: argument %d: %+v, ocloc has %+v", target, index, a, b)
			}
			x, y := *a, *b
			if x.AddrMode == "" { // a value, placed by each as it likes
				x.Offset, y.Offset = 0, 0
			}
			x.Index, y.Index = 0, 0
			if x != y {
				t.Errorf("%s: argument %d: %+v, ocloc has %+v", target, index, x, y)
			}
			if m, n := entries(mine, at), entries(peer, index); m != n {
				t.Errorf("%s: argument %d has %d entries of the binding table, with ocloc %d", target, index, m, n)
			}
		}
	}
}

// coreOf returns the family of graphics cores in the second note of a zebin (zebin specification, elf.md).
func coreOf(t *testing.T, file []byte) uint32 {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	note, err := f.Section(".note.intelgt.compat").Data()
	const first, description = 24, 20
	if err != nil || len(note) < first+description+4 {
		t.Fatalf("a note of %d bytes: %v", len(note), err)
	}
	return binary.LittleEndian.Uint32(note[first+description:])
}

// onlyKernel reads a file of one kernel.
func onlyKernel(t *testing.T, file []byte) *zebin.Kernel {
	t.Helper()
	m, err := zebin.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// argumentOf returns the row that declares an argument. A kernel may also have rows for properties of the argument.
func argumentOf(k *zebin.Kernel, index int) *zebin.Argument {
	for i := range k.Args {
		if a := &k.Args[i]; a.Index == index && strings.HasPrefix(a.Type, "arg_") && a.AddrMode != "stateless" {
			return a
		}
	}
	return nil
}

// entries counts the entries of the binding table of an argument.
func entries(k *zebin.Kernel, index int) (n int) {
	for _, b := range k.Bindings {
		if b.Index == index {
			n++
		}
	}
	return n
}
