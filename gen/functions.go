// SPDX-License-Identifier: MIT

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// called lists the keys that name Go code: the folder and the family of the rows, the packages, and the function that
// returns the name that a node of the packages declares.
var called = []struct {
	dir, family, key string
	pkgs             []string
	find             func(ast.Node) string
}{
	{"intel/isa", "restrict", "check", []string{"backend/intel/legal"}, keyOfMap},
	{"intel/select", "select", "call", []string{"backend/intel/isel", "backend/intel/isel/value"}, method},
	{"algebraic", "predicate", "go", []string{"core/match/pat"}, function},
}

// functions rejects rows that name Go code that does not exist. It reads the source, since the generator must run even when
// the compiler does not build.
func functions(ctx *domain.Context) error {
	root, err := project()
	if err != nil {
		return err
	}
	var errs diag.List
	for _, c := range called {
		set, err := ctx.Load(c.dir)
		if err != nil {
			return err
		}
		names := map[string]bool{}
		for _, pkg := range c.pkgs {
			in, err := namesIn(filepath.Join(root, filepath.FromSlash(pkg)), c.find)
			if err != nil {
				return err
			}
			maps.Copy(names, in)
		}
		for _, r := range table.Texts(set, c.family, c.key) {
			if r.Text != "" && !strings.Contains(r.Text, "$") && !names[r.Text] {
				errs.Unknown(r.Pos, r.Row, "function of "+c.pkgs[0], r.Text, maps.Keys(names))
			}
		}
	}
	return errs.Err()
}

// namesIn returns the names that find returns for the nodes of a package. It skips tests.
func namesIn(dir string, find func(ast.Node) string) (map[string]bool, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".go" || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if name := find(n); name != "" {
				out[name] = true
			}
			return true
		})
	}
	return out, nil
}

// function returns the name of the exported function that a node declares, or "".
func function(n ast.Node) string {
	if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
		return f.Name.Name
	}
	return ""
}

// method returns the name of the exported method that a node declares, or "" if no row can call it: its first parameter must
// be an instruction or a node, the others sources, and it must have no result.
func method(n ast.Node) string {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Recv == nil || !f.Name.IsExported() || f.Type.Results != nil || len(f.Type.Params.List) == 0 {
		return ""
	}
	for i, p := range f.Type.Params.List {
		t, ok := p.Type.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		if pkg, ok := t.X.(*ast.Ident); !ok || pkg.Name != "ir" || (i == 0) == (t.Sel.Name == "Src") {
			return ""
		}
	}
	return f.Name.Name
}

// keyOfMap returns the key of an element of a map literal if the key is a string, or else "".
func keyOfMap(n ast.Node) string {
	kv, ok := n.(*ast.KeyValueExpr)
	if !ok {
		return ""
	}
	key, ok := kv.Key.(*ast.BasicLit)
	if !ok || key.Kind != token.STRING {
		return ""
	}
	s, err := strconv.Unquote(key.Value)
	if err != nil {
		return ""
	}
	return s
}
