// SPDX-License-Identifier: MIT

package corpus

import (
	"os"
	"strings"
	"testing"

	"jacquard.example/tests/support/modules"
)

// TestStages checks that all passes run on every vertex and fragment shader that can be read.
func TestStages(t *testing.T) {
	reasons := map[string]int{}
	count, through := 0, 0
	for _, m := range chosen(t, compiler(t), os.Getenv("JACQUARD_CORPUS_ALL") != "") {
		for _, e := range modules.Entries(m.SPIRV) {
			if stage := modules.Models[e.Model]; m.Invalid != "" || stage != "vertex" && stage != "fragment" {
				continue
			}
			count++
			switch at, lacks, err := throughPasses(&m, stageOf[modules.Models[e.Model]], e.Name); {
			case err == nil:
				through++
				if lacks != nil {
					reasons[Reason(lacks.Error())]++
				}
			case at == "read" && !strings.HasPrefix(err.Error(), "panic:"), strings.Contains(err.Error(), "is not supported"),
				strings.Contains(err.Error(), "; the limit is"):
				reasons[Reason(err.Error())]++
			default:
				t.Errorf("%s: %s: %v", m.ID(), at, err)
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d modules", count)
	}
	if 100*through < 90*count {
		t.Errorf("only %d of %d go through all passes", through, count)
	}
	t.Logf("%d of %d go through all passes", through, count)
	for why, n := range reasons {
		t.Logf("%d: %s", n, why)
	}
}
