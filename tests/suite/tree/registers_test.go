package tree

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/generated/isa"
)

// TestNoRegisterFileIsWritten: the back end takes the size of a register, and how many
// there are, from the tables (isa.GRFBytes, mir.GRFBytes, the target's record) and does
// not reckon with the numbers themselves. The model of the execution units is no part
// of it: it has its own account of the machine.
func TestNoRegisterFileIsWritten(t *testing.T) {
	backend := filepath.Join("..", "..", "..", "backend", "intel")
	files := 0
	err := filepath.WalkDir(backend, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "eu" || d.Name() == "zebin") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		file, set := parsed(t, path, nil)
		for _, where := range registerNumbers(set, file) {
			t.Errorf("%s; ask the register file", where)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("%d files were read", files)
	}
	for _, bad := range []string{"x/32", "32*x", "x%32", "(x+31)/n", "x &^ 31", "R{Align: 32}", "[128]int{}", "r.Align < 32", "x > 127", "r < 112", "r.Lane == 32", "x + 128", "x; const grfBytes = 32"} {
		file, set := parsed(t, "bad.go", "package p\nvar _ = "+bad)
		if len(registerNumbers(set, file)) == 0 {
			t.Errorf("nothing is found in %s", bad)
		}
	}
	for _, good := range []string{"1<<32 - 1", "in.Exec == 32", "f.Width != 32", "bits > 32", "x >> (k & 31)", "p.Number(t, s, 32)", "R{Bits: 32}", "[]int{8, 16, 32}"} {
		file, set := parsed(t, "good.go", "package p\nvar _ = "+good)
		if got := registerNumbers(set, file); len(got) != 0 {
			t.Errorf("%s: %v", good, got)
		}
	}
}

// lanesOrBits are what may be compared with 32: numbers of lanes and of bits.
var lanesOrBits = []string{"exec", "lanes", "width", "bits"}

// registerNumbers finds the places that reckon with the size of a register file: its
// numbers, and those less one, in sums and products, as lengths of arrays, in
// comparisons but with lanes and bits, and as sizes and alignments.
func registerNumbers(set *token.FileSet, file *ast.File) (out []string) {
	numbers := map[string]bool{}
	for _, n := range []int{isa.GRFBytes, isa.MaxGRFs} {
		numbers[fmt.Sprint(n)], numbers[fmt.Sprint(n-1)] = true, true
	}
	for p := range isa.Platform(isa.NumPlatforms) {
		numbers[fmt.Sprint(p.Registers().LastFrom)] = true
	}
	is := func(e ast.Expr) bool {
		lit, ok := e.(*ast.BasicLit)
		return ok && lit.Kind == token.INT && numbers[lit.Value]
	}
	counts := func(e ast.Expr) bool {
		name := ""
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				name = strings.ToLower(id.Name)
			}
			return true
		})
		for _, w := range lanesOrBits {
			if strings.HasSuffix(name, w) {
				return true
			}
		}
		return false
	}
	shifts := map[ast.Node]bool{} // what stands behind a shift counts bits
	ast.Inspect(file, func(n ast.Node) bool {
		if x, ok := n.(*ast.BinaryExpr); ok && (x.Op == token.SHL || x.Op == token.SHR) {
			ast.Inspect(x.Y, func(n ast.Node) bool {
				shifts[n] = true
				return true
			})
		}
		return true
	})
	add := func(n ast.Node) {
		out = append(out, set.Position(n.Pos()).String()+" has a number of the register file")
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if shifts[n] {
				break
			}
			switch n.Op {
			case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.AND_NOT:
				if is(n.X) || is(n.Y) {
					add(n)
				}
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				if is(n.X) && !counts(n.Y) || is(n.Y) && !counts(n.X) {
					add(n)
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE && is(n.Rhs[0]) {
				add(n)
			}
		case *ast.ArrayType:
			if n.Len != nil && is(n.Len) {
				add(n)
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && is(n.Value) && (key.Name == "Align" || key.Name == "Lane" || key.Name == "Bytes" || key.Name == "Registers" || key.Name == "LastFrom") {
				add(n)
			}
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				if is(e) {
					add(e)
				}
			}
		case *ast.ValueSpec:
			for i, e := range n.Values {
				if name := strings.ToLower(n.Names[i].Name); is(e) && (strings.Contains(name, "grf") || strings.Contains(name, "reg") || strings.Contains(name, "byte")) {
					add(e)
				}
			}
		}
		return true
	})
	return out
}

// parsed reads a file, or source if there is some.
func parsed(t *testing.T, path string, source any) (*ast.File, *token.FileSet) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file, set
}
