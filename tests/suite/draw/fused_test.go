// SPDX-License-Identifier: MIT

package draw

import (
	"fmt"
	"testing"

	"jacquard.example/generated/target"
	"jacquard.example/tests/support/scripts"
)

// TestEndsInFusedThreads draws with fragment shaders whose invocations end in control flow, with threads in fused
// pairs: instructions executed by threads without lanes do not change the picture, and the checks along all paths
// report nothing.
func TestEndsInFusedThreads(t *testing.T) {
	const file = "../../amber/graphics/terminate_arms.amber"
	for _, machine := range target.All {
		for _, simd := range machine.Widths {
			t.Run(fmt.Sprint(machine, "/", simd), func(t *testing.T) {
				e := modelOf(machine, file, simd)
				e.Options.Verify, e.Execution.Fused = true, machine.Can(target.Fused)
				report, err := scripts.Read(t, file).Run(t.Context(), e)
				if err != nil || len(report.Checks) == 0 {
					t.Fatal(err)
				}
				for _, err := range report.Errors() {
					t.Error(err)
				}
			})
		}
	}
}
