// SPDX-License-Identifier: MIT

package draw

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// unformatted reads an image without a declared format, in a dispatch and in a draw.
const unformatted = `#!amber
DEVICE_FEATURE shaderStorageImageReadWithoutFormat
SHADER compute read GLSL TARGET_ENV vulkan1.1
#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer O { VEC o[]; };
layout(binding = 1) uniform readonly IMAGE m;
void main() { o[gl_LocalInvocationIndex] = imageLoad(m, ivec2(int(gl_LocalInvocationIndex), 0)); }
END
SHADER vertex vert PASSTHROUGH
SHADER fragment frag GLSL TARGET_ENV vulkan1.1
#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(location = 0) out vec4 color;
layout(binding = 0) buffer O { VEC o[]; };
layout(binding = 1) uniform readonly IMAGE m;
void main() { int at = int(gl_FragCoord.x); o[at] = imageLoad(m, ivec2(at, 0)); color = vec4(1.0); }
END
IMAGE m FORMAT FORMAT_NAME DIM_2D WIDTH 8 HEIGHT 1 FILL 1
BUFFER o DATA_TYPE vec4<TYPE> SIZE 8 FILL 7
BUFFER picture FORMAT R8G8B8A8_UNORM
PIPELINE compute c
  ATTACH read
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER m AS storage_image DESCRIPTOR_SET 0 BINDING 1
END
PIPELINE graphics g
  ATTACH vert
  ATTACH frag
  FRAMEBUFFER_SIZE 8 1
  BIND BUFFER picture AS color LOCATION 0
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER m AS storage_image DESCRIPTOR_SET 0 BINDING 1
END
`

// classes are the shader's types for a class of formats, and the amber type of a component.
var classes = map[kind.BaseType][3]string{
	kind.BaseFloat: {"vec4", "image2D", "float"}, kind.BaseInt: {"ivec4", "iimage2D", "int32"}, kind.BaseUint: {"uvec4", "uimage2D", "uint32"},
}

// TestUnformattedReads: if the shader declares no format, an image of any surface format is read as on the interpreter,
// or refused if the table of surfaces has no converting reads for the format. The ABI lists these formats. The
// interpreter reads all formats.
func TestUnformattedReads(t *testing.T) {
	mod := moduleOf("unformatted.amber")
	for i := range isa.SurfaceFormats {
		row := &isa.SurfaceFormats[i]
		for _, name := range row.Texels {
			f, err := texture.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			class := classes[f.Base]
			src := strings.NewReplacer("VEC", class[0], "IMAGE m;", class[1]+" m;", "TYPE>", class[2]+">", "FORMAT_NAME",
				name).Replace(unformatted)
			for _, command := range []string{"RUN c 1 1 1\n", "RUN g DRAW_RECT POS 0 0 SIZE 8 1\n"} {
				script, err := amber.Parse("unformatted.amber", []byte(src+command))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
				want, err := outcome(t, script, &engine.Interp{Module: mod})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				for _, machine := range target.All {
					if machine.Fragment == nil && strings.Contains(command, "DRAW") {
						continue
					}
					refused := row.WriteOnly || row.Raw[machine.Platform]
					got, err := outcome(t, script, &engine.EU{Module: mod,
						Options: jacquard.Options{Target: jacquard.Target(machine.Name)}})
					switch {
					case err != nil && (!refused || !strings.Contains(err.Error(), "set 0 binding 1 has the format "+name)):
						t.Errorf("%s: %s: %v", machine, name, err)
					case err == nil && refused:
						t.Errorf("%s: %s is accepted, although reads do not convert it", machine, name)
					case err == nil && got != want:
						t.Errorf("%s: %s is read as %s, not %s", machine, name, got, want)
					}
					if list := jacquard.UnreadableFormats(jacquard.Target(machine.Name)); !row.WriteOnly &&
						slices.Contains(list, name) != refused {
						t.Errorf("%s: the ABI lists %v: %s is refused: %t", machine, list, name, refused)
					}
				}
			}
		}
	}
}

// reading is an engine that records the contents of the first binding after each call.
type reading struct {
	runner.Drawer
	seen string
}

func (w *reading) Dispatch(ctx context.Context, c *runner.Call) error {
	err := w.Drawer.Dispatch(ctx, c)
	w.seen = fmt.Sprintf("% x", c.Bindings[0].Data)
	return err
}

func (w *reading) Draw(ctx context.Context, c *runner.DrawCall) error {
	err := w.Drawer.Draw(ctx, c)
	w.seen = fmt.Sprintf("% x", c.Bindings[0].Data)
	return err
}

// outcome runs a script and returns the contents of its first binding.
func outcome(t *testing.T, script *runner.Script, e runner.Drawer) (string, error) {
	w := &reading{Drawer: e}
	report, err := script.Run(t.Context(), w)
	if err == nil {
		err = errors.Join(report.Errors()...)
	}
	return w.seen, err
}
