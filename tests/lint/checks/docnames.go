// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
)

// DocNames rejects doc comments that begin with the name of another declaration, exported declarations without a
// comment that begins with their name, and packages without one.
var DocNames = &analysis.Analyzer{
	Name: "docnames",
	Doc:  "docnames: a comment names the declaration that it documents, and every exported declaration has one",
	Run:  runDocNames,
}

func runDocNames(pass *analysis.Pass) (any, error) {
	if _, ours := packageOf(pass); !ours {
		return nil, nil
	}
	files := sources(pass)
	if len(files) > 0 && pass.Pkg.Name() != "main" {
		documented := false
		for _, f := range files {
			documented = documented || f.Doc != nil
		}
		if !documented {
			pass.Reportf(files[0].Name.Pos(), "package %s has no comment", pass.Pkg.Name())
		}
	}
	for _, f := range files {
		if f.Doc != nil && pass.Pkg.Name() != "main" && !strings.HasPrefix(f.Doc.Text(), "Package "+pass.Pkg.Name()+" ") {
			pass.Reportf(f.Doc.Pos(), "the comment of package %s begins with %q", pass.Pkg.Name(), "Package "+pass.Pkg.Name()+" ")
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				checkDoc(pass, d.Doc, d.Name, exportedFunc(d))
			case *ast.GenDecl:
				checkSpecs(pass, d)
			}
		}
	}
	return nil, nil
}

// checkSpecs checks the declarations of a group. A comment over a group of
// several applies to all of them.
func checkSpecs(pass *analysis.Pass, d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			doc := s.Doc
			if doc == nil && len(d.Specs) == 1 {
				doc = d.Doc
			}
			checkDoc(pass, doc, s.Name, s.Name.IsExported())
		case *ast.ValueSpec:
			if d.Tok == token.IMPORT {
				continue
			}
			doc := s.Doc
			if doc == nil && len(d.Specs) == 1 {
				doc = d.Doc
			}
			single := len(s.Names) == 1
			if single && doc != nil {
				checkDoc(pass, doc, s.Names[0], false)
			}
			if doc == nil && d.Doc == nil && s.Comment == nil && !valueOfType(pass, s) {
				for _, id := range s.Names {
					checkDoc(pass, nil, id, id.IsExported())
				}
			}
		}
	}
}

// valueOfType reports whether constants are the values of a type of the package, whose
// comment documents them.
func valueOfType(pass *analysis.Pass, s *ast.ValueSpec) bool {
	c, ok := pass.TypesInfo.Defs[s.Names[0]].(*types.Const)
	if !ok {
		return false
	}
	named, ok := c.Type().(*types.Named)
	return ok && named.Obj().Pkg() == pass.Pkg
}

// checkDoc checks the comment over a declaration. If one is required, it must begin with
// the name, or an article and the name; otherwise it must not begin with the name of
// another declaration in the package.
func checkDoc(pass *analysis.Pass, doc *ast.CommentGroup, name *ast.Ident, wanted bool) {
	if doc == nil {
		if wanted {
			pass.Reportf(name.Pos(), "%s is exported and has no comment", name.Name)
		}
		return
	}
	text := doc.Text()
	if text == "" { // directives
		return
	}
	if rest, ok := strings.CutPrefix(text, name.Name); ok && (rest == "" || !wordPart(rune(rest[0]))) {
		return
	}
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	first := text
	if i := strings.IndexFunc(text, func(r rune) bool { return !wordPart(r) }); i >= 0 {
		first = text[:i]
	}
	switch {
	case first == name.Name:
	case wanted:
		pass.Reportf(doc.Pos(), "the comment over %s does not begin with its name", name.Name)
	case pass.Pkg.Scope().Lookup(first) != nil && looksLikeName(first):
		pass.Reportf(doc.Pos(), "the comment over %s begins with %s, which is something else", name.Name, first)
	}
}

// wordPart reports whether a rune may be part of an identifier.
func wordPart(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// looksLikeName reports whether a word is an identifier rather than a word that a
// sentence may begin with: it has a capital inside, an underscore or a digit, or no
// capital at all.
func looksLikeName(w string) bool {
	if w == strings.ToLower(w) {
		return true
	}
	return strings.ContainsFunc(w[1:], func(r rune) bool { return r == '_' || unicode.IsUpper(r) || unicode.IsDigit(r) })
}

// exportedFunc reports whether other packages can call a function: its name is
// exported and, for a method, the name of its type.
func exportedFunc(f *ast.FuncDecl) bool {
	if f.Recv == nil || !f.Name.IsExported() {
		return f.Name.IsExported()
	}
	if wellKnown[f.Name.Name] {
		return false
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// wellKnown are methods of well-known interfaces.
var wellKnown = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Is": true, "Len": true, "Less": true, "Swap": true, "Set": true,
	"Read": true, "Write": true, "Close": true, "UnmarshalTOML": true, "MarshalJSON": true, "UnmarshalJSON": true}
