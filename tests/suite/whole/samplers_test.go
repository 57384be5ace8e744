// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/differential"
)

// layered dispatches with images that scripts do not have: with layers, or cubes.
type layered struct {
	runner.Engine
	image *runner.Image
	data  []byte
}

func (e *layered) Dispatch(ctx context.Context, c *runner.Call) error {
	for i := range c.Bindings {
		if b := &c.Bindings[i]; b.Image != nil {
			b.Image, b.Data = e.image, e.data
		}
	}
	return e.Engine.Dispatch(ctx, c)
}

// layerShape is a shape of images, and operations on it.
type layerShape struct {
	name, sampler string
	image         runner.Image
	shadow        bool
	ops           []string
}

// layerShapes are shapes with layers or faces, and texture operations on them: p is a vector of four coordinates, l a
// level of detail, n integers.
var layerShapes = []layerShape{
	{"1d_array", "sampler1DArray", runner.Image{Dim: kind.Dim1D, Width: 16, Height: 1, Layers: 3}, false, []string{
		"textureLod(a, p.xw, 0.0)", "textureLod(a, p.xw, l)", "textureLodOffset(a, p.xw, l, -3)", "textureGrad(a, p.xw, p.y * 0.2, p.z * 0.3)",
		"texelFetch(a, n.xz, 0)", "texelFetch(a, n.xz, n.w)", "texelFetchOffset(a, n.xz, 1, 2)", "vec4(textureSize(a, n.w), textureQueryLevels(a), 0)"}},
	{"2d_array", "sampler2DArray", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 3}, false, []string{
		"textureLod(a, p.xyw, 0.0)", "textureLod(a, p.xyw, l)", "textureLodOffset(a, p.xyw, l, ivec2(7, -8))", "textureGrad(a, p.xyw, p.yz * 0.2, p.zx * 0.3)",
		"textureGradOffset(a, p.xyw, p.yz * 0.2, p.zx * 0.3, ivec2(1, 2))", "textureGather(a, p.xyw, 2)", "textureGatherOffset(a, p.xyw, n.xy - 3, 1)",
		"texelFetch(a, n.xyz, n.w)", "texelFetchOffset(a, n.xyz, 0, ivec2(1, -1))", "vec4(textureSize(a, n.w), textureQueryLevels(a))"}},
	{"2d_array_of_one", "sampler2DArray", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 1}, false, []string{
		"vec4(textureSize(a, n.w), textureQueryLevels(a))", "textureLod(a, p.xyw, 0.0)"}},
	{"cube", "samplerCube", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 6}, false, []string{
		"textureLod(a, p.xyz, 0.0)", "textureLod(a, p.xyz, l)", "textureGrad(a, p.xyz, p.yzx * 0.2, p.zxy * 0.3)", "textureGather(a, p.xyz, 3)",
		"vec4(textureSize(a, n.w), textureQueryLevels(a), 0)"}},
	{"cube_array", "samplerCubeArray", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 18}, false, []string{
		"textureLod(a, p, 0.0)", "textureLod(a, p, l)", "textureGrad(a, p, p.yzx * 0.2, p.zxy * 0.3)", "textureGather(a, p, 1)",
		"vec4(textureSize(a, n.w), textureQueryLevels(a))"}},
	{"2d_ms", "sampler2DMS", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Samples: 4}, false, []string{
		"texelFetch(a, n.xy, 2)", "texelFetch(a, n.xy, int(i & 3u))", "texelFetch(a, ivec2(i & 15u, n.y), n.w)",
		"vec4(textureSize(a), textureSamples(a), 0)"}},
	{"2d_ms_array", "sampler2DMSArray", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 3, Samples: 4}, false, []string{
		"texelFetch(a, n.xyz, 2)", "texelFetch(a, n.xyz, int(i & 3u))", "vec4(textureSize(a), textureSamples(a))"}},
	{"2d_array_shadow", "sampler2DArrayShadow", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 3}, true, []string{
		"vec4(textureGrad(a, vec4(p.xyw, 0.5), p.yz * 0.2, p.zx * 0.3))", "vec4(textureGradOffset(a, vec4(p.xyw, 0.5), p.yz * 0.2, p.zx * 0.3, ivec2(3, -4)))",
		"textureGather(a, p.xyw, 0.5)", "textureGatherOffset(a, p.xyw, 0.25, n.xy * 2 - 9)"}},
	{"cube_shadow", "samplerCubeShadow", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 6}, true, []string{
		"vec4(textureGrad(a, vec4(p.xyz, 0.5), p.yzx * 0.2, p.zxy * 0.3))", "textureGather(a, p.xyz, 0.5)"}},
	{"cube_array_shadow", "samplerCubeArrayShadow", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 12}, true, []string{"textureGather(a, p, 0.5)"}},
	{"1d_array_shadow", "sampler1DArrayShadow", runner.Image{Dim: kind.Dim1D, Width: 16, Height: 1, Layers: 3}, true, []string{
		"vec4(textureGrad(a, vec3(p.xw, 0.5), p.y * 0.2, p.z * 0.3))", "vec4(textureLod(a, vec3(p.xw, 0.5), l))"}},
	{"2d_shadow", "sampler2DShadow", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4}, true, []string{
		"vec4(textureLod(a, vec3(p.xy, 0.5), 0.0))", "vec4(textureLod(a, vec3(p.xy, 0.5), l))", "vec4(textureLodOffset(a, vec3(p.xy, 0.5), l, ivec2(-1, 1)))",
		"vec4(textureGrad(a, vec3(p.xy, 0.5), p.yz * 0.2, p.zx * 0.3))", "vec4(textureProjLod(a, vec4(p.xy, 0.5, 1.5), l))"}},
}

