// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Globals rejects functions that change package-level variables: the library is used
// by many goroutines, and its results depend only on its input.
var Globals = &analysis.Analyzer{
	Name: "globals",
	Doc:  "globals: no function of the product assigns to a package's variable",
	Run:  runGlobals,
}

func runGlobals(pass *analysis.Pass) (any, error) {
	if path, ours := packageOf(pass); !ours || !within(path, product) {
		return nil, nil
	}
	for _, f := range sources(pass) {
		walk(f, func(n ast.Node, around []ast.Node) {
			var targets []ast.Expr
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					return
				}
				targets = n.Lhs
			case *ast.IncDecStmt:
				targets = []ast.Expr{n.X}
			case *ast.RangeStmt:
				if n.Tok != token.ASSIGN {
					return
				}
				targets = []ast.Expr{n.Key, n.Value}
			case *ast.CallExpr:
				if builtin(pass, n, "delete") || builtin(pass, n, "clear") || builtin(pass, n, "copy") {
					targets = n.Args[:1]
				}
			}
			for _, x := range targets {
				if v := global(pass, x); v != nil && !initializes(around) {
					pass.Reportf(x.Pos(), "assigns to %s, a variable of package %s", v.Name(), v.Pkg().Name())
				}
			}
		})
	}
	return nil, nil
}

// global returns the package-level variable that an expression is, or is a part of.
func global(pass *analysis.Pass, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, ok := pass.TypesInfo.Uses[x].(*types.Var)
			if ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				return v
			}
			return nil
		case *ast.SelectorExpr:
			if v, ok := pass.TypesInfo.Uses[x.Sel].(*types.Var); ok && !v.IsField() {
				return v // a variable of another package
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// initializes reports whether code runs before the program starts: it is in func
// init or in the initializer of a package-level variable.
func initializes(around []ast.Node) bool {
	for _, n := range around {
		if f, ok := n.(*ast.FuncDecl); ok {
			return f.Recv == nil && f.Name.Name == "init"
		}
	}
	return true
}
