// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Order rejects loops over maps if their order could be visible: in output, in which error comes first, or in the
// order of a slice.
var Order = &analysis.Analyzer{
	Name: "order",
	Doc:  "order: what a loop over a map does is the same in any order, or its result is sorted",
	Run:  runOrder,
}

func runOrder(pass *analysis.Pass) (any, error) {
	if path, ours := packageOf(pass); !ours || !within(path, append([]string{"gen"}, product...)) {
		return nil, nil
	}
	for _, f := range sources(pass) {
		walk(f, func(n ast.Node, around []ast.Node) {
			loop, ok := n.(*ast.RangeStmt)
			if !ok || !isMap(pass, loop.X) && !isMapSeq(pass, loop.X) {
				return
			}
			o := ordered{pass: pass, fn: inFunction(around), loop: loop}
			if bad := o.firstSeen(loop.Body.List); bad != nil {
				pass.Reportf(loop.Pos(), "the order of a loop over a map is visible at line %d: sort the keys first",
					pass.Fset.Position(bad.Pos()).Line)
			}
		})
	}
	return nil, nil
}

// isMapSeq reports whether an expression is maps.Keys, maps.Values or maps.All.
func isMapSeq(pass *analysis.Pass, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	pkg, _ := callee(pass, call)
	return pkg == "maps"
}

// ordered checks the body of a loop over a map.
type ordered struct {
	pass *analysis.Pass
	fn   ast.Node
	loop *ast.RangeStmt
}

// firstSeen returns the first statement whose effect depends on the iteration in which
// it runs, or nil if there is none.
func (o *ordered) firstSeen(list []ast.Stmt) ast.Node {
	for _, s := range list {
		if bad := o.seen(s); bad != nil {
			return bad
		}
	}
	return nil
}

func (o *ordered) seen(s ast.Stmt) ast.Node {
	switch s := s.(type) {
	case nil:
		return nil
	case *ast.BlockStmt:
		return o.firstSeen(s.List)
	case *ast.IfStmt:
		for _, part := range []ast.Stmt{s.Init, s.Body, s.Else} {
			if bad := o.seen(part); bad != nil {
				return bad
			}
		}
		return nil
	case *ast.ForStmt:
		return o.seen(s.Body)
	case *ast.RangeStmt:
		return o.seen(s.Body)
	case *ast.SwitchStmt:
		return o.firstSeen(s.Body.List)
	case *ast.TypeSwitchStmt:
		return o.firstSeen(s.Body.List)
	case *ast.CaseClause:
		return o.firstSeen(s.Body)
	case *ast.DeclStmt, *ast.EmptyStmt:
		return nil
	case *ast.BranchStmt:
		return nil
	case *ast.IncDecStmt:
		return nil
	case *ast.ReturnStmt: // the same in every iteration
		for _, r := range s.Results {
			if !o.constant(r) {
				return s
			}
		}
		return nil
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && builtin(o.pass, call, "delete") {
			return nil
		} else if ok && o.collects(call) {
			return nil
		}
		return s
	case *ast.AssignStmt:
		for i, l := range s.Lhs {
			if !o.assigns(s, i, l) {
				return s
			}
		}
		return nil
	}
	return s
}

// collects reports whether a call adds to the generator's errors, which are sorted.
func (o *ordered) collects(call *ast.CallExpr) bool {
	pkg, name := callee(o.pass, call)
	return pkg == module+"/gen/internal/diag" && (name == "Addf" || name == "Add")
}

// assigns reports whether an assignment has the same effect in any order.
func (o *ordered) assigns(s *ast.AssignStmt, i int, l ast.Expr) bool {
	if s.Tok == token.DEFINE || o.inside(l) {
		return true
	}
	switch s.Tok {
	case token.OR_ASSIGN, token.AND_ASSIGN, token.XOR_ASSIGN, token.AND_NOT_ASSIGN:
		return true
	case token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN:
		b, ok := o.pass.TypesInfo.TypeOf(l).Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0
	}
	if x, ok := l.(*ast.IndexExpr); ok && o.uses(x.Index) { // a separate element for each iteration
		return true
	}
	if len(s.Rhs) != len(s.Lhs) {
		return false
	}
	switch r := ast.Unparen(s.Rhs[i]).(type) {
	case *ast.BinaryExpr:
		if r.Op == token.LOR || r.Op == token.LAND {
			return true
		}
	case *ast.CallExpr:
		switch {
		case builtin(o.pass, r, "max"), builtin(o.pass, r, "min"):
			return true
		case builtin(o.pass, r, "append"):
			return o.sortedLater(l)
		}
	}
	return o.constant(s.Rhs[i])
}

// inside reports whether an expression is _ or a variable that is declared in the loop.
func (o *ordered) inside(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	if id.Name == "_" {
		return true
	}
	obj := o.pass.TypesInfo.ObjectOf(id)
	return obj != nil && obj.Pos() >= o.loop.Pos() && obj.Pos() < o.loop.End()
}

// uses reports whether an expression has a variable of the loop.
func (o *ordered) uses(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && o.inside(x) {
			found = true
		}
		return !found
	})
	return found
}

// constant reports whether a value is the same in every iteration.
func (o *ordered) constant(e ast.Expr) bool {
	tv := o.pass.TypesInfo.Types[e]
	return tv.Value != nil || tv.IsNil()
}

// sortedLater reports whether the function sorts a slice after the loop.
func (o *ordered) sortedLater(slice ast.Expr) (found bool) {
	text := types.ExprString(slice)
	ast.Inspect(o.fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && call.Pos() > o.loop.End() && len(call.Args) > 0 && types.ExprString(call.Args[0]) == text {
			pkg, name := callee(o.pass, call)
			found = found || pkg == "sort" || pkg == "slices" && len(name) >= 4 && name[:4] == "Sort"
		}
		return !found
	})
	return found
}
