// SPDX-License-Identifier: MIT

package synth_test

import (
	"bytes"
	"errors"
	"testing"

	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/stages"
	"jacquard.example/tests/support/synth"
)

// drawn returns a draw of a shader after the interpreter has run it, and the number of bytes of attachments that it
// has changed. d is nil if there is no draw.
func drawn(t *testing.T, c *tools.Cache, s *stages.Shader, o synth.Options) (d *synth.Draw, changed int) {
	t.Helper()
	before, err := synth.New(c, s.Module, s.Stage, "main", o)
	if err != nil {
		var un synth.Unsupported
		if !errors.As(err, &un) {
			t.Errorf("%s: %v", s.Name, err)
		}
		return nil, 0
	}
	d = before.Clone()
	e := &engine.Interp{Module: d.Module}
	if err := e.Draw(t.Context(), &d.DrawCall); err != nil {
		t.Errorf("%s: %v", s.Name, err)
		return nil, 0
	}
	count := func(a, b []byte) {
		for i := range a {
			if a[i] != b[i] {
				changed++
			}
		}
	}
	for i := range d.State.Colors {
		count(d.State.Colors[i].Data, before.State.Colors[i].Data)
	}
	count(d.State.Depth.Attachment.Data, before.State.Depth.Attachment.Data)
	return d, changed
}

// TestDraws: most vertex and fragment shaders of the tests draw something, and the same number always gives the same
// picture.
func TestDraws(t *testing.T) {
	var c tools.Cache
	count, draw := map[kind.Stage]int{}, map[kind.Stage]int{}
	for _, s := range stages.Shaders(t) {
		count[s.Stage]++
		o := synth.Options{Width: 16, Height: 16, Number: 1}
		d, changed := drawn(t, &c, &s, o)
		if d == nil {
			continue
		}
		if changed > 0 {
			draw[s.Stage]++
		} else {
			t.Logf("%s changes nothing", s.Name)
		}
		again, _ := drawn(t, &c, &s, o)
		if again == nil {
			continue
		}
		for i := range d.State.Colors {
			if !bytes.Equal(d.State.Colors[i].Data, again.State.Colors[i].Data) {
				t.Errorf("%s: color %d differs the second time", s.Name, i)
			}
		}
	}
	for stage, n := range count {
		t.Logf("%d of %d %s shaders change attachments", draw[stage], n, stage)
		if draw[stage]*10 < 8*n {
			t.Errorf("only %d of %d %s shaders change attachments", draw[stage], n, stage)
		}
	}
}

// TestSecondColorAlone checks that New rejects a shader that writes only the second color.
func TestSecondColorAlone(t *testing.T) {
	module, err := oracle.GLSL(t, "frag",
		[]byte("#version 450\nlayout(location = 0, index = 1) out vec4 color;\nvoid main() { color = vec4(1); }\n"))
	if err != nil {
		t.Fatal(err)
	}
	var un synth.Unsupported
	if _, err := synth.New(new(tools.Cache), module, kind.StageFragment, "main",
		synth.Options{Width: 4, Height: 4}); !errors.As(err, &un) {
		t.Errorf("got %v, want Unsupported", err)
	}
}
