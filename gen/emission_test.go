// SPDX-License-Identifier: MIT

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tableWriters are the packages that write the insides of tables as text, and which:
// values that all look alike, by the hundreds. All else is declared through jennifer.
var tableWriters = map[string]string{
	"abi":         "the rows of ABIs with the places of their values",
	"atomics":     "atomics, and intrinsics on texels, by each other",
	"codec":       "bits of single opcodes",
	"descriptors": "fields and words of messages",
	"frontends":   "languages, file names and programs with their arguments",
	"irgen":       "what kinds of instructions, intrinsics and indices are",
	"isa":         "opcodes, types, names and codes, bits of compacted words, restrictions",
	"isatab":      "devices, registers, surface formats and small codes",
	"latency":     "costs by platform and class",
	"legal":       "bans, and the sizes that selection takes",
	"message":     "logical messages, and the descriptors of each family",
	"opcodes":     "the rows of opcodes, and their order by name",
	"reductions":  "reductions and the forms of scans, by reduction",
	"rules":       "the names of options",
	"selectgen":   "rows by opcode and intrinsic, and their names",
	"spirvgen":    "SPIR-V's numbers, and the programs that its instructions become",
	"target":      "the rows of targets",
}

// handWrittenText are constants with declarations.
var handWrittenText = map[string]string{
	"eval.head": "parsed, so that a meaning is an expression of Go; not written",
}

// TestEmission: Go is written through jennifer. No other package for text is imported, no text declares anything, and
// the tables that are text are the ones listed above. Files of Go that are text are refused by emit.Out.
func TestEmission(t *testing.T) {
	found := emissions{tables: map[string]bool{}, texts: map[string]bool{}}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "testdata") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err == nil && file.Name.Name != "emit" {
			found.file(path, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range found.wrong {
		t.Error(w)
	}
	for _, x := range []struct {
		what   string
		found  map[string]bool
		listed map[string]string
	}{
		{"writes tables as text", found.tables, tableWriters},
		{"is text that declares something", found.texts, handWrittenText},
	} {
		for _, n := range slices.Sorted(maps.Keys(x.found)) {
			if x.listed[n] == "" {
				t.Errorf("%s %s and is not listed", n, x.what)
			}
		}
		for _, n := range slices.Sorted(maps.Keys(x.listed)) {
			if !x.found[n] {
				t.Errorf("%s is listed but no longer %s", n, x.what)
			}
		}
	}
}

// TestEmissionIsSeen: the checks of TestEmission detect code that they must reject.
func TestEmissionIsSeen(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p

import "text/template"

const text = "package q\n\nfunc f() {}\n"

func rows() { var r emit.Rows }

func declare(b *bytes.Buffer) { fmt.Fprintf(b, "func %s() {", "f") }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := emissions{tables: map[string]bool{}, texts: map[string]bool{}}
	found.file("p.go", file)
	if len(found.wrong) != 1 || !found.tables["p"] || !found.texts["p.text"] || !found.texts["p.declare"] {
		t.Errorf("%+v", found)
	}
}

// emissions are the places where Go is written as text: packages with tables, constants and
// functions with declarations.
type emissions struct {
	tables, texts map[string]bool
	wrong         []string
}

// templates are packages with which no Go is written.
var templates = []string{"text/template", "html/template", "go/format", "golang.org/x/tools/imports"}

// declares matches Go that declares something outside of functions.
var declares = regexp.MustCompile(`(?m)^\s*(package \w+\n|import ["(]|func [\w(%]|type [\w%]+ (struct|interface|u?int|\[|map|func|%))`)

func (e *emissions) file(path string, file *ast.File) {
	for _, i := range file.Imports {
		if p, _ := strconv.Unquote(i.Path.Value); slices.Contains(templates, p) {
			e.wrong = append(e.wrong, path+" imports "+p)
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			e.look(file.Name.Name, d.Name.Name, d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					e.look(file.Name.Name, v.Names[0].Name, v)
				}
			}
		}
	}
}

func (e *emissions) look(pkg, name string, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && declares.MatchString(s) {
				e.texts[pkg+"."+name] = true
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "emit" && n.Sel.Name == "Rows" {
				e.tables[pkg] = true
			}
		}
		return true
	})
}
