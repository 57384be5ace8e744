// SPDX-License-Identifier: MIT

package tree

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// minWords is the minimum length of a package comment: it should give the package's purpose, its limits, and an entry
// point.
const minWords = 40

var identifier = regexp.MustCompile(`\w+`)

// undocumented describes a defect of a package comment: it is too short, or names none of the package's exported
// identifiers.
func undocumented(files []*ast.File) string {
	var comment strings.Builder
	name := ""
	var exports []string
	for _, f := range files {
		name = f.Name.Name
		if f.Doc != nil {
			comment.WriteString(f.Doc.Text())
		}
		for _, d := range f.Decls {
			exports = append(exports, exported(d)...)
		}
	}
	text := comment.String()
	if n := len(strings.Fields(text)); n < minWords {
		return fmt.Sprintf("has a comment of %d words; a paragraph has %d: %s", n, minWords, new(doc.Package).Synopsis(text))
	}
	if name == "main" || len(exports) == 0 {
		return ""
	}
	for _, word := range identifier.FindAllString(text, -1) {
		if slices.Contains(exports, word) {
			return ""
		}
	}
	return "names nothing of what it exports, so nobody knows where to begin"
}

// exported returns the names that a declaration exports.
func exported(d ast.Decl) (out []string) {
	add := func(id *ast.Ident) {
		if id.IsExported() {
			out = append(out, id.Name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add(d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add(s.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					add(id)
				}
			}
		}
	}
	return out
}

// TestPackageComments: every package documents its purpose.
func TestPackageComments(t *testing.T) {
	root := "../../.."
	packages := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && rel != "." && (d.Name() == "testdata" || d.Name()[0] == '.' || d.Name()[0] == '_'):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := filepath.Dir(rel)
		if strings.HasSuffix(path, "_test.go") {
			f = &ast.File{Doc: f.Doc, Name: f.Name} // tests export nothing
		}
		packages[dir] = append(packages[dir], f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 80 {
		t.Errorf("there are %d packages", len(packages))
	}
	for dir, files := range packages {
		if msg := undocumented(files); msg != "" {
			t.Errorf("package %s %s", dir, msg)
		}
	}
}
