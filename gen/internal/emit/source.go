// SPDX-License-Identifier: MIT

package emit

import (
	"go/scanner"
	"go/token"

	"github.com/dave/jennifer/jen"
)

// packages are the packages that generated code may use, by their names in it.
var packages = map[string]string{
	"abi":       "jacquard.example/generated/abi",
	"atomic":    "jacquard.example/generated/atomic",
	"binary":    "encoding/binary",
	"bits":      "math/bits",
	"fields":    "jacquard.example/backend/intel/fields",
	"intrinsic": "jacquard.example/generated/intrinsic",
	"ir":        "jacquard.example/core/ir",
	"isa":       "jacquard.example/generated/isa",
	"kind":      "jacquard.example/generated/kind",
	"latency":   "jacquard.example/generated/latency",
	"match":     "jacquard.example/core/match",
	"math":      "math",
	"message":   "jacquard.example/generated/message",
	"mir":       "jacquard.example/backend/intel/mir",
	"num":       "jacquard.example/core/num",
	"op":        "jacquard.example/generated/op",
	"option":    "jacquard.example/generated/rules/option",
	"pat":       "jacquard.example/core/match/pat",
	"target":    "jacquard.example/generated/target",
	"reduction": "jacquard.example/generated/reduction",
	"scan":      "jacquard.example/generated/intel/scan",
	"selector":  "jacquard.example/backend/intel/selector",
	"slices":    "slices",
	"strconv":   "strconv",
	"strings":   "strings",
}

// Go returns a fragment of Go: a type, an expression, a simple statement or the rows of a
// table. The file that it is added to imports the packages that it names.
func Go(text string) *jen.Statement {
	out := &jen.Statement{}
	done := 0 // bytes of text that are in out
	raw := func(end int) {
		if end > done {
			out.Op(text[done:end])
		}
		done = end
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, 0) // the formatter reports errors
	var before, last token.Token                                   // the two tokens before this one
	path, from := "", 0                                            // path and qualifier of the package that last or before names
	for {
		pos, tok, word := s.Scan()
		switch {
		case tok == token.EOF:
			raw(len(text))
			return out
		case tok == token.IDENT && last == token.PERIOD && before == token.IDENT && path != "":
			raw(from)
			out.Qual(path, word)
			done = file.Offset(pos) + len(word)
			path = ""
		case tok == token.IDENT && last != token.PERIOD:
			path, from = packages[word], file.Offset(pos)
		case tok != token.PERIOD:
			path = ""
		}
		before, last = last, tok
	}
}

// Lines are statements, each on its own line.
func Lines(list []jen.Code) jen.Code {
	return jen.CustomFunc(jen.Options{Separator: "\n"}, func(g *jen.Group) {
		for _, c := range list {
			g.Add(c)
		}
	})
}

// Return returns a return statement with expressions separated by commas, possibly none.
func Return(values string) jen.Code { return jen.Return(Go(values)) }

// If returns a conditional statement.
func If(condition string, then ...jen.Code) *jen.Statement {
	return jen.If(Go(condition)).Block(then...)
}

// For returns a loop.
func For(clause string, body ...jen.Code) jen.Code { return jen.For(Go(clause)).Block(body...) }

// Switch returns a switch on a value, or on conditions if there is none.
func Switch(value string, cases ...jen.Code) jen.Code {
	return jen.Switch(Go(value)).Block(cases...)
}

// Case returns a case of a switch for values separated by commas.
func Case(values string, body ...jen.Code) jen.Code { return jen.Case(Go(values)).Block(body...) }

// Default returns the default case of a switch.
func Default(body ...jen.Code) jen.Code { return jen.Default().Block(body...) }
