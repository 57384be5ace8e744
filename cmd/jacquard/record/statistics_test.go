// SPDX-License-Identifier: MIT

package record_test

import (
	"fmt"
	"testing"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/record"
)

// TestStatistics: each statistic has its own value, and only compute shaders have shared memory.
func TestStatistics(t *testing.T) {
	p := &jacquard.Program{Stage: "compute", ABI: jacquard.ABI{SharedBytes: 8}, Variants: []jacquard.Variant{{Scratch: 7,
		Stats: jacquard.Stats{Instructions: 1, Sends: 2, Loops: 3, Cycles: 4, Spills: 5, Fills: 6}}}}
	for _, stage := range []string{"compute", "vertex"} {
		p.Stage = jacquard.Stage(stage)
		got := ""
		for _, s := range record.Of(p).Programs[0].Statistics {
			got += fmt.Sprint(s.Name, " ", s.Value, "; ")
		}
		want := "Instruction Count 1; SEND Count 2; Loop Count 3; Cycle Count 4; Spill Count 5; Fill Count 6; Scratch Memory Size 7; "
		if stage == "compute" {
			want += "Workgroup Memory Size 8; "
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", stage, got, want)
		}
	}
}
