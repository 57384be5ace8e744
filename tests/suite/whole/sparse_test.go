// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/backend/run/amber"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/differential"
)

// sparse dispatches with a partially bound image, and records which codes are 1.
type sparse struct {
	runner.Engine
	image  *texture.Image
	codes  []uint32
	colors []byte
}

func (e *sparse) Dispatch(ctx context.Context, c *runner.Call) error {
	for i := range c.Bindings {
		if b := &c.Bindings[i]; b.Image != nil {
			b.Texture, b.Image = e.image, nil
		}
	}
	err := e.Engine.Dispatch(ctx, c)
	for _, b := range c.Bindings {
		switch b.Binding {
		case 1:
			e.colors = b.Data
		case 3:
			e.codes = e.codes[:0]
			for k := 0; k < len(b.Data); k += 4 {
				e.codes = append(e.codes, binary.LittleEndian.Uint32(b.Data[k:]))
			}
		}
	}
	return err
}

// sparseShape is a shape of images with its unbound part, and the operations on it that return a residency code and set
// t.
type sparseShape struct {
	name, declared string
	dim            kind.ImageDim
	w, h, layers   uint32
	samples        uint32
	levels         int
	unbound        [][2]int // for each level
	shadow, stored bool
	exact          bool // not filtered: the results are the same before lowering, to the bit
	ops            []string
	// resident reports whether operation 0 of invocation i reads bound memory.
	resident func(i int) bool
}

var sparseShapes = []sparseShape{
	{name: "2d", declared: "sampler2D", w: 8, h: 4, levels: 3, unbound: [][2]int{{32, 64}, {0, 8}}, resident: func(i int) bool { return i>>3&3 != 1 }, ops: []string{
		"sparseTexelFetchARB(a, n.xy, 0, t)", "sparseTexelFetchARB(a, n.xy, n.w, t)", "sparseTextureLodARB(a, p.xy, 0.0, t)", "sparseTextureLodARB(a, p.xy, l, t)",
		"sparseTextureARB(a, q.xy, t)", "sparseTextureARB(a, q.xy, t, l)", "sparseTextureClampARB(a, q.xy, 0.5, t)", "sparseTextureGradARB(a, p.xy, p.zw * 0.2, p.wz * 0.2, t)",
		"sparseTextureLodOffsetARB(a, p.xy, l, ivec2(3, -2), t)", "sparseTextureGatherARB(a, p.xy, t, 2)", "sparseTextureGatherOffsetARB(a, p.xy, n.xy - 3, t, 1)",
		"sparseTextureGatherOffsetsARB(a, p.xy, ivec2[4](ivec2(0, 1), ivec2(-3, 2), ivec2(1, -5), ivec2(2, 2)), t, 0)"}},
	{name: "2d_array", declared: "sampler2DArray", w: 8, h: 4, layers: 3, levels: 2, unbound: [][2]int{{128, 256}, {32, 64}}, resident: func(i int) bool { return i%3 != 1 }, ops: []string{
		"sparseTexelFetchARB(a, n.xyz, 0, t)", "sparseTextureLodARB(a, p.xyw, l, t)", "sparseTextureARB(a, q.xyw, t)", "sparseTextureGradARB(a, p.xyw, p.yz * 0.2, p.zx * 0.3, t)"}},
	{name: "cube", declared: "samplerCube", dim: kind.DimCube, w: 8, h: 8, layers: 6, levels: 2, unbound: [][2]int{{0, 512}}, ops: []string{
		"sparseTextureLodARB(a, p.xyz, l, t)", "sparseTextureARB(a, q.xyz, t)", "sparseTextureGatherARB(a, p.xyz, t, 3)"}},
	{name: "2d_shadow", declared: "sampler2DShadow", w: 8, h: 4, levels: 2, shadow: true, unbound: [][2]int{{32, 96}, {0, 4}}, ops: []string{
		"sparseTextureLodARB(a, vec3(p.xy, 0.5), l, t.x)", "sparseTextureARB(a, vec3(q.xy, 0.5), t.x)", "sparseTextureGatherARB(a, p.xy, 0.5, t)"}},
	{name: "2d_ms", exact: true, declared: "sampler2DMS", w: 8, h: 4, samples: 4, levels: 1, unbound: [][2]int{{128, 384}}, resident: func(i int) bool { return i>>3&3 == 0 || i>>3&3 == 3 }, ops: []string{
		"sparseTexelFetchARB(a, n.xy, 2, t)", "sparseTexelFetchARB(a, n.xy, int(i & 3u), t)"}},
	{name: "stored_2d", declared: "readonly image2D", stored: true, exact: true, w: 8, h: 4, levels: 1, unbound: [][2]int{{32, 128}}, resident: func(i int) bool { return i>>3&3 == 0 }, ops: []string{
		"sparseImageLoadARB(a, n.xy, t)", "sparseImageLoadARB(a, ivec2(i & 15u, n.y), t)"}},
	{name: "stored_cube", declared: "readonly imageCube", dim: kind.DimCube, stored: true, exact: true, w: 8, h: 8, layers: 6, levels: 1, unbound: [][2]int{{0, 2 * 256}}, resident: func(i int) bool { return i%3 == 2 }, ops: []string{
		"sparseImageLoadARB(a, n.xyz, t)"}},
	{name: "stored_2d_array", declared: "readonly image2DArray", stored: true, exact: true, w: 8, h: 4, layers: 3, levels: 1, unbound: [][2]int{{256, 384}}, resident: func(i int) bool { return i%3 != 2 }, ops: []string{
		"sparseImageLoadARB(a, n.xyz, t)"}},
	{name: "stored_2d_ms", declared: "readonly image2DMS", stored: true, exact: true, w: 8, h: 4, samples: 4, levels: 1, unbound: [][2]int{{128, 384}}, resident: func(i int) bool { return i>>3&3 == 0 || i>>3&3 == 3 }, ops: []string{
		"sparseImageLoadARB(a, n.xy, 2, t)", "sparseImageLoadARB(a, n.xy, int(i & 3u), t)", "int(i / 40u); t = imageLoad(a, n.xy, int(i & 3u))"}},
	{name: "stored_2d_ms_array", declared: "readonly image2DMSArray", stored: true, exact: true, w: 8, h: 4, samples: 4, layers: 3, levels: 1, unbound: [][2]int{{512, 1024}}, resident: func(i int) bool { return i%3 != 1 }, ops: []string{
		"sparseImageLoadARB(a, n.xyz, 2, t)", "int(i / 40u); t = imageLoad(a, n.xyz, int(i & 3u))"}},
}

