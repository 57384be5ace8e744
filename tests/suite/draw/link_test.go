// SPDX-License-Identifier: MIT

package draw

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/pass/link"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/scripts"
)

// linking runs each draw on the interpreter with linked and with unlinked shaders. Both must leave the same bytes. The
// script continues with the results of the unlinked shaders.
type linking struct {
	t        *testing.T
	as, with engine.Interp
	total    link.Stats
	changed  int // attachments that a draw changed
}

func newLinking(t *testing.T, file string) *linking {
	return &linking{t: t, as: engine.Interp{Module: moduleOf(file)}, with: engine.Interp{Module: moduleOf(file), Link: true}}
}

func (e *linking) Dispatch(ctx context.Context, c *runner.Call) error { return e.as.Dispatch(ctx, c) }

// Draw implements runner.Drawer.
func (e *linking) Draw(ctx context.Context, c *runner.DrawCall) error {
	before, other := picture.Copy(c), picture.Copy(c)
	if err := e.with.Draw(ctx, other); err != nil {
		return fmt.Errorf("linked: %w", err)
	}
	if err := e.as.Draw(ctx, c); err != nil {
		return err
	}
	for i := range c.State.Colors {
		a, b := other.State.Colors[i].Data, c.State.Colors[i].Data
		if !bytes.Equal(a, b) {
			e.t.Errorf("color %d differs if the shaders are linked", i)
		}
		if !bytes.Equal(b, before.State.Colors[i].Data) {
			e.changed++
		}
	}
	if !bytes.Equal(other.State.Depth.Attachment.Data, c.State.Depth.Attachment.Data) {
		e.t.Error("the depth differs if the shaders are linked")
	}
	add(&e.total, &e.with.Linked)
	return nil
}

// add adds the counts of n to s.
func add(s, n *link.Stats) {
	s.Dead, s.Unwritten, s.Constant = s.Dead+n.Dead, s.Unwritten+n.Unwritten, s.Constant+n.Constant
	s.Uniform, s.Duplicate = s.Uniform+n.Uniform, s.Duplicate+n.Duplicate
	s.Before, s.After = s.Before+n.Before, s.After+n.After
}

// run runs a script.
func (e *linking) run(script *runner.Script) {
	report, err := script.Run(e.t.Context(), e)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, err := range report.Errors() {
		e.t.Error(err)
	}
}

// TestLinkedScripts: linked shaders draw the same pictures.
func TestLinkedScripts(t *testing.T) {
	for _, file := range scripts.Files(t, "../../amber/graphics/*.amber") {
		t.Run(nameOf(file), func(t *testing.T) {
			newLinking(t, file).run(scripts.Read(t, file))
		})
	}
}

// TestLinkedPairs: generated pairs of shaders, whose outputs are constants, uniforms, each
// other's copies, arrays and numbers of different kinds, draw the same pictures linked and not.
// Together they must exercise all of linking.
func TestLinkedPairs(t *testing.T) {
	const pairs = 20
	var total link.Stats
	for seed := range uint64(pairs) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			source := pairScript(rand.New(rand.NewPCG(seed, 14)))
			script, err := amber.Parse("pair.amber", []byte(source))
			if err != nil {
				t.Fatal(err, source)
			}
			e := newLinking(t, "pair.amber")
			e.run(script)
			if e.changed == 0 {
				t.Error("no draw changes a pixel")
			}
			if t.Failed() {
				t.Log(source)
			}
			add(&total, &e.total)
		})
	}
	if total.Dead < pairs || total.Unwritten < pairs/4 || total.Constant < pairs || total.Uniform < pairs/2 ||
		total.Duplicate < pairs/2 || total.After >= total.Before {
		t.Errorf("%+v", total)
	}
	t.Logf("%+v", total)
}

