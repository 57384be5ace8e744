// SPDX-License-Identifier: MIT

package flow_test

import (
	"testing"

	"jacquard.example/core/pass/flow"
)

// TestNestContinuesKeepsMeaning: random loops compute the same after the pass, and most of their continues are removed.
func TestNestContinuesKeepsMeaning(t *testing.T) {
	left, all := keepMeaning(t, 150, true, "jump_continue", flow.NestContinues)
	t.Logf("%d of %d continues are left", left, all)
	if all < 100 || left > all/2 {
		t.Errorf("%d of %d continues are left", left, all)
	}
}
