// SPDX-License-Identifier: MIT

package draw

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
	"jacquard.example/tests/support/layers"
)

// layered draws with images that scripts do not have: with layers, or cubes.
type layered struct {
	runner.Drawer
	image *runner.Image
	data  []byte
}

// Draw implements runner.Drawer.
func (e *layered) Draw(ctx context.Context, c *runner.DrawCall) error {
	for i := range c.Bindings {
		if b := &c.Bindings[i]; b.Image != nil {
			b.Image, b.Data = e.image, e.data
		}
	}
	return e.Drawer.Draw(ctx, c)
}

// mostColors is the number of attachments of a draw.
const mostColors = 5

// TestVertexSamplers compiles texture operations in vertex shaders, on images with layers, cubes, comparisons and samples:
// the model's sampler agrees with the interpreter on every machine.
func TestVertexSamplers(t *testing.T) {
	for i, shape := range layers.Shapes {
		for k, ops := range slices.Collect(slices.Chunk(shape.Ops, mostColors)) {
			name := fmt.Sprint(shape.Name, "_", k)
			t.Run(name, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
				image, data := shape.Contents(t, rng)
				source := vertexScript(rng, &shape, ops)
				for _, machine := range slices.Concat(target.All, target.Partial) {
					script, err := amber.Parse(name, []byte(source))
					if err != nil {
						t.Fatalf("%v\n%s", err, source)
					}
					e := &both{t: t, step: 1e-5, first: onInterp(name), second: modelOf(machine, name, machine.Widths[0])}
					if _, err := script.Run(t.Context(), &layered{e, image, data}); err != nil {
						t.Errorf("%s: %v", machine, err)
					}
					if e.covered == 0 {
						t.Errorf("%s: no draw changes anything", machine)
					}
				}
			})
		}
	}
}

// vertexScript runs operations at random places, a point for each.
func vertexScript(rng *rand.Rand, shape *layers.Shape, ops []string) string {
	var vert, frag, in, out, colors, buffers strings.Builder
	for k, op := range ops {
		fmt.Fprintf(&in, "layout(location = %d) flat in vec4 o%[1]d;\nlayout(location = %[1]d) out vec4 c%[1]d;\n", k)
		fmt.Fprintf(&out, "layout(location = %d) flat out vec4 o%[1]d;\n", k)
		fmt.Fprintf(&vert, "  o%d = %s;\n", k, op)
		fmt.Fprintf(&frag, "  c%d = o%[1]d;\n", k)
		fmt.Fprintf(&buffers, "BUFFER c%d FORMAT R32G32B32A32_SFLOAT\n", k)
		fmt.Fprintf(&colors, "  BIND BUFFER c%d AS color LOCATION %[1]d\n", k)
	}
	var places strings.Builder
	for range 2 * 64 {
		for range 4 {
			fmt.Fprintf(&places, " %.4f", rng.Float64()*3-1.2)
		}
		places.WriteByte('\n')
	}
	compare := ""
	if shape.Shadow {
		compare = "COMPARE on COMPARE_OP less"
	}
	return fmt.Sprintf(`#!amber
DEVICE_FEATURE shaderImageGatherExtended
SHADER vertex vert GLSL TARGET_ENV vulkan1.1
#version 450
layout(binding = 0) uniform %s a;
layout(binding = 1) uniform I { vec4 c[128]; };
%svoid main() {
  uint i = uint(gl_VertexIndex);
  gl_Position = vec4(vec2(i & 7u, i >> 3) / 4.0 - 0.875, 0.0, 1.0);
  gl_PointSize = 1.0;
  vec4 p = c[2 * i];
  float l = c[2 * i + 1].x;
  ivec4 n = ivec4(i & 7u, (i >> 3) & 3u, i %% 3u, (i >> 4) & 1u);
%s}
END
SHADER fragment frag GLSL TARGET_ENV vulkan1.1
#version 450
%svoid main() {
%s}
END
BUFFER c DATA_TYPE vec4<float> DATA
%sEND
BUFFER position DATA_TYPE float SIZE 64 FILL 0
IMAGE a FORMAT %s DIM_2D WIDTH 1 HEIGHT 1 FILL 0
SAMPLER s MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U repeat ADDRESS_MODE_V mirrored_repeat ADDRESS_MODE_W clamp_to_edge MAX_LOD 8 %s
%sPIPELINE graphics p
  ATTACH vert
  ATTACH frag
  FRAMEBUFFER_SIZE 8 8
  BIND BUFFER a AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER c AS uniform DESCRIPTOR_SET 0 BINDING 1
  VERTEX_DATA position LOCATION 0
%sEND
RUN p DRAW_ARRAY AS POINT_LIST START_IDX 0 COUNT 64
`, shape.Sampler, out.String(), vert.String(), in.String(), frag.String(), places.String(), shape.Format(), compare, buffers.String(), colors.String())
}