// varyingTypes are types of outputs, with the number of locations that they take, and an expression for their sum in a
// fragment shader, in which i is an index that is not constant.
var varyingTypes = []struct {
	name, array string
	locations   int
	whole       bool // numbers that are not interpolated
	sum         string
}{
	{"float", "", 1, false, "%s"},
	{"vec2", "", 1, false, "%s.x * 3.0 + %[1]s.y"},
	{"vec3", "", 1, false, "%s.x + %[1]s.z"},
	{"vec4", "", 1, false, "dot(%s, vec4(1.0, 2.0, 3.0, 4.0))"},
	{"vec4", "", 1, false, "%s[i]"},
	{"mat2", "", 2, false, "%s[i].x + %[1]s[0].y"},
	{"vec2", "[3]", 3, false, "%s[i].y"},
	{"float", "[2]", 2, false, "%s[0] - %[1]s[1]"},
	{"int", "", 1, true, "float(%s)"},
	{"uvec3", "", 1, true, "float(%s.y + %[1]s.z)"},
}

// pairScript returns a script that draws with a pair of shaders.
func pairScript(r *rand.Rand) string {
	var vertex, fragment, body, sum strings.Builder
	values := []string{"0.25", "-1.5", "u.a.x", "u.b", "position.x", "position.y * 0.5", "position.x * position.y", "float(gl_VertexIndex)", "u.a.z * 2.0"}
	location := 0
	for i := range 3 + r.IntN(6) {
		x := varyingTypes[r.IntN(len(varyingTypes))]
		name := fmt.Sprintf("v%d", i)
		how := []string{"", "", "", "noperspective ", "centroid ", "flat "}[r.IntN(6)]
		if x.whole {
			how = "flat "
		}
		written, read := r.IntN(8) != 0, r.IntN(5) != 0
		if written {
			fmt.Fprintf(&vertex, "layout(location = %d) %sout %s %s%s;\n", location, how, x.name, name, x.array)
			element := func(target string) {
				value := values[r.IntN(len(values))]
				if x.whole {
					value = "int(" + value + " * 64.0)"
				}
				fmt.Fprintf(&body, "    %s = %s(%s);\n", target, x.name, value)
			}
			if x.array == "" {
				element(name)
				if r.IntN(6) == 0 && x.name == "vec4" {
					fmt.Fprintf(&body, "    if (position.x > 0.0) %s.y = 0.75;\n", name)
				}
			} else {
				for k := range x.locations {
					element(fmt.Sprintf("%s[%d]", name, k))
				}
			}
		}
		if read {
			fmt.Fprintf(&fragment, "layout(location = %d) %sin %s %s%s;\n", location, how, x.name, name, x.array)
			fmt.Fprintf(&sum, "    sum = sum * 1.5 + ("+x.sum+");\n", name)
		}
		location += x.locations + r.IntN(2)
	}
	const block = "layout(set = 0, binding = 0) uniform U { vec4 a; float b; } u;\n"
	return `#!amber
SHADER vertex vert GLSL
#version 450
layout(location = 0) in vec4 position;
` + block + vertex.String() + `void main() {
    gl_Position = vec4(position.xy, 0.5, 1.0 + position.x * 0.25);
` + body.String() + `}
END
SHADER fragment frag GLSL
#version 450
` + block + fragment.String() + `layout(location = 0) out vec4 result;
void main() {
    int i = int(gl_FragCoord.x) & 1;
    float sum = u.a.y;
` + sum.String() + `    result = vec4(sum, fract(sum), 1.0, 1.0);
}
END
BUFFER u DATA_TYPE float DATA 0.125 0.25 -3.0 4.0 1.75 0.0 0.0 0.0 END
BUFFER c FORMAT R32G32B32A32_SFLOAT
PIPELINE graphics p
  ATTACH vert
  ATTACH frag
  FRAMEBUFFER_SIZE 12 10
  BIND BUFFER u AS uniform DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER c AS color LOCATION 0
END
CLEAR p
RUN p DRAW_RECT POS 1 1 SIZE 10 8
`
}
