// SPDX-License-Identifier: MIT

package freeze

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestChanges checks that a difference of one bit of code is detected, and an added
// or missing program too.
func TestChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "programs.txt")
	before := []Program{
		{"a b", 8, "1 0", []byte{1, 2}}, {"a b", 16, "1 0", []byte{1, 2}}, {"c", 8, "2 0", []byte{3}},
		{"d", 8, "", nil}, {"e: f", 8, "", []byte{4}}, {"gone", 8, "", []byte{5}}, {"away", 8, "", []byte{6}}, {"f on g", 0, "7", []byte{8}},
	}
	if err := Write(file, "for readers\nof it", before); err != nil {
		t.Fatal(err)
	}
	check := func(after []Program, ignored func(string) bool, want ...string) {
		t.Helper()
		got, err := Changes(file, after, ignored)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%q, want %d changes", got, len(want))
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("%q, want %q", got[i], want[i])
			}
		}
	}
	check(before, nil)
	after := []Program{
		{"a b", 8, "1 0", []byte{1, 3}}, {"a b", 16, "1 1", []byte{1, 2}}, {"c", 8, "2 0", nil},
		{"d", 8, "", []byte{7}}, {"e: f", 8, "", []byte{4}}, {"new", 8, "", []byte{5}}, {"f on g", 0, "7", []byte{9}},
	}
	check(after, func(key string) bool { return strings.HasPrefix(key, "away") },
		"a b SIMD16: was 1 0", "a b SIMD8: was 1 0", "c SIMD8: was 2 0", "d SIMD8: was refused", "f on g: was 7",
		"gone SIMD8: in ", "new SIMD8: not in ")
}
