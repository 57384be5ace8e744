package lower_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/lower"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/texture"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// textureHead has images of several shapes and a sampler; every invocation stores the vector
// %20. %1 is its number, %2 that as a float.
const textureHead = `shader compute "main"
workgroup_size 8 1 1
struct S1 "B" block {
  [8 x f32x4, 16] "v" offset=0
}
var @1 "a" uniform sampled_image(f32, 2d, unknown)
var @2 "c" uniform sampled_image(f32, cube, unknown) binding=1
var @3 "l" uniform sampled_image(f32, 2d, unknown, array) binding=2
var @4 "s" image image(f32, cube, rgba8, array, storage) binding=3
var @5 "out" ssbo S1 binding=4
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_local_invocation_index.32
    %2 = u2f32.32 %1
    %3 = deref_var.32 modes=uniform type=sampled_image(f32, 2d, unknown) var=@1
    %4 = deref_var.32 modes=uniform type=sampled_image(f32, cube, unknown) var=@2
    %5 = deref_var.32 modes=uniform type=sampled_image(f32, 2d, unknown, array) var=@3
    %6 = deref_var.32 modes=image type=image(f32, cube, rgba8, array, storage) var=@4
    %7 = deref_var.32 modes=ssbo type=S1 var=@5
    %8 = deref_struct.32 %7 modes=ssbo type=[8 x f32x4, 16]
    %9 = deref_array.32 %8, %1 modes=ssbo type=f32x4
    %10 = load_const.32x3 value=(0x3f000000, 0xbfc00000, 0x3e800000) // 0.5, -1.5, 0.25
    %11 = vec3.32x3 %10.x, %10.y, %2
    %12 = vec3.32x3 %2, %10.z, %10.y
    %13 = load_const.32x3 value=(0x3dcccccd, 0x3e4ccccd, 0xbd4ccccd) // 0.1, 0.2, -0.05
    %14 = fmul.32x3 %13, %2.xxx
    %15 = mov.32 %0
    %16 = load_const.32x2 value=(0x1, 0xffffffff)
    %17 = vec2.32x2 %1, %1
    %18 = load_const.32 value=(0x3f400000) // 0.75
    %19 = load_const.32 value=(0x1)
`

// textureResults runs a shader on images with levels.
func textureResults(t *testing.T, s *ir.Shader) (out [32]float32) {
	t.Helper()
	format, err := texture.Named("R32G32B32A32_SFLOAT")
	if err != nil {
		t.Fatal(err)
	}
	filled := func(dim kind.ImageDim, size, layers uint32) *texture.Image {
		m := texture.NewImage(dim, format, size, size, 1, layers, 1, 4)
		x := uint32(1)
		for _, l := range m.Levels {
			for i := 0; i < len(l.Data); i += 4 {
				x = x*1664525 + 1013904223
				binary.LittleEndian.PutUint32(l.Data[i:], math.Float32bits(float32(x>>8)/(1<<24)))
			}
		}
		return m
	}
	x := texture.DefaultSampler()
	x.Mag, x.Min, x.Mip = texture.Linear, texture.Linear, texture.Linear
	data := make([]byte, 128)
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Buffers: []interp.Buffer{{Binding: 4, Data: data}}, Images: []interp.Image{
		{Texture: filled(kind.Dim2D, 16, 1), Sampler: &x}, {Binding: 1, Texture: filled(kind.DimCube, 16, 6), Sampler: &x},
		{Binding: 2, Texture: filled(kind.Dim2D, 8, 1), Sampler: &x},
		{Binding: 3, Dim: kind.DimCube, Format: kind.FormatRgba8, Width: 4, Height: 4, Layers: 12, Data: make([]byte, 4*4*4*12)},
	}}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

