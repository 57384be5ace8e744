// SPDX-License-Identifier: MIT

package tree

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// byRows lists the folders whose code uses generated tables of atomics and reductions, and no other lists.
var byRows = []string{"core/interp", "core/pass", "core/spirv", "core/validate", "backend/intel/isel"}

// listed returns the positions at which a file names an atomic or a reduction in a list, a switch or a
// comparison. Arguments of calls are allowed: a loop around a compare-and-exchange needs one.
func listed(set *token.FileSet, file *ast.File) (found []string) {
	arguments := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			for _, a := range n.Args {
				arguments[a] = true
			}
		case *ast.SelectorExpr:
			of, ok := n.X.(*ast.Ident)
			if ok && !arguments[n] && operation(of.Name, n.Sel.Name) {
				found = append(found, set.Position(n.Pos()).String()+": "+of.Name+"."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}

// operation reports whether a qualified name denotes an atomic or a reduction.
func operation(pkg, name string) bool {
	switch {
	case name == "AtomicOp" || name == "FloatAtomicOp": // the types
		return false
	case pkg == "kind":
		return strings.HasPrefix(name, "Atomic") || strings.HasPrefix(name, "Reduce")
	}
	return pkg == "isa" && (strings.HasPrefix(name, "Atomic") || strings.HasPrefix(name, "FloatAtomic"))
}

// TestOperationsAreRows looks for lists of atomics and reductions in Go code.
func TestOperationsAreRows(t *testing.T) {
	for _, folder := range byRows {
		eachFile(t, folder, func(set *token.FileSet, file *ast.File) {
			for _, f := range listed(set, file) {
				t.Errorf("%s is named in Go; use the generated tables", f)
			}
		})
	}
}

// TestListsAreSeen checks that listed finds each kind of list.
func TestListsAreSeen(t *testing.T) {
	checkFinder(t, listed, map[string]int{
		"var x = []int{kind.AtomicIadd: 1, kind.ReduceIadd: 2}": 2,
		"func f() { switch o { case kind.AtomicImin: } }":       1,
		"var x = o == kind.ReduceFadd || c == isa.AtomicMov":    2,
		"var x = f(kind.AtomicCmpxchg, kind.AtomicOp(1))":       0,
	})
}

// noLists lists the folders whose code tests traits, roles and indices of intrinsics instead of listing their names.
var noLists = []string{"core/interp", "core/pass", "backend/intel/isel"}

// aList is the number of adjacent names of intrinsics that counts as a list; two may be a pair, such as a load and its
// store.
const aList = 3

// lists returns the positions of lists of intrinsics: elements or keys of a literal, values of a case, arguments of a
// call, the left sides of an assignment, and the parts of a condition.
func lists(set *token.FileSet, file *ast.File) (found []string) {
	inner := map[ast.Node]bool{} // parts of conditions that have been counted
	ast.Inspect(file, func(n ast.Node) bool {
		var names []ast.Expr
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					names = append(names, pair.Key, pair.Value)
				}
				names = append(names, e)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				names = append(names, compared(e, inner)...)
			}
		case *ast.CallExpr:
			names = n.Args
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if at, ok := e.(*ast.IndexExpr); ok {
					names = append(names, at.Index)
				}
			}
		case *ast.BinaryExpr:
			if !inner[n] {
				names = compared(n, inner)
			}
		}
		count := 0
		for _, e := range names {
			if isIntrinsic(e) {
				count++
			}
		}
		if count >= aList {
			found = append(found, set.Position(n.Pos()).String())
		}
		return true
	})
	return found
}

// compared returns the right sides of the comparisons in a condition, or the expression itself if it is not a condition.
func compared(e ast.Expr, inner map[ast.Node]bool) []ast.Expr {
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return []ast.Expr{e}
	}
	inner[b] = true
	switch b.Op {
	case token.LOR, token.LAND:
		return append(compared(b.X, inner), compared(b.Y, inner)...)
	case token.EQL, token.NEQ:
		return []ast.Expr{b.Y}
	}
	return nil
}

// isIntrinsic reports whether an expression names an intrinsic.
func isIntrinsic(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && of.Name == "intrinsic" && intrinsics[s.Sel.Name]
}

// intrinsics holds the Go names of all intrinsics.
var intrinsics = func() map[string]bool {
	file, err := parser.ParseFile(token.NewFileSet(), "../../../generated/intrinsic/intrinsic.go", nil, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == 1 && spec.Names[0].Name == "Table" {
			for _, row := range spec.Values[0].(*ast.CompositeLit).Elts {
				names[row.(*ast.KeyValueExpr).Key.(*ast.Ident).Name] = true
			}
		}
		return true
	})
	return names
}()

// TestNoListsOfIntrinsics looks for lists of intrinsics in code that should test their traits.
func TestNoListsOfIntrinsics(t *testing.T) {
	if len(intrinsics) < 100 {
		t.Fatalf("only %d intrinsics are known", len(intrinsics))
	}
	for _, folder := range noLists {
		eachFile(t, folder, func(set *token.FileSet, file *ast.File) {
			for _, at := range lists(set, file) {
				t.Errorf("%s lists intrinsics; give them a trait and test it", at)
			}
		})
	}
}

// TestListsOfIntrinsicsAreSeen checks that lists finds each kind of list.
func TestListsOfIntrinsicsAreSeen(t *testing.T) {
	checkFinder(t, lists, map[string]int{
		"var x = []intrinsic.ID{intrinsic.LoadUBO, intrinsic.LoadSSBO, intrinsic.LoadShared}":                       1,
		"var x = map[intrinsic.ID]int{intrinsic.LoadUBO: 1, intrinsic.LoadSSBO: 2, intrinsic.LoadShared: 3}":        1,
		"func f() { switch o { case intrinsic.LoadUBO, intrinsic.LoadSSBO, intrinsic.LoadShared: } }":               1,
		"func f() { switch { case o == intrinsic.LoadUBO, o == intrinsic.LoadSSBO, o == intrinsic.LoadShared: } }":  1,
		"var x = o == intrinsic.LoadUBO || o == intrinsic.LoadSSBO || o == intrinsic.LoadShared && y":               1,
		"var x = f(intrinsic.LoadUBO, intrinsic.LoadSSBO, intrinsic.LoadShared)":                                    1,
		"func f() { h[intrinsic.LoadUBO], h[intrinsic.LoadSSBO], h[intrinsic.LoadShared] = 1, 2, 3 }":               1,
		"var x = o == intrinsic.LoadUBO || o == intrinsic.LoadSSBO || o.Is(intrinsic.TraitShared)":                  0,
		"func f() { switch o { case intrinsic.LoadUBO: case intrinsic.LoadSSBO: case intrinsic.LoadShared: f() } }": 0,
		"var x = []int{intrinsic.RoleOffset, intrinsic.IxAccess, intrinsic.TraitInput, intrinsic.Count}":            0,
	})
}

// checkFinder checks how many positions a finder of lists returns for declarations.
func checkFinder(t *testing.T, find func(*token.FileSet, *ast.File) []string, declarations map[string]int) {
	t.Helper()
	for code, want := range declarations {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "x.go", "package x\n"+code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := find(set, file); len(got) != want {
			t.Errorf("%s: %q", code, got)
		}
	}
}

// eachFile calls fn for each Go file in a folder and its subfolders, except tests.
func eachFile(t *testing.T, folder string, fn func(set *token.FileSet, file *ast.File)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir("../../../"+folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		fn(set, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 5 {
		t.Errorf("only %d files of %s were read", files, folder)
	}
}
