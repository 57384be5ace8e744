// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// HotMaps rejects maps on hot paths, except maps that are stored in fields: a map that lives as long as the shader
// belongs in a field.
var HotMaps = &analysis.Analyzer{
	Name: "hotmaps",
	Doc:  "hotmaps: packages on hot paths make no maps except as values of fields",
	Run:  runHotMaps,
}

func runHotMaps(pass *analysis.Pass) (any, error) {
	if path, ours := packageOf(pass); !ours || !within(path, hot) {
		return nil, nil
	}
	for _, f := range sources(pass) {
		walk(f, func(n ast.Node, around []ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				if !builtin(pass, n, "make") || !isMap(pass, n) {
					return
				}
			case *ast.CompositeLit:
				if !isMap(pass, n) {
					return
				}
			default:
				return
			}
			if !keptInField(pass, n.(ast.Expr), around) {
				pass.Reportf(n.Pos(), "a map on a hot path: use an indexed or a sorted slice, or keep the map in a field")
			}
		})
	}
	return nil, nil
}

// keptInField reports whether a map is stored in a field.
func keptInField(pass *analysis.Pass, m ast.Expr, around []ast.Node) bool {
	switch p := around[len(around)-1].(type) {
	case *ast.KeyValueExpr:
		lit, ok := around[len(around)-2].(*ast.CompositeLit)
		if !ok || p.Value != m || inFunction(around) == nil {
			return false
		}
		_, ok = pass.TypesInfo.TypeOf(lit).Underlying().(*types.Struct)
		return ok
	case *ast.AssignStmt:
		for i, r := range p.Rhs {
			if _, field := p.Lhs[i].(*ast.SelectorExpr); r == m && field && p.Tok == token.ASSIGN {
				return true
			}
		}
	}
	return false
}
