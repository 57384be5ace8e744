// SPDX-License-Identifier: MIT

package draw

import (
	"context"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
)

// views is a script that draws a view other than the first.
type views struct{ runner.Drawer }

// Draw implements runner.Drawer.
func (v views) Draw(ctx context.Context, c *runner.DrawCall) error {
	c.Draw.View = 5
	return v.Drawer.Draw(ctx, c)
}

const viewScript = `#!amber
SHADER vertex vert GLSL
#version 450
#extension GL_EXT_multiview : require
layout(location = 0) in vec4 position;
layout(location = 0) flat out int view;
void main() { gl_Position = vec4(position.xy, 0.5, 1.0); view = gl_ViewIndex; }
END
SHADER fragment frag GLSL
#version 450
#extension GL_EXT_multiview : require
layout(push_constant) uniform Scale { float scale; };
layout(location = 0) flat in int view;
layout(location = 0) out vec4 color;
void main() { color = vec4(float(view) * scale, float(gl_ViewIndex) * scale, 0.0, 1.0); }
END
BUFFER scale DATA_TYPE float DATA 0.2 END
BUFFER picture FORMAT R8G8B8A8_UNORM
PIPELINE graphics p
  ATTACH vert
  ATTACH frag
  FRAMEBUFFER_SIZE 4 4
  BIND BUFFER scale AS push_constant
  BIND BUFFER picture AS color LOCATION 0
END
CLEAR p
RUN p DRAW_RECT POS 0 0 SIZE 4 4
EXPECT picture IDX 0 0 SIZE 4 4 EQ_RGBA 255 255 0 255
`

// TestView: both stages read the number of the view that is drawn.
func TestView(t *testing.T) {
	const name = "view.amber"
	script, err := amber.Parse(name, []byte(viewScript))
	if err != nil {
		t.Fatal(err)
	}
	on := map[string]runner.Drawer{"interpreter": onInterp(name)}
	for _, machine := range target.All {
		if machine.Vertex != nil {
			on[machine.Name] = &engine.EU{Module: moduleOf(name), Options: jacquard.Options{Target: jacquard.Target(machine.Name)}}
		}
	}
	for what, e := range on {
		report, err := script.Run(t.Context(), views{e})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for _, err := range report.Errors() {
			t.Errorf("%s: %v", what, err)
		}
	}
}
