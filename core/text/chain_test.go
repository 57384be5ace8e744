// SPDX-License-Identifier: MIT

package text_test

import (
	"strings"
	"testing"

	"jacquard.example/core/text"
)

// TestChainCircle: derefs that form a cycle are invalid, and the validator rejects them; they can still be printed for
// its message.
func TestChainCircle(t *testing.T) {
	s, err := text.Parse([]byte("shader compute \"main\"\nfn 1 \"m\"() {\nb0:\n  %0 = deref_array_wildcard.32 %1\n" +
		"  %1 = deref_array_wildcard.32 %0\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := roundTrip(t, s); !strings.Contains(got, "%0 = deref_array_wildcard.32 %1 // &%0[*][*]") {
		t.Errorf("printed as\n%s", got)
	}
}