// TestLowerTextures: operations give the same before the pass and after it, which leaves
// none that the sampler has no message for.
func TestLowerTextures(t *testing.T) {
	const flat, cube = ", texture_deref: %3, sampler_deref: %3 dim=2d dest_base=float", ", texture_deref: %4, sampler_deref: %4 dim=cube dest_base=float"
	vec := func(op string) string { return "%21 = " + op + "\n    %20 = u2f32.32x4 %21" }
	for _, c := range []struct {
		name, body string
		gone, has  string // from the shader and in it, after the pass
	}{
		{"plain", "%20 = tex_txl.32x4 coord: %14.yx, lod: %2" + flat, "txs", "tex_txl.32x4 coord: %14.yx"},
		{"cube", "%20 = tex_txl.32x4 coord: %11, lod: %15" + cube, "coord: %11", "frcp"},
		{"another axis", "%20 = tex_txl.32x4 coord: %12, lod: %2" + cube, "coord: %12", "frcp"},
		{"gather of a cube", "%20 = tex_tg4.32x4 coord: %11" + cube, "coord: %11", "frcp"},
		{"derivatives", "%20 = tex_txd.32x4 coord: %14.yx, ddx: %14.xy, ddy: %14.yx" + flat, "txl", "tex_txd"},
		{"derivatives on a cube", "%20 = tex_txd.32x4 coord: %11, ddx: %14.xyz, ddy: %14.zxy" + cube, "txd", "txs"},
		{"derivatives along x and y", "%20 = tex_txd.32x4 coord: %12.yzx, ddx: %14.xyz, ddy: %14.zxy" + cube, "txd", "txs"},
		{"derivatives along y", "%20 = tex_txd.32x4 coord: %12.zxy, ddx: %14.xyz, ddy: %14.zxy" + cube, "txd", "txs"},
		{"derivatives and a minimum", "%20 = tex_txd.32x4 coord: %14.yx, min_lod: %18, ddx: %14.xy, ddy: %14.yx" + flat, "min_lod", "txs"},
		{"level and a minimum", "%20 = tex_txl.32x4 coord: %14.yx, lod: %15, min_lod: %18" + flat, "min_lod", "fmax"},
		{"fetch", "%20 = tex_txf.32x4 coord: %17, lod: %19, texture_deref: %3 dim=2d dest_base=float", "iadd", "tex_txf"},
		{"fetch with an offset", "%20 = tex_txf.32x4 coord: %17, offset: %16, lod: %15, texture_deref: %3 dim=2d dest_base=float", "offset:", "iadd"},
		{"fetch of a layer with an offset", "%22 = vec3.32x3 %1, %1, %15\n    %20 = tex_txf.32x4 coord: %22, offset: %16, lod: %15, texture_deref: %5 dim=2d flags=array dest_base=float", "offset:", "iadd"},
		{"size", vec("tex_txs.32x2 lod: %0, texture_deref: %3 dim=2d dest_base=uint") + ".xyxy", "ushr", "tex_txs"},
		{"size of a level", "%22 = iand.32 %1, %19\n    " + vec("tex_txs.32x2 lod: %22, texture_deref: %3 dim=2d dest_base=uint") + ".xyxy", "lod: %22", "ushr"},
		{"size with layers", vec("tex_txs.32x3 lod: %19, texture_deref: %5 dim=2d flags=array dest_base=uint") + ".xyzz", "lod: %19", "umax"},
		{"size of a storage image", vec("image_size.32x3 %15, %6 image_dim=cube image_array=true format=rgba8") + ".xyzz", "image_dim=cube", "udiv"},
	} {
		src := textureHead + "    " + c.body + "\n    store_deref.x4 %9, %20 write_mask=15\n}\n"
		before, s := passtest.Parse(t, src), passtest.Parse(t, src)
		changed := lower.LowerTextures(pass.New(s))
		after := string(text.Print(s))
		if err := validate.Shader(s); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, after)
		}
		if was := after != string(text.Print(before)); changed != was {
			t.Errorf("%s: says that it changed something: %v; %v", c.name, changed, was)
		}
		if strings.Contains(after, c.gone) || !strings.Contains(after, c.has) {
			t.Errorf("%s: not without %q and with %q\n%s", c.name, c.gone, c.has, after)
		}
		want, got := textureResults(t, before), textureResults(t, s)
		for i := range want {
			if d := float64(want[i] - got[i]); !(math.Abs(d) < 1e-4) {
				t.Errorf("%s: invocation %d component %d: %g, without the pass %g\n%s", c.name, i/4, i%4, got[i], want[i], after)
				break
			}
		}
		if fmt.Sprint(want[:4]) == fmt.Sprint(want[4:8]) && !strings.Contains(c.name, "size") {
			t.Errorf("%s: shows nothing: %v", c.name, want)
		}
	}
}
