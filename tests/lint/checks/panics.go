// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Panics rejects panics that do not name their package, and exits of the program outside package main. A panic is for
// a broken invariant, and its message begins with the package; or it carries a value that the package, or the
// entrance of its directory, recovers and returns as an error. Bad input is an error.
var Panics = &analysis.Analyzer{
	Name: "panics",
	Doc:  "panics: a panic names its package, or is recovered there; only package main ends the program",
	Run:  runPanics,
}

// thrown lists the types of errors that packages of a directory may panic with: the entrance of the directory recovers
// them.
var thrown = map[string]string{"core/spirv/module.Error": "core/spirv"}

func runPanics(pass *analysis.Pass) (any, error) {
	path, ours := packageOf(pass)
	if !ours || !within(path, product) {
		return nil, nil
	}
	recovers := false
	for _, f := range sources(pass) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			recovers = recovers || ok && builtin(pass, call, "recover")
			return true
		})
	}
	for _, f := range sources(pass) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch pkg, name := callee(pass, call); {
			case pkg == "os" && name == "Exit", pkg == "log" && (strings.HasPrefix(name, "Fatal") || strings.HasPrefix(name, "Panic")):
				if pass.Pkg.Name() != "main" {
					pass.Reportf(call.Pos(), "%s.%s outside of package main: return an error", pkg, name)
				}
			case builtin(pass, call, "panic"):
				text, isText := panicText(pass, call.Args[0])
				switch {
				case isText && !saysPackage(text, path):
					pass.Reportf(call.Pos(), "the message of a panic begins with the package, as in %q",
						path[strings.LastIndexByte(path, '/')+1:]+": ")
				case !isText && !recovers && !recoveredAbove(pass, call.Args[0], path):
					pass.Reportf(call.Pos(), "a panic whose value nothing in the package recovers: return an error, or say what is broken")
				}
			}
			return true
		})
	}
	return nil, nil
}

// recoveredAbove reports whether a value has a type that the entrance of the package's directory recovers.
func recoveredAbove(pass *analysis.Pass, e ast.Expr, path string) bool {
	ptr, ok := pass.TypesInfo.TypeOf(e).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := ptr.Elem().(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	pkg, _ := local(named.Obj().Pkg().Path())
	return within(path, []string{thrown[pkg+"."+named.Obj().Name()]})
}

// panicText returns the beginning of a panic's message. ok is false for values that
// are not text.
func panicText(pass *analysis.Pass, e ast.Expr) (text string, ok bool) {
	if tv := pass.TypesInfo.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.String {
		return constant.StringVal(tv.Value), true
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			return panicText(pass, x.X)
		}
	case *ast.CallExpr:
		if pkg, _ := callee(pass, x); (pkg == "fmt" || pkg == "errors") && len(x.Args) > 0 {
			return panicText(pass, x.Args[0])
		}
	}
	b, isBasic := pass.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	return "", isBasic && b.Info()&types.IsString != 0
}

// saysPackage reports whether a message begins with a package's path in the module, or the last elements of it, and a
// colon.
func saysPackage(text, path string) bool {
	from, _, ok := strings.Cut(text, ": ")
	return ok && (from == path || strings.HasSuffix(path, "/"+from))
}
