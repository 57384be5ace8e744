// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"strings"
	"testing"

	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/synth"
)

// TestAgreeGenerated: in a synthetic draw, texels that SPIR-V leaves undefined may differ and all others must agree. A
// picture that is mostly undefined is not judged.
func TestAgreeGenerated(t *testing.T) {
	const head = "#version 450\nlayout(location = 0) out vec4 color;\nfloat noise(float x) { return fract(sin(x * 91.7) * " +
		"43758.5453); }\nvoid main() {"
	for _, c := range []struct {
		name, body string
		at         int    // the column of the texel that is changed
		want       string // the error
	}{
		{"where noise is", "color = vec4(gl_FragCoord.x < 8.0 ? noise(gl_FragCoord.x) : 0.5);", 3, ""},
		{"where none is", "color = vec4(gl_FragCoord.x < 8.0 ? noise(gl_FragCoord.x) : 0.5);", 20, "color 0: 1 of 512 texels differ"},
		{"noise all over", "color = vec4(noise(gl_FragCoord.x));", 3, "most of its texels"},
	} {
		var cache tools.Cache
		module, err := cache.Shader(t.Context(), c.name, &runner.Shader{Name: "noise", Format: runner.GLSL, Source: head + c.body + "}\n",
			Stage: kind.StageFragment, TargetEnv: "spv1.0"})
		if err != nil {
			t.Skip(err)
		}
		made, err := synth.New(&cache, module, kind.StageFragment, "main", synth.Options{Width: generatedWidth, Height: generatedHeight})
		if err != nil {
			t.Fatal(err)
		}
		m := &match{drawn: &drawn{module: made.Module, made: func() *synth.Draw { return made }}}
		want := picture.Copy(&made.DrawCall)
		if err := picture.Variant(made.Module, 1, variantSteps).Draw(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		got := picture.Copy(want)
		a := &got.State.Colors[0].Attachment
		a.Data[(5*a.Width+c.at)*a.Format.Bytes+3] ^= 1
		err = m.agree(t.Context(), &made.DrawCall, want, got)
		if err == nil != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if unfit := errors.Is(err, errUnfit); unfit != (c.name == "noise all over") {
			t.Errorf("%s: unfit %t", c.name, unfit)
		}
	}
}
