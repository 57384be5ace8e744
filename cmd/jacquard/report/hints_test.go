package report

import (
	"strings"
	"testing"

	"jacquard.example"
)

// TestNarrowed: the hint about a wider variant that spills names the line of the register peak if that is known.
func TestNarrowed(t *testing.T) {
	for line, want := range map[int]string{7: "live at once around line 7; at most 99 ", 0: "live at once; at most 99 "} {
		x := Failed(&Input{}, nil)
		x.name = "a.comp"
		x.Width = jacquard.Width{SIMD: 8, Reason: jacquard.WidthSpills}
		x.Widths = []Variant{{SIMD: 8, Chosen: true}, {SIMD: 16, Stats: jacquard.Stats{Spills: 3}}}
		x.Peak.Registers, x.Peak.Line = 99, line
		if line != 0 {
			x.Peak.File = x.name
		}
		if h := hints(x); len(h) != 1 || h[0].Kind != HintSpill || h[0].Line != line || !strings.Contains(h[0].Text, want) {
			t.Errorf("%+v, want %q", h, want)
		}
	}
}
