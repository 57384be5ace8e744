// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/differential"
	"jacquard.example/tests/support/layers"
	"jacquard.example/tests/support/sample"
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

// TestSamplerShapes compiles texture operations on arrayed images, on cubes, and comparisons: the model's sampler,
// which reads message payloads, agrees with the interpreter. The widths take turns; make soak has all.
func TestSamplerShapes(t *testing.T) {
	for i, shape := range slices.Concat(layers.Shapes, layers.Implicit, layers.Sixteen) {
		t.Run(shape.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 4))
			m, data := shape.Contents(t, rng)
			script, err := amber.Parse(shape.Name, []byte(layerScript(rng, &shape)))
			if err != nil {
				t.Fatal(err)
			}
			mod := func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }
			for k, machine := range target.All {
				for w, simd := range machine.Widths {
					if w != (i+k)%len(machine.Widths) && !sample.Soaking() {
						continue
					}
					e := &layered{differential.New(machine, mod, simd), m, data}
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
func layerScript(rng *rand.Rand, shape *layers.Shape) string {
	ops := shape.Ops
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
`, shape.Sampler)
	for k, op := range ops {
		fmt.Fprintf(&b, "  o[%du * i + %du] = %s;\n", len(ops), k, op)
	}
	b.WriteString("}\nEND\nBUFFER c DATA_TYPE vec4<float> DATA\n")
	for range 64 * 8 {
		fmt.Fprintf(&b, " %.4f", rng.Float64()*3-1.2)
	}
	compare := ""
	if shape.Shadow {
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
`, shape.Format(), compare, 64*len(ops))
	return b.String()
}
