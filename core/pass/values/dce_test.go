package values_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/values"
)

// TestDeadCycles: values that only read each other from one iteration of a loop to the next
// go, and what nothing reads; one that decides how often the loop runs stays.
func TestDeadCycles(t *testing.T) {
	got := passtest.Run(t, values.DeadCode, `shader compute "main"
workgroup_size 8 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x5)
    %2 = imul.32 %1, %1
  loop {
    b1:
      %3 = phi.32 b0: %0, b4: %5
      %4 = phi.32 b0: %0, b4: %6
      %5 = iadd.32 %3, %1
      %6 = ixor.32 %4, %1
      %7 = ult.1 %1, %3
    if %7 {
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
	if strings.Contains(got, "ixor") || strings.Contains(got, "imul") || strings.Count(got, "phi") != 1 || !strings.Contains(got, "iadd") {
		t.Errorf("left is\n%s", got)
	}
}
