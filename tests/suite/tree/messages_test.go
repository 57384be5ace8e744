package tree

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// knowsSends are the parts of the compiler that know what sends are made of: the
// lowering of logical messages, and what reads code that is finished, or checks it
// without asking the compiler.
var knowsSends = []string{
	"backend/intel/lower/messages.go",
	"backend/intel/eu", "backend/intel/hazards", "backend/intel/legal", "backend/intel/perf", "backend/intel/allocheck",
}

// TestMessagesAreLogical: no other part of the compiler names a shared function, a
// descriptor or a binding table index of the machine's.
func TestMessagesAreLogical(t *testing.T) {
	const root = "../../.."
	found := map[string]bool{}
	err := filepath.WalkDir(root+"/backend", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), root+"/")
		for _, where := range sendsIn(t, path, nil) {
			if within(name, knowsSends) {
				found[knowsSends[slices.IndexFunc(knowsSends, func(k string) bool { return within(name, []string{k}) })]] = true
				continue
			}
			t.Errorf("%s; a row of defs/intel/message says it, and lower.Messages reads the rows", where)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range knowsSends {
		if !found[k] {
			t.Errorf("%s knows nothing of sends: the exception is not needed", k)
		}
	}
}

// sendsIn finds the places of a file that name what sends are made of.
func sendsIn(t *testing.T, path string, src any) (out []string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if !ok || pkg.Name != "isa" {
				break
			}
			for _, p := range []string{"SFID", "Desc", "ExDesc", "Msg", "DecodeMessage"} {
				// The type of a shared function is no shared function.
				if strings.HasPrefix(n.Sel.Name, p) && n.Sel.Name != "SFID" {
					out = append(out, set.Position(n.Pos()).String()+" names isa."+n.Sel.Name)
				}
			}
		case *ast.BinaryExpr:
			// Bits taken out of a descriptor, or put into one.
			for _, x := range []ast.Expr{n.X, n.Y} {
				if s, ok := x.(*ast.SelectorExpr); ok && (s.Sel.Name == "Desc" || s.Sel.Name == "ExDesc") {
					out = append(out, set.Position(n.Pos()).String()+" computes with a descriptor")
				}
			}
		case *ast.AssignStmt:
			if s, ok := n.Lhs[0].(*ast.SelectorExpr); ok && (s.Sel.Name == "Desc" || s.Sel.Name == "ExDesc") && n.Tok != token.ASSIGN {
				out = append(out, set.Position(n.Pos()).String()+" computes with a descriptor")
			}
		case *ast.BasicLit:
			if n.Value == "254" || n.Value == "255" {
				out = append(out, set.Position(n.Pos()).String()+" has a binding table index")
			}
		}
		return true
	})
	return out
}

// TestSendsAreSeen: the search finds what it looks for.
func TestSendsAreSeen(t *testing.T) {
	got := sendsIn(t, "x.go", `package x

func f() {
	y.SFID = isa.SFIDDC1
	y.Desc = isa.DescBarrier()
	y.Desc |= 3
	_ = y.Desc>>14&0x1F == 0x0C
	fence(254)
}

var sfid isa.SFID
`)
	if len(got) != 5 {
		t.Errorf("%d places: %s", len(got), strings.Join(got, "; "))
	}
}
