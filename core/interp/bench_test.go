// SPDX-License-Identifier: MIT

package interp_test

import (
	"context"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/text"
)

// BenchmarkStep runs a loop with a single addition: it measures the overhead of a step.
func BenchmarkStep(b *testing.B) {
	s, err := text.Parse([]byte(`shader compute "main"
workgroup_size 1 1 1
fn 1 "main"() entry {
b0:
  %0 = load_const.32 value=(0x1)
  loop {
  b1:
    %1 = phi.32 b0: %0, b1: %2
    %2 = iadd.32 %1, %0
  }
  b2:
}
`))
	if err != nil {
		b.Fatal(err)
	}
	steps := uint64(0)
	for b.Loop() {
		st, _ := interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 1, MaxSteps: 1 << 20})
		steps += st.Steps
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
