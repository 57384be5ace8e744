package lower_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/lower"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/texture"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

const rectangles = `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  [4 x f32x4, 16] "v" offset=0
}
var @1 "a" uniform sampled_image(f32, rect, unknown)
var @2 "out" ssbo S1 binding=1
fn 1 "main"() entry {
  b0:
    %1 = deref_var.32 modes=uniform type=sampled_image(f32, rect, unknown) var=@1
    %2 = load_const.32x2 value=(0x40200000, 0x3fc00000) // 2.5, 1.5
    %3 = load_const.32 value=(0x0)
    %4 = load_const.32 value=(0x1)
    %5 = load_const.32 value=(0x2)
    %6 = load_const.32 value=(0x3)
    %7 = tex_txl.32x4 coord: %2, lod: %3, texture_deref: %1, sampler_deref: %1 dim=rect dest_base=float
    %8 = load_const.32x2 value=(0x40000000, 0x3f800000) // 2, 1
    %9 = tex_tg4.32x4 coord: %8, texture_deref: %1, sampler_deref: %1 dim=rect dest_base=float
    %10 = load_const.32x2 value=(0x4, 0x2)
    %11 = tex_txf.32x4 coord: %10, lod: %3, texture_deref: %1 dim=rect dest_base=float
    %12 = tex_txs.32x2 lod: %3, texture_deref: %1 dim=rect dest_base=uint
    %13 = u2f32.32x2 %12
    %14 = vec4.32x4 %13.x, %13.y, %13.x, %13.y
    %15 = deref_var.32 modes=ssbo type=S1 var=@2
    %16 = deref_struct.32 %15 modes=ssbo type=[4 x f32x4, 16]
    %17 = deref_array.32 %16, %3 modes=ssbo type=f32x4
    store_deref.x4 %17, %7 write_mask=15
    %18 = deref_array.32 %16, %4 modes=ssbo type=f32x4
    store_deref.x4 %18, %9 write_mask=15
    %19 = deref_array.32 %16, %5 modes=ssbo type=f32x4
    store_deref.x4 %19, %11 write_mask=15
    %20 = deref_array.32 %16, %6 modes=ssbo type=f32x4
    store_deref.x4 %20, %14 write_mask=15
}
`

// TestRectangles: coordinates of images of shape Rect are in texels, before and after the pass.
func TestRectangles(t *testing.T) {
	format, err := texture.Named("R32_SFLOAT")
	if err != nil {
		t.Fatal(err)
	}
	m := texture.NewImage(kind.Dim2D, format, 5, 3, 1, 1, 1, 1)
	for i := range 15 {
		binary.LittleEndian.PutUint32(m.Levels[0].Data[4*i:], math.Float32bits(float32(i)))
	}
	sampler := texture.DefaultSampler()
	results := func(s *ir.Shader) (out [16]float32) {
		data := make([]byte, 64)
		_, err := interp.Run(context.Background(), s, &interp.Call{
			Groups: [3]uint32{1, 1, 1}, Width: 8,
			Images:  []interp.Image{{Texture: m, Sampler: &sampler}},
			Buffers: []interp.Buffer{{Binding: 1, Data: data}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		return out
	}
	s := passtest.Parse(t, rectangles)
	want := [16]float32{7, 0, 0, 1, 6, 7, 2, 1, 14, 0, 0, 1, 5, 3, 5, 3}
	if got := results(s); got != want {
		t.Errorf("before: %v, want %v", got, want)
	}
	if !lower.LowerTextures(pass.New(s)) {
		t.Error("nothing changed")
	}
	if err := validate.Shader(s); err != nil {
		t.Fatal(err)
	}
	if got := results(s); got != want {
		t.Errorf("after: %v, want %v", got, want)
	}
	if lower.LowerTextures(pass.New(s)) {
		t.Error("the second time something changed")
	}
}
