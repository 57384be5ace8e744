package flow_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/passtest"
)

const deadHead = `shader compute "main"
workgroup_size 8 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x5)
    %2 = ult.1 %0, %1
    %3 = load_const.1 value=(0x1)
`

// TestDeadControlFlowKeepsPhis: where both arms of an if leave, what stands
// behind it goes, but for an empty block, from which the phis that follow it in
// the text get an undefined value.
func TestDeadControlFlowKeepsPhis(t *testing.T) {
	const leave = `if %2 {
b10:
jump_continue
} else {
b11:
jump_break
}
`
	for _, c := range []struct{ name, body, want string }{
		{"the end of a loop", `loop {
b1:
%10 = phi.32 b0: %0, b10: %10, b2: %11
` + leave + `b2:
%11 = iadd.32 %10, %1
}
b3:
%12 = iadd.32 %10, %1
`, "%5 = phi.32 b0: %1, b2: %5, b4: %0"},
		{"nodes behind it", `loop {
b1:
%10 = phi.32 b0: %0, b10: %10, b5: %12
` + leave + `b2:
%11 = iadd.32 %10, %1
if %3 {
b3:
} else {
b4:
}
b5:
%12 = phi.32 b3: %11, b4: %10
}
b6:
`, "%6 = phi.32 b0: %2, b2: %6, b4: %0"},
		{"a break behind it", `loop {
b1:
%10 = phi.32 b0: %0, b10: %10
` + leave + `b2:
%11 = iadd.32 %10, %1
jump_break
}
b3:
%12 = phi.32 b11: %10, b2: %11
`, "%6 = phi.32 b3: %5"},
		{"the end of an arm", `loop {
b1:
%10 = phi.32 b0: %0, b10: %10, b4: %12
if %2 {
b12:
` + leave + `b2:
%11 = iadd.32 %10, %1
} else {
b3:
}
b4:
%12 = phi.32 b2: %11, b3: %10
}
b5:
`, "%6 = phi.32 b6: %5, b5: %0"},
	} {
		got := passtest.Run(t, flow.DeadControlFlow, deadHead+c.body+"}\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, got)
		}
	}
}