// TestSparse runs operations that return whether the memory of texels is bound, on partially bound images. The model's
// sampler, which returns a bit for each lane of a message, agrees with the interpreter, also on lanes beyond a
// message's first; and both agree with resident on operation 0.
func TestSparse(t *testing.T) {
	for _, shape := range sparseShapes {
		t.Run(shape.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 4))
			name := "R8G8B8A8_UNORM"
			if shape.shadow {
				name = "D32_SFLOAT"
			}
			format, err := texture.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			dim := shape.dim
			if dim == 0 {
				dim = kind.Dim2D
			}
			m := texture.NewImage(dim, format, shape.w, shape.h, 1, shape.layers, shape.samples, shape.levels)
			for l := range m.Levels {
				for k := range m.Levels[l].Data {
					m.Levels[l].Data[k] = byte(rng.Uint32() & 63)
				}
				if l < len(shape.unbound) {
					m.Levels[l].Unbound = shape.unbound[l]
				}
			}
			script, err := amber.Parse(shape.name, []byte(sparseScript(rng, &shape, name)))
			if err != nil {
				t.Fatal(err)
			}
			mod := func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }
			first := &sparse{Engine: &runengine.Interp{Module: mod}, image: m}
			if _, err := script.Run(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			for _, machine := range []*target.Target{target.TGL, target.ICL, target.SKL} {
				for _, simd := range widths {
					if machine != target.TGL && simd != 16 { // which differ in nothing that depends on the width
						continue
					}
					e := &sparse{Engine: differential.New(machine, mod, simd), image: m}
					report, err := script.Run(t.Context(), e)
					if err != nil {
						t.Fatalf("SIMD%d on %s: %v", simd, machine, err)
					}
					for _, err := range report.Errors() {
						t.Errorf("SIMD%d on %s: %v", simd, machine, err)
					}
					checkCodes(t, &shape, e.codes)
					if shape.exact && !bytes.Equal(e.colors, first.colors) {
						t.Errorf("SIMD%d on %s: the colors are not those before lowering", simd, machine)
					}
				}
			}
		})
	}
}

