// SPDX-License-Identifier: MIT

package corpus

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/sample"
)

// TestPictures compares the pictures of vertex and fragment shaders with lavapipe's and the model's, for a few shaders,
// for all shaders with JACQUARD_CORPUS_ALL (make pictures), or for the shaders with names that start with MODULE.
func TestPictures(t *testing.T) {
	o := &Draws{device: lavapipe.Need(t)}
	t.Cleanup(o.Close)
	c := compiler(t)
	only := os.Getenv("MODULE")
	var list []modules.Module
	if name, _, _ := strings.Cut(only, " "); name == "" {
		list = chosen(t, c, os.Getenv("JACQUARD_CORPUS_ALL") != "")
	} else if modules.Named(name) == nil {
		t.Fatalf("MODULE=%q: there is no package of that name", only)
	} else {
		ms, _ := load(t, c, name, 0)
		list = modules.Distinct(ms)
	}
	leftOut := map[string]int{}
	tried, compared, agree := 0, 0, 0
	modelled, texels, open := 0, 0, 0
	for i := range list {
		m := &list[i]
		if m.Invalid != "" || !strings.HasPrefix(m.ID(), only) || !sample.In(m.ID()) {
			continue
		}
		for _, e := range modules.Entries(m.SPIRV) {
			p := o.Draw(t.Context(), m, e)
			switch {
			case p == nil:
				continue
			case p.Why != "":
				leftOut[p.Why]++
				if only != "" {
					t.Logf("%s: %s", m.ID(), p.Why)
				}
			default:
				compared++
				texels, open = texels+p.Texels, open+p.Open
				if p.OnModel {
					modelled++
				}
				if p.Before+p.After+p.Modelled == "" {
					agree++
				} else if only != "" {
					t.Logf("%s: lavapipe: %q; %q; model: %q", m.ID(), p.Before, p.After, p.Modelled)
				}
				if err := p.Judge(); err != nil {
					t.Error(err)
				}
			}
			tried++
		}
	}
	t.Logf("%d of %d shaders are compared, %d agree, %d of them on the model too; %d pixels, %d of them left open", compared, tried, agree,
		modelled, texels, open)
	for _, why := range slices.Sorted(maps.Keys(leftOut)) {
		t.Logf("%d left out: %s", leftOut[why], why)
	}
	if only == "" && compared < tried/3 {
		t.Errorf("only %d of %d shaders are compared", compared, tried)
	}
}
