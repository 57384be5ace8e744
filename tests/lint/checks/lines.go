// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"
)

const (
	// lineColumns is the maximum number of columns of a line, and tabColumns the columns of a tab.
	lineColumns, tabColumns = 140, 4
	// mostAssigned is the maximum number of variables that one statement assigns different values to.
	mostAssigned = 3
)

// Lines rejects lines and assignments that are too long to read. Rows of tables may be longer, see [tableLines].
var Lines = &analysis.Analyzer{
	Name: "lines",
	Doc:  "lines: no line has more than 140 columns, except in tables; no statement assigns more than three values",
	Run:  runLines,
}

func runLines(pass *analysis.Pass) (any, error) {
	if _, ours := local(strings.TrimSuffix(pass.Pkg.Path(), "_test")); !ours {
		return nil, nil
	}
	for _, f := range pass.Files {
		if ast.IsGenerated(f) {
			continue
		}
		if err := checkLines(pass, f); err != nil {
			return nil, err
		}
		checkAssignments(pass, f)
	}
	return nil, nil
}

func checkLines(pass *analysis.Pass, f *ast.File) error {
	file := pass.Fset.File(f.FileStart)
	text, err := pass.ReadFile(file.Name())
	if err != nil {
		return err
	}
	table := tableLines(file, f)
	for i, line := range strings.Split(string(text), "\n") {
		if len(line) <= lineColumns/tabColumns || table[i+1] {
			continue
		}
		if n := utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t"); n > lineColumns {
			pass.Reportf(file.LineStart(i+1), "the line has %d columns, more than %d", n, lineColumns)
		}
	}
	return nil
}

// tableLines returns the lines of a file that contain rows of tables, where long lines are easier to compare than
// wrapped ones: the elements of package-level variables, the elements of literals of slices, arrays and maps with
// several elements, and raw strings, such as shaders and the tags of fields. The output that an example expects is
// text too.
func tableLines(file *token.File, f *ast.File) map[int]bool {
	out := map[int]bool{}
	mark := func(n ast.Node) {
		for l := file.Line(n.Pos()); l <= file.Line(n.End()); l++ {
			out[l] = true
		}
	}
	for _, c := range f.Comments {
		if strings.HasPrefix(c.Text(), "Output:") {
			mark(c)
		}
	}
	walk(f, func(n ast.Node, around []ast.Node) {
		switch n := n.(type) {
		case *ast.FuncLit: // the statements of a function in a row are code
			for l := file.Line(n.Body.Pos()) + 1; l < file.Line(n.Body.End()); l++ {
				out[l] = false
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && n.Value[0] == '`' {
				mark(n)
			}
		case *ast.CompositeLit:
			if inFunction(around) != nil && !isTable(n) {
				return
			}
			for _, e := range n.Elts {
				mark(e)
			}
		}
	})
	return out
}

// isTable reports whether a literal is a slice, an array or a map with several elements.
func isTable(x *ast.CompositeLit) bool {
	switch x.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		return len(x.Elts) > 1
	}
	return false
}

// checkAssignments reports statements that assign many values, which the reader has to match with the variables by
// counting. Calls that return many values do not count, nor does the exchange of variables.
func checkAssignments(pass *analysis.Pass, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) > mostAssigned && len(a.Rhs) == len(a.Lhs) {
			pass.Reportf(a.Pos(), "the statement assigns %d values, more than %d", len(a.Lhs), mostAssigned)
		}
		return true
	})
}
