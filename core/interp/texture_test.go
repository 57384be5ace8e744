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
	"jacquard.example/core/texture"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// textureShader has four sampled images at binding 0, as many samplers as are bound at binding 1, and a buffer at
// binding 2. Every invocation stores the vector %out; %i is its number, and %d and %s deref the image and the sampler
// with that number.
func textureShader(body string) string {
	const image = "image(f32, 2d, unknown)"
	src := `shader compute "main"
workgroup_size 4 1 1
struct S1 "B" block {
  [4 x f32x4, 16] "v" offset=0
}
var @1 "tx" uniform [4 x IMAGE, 0]
var @2 "sm" uniform [0 x sampler, 0] binding=1
var @3 "out" ssbo S1 binding=2
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = deref_var.32 modes=uniform type=[4 x IMAGE, 0] var=@1
    %2 = deref_array.32 %1, %0 modes=uniform type=IMAGE
    %3 = deref_var.32 modes=uniform type=[0 x sampler, 0] var=@2
    %4 = deref_array.32 %3, %0 modes=uniform type=sampler
    %5 = deref_var.32 modes=ssbo type=S1 var=@3
    %6 = deref_struct.32 %5 modes=ssbo type=[4 x f32x4, 16]
    %7 = deref_array.32 %6, %0 modes=ssbo type=f32x4
    %8 = load_const.32x2 value=(0x3f000000, 0x3f000000)
    %9 = load_const.32 value=(0x0)
    %10 = load_const.32x2 value=(0x1, 0x0)
    %11 = load_const.32 value=(0x3f800000)
` + body + "    store_deref.x4 %7, %20 write_mask=15\n}\n"
	return strings.ReplaceAll(src, "IMAGE", image)
}

// TestTextures runs every texture operation; each invocation uses another image and sampler.
func TestTextures(t *testing.T) {
	format, err := texture.Named("R32G32_SFLOAT")
	if err != nil {
		t.Fatal(err)
	}
	var images []interp.Image
	for e := range uint32(3) { // nothing is bound to the fourth
		m := texture.NewImage(kind.Dim2D, format, 2+e, 2, 1, 1, 1, 2)
		for k, l := range m.Levels {
			for i := 0; i < len(l.Data); i += 8 {
				binary.LittleEndian.PutUint32(l.Data[i:], math.Float32bits(float32(100*e+10*uint32(k)+uint32(i/8))))
			}
		}
		s := texture.DefaultSampler()
		s.CompareOp = texture.LessOrEqual
		if e > 0 {
			s.Mag = texture.Linear
		}
		images = append(images, interp.Image{Element: e, Texture: m}, interp.Image{Binding: 1, Element: e, Sampler: &s})
	}
	images = append(images, interp.Image{Binding: 1, Element: 3, Sampler: images[1].Sampler})
	const sampled = ", texture_deref: %2, sampler_deref: %4 dim=2d dest_base=float"
	for _, c := range []struct {
		name, body string
		want       [4][4]float32
	}{
		{"sample", "%20 = tex_txl.32x4 coord: %8, lod: %9" + sampled, [4][4]float32{{3, 0, 0, 1}, {102.5, 0, 0, 1}, {203.5, 0, 0, 1}}},
		{"offset", "%20 = tex_txl.32x4 coord: %8, offset: %10, lod: %9" + sampled, [4][4]float32{{2, 0, 0, 1}, {103.5, 0, 0, 1}, {204.5, 0, 0, 1}}},
		{"level", "%20 = tex_txl.32x4 coord: %8, lod: %11" + sampled, [4][4]float32{{10, 0, 0, 1}, {110, 0, 0, 1}, {211, 0, 0, 1}}},
		{"derivatives", "%20 = tex_txd.32x4 coord: %8, ddx: %8, ddy: %8" + sampled, [4][4]float32{{3, 0, 0, 1}, {110, 0, 0, 1}, {211, 0, 0, 1}}},
		{"gather", "%20 = tex_tg4.32x4 coord: %8" + sampled, [4][4]float32{{2, 3, 1, 0}, {104, 105, 102, 101}, {205, 206, 202, 201}}},
		{"compare", "%21 = tex_txl.32 coord: %8, comparator: %11, lod: %9, texture_deref: %2, sampler_deref: %4 dim=2d flags=shadow dest_base=float\n    %20 = mov.32x4 %21.xxxx",
			[4][4]float32{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}},
		{"fetch", "%20 = tex_txf.32x4 coord: %10, lod: %9, texture_deref: %2 dim=2d dest_base=float", [4][4]float32{{1, 0, 0, 1}, {101, 0, 0, 1}, {201, 0, 0, 1}}},
		{"fetch outside", "%21 = load_const.32x2 value=(0x3, 0x0)\n    %20 = tex_txf.32x4 coord: %21, lod: %9, texture_deref: %2 dim=2d dest_base=float", [4][4]float32{{}, {}, {203, 0, 0, 1}}},
		{"size", "%21 = load_const.32 value=(0x1)\n    %22 = tex_txs.32x2 lod: %21, texture_deref: %2 dim=2d dest_base=uint\n    %20 = u2f32.32x4 %22.xyxy", [4][4]float32{{1, 1, 1, 1}, {1, 1, 1, 1}, {2, 1, 2, 1}}},
		{"levels", "%22 = tex_query_levels.32 texture_deref: %2 dim=2d dest_base=uint\n    %20 = u2f32.32x4 %22.xxxx", [4][4]float32{{2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}}},
		{"samples", "%22 = tex_texture_samples.32 texture_deref: %2 dim=2d dest_base=uint\n    %20 = u2f32.32x4 %22.xxxx", [4][4]float32{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}},
	} {
		src := textureShader("    " + c.body + "\n")
		s, err := text.Parse([]byte(src))
		if err == nil {
			err = validate.Shader(s)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, width := range []int{1, 4} {
			data := make([]byte, 64)
			if _, err := interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: width,
				Buffers: []interp.Buffer{{Binding: 2, Data: data}}, Images: images}); err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			var got [4][4]float32
			for i := range 16 {
				got[i/4][i%4] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
			}
			if got != c.want {
				t.Errorf("%s, subgroups of %d: %v, want %v", c.name, width, got, c.want)
			}
		}
	}
}

