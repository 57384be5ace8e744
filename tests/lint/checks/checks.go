// SPDX-License-Identifier: MIT

// Package checks contains the analyzers that enforce the project's own rules: the allowed imports, the properties of
// machines that code must not depend on, and the operations that hot paths must not use.
//
// [All] lists the analyzers.
//
// They examine the files of packages, not test files, which may name anything. Comments cannot suppress a finding: an
// exception is a row of the analyzer's table, or the rule is wrong.
package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// All are the project's analyzers.
var All = []*analysis.Analyzer{
	Arrows, Platforms, Descriptors, Registers, Locations, HotText, HotMaps, Order, Globals, Panics, DocNames, Lines, Sizes,
}

// module is the project's module path.
const module = "jacquard.example"

// product are the parts of the project that are in the command or the library.
var product = []string{"jacquard", "core", "backend", "generated", "cmd"}

// hot are the packages whose running time is proportional to instructions.
var hot = []string{
	"core/ir", "core/match", "core/analysis", "core/pass", "core/spirv", "core/spirv/structure", "core/reuse", "core/bits", "core/graph", "core/num", "core/work",
	"backend/intel/mir", "backend/intel/selector", "backend/intel/isel", "backend/intel/opt", "backend/intel/lower", "backend/intel/bytemask",
	"backend/intel/ra", "backend/intel/swsb", "backend/intel/emit", "backend/intel/perf",
	"generated/build", "generated/fold", "generated/intel/select",
	"generated/op", "generated/intrinsic", "generated/kind", "generated/message", "generated/spirvtab",
}

// packageOf returns the path of a package in the module, "jacquard" for the one at
// the root. ok is false for other modules' packages and for tests in separate packages.
func packageOf(pass *analysis.Pass) (path string, ok bool) {
	return local(pass.Pkg.Path())
}

// local returns the path of a package within the module, from its import path. ok is false for other modules and for
// test packages.
func local(path string) (string, bool) {
	if path == module {
		return "jacquard", true
	}
	path, ok := strings.CutPrefix(path, module+"/")
	return path, ok && !strings.HasSuffix(path, "_test") && !strings.HasSuffix(path, ".test")
}

// within reports whether path is a package of list or below one.
func within(path string, list []string) bool {
	for _, l := range list {
		if path == l || strings.HasPrefix(path, l+"/") {
			return true
		}
	}
	return false
}

// sources returns the files of the package that are not tests.
func sources(pass *analysis.Pass) []*ast.File {
	var out []*ast.File
	for _, f := range pass.Files {
		if !strings.HasSuffix(pass.Fset.File(f.Pos()).Name(), "_test.go") {
			out = append(out, f)
		}
	}
	return out
}

// callee returns the package and name of the function or method called; both
// are empty for calls of variables, conversions and built-in functions.
func callee(pass *analysis.Pass, call *ast.CallExpr) (pkg, name string) {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		if s, ok := f.X.(*ast.SelectorExpr); ok {
			id = s.Sel
		}
	}
	if id == nil {
		return "", ""
	}
	if f, ok := pass.TypesInfo.Uses[id].(*types.Func); ok && f.Pkg() != nil {
		return f.Pkg().Path(), f.Name()
	}
	return "", ""
}

// builtin reports whether a call calls the built-in function name.
func builtin(pass *analysis.Pass, call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != name {
		return false
	}
	_, ok = pass.TypesInfo.Uses[id].(*types.Builtin)
	return ok
}

// isMap reports whether an expression is a map.
func isMap(pass *analysis.Pass, e ast.Expr) bool {
	t := pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// isError reports whether a type, or the pointer to it, implements error.
func isError(t types.Type) bool {
	if t == nil {
		return false
	}
	err := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(t, err) || types.Implements(types.NewPointer(t), err)
}

// walk calls fn for every node of a file with the nodes around it, outermost first.
func walk(file *ast.File, fn func(n ast.Node, around []ast.Node)) {
	var around []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		fn(n, around)
		around = append(around, n)
		return true
	})
}

// inFunction returns the innermost function around a node, or nil if there is none.
func inFunction(around []ast.Node) ast.Node {
	for i := len(around) - 1; i >= 0; i-- {
		switch around[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return around[i]
		}
	}
	return nil
}

// signature returns the type of a function declaration or literal, or nil if it is unknown.
func signature(pass *analysis.Pass, fn ast.Node) *types.Signature {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		if f, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func); ok {
			return f.Signature()
		}
	case *ast.FuncLit:
		if s, ok := pass.TypesInfo.TypeOf(fn).(*types.Signature); ok {
			return s
		}
	}
	return nil
}

// isInt reports whether an expression is a literal of one of the numbers.
func isInt(e ast.Expr, numbers map[string]bool) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.INT && numbers[lit.Value]
}
