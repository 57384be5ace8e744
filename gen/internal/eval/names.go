// SPDX-License-Identifier: MIT

package eval

import (
	"go/scanner"
	"go/token"
	"slices"
)

// Names returns the elements of names that occur in a meaning, in the order of names.
func Names(text string, names []string) []string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	var found, out []string
	for {
		_, tok, word := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.IDENT {
			found = append(found, word)
		}
	}
	for _, n := range names {
		if slices.Contains(found, n) {
			out = append(out, n)
		}
	}
	return out
}
