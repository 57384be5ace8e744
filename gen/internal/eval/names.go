package eval

import (
	"go/scanner"
	"go/token"
	"slices"
)

// Names returns those of some names that occur in a meaning, in their order in the list.
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
