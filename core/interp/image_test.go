// SPDX-License-Identifier: MIT

package interp_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// imageShader has an image at binding 0 and a buffer for results at binding 1. The body finds coordinates in %10 and a
// zero in %0.
func imageShader(typ, body string) string {
	return fmt.Sprintf(`shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  f32x4 "v" offset=0
  f32x4 "w" offset=16
}
var @1 "im" image %s
var @2 "out" ssbo S1 binding=1
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = deref_var.32 modes=image type=%[1]s var=@1
    %%2 = deref_var.32 modes=ssbo type=S1 var=@2
    %%3 = deref_struct.32 %%2 modes=ssbo type=f32x4
    %%4 = deref_struct.32 %%2 modes=ssbo type=f32x4 member=1
%s}
`, typ, body)
}

// runImage runs a shader on an image and returns the contents of the buffer.
func runImage(t *testing.T, src string, m *interp.Image) []uint32 {
	t.Helper()
	out, err := tryImage(t, src, m)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return out
}

func tryImage(t *testing.T, src string, m *interp.Image) ([]uint32, error) {
	t.Helper()
	s, err := text.Parse([]byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	data := make([]byte, 32)
	_, err = interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 1,
		Buffers: []interp.Buffer{{Binding: 1, Data: data}}, Images: []interp.Image{*m}})
	out := make([]uint32, 8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return out, err
}

