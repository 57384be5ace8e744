// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
)

// TestVertexTable checks the ratios, means and order of the table of vertex shaders against values computed by hand.
func TestVertexTable(t *testing.T) {
	all := []vertexVerdict{
		{"quick", vertexFigures{10, 100, 20, 8, 500, 80}, vertexFigures{40, 400, 80, 8, 1000, 160}},
		{"slow", vertexFigures{30, 300, 90, 16, 3000, 500}, vertexFigures{30, 300, 10, 4, 1500, 500}},
		{"tiny", vertexFigures{5, 60, 0, 2, 70, 30}, vertexFigures{4, 30, 40, 2, 70, 30}},
	}
	var out bytes.Buffer
	writeVertices(&out, all)
	for _, want := range []string{
		"| geometric mean of all 3 | **0.68** | **0.79** | **1.50** | **1.59** | **1.00** | **0.79** |",
		"| geometric mean of the 2 of at least 25 instructions of Mesa's | **0.50** | **0.50** | **1.50** | **2.00** | **1.00** | **0.71** |",
		"| total of all 3 | 0.61 (45 : 74) | 0.63 (460 : 730) | 0.85 (110 : 130) | 1.86 (26 : 14) | 1.39 (3570 : 2570) | 0.88 (610 : 690) |",
		"| asked for | | 0.85 | 0.50 | | 0.90 | |",
		"| tiny | 1.25 (5 : 4) | 2.00 (60 : 30) | 0 : 40 | 1.00 (2 : 2) | 1.00 (70 : 70) | 1.00 (30 : 30) |\n" +
			"| slow | 1.00 (30 : 30) | 1.00 (300 : 300) | 9.00 (90 : 10) | 4.00 (16 : 4) | 2.00 (3000 : 1500) | 1.00 (500 : 500) |\n" +
			"| quick | 0.25 (10 : 40) | 0.25 (100 : 400) | 0.25 (20 : 80) | 1.00 (8 : 8) | 0.50 (500 : 1000) | 0.50 (80 : 160) |",
	} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("no line %q in\n%s", want, &out)
		}
	}
}

// TestVertexOutputs: only locations count as outputs, with all their components.
func TestVertexOutputs(t *testing.T) {
	ours := locationsOf([]jacquard.Slot{{Is: "position", Components: 15}, {Is: "location", Location: 3, Components: 5},
		{Is: "location", Location: 3, Components: 2}, {Is: "location", Location: 7}, {Is: "location", Location: 0, Components: 8}})
	theirs := writtenBy(&graphics.Program{Outputs: []graphics.Output{{Slot: int(stageio.Slot(kind.BuiltinPosition, 0, 0))},
		{Slot: 3, Component: 1}, {Slot: 3}, {Slot: 3, Component: 2}, {Slot: 0, Component: 3}}})
	want := map[int]int{0: 8, 3: 7}
	if !maps.Equal(ours, want) || !maps.Equal(theirs, want) {
		t.Errorf("%v and %v, want %v", ours, theirs, want)
	}
}

// TestVertices judges the vertex shaders of two samples, whose outputs both compilers keep.
func TestVertices(t *testing.T) {
	p := findOpponent(target.HSW, vertexWidth)
	if p == nil {
		t.Skipf("%s is not set: there is no peer to judge", peer.Variable)
	}
	set, err := drawnSampleSet(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	judged, not, err := judgeVertices(t.Context(), p, set[:2], 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(judged) != 2 {
		t.Fatalf("%d are judged; not: %v", len(judged), not)
	}
	for _, v := range judged {
		for side, f := range [...]vertexFigures{v.ours, v.theirs} {
			if f.moves == 0 || f.messages == 0 || f.instructions < f.moves+f.messages || f.resident == 0 || f.cycles < f.resident {
				t.Errorf("%s, side %d: %+v", v.name, side, f)
			}
		}
	}
}
