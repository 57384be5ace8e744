package pipeline_test

import (
	"testing"

	"jacquard.example/core/pass/pipeline"
)

// TestNumbers: no two passes have the same Pass.Number, and all numbers have a byte.
func TestNumbers(t *testing.T) {
	names := map[uint8]string{}
	for i := range pipeline.Known {
		p := &pipeline.Known[i]
		if p.Number == 0 {
			continue
		}
		if other := names[p.Number]; other != "" || p.Number > 7 {
			t.Errorf("%s has the number %d, and so has %q", p.Name, p.Number, other)
		}
		names[p.Number] = p.Name
	}
	if len(names) == 0 {
		t.Error("no pass has a number")
	}
}