func words(x ...uint32) []byte {
	var out []byte
	for _, w := range x {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// TestI05ImageAtomics: every atomic changes its texel as ARB_shader_image_load_store specifies and returns the old
// value; the first of the two data sources of a compare and swap is the comparator.
func TestI05ImageAtomics(t *testing.T) {
	f := math.Float32bits
	const minus5 = 0xfffffffb
	for _, c := range []struct {
		name, base    string
		format        kind.Format
		old, x, y, nu uint32
	}{
		{"add", "uint", kind.FormatR32ui, 7, minus5, 0, 2},
		{"fadd", "float", kind.FormatR32f, f(1.5), f(2), 0, f(3.5)},
		{"min", "int", kind.FormatR32i, 3, minus5, 0, minus5},
		{"min", "uint", kind.FormatR32ui, 3, minus5, 0, 3},
		{"max", "int", kind.FormatR32i, 3, minus5, 0, 3},
		{"max", "uint", kind.FormatR32ui, 3, minus5, 0, minus5},
		{"and", "uint", kind.FormatR32ui, 12, 10, 0, 8},
		{"or", "uint", kind.FormatR32ui, 12, 10, 0, 14},
		{"xor", "uint", kind.FormatR32ui, 12, 10, 0, 6},
		{"exchange", "int", kind.FormatR32i, 12, 10, 0, 10},
		{"comp_swap", "uint", kind.FormatR32ui, 12, 12, 99, 99},
		{"comp_swap", "uint", kind.FormatR32ui, 12, 99, 12, 12},
	} {
		data := "%6"
		if c.name == "comp_swap" {
			data = "%6, %7"
		}
		typ := fmt.Sprintf("image(%s, 2d, %s, storage)", map[string]string{"int": "i32", "uint": "u32", "float": "f32"}[c.base], c.format)
		src := imageShader(typ, fmt.Sprintf(`    %%5 = load_const.32x4 value=(0x1, 0x1, 0x0, 0x0)
    %%6 = load_const.32 value=(%#x)
    %%7 = load_const.32 value=(%#x)
    %%8 = image_atomic_%s.32 %%5, %%0, %s, %%1 image_dim=2d format=%s texel_base=%s
    store_deref.x4 %%3, %%8.xxxx write_mask=1
`, c.x, c.y, c.name, data, c.format, c.base))
		m := &interp.Image{Dim: kind.Dim2D, Format: c.format, Width: 2, Height: 2, Data: words(1000, 1001, 1002, c.old)}
		got := runImage(t, src, m)
		want := words(1000, 1001, 1002, c.nu)
		if got[0] != c.old || string(m.Data) != string(want) {
			t.Errorf("%s of %s: gave %#x, left % x", c.name, c.base, got[0], m.Data)
		}
	}
}

// TestImageBounds: outside the image, and if no image is bound, reads return 0 and writes and atomics are dropped.
func TestImageBounds(t *testing.T) {
	for _, coord := range []string{"0x2, 0x0, 0x0, 0x0", "0x0, 0x1, 0x0, 0x0", "0xffffffff, 0x0, 0x0, 0x0", "0x80000000, 0x80000000, 0x0, 0x0"} {
		src := imageShader("image(u32, 2d, r32ui, storage)", fmt.Sprintf(`    %%5 = load_const.32x4 value=(%s)
    %%6 = load_const.32x4 value=(0x7, 0x7, 0x7, 0x7)
    image_store %%5, %%0, %%6, %%1 image_dim=2d format=r32ui texel_base=uint
    %%7 = image_load.32x4 %%5, %%0, %%1 image_dim=2d format=r32ui texel_base=uint
    store_deref.x4 %%3, %%7 write_mask=15
    %%8 = image_atomic_add.32 %%5, %%0, %%6.x, %%1 image_dim=2d format=r32ui texel_base=uint
    store_deref.x4 %%4, %%8.xxxx write_mask=15
`, coord))
		for _, m := range []*interp.Image{{Dim: kind.Dim2D, Width: 2, Height: 1, Data: words(5, 6)}, {Binding: 9}} {
			was := string(m.Data)
			for i, w := range runImage(t, src, m) {
				if w != 0 {
					t.Errorf("coordinates %s: word %d is %#x", coord, i, w)
				}
			}
			if string(m.Data) != was {
				t.Errorf("coordinates %s: the image was written: % x", coord, m.Data)
			}
		}
	}
}

// TestImageFormats writes a texel through a format and reads it back.
func TestImageFormats(t *testing.T) {
	f := math.Float32bits
	for _, c := range []struct {
		format kind.Format
		base   string
		value  [4]uint32
		bytes  string
		want   [4]uint32
	}{
		{kind.FormatR32i, "i32", [4]uint32{0xfffffffe, 2, 3, 4}, "\xfe\xff\xff\xff", [4]uint32{0xfffffffe, 0, 0, 1}},
		{kind.FormatR32ui, "u32", [4]uint32{5, 2, 3, 4}, "\x05\x00\x00\x00", [4]uint32{5, 0, 0, 1}},
		{kind.FormatR32f, "f32", [4]uint32{f(1), f(2), f(3), f(4)}, "\x00\x00\x80\x3f", [4]uint32{f(1), 0, 0, f(1)}},
		{kind.FormatRgba8, "f32", [4]uint32{f(-1), f(0.5), f(7), f(0.2)}, "\x00\x80\xff\x33", [4]uint32{0, f(128.0 / 255), f(1), f(0.2)}},
		{kind.FormatRgba8Snorm, "f32", [4]uint32{f(-7), f(0.5), f(1), f(float32(math.NaN()))}, "\x81\x40\x7f\x00", [4]uint32{f(-1), f(64.0 / 127), f(1), 0}},
		{kind.FormatRgba8i, "i32", [4]uint32{0xffffff80, 1, 2, 3}, "\x80\x01\x02\x03", [4]uint32{0xffffff80, 1, 2, 3}},
		{kind.FormatRgba32f, "f32", [4]uint32{f(1), f(2), f(3), f(4)}, "", [4]uint32{f(1), f(2), f(3), f(4)}},
		{kind.FormatRgba32i, "i32", [4]uint32{1, 2, 3, 0x80000000}, "", [4]uint32{1, 2, 3, 0x80000000}},
		{kind.FormatRgba32ui, "u32", [4]uint32{1, 2, 3, 0x80000000}, "", [4]uint32{1, 2, 3, 0x80000000}},
		{kind.FormatRg16f, "f32", [4]uint32{f(1), f(-2), f(3), f(4)}, "\x00\x3c\x00\xc0", [4]uint32{f(1), f(-2), 0, f(1)}},
	} {
		typ := fmt.Sprintf("image(%s, 1d, %s, storage)", c.base, c.format)
		src := imageShader(typ, fmt.Sprintf(`    %%5 = load_const.32x4 value=(0x1, 0x0, 0x0, 0x0)
    %%6 = load_const.32x4 value=(%#x, %#x, %#x, %#x)
    image_store %%5, %%0, %%6, %%1 image_dim=1d format=%s
    %%7 = image_load.32x4 %%5, %%0, %%1 image_dim=1d format=%[5]s
    store_deref.x4 %%3, %%7 write_mask=15
`, c.value[0], c.value[1], c.value[2], c.value[3], c.format))
		m := &interp.Image{Dim: kind.Dim1D, Width: 2, Data: make([]byte, 32)}
		got := runImage(t, src, m)
		if c.bytes != "" && string(m.Data[len(c.bytes):2*len(c.bytes)]) != c.bytes {
			t.Errorf("%s: the texel is % x, want % x", c.format, m.Data[len(c.bytes):2*len(c.bytes)], c.bytes)
		}
		for i, w := range c.want {
			if got[i] != w {
				t.Errorf("%s: component %d is %#x, want %#x", c.format, i, got[i], w)
			}
		}
	}
}

// TestImageShapes: for each shape, the texel that coordinates select and the result of image_size.
func TestImageShapes(t *testing.T) {
	for _, c := range []struct {
		dim   string
		array bool
		m     interp.Image
		coord string
		texel int
		size  []uint32
	}{
		{"1d", false, interp.Image{Dim: kind.Dim1D, Width: 60}, "0x3, 0x0, 0x0, 0x0", 3, []uint32{60}},
		{"1d", true, interp.Image{Dim: kind.Dim1D, Width: 6, Layers: 10}, "0x3, 0x2, 0x0, 0x0", 15, []uint32{6, 10}},
		{"2d", false, interp.Image{Dim: kind.Dim2D, Width: 6, Height: 10}, "0x3, 0x2, 0x0, 0x0", 15, []uint32{6, 10}},
		{"2d", true, interp.Image{Dim: kind.Dim2D, Width: 3, Height: 4, Layers: 5}, "0x1, 0x2, 0x3, 0x0", 43, []uint32{3, 4, 5}},
		{"3d", false, interp.Image{Dim: kind.Dim3D, Width: 3, Height: 4, Depth: 5}, "0x1, 0x2, 0x3, 0x0", 43, []uint32{3, 4, 5}},
		{"cube", false, interp.Image{Dim: kind.DimCube, Width: 3, Height: 3}, "0x1, 0x2, 0x5, 0x0", 52, []uint32{3, 3}},
		{"cube", true, interp.Image{Dim: kind.DimCube, Width: 2, Height: 2, Layers: 12}, "0x1, 0x1, 0x9, 0x0", 39, []uint32{2, 2, 2}},
		{"buf", false, interp.Image{Dim: kind.DimBuf, Width: 60}, "0x7, 0x0, 0x0, 0x0", 7, []uint32{60}},
		{"ms", false, interp.Image{Dim: kind.DimMs, Width: 5, Height: 3, Samples: 4}, "0x1, 0x2, 0x0, 0x0", 44, []uint32{5, 3}},
	} {
		flags, array := "", ""
		if c.array {
			flags, array = ", array", " image_array=true"
		}
		if c.dim == "ms" {
			flags = ", ms"
		}
		typ := fmt.Sprintf("image(u32, %s, r32ui%s, storage)", c.dim, flags)
		src := imageShader(typ, fmt.Sprintf(`    %%5 = load_const.32x4 value=(%s)
    %%6 = image_load.32x4 %%5, %%0, %%1 image_dim=%s%s format=r32ui
    store_deref.x4 %%3, %%6 write_mask=15
    %%7 = image_size.32x%d %%0, %%1 image_dim=%s%s format=r32ui
    store_deref.x4 %%4, %%7.%s write_mask=%d
`, c.coord, c.dim, array, len(c.size), c.dim, array, "xyzz"[:len(c.size)]+strings.Repeat("x", 4-len(c.size)), 1<<len(c.size)-1))
		for i := range uint32(60) {
			c.m.Data = append(c.m.Data, words(100+i)...)
		}
		got := runImage(t, src, &c.m)
		if got[0] != uint32(100+c.texel) {
			t.Errorf("%s, array %v: texel %d, want %d", c.dim, c.array, int(got[0])-100, c.texel)
		}
		for i, w := range c.size {
			if got[4+i] != w {
				t.Errorf("%s, array %v: size is %d, want %d", c.dim, c.array, got[4:8], c.size)
			}
		}
	}
}

// TestImageErrors: accesses that cannot be executed are errors.
func TestImageErrors(t *testing.T) {
	load := func(dim, format string) string {
		return imageShader(fmt.Sprintf("image(f32, %s, %s, storage)", dim, format), fmt.Sprintf(`    %%5 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)
    %%6 = image_load.32x4 %%5, %%0, %%1 image_dim=%s format=%s
    store_deref.x4 %%3, %%6 write_mask=15
`, dim, format))
	}
	for _, c := range []struct{ src, want string }{
		{load("2d", "r32f"), "the image has the format R32_UINT, not r32f"},
		{load("3d", "r32ui"), "the image is of shape 2d, not 3d"},
	} {
		_, err := tryImage(t, c.src, &interp.Image{Dim: kind.Dim2D, Format: kind.FormatR32ui, Width: 1, Height: 1, Data: words(1)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, err := tryImage(t, load("2d", "unknown"),
		&interp.Image{Dim: kind.Dim2D, Width: 1, Height: 1, Data: words(1)}); err == nil ||
		!strings.Contains(err.Error(), "an image of unknown format cannot be interpreted") {
		t.Errorf("got %v", err)
	}
	ints := strings.ReplaceAll(load("2d", "r32ui"), "format=r32ui", "format=r32ui texel_base=float")
	if _, err := tryImage(t, ints, &interp.Image{Dim: kind.Dim2D, Width: 1, Height: 1, Data: words(1)}); err == nil ||
		!strings.Contains(err.Error(), "texels of format R32_UINT cannot be read as float") {
		t.Errorf("got %v", err)
	}
}
