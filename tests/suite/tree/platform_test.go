package tree

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// TestNoPlatformIsNamed: the compiler, the model and the command ask the target's
// record for a capability or a limit; none of them names a platform or a target.
func TestNoPlatformIsNamed(t *testing.T) {
	names := target.Names()
	for p := range isa.Platform(isa.NumPlatforms) {
		names = append(names, p.String())
	}
	for _, root := range []string{"core", "backend", "cmd", "compile.go", "jacquard.go"} {
		err := filepath.WalkDir(filepath.Join("..", "..", "..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, where := range platformsIn(t, path, names) {
				t.Errorf("%s; ask the target's record", where)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	test := filepath.Join("..", "..", "..", "backend", "intel", "eu", "opencl", "opencl_test.go")
	if len(platformsIn(t, test, names)) == 0 {
		t.Errorf("nothing is found in %s, which names one", test)
	}
}

// platformsIn finds the places of a file that name a platform.
func platformsIn(t *testing.T, path string, names []string) (out []string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	add := func(n ast.Node, name string) { out = append(out, set.Position(n.Pos()).String()+" names "+name) }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if ok && (pkg.Name == "isa" || pkg.Name == "target") && slices.Contains(names, strings.ToLower(n.Sel.Name)) {
				add(n, pkg.Name+"."+n.Sel.Name)
			}
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && slices.Contains(names, s) {
				add(n, n.Value)
			}
		}
		return true
	})
	return out
}
