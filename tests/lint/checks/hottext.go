// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// HotText rejects formatting, reflection and searches of text on hot paths, except for errors, for panics and in
// functions that return text or take a format.
var HotText = &analysis.Analyzer{
	Name: "hottext",
	Doc:  "hottext: packages on hot paths format or reflect only to make errors and text that people read",
	Run:  runHotText,
}

// slow are packages that format, search text or work by reflection.
var slow = []string{"fmt", "reflect", "regexp", "encoding/json", "encoding/gob", "text/template"}

func runHotText(pass *analysis.Pass) (any, error) {
	if path, ours := packageOf(pass); !ours || !within(path, hot) {
		return nil, nil
	}
	for _, f := range sources(pass) {
		walk(f, func(n ast.Node, around []ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok {
				pkg, name := callee(pass, call)
				switch {
				case pkg == "sort" && (name == "Slice" || name == "SliceStable"):
					pass.Reportf(n.Pos(), "sort.%s works by reflection; package slices does not", name)
				case slices.Contains(slow, pkg) && pkg+"."+name != "fmt.Errorf" && !readByPeople(pass, around):
					pass.Reportf(n.Pos(), "%s.%s on a hot path: only functions that build errors or return text may format or reflect",
						pkg, name)
				}
			}
		})
	}
	return nil, nil
}

// readByPeople reports whether a call makes text that people read: in a function
// that returns text or takes a format, in an error, in a panic.
func readByPeople(pass *analysis.Pass, around []ast.Node) bool {
	for i := len(around) - 1; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.CompositeLit:
			if isError(pass.TypesInfo.TypeOf(n)) {
				return true
			}
		case *ast.CallExpr:
			if builtin(pass, n, "panic") {
				return true
			}
		case *ast.FuncDecl, *ast.FuncLit:
			s := signature(pass, n)
			return s != nil && (returnsText(s) || s.Variadic())
		}
	}
	return false
}

// returnsText reports whether a function returns a string or text as bytes.
func returnsText(s *types.Signature) bool {
	for v := range s.Results().Variables() {
		switch v.Type().String() {
		case "string", "[]byte":
			return true
		}
	}
	return false
}
