// SPDX-License-Identifier: MIT

package analysis_test

import (
	"slices"
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass/passtest"
)

// TestUses covers single components, a phi in the block of the value that it reads, and the condition of an if.
func TestUses(t *testing.T) {
	s := passtest.Parse(t, `shader compute "main"
workgroup_size 1 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_workgroup_id.32x3
    %1 = iadd.32 %0.y, %0.z
  loop {
    b1:
      %2 = phi.32 b0: %1, b4: %3
      %3 = iadd.32 %2, %0.y
      %4 = ieq.1x2 %3.xx, %2.xx
      %5 = iadd.32 %3, %3
    if %4.y {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b5:
}
`)
	all := []ir.Value{}
	var comps []uint32
	var outside []bool
	for b := range s.Blocks(s.Entry()) {
		for v := range s.Instrs(b) {
			if s.At(v).HasResult() {
				all = append(all, v)
				comps = append(comps, analysis.UsedComps(s, v))
				outside = append(outside, analysis.UsedOutside(s, v, b))
			}
		}
	}
	if want := []uint32{6, 1, 1, 1, 2, 0}; !slices.Equal(comps, want) {
		t.Errorf("components %v, want %v", comps, want)
	}
	if want := []bool{true, true, false, true, true, false}; !slices.Equal(outside, want) {
		t.Errorf("%v are used outside of their blocks: %v, want %v", all, outside, want)
	}
}