// TestTextureErrors: unsupported texture operations are errors.
func TestTextureErrors(t *testing.T) {
	format, err := texture.Named("R8_UINT")
	if err != nil {
		t.Fatal(err)
	}
	m := texture.NewImage(kind.Dim2D, format, 1, 1, 1, 1, 1, 1)
	for _, c := range []struct{ body, want string }{
		{"%20 = tex_txl.32x4 coord: %8, lod: %9, texture_deref: %2, sampler_deref: %4 dim=2d dest_base=uint", "no sampler is bound"},
		{"%20 = tex_txf.32x4 coord: %10, lod: %9, texture_deref: %2 dim=2d dest_base=float", "texels of format R8_UINT cannot be read as float"},
	} {
		s, err := text.Parse([]byte(textureShader("    " + c.body + "\n")))
		if err != nil {
			t.Fatal(err)
		}
		_, err = interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 1, Images: []interp.Image{{Texture: m}}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestImageAtomics64: atomics on 64-bit texels.
func TestImageAtomics64(t *testing.T) {
	src := fmt.Sprintf(`shader compute "main"
workgroup_size 1 1 1
var @1 "im" image %[1]s
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = deref_var.32 modes=image type=%[1]s var=@1
    %%2 = load_const.32x4 value=(0x1, 0x0, 0x0, 0x0)
    %%3 = load_const.64 value=(0x0, 0x2)
    %%4 = image_atomic_add.64 %%2, %%0, %%3, %%1 image_dim=1d format=r64ui texel_base=uint
    %%5 = image_load.64x4 %%2, %%0, %%1 image_dim=1d format=r64ui texel_base=uint
    image_store %%0.xxxx, %%0, %%5, %%1 image_dim=1d format=r64ui texel_base=uint
}
`, "image(u64, 1d, r64ui, storage)")
	s, err := text.Parse([]byte(src))
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	m := interp.Image{Dim: kind.Dim1D, Width: 2, Data: words(0, 0, 7, 1)}
	if _, err := interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 1, Images: []interp.Image{m}}); err != nil {
		t.Fatal(err)
	}
	if want := words(7, 3, 7, 3); string(m.Data) != string(want) {
		t.Errorf("% x, want % x", m.Data, want)
	}
}
