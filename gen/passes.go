// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/domain"
)

// The tables of passes are Go, since their rows name functions. The page about them is
// derived from their source: the generator must run even when the compiler does not build.
var (
	irPasses      = []string{"core/pass/pipeline/pipeline.go", "core/pass/pipeline/stageio.go"}
	machinePasses = []string{"backend/intel/pipeline.go"}
)

const passesHead = `# Passes

A shader goes through the pipelines Optimize and Lower of package core/pass/pipeline, and
then through the passes of the back end. Before the interpreter draws with it, it goes through StageIO.
"jacquard opt --passes" runs chosen passes of the IR; "jacquard compile --emit mir --stop-after" stops after a pass
of the back end.

A pass must not run before the passes in the column "after". The column "leaves" states what holds after the pass,
besides what package core/validate checks; a later pass may undo it, unless it is a [ban](tables.md) of core/pass/legal.
`

// passPage writes the manual's page about the passes.
func passPage(ctx *domain.Context) error {
	root, err := project()
	if err != nil {
		return err
	}
	ir, err := readPasses(root, irPasses)
	if err != nil {
		return err
	}
	machine, err := readPasses(root, machinePasses)
	if err != nil {
		return err
	}
	b := bytes.NewBufferString(passesHead)
	b.WriteString("\n## Passes of the IR\n")
	for _, name := range []string{"Optimize", "Lower", "StageIO"} {
		list, err := ir.pipeline(ir.vars[name])
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\n%s: %s.\n", name, list)
	}
	b.WriteString("\nPasses in parentheses with a star are repeated until none changes anything.\n")
	b.WriteString("\n| pass | what it does | after | leaves |\n|---|---|---|---|\n")
	for _, name := range ir.order {
		p := ir.rows[name]
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", p["Name"], p["Doc"], p["After"], p["Leaves"])
	}
	b.WriteString("\n## Passes of the back end\n\nIn the order in which they run; select reads the IR, the others work on machine IR.\n" +
		"A pass with a [capability](tables.md) runs for machines that have it.\n" +
		"\n| pass | what it does | after | capability | leaves |\n|---|---|---|---|---|\n")
	for _, name := range machine.order {
		p := machine.rows[name]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", p["Name"], p["Doc"], p["After"], p["Needs"], p["Leaves"])
	}
	return ctx.Out.Text("docs/passes.md", "<!-- ", slices.Concat(irPasses, machinePasses), b.Bytes())
}

// project returns the root folder of the module that the generator runs in.
func project() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		err = fmt.Errorf("no go.mod in this folder or its parents")
	}
	return "", err
}

// passFiles are files of a package with tables of passes.
type passFiles struct {
	set    *token.FileSet
	consts map[string]string
	vars   map[string]ast.Expr
	rows   map[string]map[string]string // fields by the variable of the row, or by its pass
	order  []string
}

// readPasses reads the passes of files: rows with a Name, and lists of them.
func readPasses(root string, names []string) (*passFiles, error) {
	f := &passFiles{set: token.NewFileSet(), consts: map[string]string{}, vars: map[string]ast.Expr{}, rows: map[string]map[string]string{}}
	for _, name := range names {
		file, err := parser.ParseFile(f.set, filepath.Join(root, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		before := len(f.order)
		if err := f.read(file); err != nil {
			return nil, err
		}
		if len(f.order) == before {
			return nil, fmt.Errorf("%s has no passes", name)
		}
	}
	return f, nil
}

// read adds the constants, variables and rows of a file.
func (f *passFiles) read(file *ast.File) error {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || len(v.Names) != 1 || len(v.Values) != 1 {
				continue
			}
			if g.Tok == token.CONST {
				f.consts[v.Names[0].Name] = f.text(v.Values[0])
				continue
			}
			x := v.Values[0]
			if p, ok := x.(*ast.UnaryExpr); ok && p.Op == token.AND {
				x = p.X
			}
			f.vars[v.Names[0].Name] = x
			if err := f.collect(v.Names[0].Name, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// collect adds the rows in an expression.
func (f *passFiles) collect(name string, x ast.Expr) (err error) {
	ast.Inspect(x, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || err != nil {
			return err == nil
		}
		fields := map[string]string{}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok {
					fields[key.Name] = f.text(kv.Value)
				}
			}
		}
		if fields["Name"] == "" {
			return true
		}
		if fields["Doc"] == "" {
			err = fmt.Errorf("%s: pass %s has no description", f.set.Position(lit.Pos()), fields["Name"])
		}
		key := name
		if f.rows[key] != nil || lit != x {
			key = fields["Name"]
		}
		f.rows[key] = fields
		f.order = append(f.order, key)
		return false
	})
	return err
}

// text returns the text of an expression in a row: a string, strings that are concatenated, the
// value of a constant, the last part of a qualified name, or a list of such expressions. For other expressions it is empty.
func (f *passFiles) text(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		if err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return f.text(x.X) + f.text(x.Y)
	case *ast.Ident:
		return f.consts[x.Name]
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.CompositeLit:
		var list []string
		for _, e := range x.Elts {
			list = append(list, f.text(e))
		}
		return strings.Join(list, ", ")
	}
	return ""
}

// pipeline formats a list of passes on one line.
func (f *passFiles) pipeline(x ast.Expr) (string, error) {
	switch x := x.(type) {
	case *ast.Ident:
		if r := f.rows[x.Name]; r != nil {
			return r["Name"], nil
		}
		if f.vars[x.Name] != nil {
			return f.pipeline(f.vars[x.Name])
		}
	case *ast.CallExpr: // calls of functions of passes and of lists, and conversions to a loop
		return f.list(x.Fun, x.Args)
	case *ast.CompositeLit:
		return f.list(x.Type, x.Elts)
	}
	return "", fmt.Errorf("%s: not a list of passes", f.set.Position(x.Pos()))
}

// list formats the passes among the arguments of a call or the elements of a literal. what is the function or
// the type; if it is Loop, the list is in parentheses with a star.
func (f *passFiles) list(what ast.Expr, passes []ast.Expr) (string, error) {
	var parts []string
	for _, x := range passes {
		if _, ok := x.(*ast.SelectorExpr); ok { // the function of a pass
			continue
		}
		s, err := f.pipeline(x)
		if err != nil {
			return "", err
		}
		parts = append(parts, s)
	}
	list := strings.Join(parts, ", ")
	if t, ok := what.(*ast.SelectorExpr); ok && t.Sel.Name == "Loop" {
		list = "(" + list + ")*"
	}
	return list, nil
}
