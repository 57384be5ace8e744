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

// byRows lists the folders whose code uses generated tables of atomics and reductions, and no lists of its own.
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
	files := 0
	for _, folder := range byRows {
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
			for _, f := range listed(set, file) {
				t.Errorf("%s is written in Go; ask what is generated of the rows", f)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files are read", files)
	}
}

// TestListsAreSeen checks that listed finds each kind of list.
func TestListsAreSeen(t *testing.T) {
	for code, want := range map[string]int{
		"var x = []int{kind.AtomicIadd: 1, kind.ReduceIadd: 2}": 2,
		"func f() { switch o { case kind.AtomicImin: } }":       1,
		"var x = o == kind.ReduceFadd || c == isa.AtomicMov":    2,
		"var x = f(kind.AtomicCmpxchg, kind.AtomicOp(1))":       0,
	} {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "x.go", "package x\n"+code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := listed(set, file); len(got) != want {
			t.Errorf("%s: %q", code, got)
		}
	}
}
