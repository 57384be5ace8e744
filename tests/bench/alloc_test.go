// SPDX-License-Identifier: MIT

package bench

import (
	"runtime/debug"
	"testing"

	"jacquard.example"
)

// TestAllocations bounds the allocations of a warm compilation: at most two for
// each SPIR-V instruction inside function bodies, and 200 for the program.
func TestAllocations(t *testing.T) {
	// The collector empties the pool that the compiler's memory waits in.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, sh := range allShaders(t) {
		n := testing.AllocsPerRun(5, func() {
			if _, err := jacquard.Compile(t.Context(), sh.module, jacquard.Options{SIMD: simd}); err != nil {
				t.Fatal(err)
			}
		})
		limit := 2*sh.insts + 200
		t.Logf("%s: %v allocations for %d instructions", sh.name, n, sh.insts)
		if n > float64(limit) {
			t.Errorf("%s: %v allocations, %d are allowed", sh.name, n, limit)
		}
	}
}