// checkCodes checks the codes of operation 0 of a shape, and that each operation has both codes.
func checkCodes(t *testing.T, shape *sparseShape, codes []uint32) {
	t.Helper()
	n := len(shape.ops)
	for op := range n {
		seen := [2]bool{}
		for i := range 64 {
			code := codes[i*n+op]
			if i%5 == 0 {
				if code != 7 {
					t.Errorf("invocation %d, which does nothing, has the code %d", i, code)
				}
				continue
			}
			if code > 1 {
				t.Fatalf("%s: invocation %d has the code %d", shape.ops[op], i, code)
			}
			seen[code] = true
			if want := op == 0 && shape.resident != nil && shape.resident(i); op == 0 && shape.resident != nil && want != (code == 1) {
				t.Errorf("%s: invocation %d has the code %d, its texel is resident: %v", shape.ops[op], i, code, want)
			}
		}
		if seen != [2]bool{true, true} {
			t.Errorf("%s: not both codes occur: %v", shape.ops[op], seen)
		}
	}
}

// sparseScript runs operations at random places. Some invocations do nothing.
func sparseScript(rng *rand.Rand, shape *sparseShape, format string) string {
	var b strings.Builder
	layout, as := "binding = 0", "combined_image_sampler SAMPLER s"
	if shape.stored {
		layout, as = "binding = 0, rgba8", "storage_image"
	}
	fmt.Fprintf(&b, `#!amber
DEVICE_FEATURE shaderImageGatherExtended
SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
#extension GL_ARB_sparse_texture2 : enable
#extension GL_ARB_sparse_texture_clamp : enable
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 64) in;
layout(derivative_group_linearNV) in;
layout(%s) uniform %s a;
layout(binding = 1) buffer O { vec4 o[]; };
layout(binding = 2) buffer I { vec4 c[]; };
layout(binding = 3) buffer R { uint r[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 p = c[2 * i];
  float l = c[2 * i + 1].x;
  ivec4 n = ivec4(i & 7u, (i >> 3) & 3u, i %% 3u, (i >> 4) & 1u);
  vec4 q = vec4(n.xyy, i / 22u) * vec4(0.11, 0.11, 0.4, 1) + vec4(p.xyz * 0.01, 0) - vec4(0.05, 0.03, 0.6, 0); // close to that of its neighbors
`, layout, shape.declared)
	for k, op := range shape.ops {
		at := fmt.Sprintf("%du * i + %du", len(shape.ops), k)
		if strings.Contains(op, "TextureARB") || strings.Contains(op, "ClampARB") { // derivatives: for all
			fmt.Fprintf(&b, "  { vec4 t = vec4(0); int code = %s; if (i %% 5u != 0u) { o[%s] = t; r[%s] = "+
				"uint(sparseTexelsResidentARB(code)); } }\n", op, at, at)
		} else {
			fmt.Fprintf(&b, "  if (i %% 5u != 0u) { vec4 t = vec4(0); int code = %s; o[%s] = t; r[%s] = "+
				"uint(sparseTexelsResidentARB(code)); }\n", op, at, at)
		}
	}
	b.WriteString("}\nEND\nBUFFER c DATA_TYPE vec4<float> DATA\n")
	for range 64 * 8 {
		fmt.Fprintf(&b, " %.4f", rng.Float64()*3-1.2)
	}
	compare := ""
	if shape.shadow {
		compare = "COMPARE on COMPARE_OP less"
	}
	fmt.Fprintf(&b, `
END
IMAGE a FORMAT %s DIM_2D WIDTH 1 HEIGHT 1 FILL 0
SAMPLER s MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U repeat ADDRESS_MODE_V mirrored_repeat ADDRESS_MODE_W clamp_to_edge MAX_LOD 8 %s
BUFFER o DATA_TYPE vec4<float> SIZE %d FILL 0
BUFFER r DATA_TYPE uint32 SIZE %d FILL 7
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS %s DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER c AS storage DESCRIPTOR_SET 0 BINDING 2
  BIND BUFFER r AS storage DESCRIPTOR_SET 0 BINDING 3
END
RUN p 1 1 1
`, format, compare, 64*len(shape.ops), 64*len(shape.ops), as)
	return b.String()
}
