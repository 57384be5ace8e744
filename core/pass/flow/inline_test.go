package flow_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/passtest"
)

// TestInlineEndOfInvocation: a function may end the invocation in its last block. The IR with its body
// in place of a call is valid, wherever the call stands, and nothing of what stood behind it is lost.
func TestInlineEndOfInvocation(t *testing.T) {
	const callee = "fn 2 \"f\"() {\nb20:\njump_halt\n}\n"
	for _, c := range joins {
		const behind = "%12 = iadd.32 %0, %3\n%13 = iadd.32 %12, %12\n"
		got := passtest.Run(t, flow.InlineFunctions, joinsHead+strings.Replace(c.body, "$", "call callee=fn2\n"+behind, 1)+"}\n"+callee)
		if strings.Contains(got, "call") || strings.Count(got, "jump_halt") != 1 || strings.Count(got, "iadd") != strings.Count(joinsHead+c.body+behind, "iadd") {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}
