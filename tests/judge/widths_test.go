// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestWidths checks the ratios and the means of the table of widths against values computed by hand.
func TestWidths(t *testing.T) {
	all := []choice{
		{name: "narrow", at: [3]uint64{1000, 2000, 4000}, chosen: 16, ours: 2000, theirs: 4000, peerSIMD: 8, busy: true},
		{name: "wide", at: [3]uint64{0, 3000, 1500}, chosen: 16, ours: 3000, theirs: 1500, peerSIMD: 16, busy: true},
		{name: "idle", at: [3]uint64{700, 900, 0}, chosen: 8, ours: 700, theirs: 100, peerSIMD: 16},
	}
	var out bytes.Buffer
	writeWidths(&out, all)
	for _, want := range []string{
		"| narrow | 16 | 2.00 | 0.50 | 8 | 1.00 | 2.00 | 4.00 |",
		"| wide | 16 | 2.00 | 2.00 | 16 | - | 3.00 | 1.50 |",
		"| idle | 8 | 1.00 | 7.00 | 16 | 0.70 | 0.90 | - |",
		"Of 3 shaders, 1 have 8 lanes, 2 16, 0 32. Means of the 2 whose threads send at least 4 messages with Mesa's code: " +
			"2.000 of the best width, 1.000 of Mesa's.",
	} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("no line %q in\n%s", want, &out)
		}
	}
}
