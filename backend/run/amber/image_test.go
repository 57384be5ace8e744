// SPDX-License-Identifier: MIT

package amber

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"
	"testing/fstest"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// TestImages: images, samplers and descriptor arrays of a script reach the engine, and the shader's writes to images
// are checked.
func TestImages(t *testing.T) {
	const src = `#!amber
SHADER compute s GLSL
void main() {}
END
IMAGE a FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 MIP_LEVELS 2 DATA
 255 0 0 255  0 255 0 255
 0 0 255 255  1 2 3 4
END
IMAGE v DATA_TYPE vec4<int32> DIM_3D WIDTH 2 HEIGHT 1 DEPTH 2 FILL 7
BUFFER t DATA_TYPE R16G16_SFLOAT SIZE 4 FILL 1.5
BUFFER w DATA_TYPE float WIDTH 3 HEIGHT 2 FILL 2
BUFFER x DATA_TYPE uint32 SIZE 8 FILL 0
BUFFER packed DATA_TYPE A2B10G10R10_UINT_PACK32 DATA 0xc0000001 END
SAMPLER n
SAMPLER l MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U clamp_to_edge ADDRESS_MODE_V mirrored_repeat ADDRESS_MODE_W clamp_to_border \
  BORDER_COLOR int_opaque_white MIN_LOD 0.5 MAX_LOD 3 COMPARE on COMPARE_OP less_or_equal
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL 1
  BIND BUFFER a AS sampled_image DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER_ARRAY v a AS combined_image_sampler SAMPLER l DESCRIPTOR_SET 0 BINDING 2
  BIND SAMPLER_ARRAY n l DESCRIPTOR_SET 0 BINDING 3
  BIND BUFFER t AS uniform_texel_buffer DESCRIPTOR_SET 0 BINDING 4
  BIND BUFFER t AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 5
  BIND BUFFER_ARRAY x x AS storage_dynamic DESCRIPTOR_SET 1 BINDING 0 OFFSET 4 8 DESCRIPTOR_RANGE 8 -1
  BIND BUFFER w AS storage_image DESCRIPTOR_SET 1 BINDING 1
END
RUN p 1 1 1
EXPECT a IDX 0 EQ 255 0 0 255 0 255 0 255
EXPECT a IDX 1 0 SIZE 1 1 EQ_RGB 0 255 0
EXPECT a IDX 0 0 SIZE 2 1 EQ_RGBA 255 0 0 255
`
	s, err := Parse("t.amber", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var call *runner.Call
	report, err := s.Run(context.Background(), runner.EngineFunc(func(_ context.Context, c *runner.Call) error { call = c; return nil }))
	if err != nil {
		t.Fatal(err)
	}
	if len(call.Bindings) != 11 {
		t.Fatalf("%d bindings", len(call.Bindings))
	}
	find := func(set, binding, element uint32) *runner.Binding {
		for i := range call.Bindings {
			if b := &call.Bindings[i]; b.Set == set && b.Binding == binding && b.Element == element {
				return b
			}
		}
		t.Fatalf("nothing at %d:%d[%d]", set, binding, element)
		return nil
	}
	a := find(0, 0, 0)
	if len(a.Data) != 20 || a.BaseLevel != 1 || a.Image.Levels != 2 || a.Kind != runner.StorageImage {
		t.Errorf("storage image: %d bytes, %+v", len(a.Data), a)
	}
	view := a.Image.Texture(a.Data, a.BaseLevel)
	if len(view.Levels) != 1 || view.Levels[0].Width != 1 || &view.Levels[0].Data[0] != &a.Data[16] {
		t.Errorf("level 1: %+v", view)
	}
	if b := find(0, 1, 0); &b.Data[0] != &a.Data[0] {
		t.Error("two bindings of one image do not share their memory")
	}
	if v := find(0, 2, 0); v.Image.Dim != kind.Dim3D || v.Image.Format.Name != "R32G32B32A32_SINT" ||
		v.Sampler.Mag != texture.Linear || !v.Compare || !v.IntBorder {
		t.Errorf("combined: %+v %+v", v, v.Image)
	}
	if l := find(0, 3, 1).Sampler; l.Address != [3]texture.Address{texture.ClampToEdge, texture.MirroredRepeat, texture.ClampToBorder} ||
		l.MinLOD != 0.5 || l.MaxLOD != 3 || l.CompareOp != texture.LessOrEqual || l.Border != texture.OpaqueWhite {
		t.Errorf("sampler: %+v", l)
	}
	if n := find(0, 3, 0).Sampler; *n != (texture.Sampler{MaxLOD: 1}) {
		t.Errorf("default sampler: %+v", n)
	}
	if b := find(0, 4, 0); b.Image.Dim != kind.DimBuf || b.Image.Width != 4 || binary.LittleEndian.Uint32(b.Data) != 0x3e003e00 {
		t.Errorf("texel buffer: %+v % x", b.Image, b.Data)
	}
	if b, c := find(1, 0, 0), find(1, 0, 1); b.Offset != 4 || len(b.Data) != 8 || c.Offset != 8 || len(c.Data) != 24 {
		t.Errorf("array of buffers: %+v %+v", b, c)
	}
	if b := find(1, 1, 0); b.Image.Width != 3 || b.Image.Height != 2 || len(b.Data) != 24 {
		t.Errorf("BUFFER … WIDTH: %+v", b.Image)
	}
	errs := report.Errors()
	const want = "t.amber:31:1: error: EXPECT a IDX 0 0 SIZE 2 1 EQ_RGBA: texel 1 0: wanted 255 as red, got 0"
	if len(errs) != 1 || errs[0].Error() != want {
		t.Errorf("%v, want %s", errs, want)
	}
}

// TestFiles: buffers and shaders are read from files beside the script.
func TestFiles(t *testing.T) {
	var picture bytes.Buffer
	m := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	m.Set(0, 0, color.NRGBA{R: 255, G: 128, B: 0, A: 255})
	m.Set(1, 0, color.NRGBA{R: 10, G: 20, B: 30, A: 128})
	if err := png.Encode(&picture, m); err != nil {
		t.Fatal(err)
	}
	dir := fstest.MapFS{
		"a/text":  {Data: []byte("1 2\n3 # four\n")},
		"bytes":   {Data: []byte{1, 0, 2, 0, 3}},
		"x.png":   {Data: picture.Bytes()},
		"s.comp":  {Data: []byte("void main() {}")},
		"s.spv":   {Data: []byte{3, 2, 0x23, 7}},
		"odd.spv": {Data: []byte{3, 2}},
	}
	s, err := ParseIn(t.Context(), dir, "t.amber", []byte(`#!amber
SHADER compute s GLSL FILE s.comp
SHADER compute b SPIRV-BIN FILE s.spv
BUFFER t DATA_TYPE uint32 SIZE 4 FILE TEXT a/text
BUFFER b DATA_TYPE uint16 SIZE 3 FILE BINARY bytes
BUFFER p FORMAT R8G8B8A8_UNORM FILE PNG x.png
BUFFER more DATA_TYPE uint8 SIZE 2 FILE TEXT a/text
`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]byte{{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 2, 0, 3, 0}, {255, 128, 0, 255, 10, 20, 30, 128}, {1, 2, 3}} {
		if got := s.Buffers[i].Contents(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", s.Buffers[i].Name, got, want)
		}
	}
	if s.Shaders[0].Source != "void main() {}" || len(s.Shaders[1].Words) != 1 || s.Shaders[1].Words[0] != 0x07230203 {
		t.Errorf("shaders %+v %+v", s.Shaders[0], s.Shaders[1])
	}
	for src, want := range map[string]string{
		"BUFFER t DATA_TYPE uint32 SIZE 2 FILE TEXT x.png":        "2:39: error: line 1 of the file: '\x89PNG' is not a number",
		"IMAGE i FORMAT R8_UINT DIM_1D WIDTH 2 FILE TEXT a/text":  "2:44: error: the file has 3 texels, but the image has 2",
		"BUFFER t DATA_TYPE uint8 SIZE 2 FILE BINARY none":        "2:45: error: 'none': file does not exist",
		"BUFFER t DATA_TYPE uint8 SIZE 2 FILE BINARY ../x":        "2:45: error: '../x' is not a path inside the script's directory",
		"BUFFER t FORMAT R8G8B8A8_UNORM FILE PNG bytes":           "2:1: error: the picture cannot be read: unexpected EOF",
		"SHADER compute s SPIRV-BIN FILE odd.spv":                 "2:1: error: SHADER s: 2 bytes are not a whole number of SPIR-V words",
		"SHADER compute s GLSL FILE none":                         "2:28: error: 'none': file does not exist",
		"IMAGE i FORMAT R8_UNORM DIM_1D WIDTH 9 FILE PNG x.png\n": "2:45: error: the picture has a different size than the image",
	} {
		if _, err := ParseIn(t.Context(), dir, "t.amber", []byte("#!amber\n"+src)); err == nil || err.Error() != "t.amber:"+want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}
