// SPDX-License-Identifier: MIT

package near

import (
	"slices"
	"strings"
	"testing"
)

func TestGuess(t *testing.T) {
	known := []string{"compile", "compare", "check", "opt", "run", "rules", "stats"}
	for word, want := range map[string]string{
		"complie": "compile", "Compile": "compile", "comp": "compare", "stat": "stats", "rnu": "run", "chekc": "check",
		"link": "", "": "", "x": "", "o": "",
	} {
		if got := Guess(word, slices.Values(known)); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "ABC", 0},
		{"abc", "acb", 1}, {"kitten", "sitting", 3}, {"iadd", "add", 1}, {"ab", "ba", 1}, {strings.Repeat("x", 1<<20), "x", 1<<20 + 1}} {
		if got := Distance(c.a, c.b); got != c.want || Distance(c.b, c.a) != got {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