// TestSamplerShapes compiles texture operations on arrayed images, on cubes, and comparisons: the model's sampler,
// which reads message payloads, agrees with the interpreter at every width.
func TestSamplerShapes(t *testing.T) {
	for i, shape := range slices.Concat(layerShapes, implicitShapes) {
		t.Run(shape.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 4))
			format := "R8G8B8A8_UNORM"
			if shape.shadow {
				format = "D32_SFLOAT"
			}
			m := shape.image
			m.Depth, m.Levels, m.Samples = max(m.Depth, 1), 3, max(m.Samples, 1)
			if m.Samples > 1 {
				m.Levels = 1
			}
			var err error
			if m.Format, err = texture.Named(format); err != nil {
				t.Fatal(err)
			}
			data := make([]byte, 4*2*int(m.Width)*int(m.Height)*int(m.Depth)*int(max(m.Layers, 1))*m.Samples+64)
			for k := 0; k < len(data); k += 4 {
				x := rng.Uint32()
				if shape.shadow {
					x = math.Float32bits(rng.Float32())
				}
				binary.LittleEndian.PutUint32(data[k:], x)
			}
			script, err := amber.Parse(shape.name, []byte(layerScript(rng, shape.sampler, format, shape.shadow, shape.ops)))
			if err != nil {
				t.Fatal(err)
			}
			mod := func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }
			for _, machine := range []*target.Target{target.TGL, target.ICL, target.SKL} {
				for _, simd := range widths {
					e := &layered{differential.New(machine, mod, simd), &m, data}
					if report, err := script.Run(t.Context(), e); err != nil {
						t.Errorf("SIMD%d on %s: %v", simd, machine, err)
					} else {
						for _, err := range report.Errors() {
							t.Errorf("SIMD%d on %s: %v", simd, machine, err)
						}
					}
				}
			}
		})
	}
}

// layerScript runs operations at random places.
func layerScript(rng *rand.Rand, sampler, format string, shadow bool, ops []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `#!amber
DEVICE_FEATURE shaderImageGatherExtended
SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
#extension GL_ARB_sparse_texture_clamp : enable
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 64) in;
layout(derivative_group_linearNV) in;
layout(binding = 0) uniform %s a;
layout(binding = 1) buffer O { vec4 o[]; };
layout(binding = 2) buffer I { vec4 c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 p = c[2 * i];
  float l = c[2 * i + 1].x;
  ivec4 n = ivec4(i & 7u, (i >> 3) & 3u, i %% 3u, (i >> 4) & 1u);
`, sampler)
	for k, op := range ops {
		fmt.Fprintf(&b, "  o[%du * i + %du] = %s;\n", len(ops), k, op)
	}
	b.WriteString("}\nEND\nBUFFER c DATA_TYPE vec4<float> DATA\n")
	for range 64 * 8 {
		fmt.Fprintf(&b, " %.4f", rng.Float64()*3-1.2)
	}
	compare := ""
	if shadow {
		compare = "COMPARE on COMPARE_OP less"
	}
	fmt.Fprintf(&b, `
END
IMAGE a FORMAT %s DIM_2D WIDTH 1 HEIGHT 1 FILL 0
SAMPLER s MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U repeat ADDRESS_MODE_V mirrored_repeat ADDRESS_MODE_W clamp_to_edge MAX_LOD 8 %s
BUFFER o DATA_TYPE vec4<float> SIZE %d FILL 0
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER c AS storage DESCRIPTOR_SET 0 BINDING 2
END
RUN p 1 1 1
`, format, compare, 64*len(ops))
	return b.String()
}
