// SPDX-License-Identifier: MIT

package report

import (
	"strings"
	"testing"

	"jacquard.example"
)

// TestNarrowed: the hint about a wider variant that spills names the line of the register peak if that is known.
func TestNarrowed(t *testing.T) {
	for line, want := range map[int]string{7: "live at once around line 7, for example", 0: "at most 99 registers are live: to run at SIMD16, keep fewer values live at once, "} {
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

// TestSpillHint: the hint about spilled values is about the peak with the most messages whose line is known, counts its
// messages, and names its file if that is not the source.
func TestSpillHint(t *testing.T) {
	spilled := func(file string, line, stores, fills int) jacquard.Spilled {
		peak := jacquard.Origin{Position: jacquard.Position{File: file, Line: line}}
		return jacquard.Spilled{Peak: peak, Stores: stores, Fills: fills, Cycles: 100}
	}
	other, source := spilled("b.h", 3, 2, 5), spilled("a.comp", 9, 1, 1)
	unknown := spilled("", 0, 9, 9)
	for _, c := range []struct {
		list []jacquard.Spilled
		line int
		want string
	}{
		{[]jacquard.Spilled{unknown, source, other, source}, 3,
			"29 messages for spilled values take 40 % of the cycles, 7 of them around b.h:3, since"},
		{[]jacquard.Spilled{unknown, source, unknown}, 9,
			"38 messages for spilled values take 30 % of the cycles, 2 of them around line 9, since"},
		{[]jacquard.Spilled{unknown}, 0, "18 messages for spilled values take 10 % of the cycles, since"},
	} {
		x := Failed(&Input{}, nil)
		x.name, x.Spilled = "a.comp", c.list
		x.Widths = []Variant{{SIMD: 16, Chosen: true, Stats: jacquard.Stats{Cycles: 1000}}}
		if h := hints(x); len(h) != 1 || h[0].Line != c.line || !strings.HasPrefix(h[0].Text, c.want) {
			t.Errorf("%+v, want %q", h, c.want)
		}
	}
}
