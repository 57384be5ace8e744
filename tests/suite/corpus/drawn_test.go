// SPDX-License-Identifier: MIT

package corpus

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/pipeline"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/modules"
)

// TestPicturesOfModel: vertex and fragment shaders that pass all steps count in every column of the report, with all pairs drawn on
// the model. The picture of another shader is noticed.
func TestPicturesOfModel(t *testing.T) {
	check := &Checker{Drawn: func(_ *modules.Module, pairs []Pair) []Pair { return pairs }}
	var pictures []*drawn
	for _, c := range []struct{ name, source string }{
		{"transform.vert", "layout(location = 0) in vec4 a;\nlayout(push_constant) uniform P { mat4 m; } p;\nvoid main() { gl_Position = p.m * a; }\n"},
		{"mean.frag", "layout(location = 0) in vec4 a;\nlayout(location = 1) in vec4 b;\nlayout(location = 0) out vec4 c;\nvoid main() { c = 0.5 * (a + b); }\n"},
		{"swap.frag", "layout(location = 0) in vec4 a;\nlayout(location = 1) in vec4 b;\nlayout(location = 0) out vec4 c;\nvoid main() { c = a.x > b.x ? a.yxwz : 1.0 - b; }\n"},
	} {
		_, ext, _ := strings.Cut(c.name, ".")
		module, err := oracle.GLSL(t, ext, []byte("#version 450\n"+c.source))
		if err != nil {
			t.Fatal(err)
		}
		m := &modules.Module{Package: "samples", Name: c.name, SPIRV: module}
		outcomes := check.Check(t.Context(), m)
		if len(outcomes) != 1 {
			t.Fatalf("%s: %d outcomes", c.name, len(outcomes))
		}
		o := outcomes[0]
		for step, why := range o.Why {
			if why != "" {
				t.Errorf("%s: not %s: %s", c.name, Step(step), why)
			}
		}
		for _, pair := range StagePairs(stageOf[o.Stage]) {
			n := columns(o.Stage, outcomes, func(p Pair) bool { return p == pair })
			if n.modules != 1 || n.compiled != 1 || n.drawn != 1 {
				t.Errorf("%s for %s: %+v", c.name, pair, n)
			}
		}
		d, why := drawFor(t.Context(), &check.tools, m, stageOf[o.Stage], o.Entry)
		if d == nil {
			t.Fatalf("%s: %s", c.name, why)
		}
		pictures = append(pictures, d)
	}
	lit, other := pictures[1], pictures[2]
	x, err := onInterp(t.Context(), other.Draw, way{passes: pipeline.Optimize})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.differs(x); err != nil {
		t.Error(err)
	}
	if lit.differs(x) == nil {
		t.Error("the picture of another shader is accepted")
	}
	lit.Draw = other.Draw
	if lit.afterPasses(t.Context()) == nil {
		t.Error("the picture of another shader is accepted after passes")
	}
	if _, err := lit.onModel(t.Context(), StagePairs(stageOf["fragment"])[0]); err == nil {
		t.Error("the picture of another shader is accepted on the model")
	}
}
