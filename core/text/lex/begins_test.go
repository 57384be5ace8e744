// SPDX-License-Identifier: MIT

package lex

import "testing"

func TestBeginsWord(t *testing.T) {
	for src, want := range map[string]bool{
		"shader compute":                  true,
		"\n // a\n\t//b\nshader\tcompute": true,
		"shaders x":                       false,
		"// shader x":                     false,
		"// a\nx shader y":                false,
		"shader":                          false,
		"":                                false,
		"//":                              false,
	} {
		if got := Begins([]byte(src), "shader"); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}
