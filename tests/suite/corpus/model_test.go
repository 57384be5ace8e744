// SPDX-License-Identifier: MIT

package corpus

import (
	"strings"
	"testing"

	"jacquard.example/tests/support/modules"
)

// TestComparedBytes: bytes of the model are compared except where the runs of the interpreter differ, and the doublewords
// changed by the shader are counted.
func TestComparedBytes(t *testing.T) {
	before := []byte("oldAoldBoldC")
	run := []byte("oldAnewBnewC")
	other := []byte("oldAnewBothC")
	for _, c := range []struct {
		got   string
		words int
		err   string
	}{
		{"oldAnewBnewC", 1, ""},
		{"oldAnewBwhat", 1, ""},
		{"oldAoldBnewC", 0, "byte 4: "},
		{"newAnewBnewC", 0, "byte 0: "},
	} {
		words, err := agree(before, []byte(c.got), run, other)
		if words != c.words || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s: %d words, %v; want %d, %q", c.got, words, err, c.words, c.err)
		}
	}
}

// TestSomePairs: modules whose names differ are compiled for different pairs, each
// for two, and no pair is left out.
func TestSomePairs(t *testing.T) {
	taken := map[Pair]int{}
	for i := range 1000 {
		pairs := SomePairs(&modules.Module{Package: "p", Name: strings.Repeat("x", i)})
		if len(pairs) != 2 || pairs[0] == pairs[1] {
			t.Fatalf("%v", pairs)
		}
		for _, p := range pairs {
			taken[p]++
		}
	}
	for _, p := range AllPairs(nil) {
		if taken[p] < 100 {
			t.Errorf("%s: %d modules in 1000", p, taken[p])
		}
	}
}
