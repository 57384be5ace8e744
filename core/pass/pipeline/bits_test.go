// SPDX-License-Identifier: MIT

package pipeline_test

import (
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/generated/target"
)

// TestBitsOfFloat64 compiles a select between the bits of 64-bit floats: no rule may turn it into an operation on
// floats, because the machine has no 64-bit floats.
func TestBitsOfFloat64(t *testing.T) {
	const head = `shader compute "main"
workgroup_size 16 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x5)
    %2 = load_const.64 value=(0x0, 0x3ff00000)
    %3 = load_const.64 value=(0x0, 0x0)
    %4 = ult.1 %0, %1
    %5 = bcsel.64 %4, `
	const tail = `
    store_ssbo.x1 %5, %1, %1 write_mask=1 align_mul=8
}
`
	for _, chosen := range []string{"%2, %3", "%3, %2"} {
		if err := passtest.Pipeline(t, head+chosen+tail, pass.Options{Target: target.TGL}); err != nil {
			t.Errorf("%s: %v", chosen, err)
		}
	}
}
