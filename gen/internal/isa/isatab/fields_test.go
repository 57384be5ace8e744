// SPDX-License-Identifier: MIT

package isatab

import "testing"

func TestFieldPieces(t *testing.T) {
	spans, msg := ParseBits("123:122,71:60")
	if msg != "" {
		t.Fatal(msg)
	}
	want := []piece{{0, 60, 4, 0}, {1, 0, 8, 4}, {1, 58, 2, 12}}
	got := Pieces(spans)
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("piece %d: got %v, want %v", i, got[i], want[i])
		}
	}
}
