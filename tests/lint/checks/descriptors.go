// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Descriptors rejects code that knows the contents of sends: shared functions, the bits of descriptors, and reserved
// numbers of binding tables. They belong in rows of defs/intel/message, which lower.Messages reads.
var Descriptors = &analysis.Analyzer{
	Name: "descriptors",
	Doc:  "descriptors: messages are logical; only their lowering knows shared functions, descriptors and binding tables",
	Run:  runDescriptors,
}

// KnowsSends lists the packages and files that may know the encoding of sends: the lowering of logical messages, the
// text of instructions, and code that reads finished programs or checks them without asking the compiler.
var KnowsSends = []string{
	"backend/intel/lower/messages.go",
	"backend/intel/isatext", "backend/intel/eu", "backend/intel/hazards", "backend/intel/legal", "backend/intel/perf", "backend/intel/allocheck",
}

// everywhere makes the analyzer search the packages and files of KnowsSends too, to
// check whether each of them needs to be there.
var everywhere bool

func init() {
	Descriptors.Flags.BoolVar(&everywhere, "everywhere", false, "also search the packages that may know the layout of sends")
}

// bindings are the binding table numbers that the machines reserve.
var bindings = map[string]bool{"254": true, "255": true}

func runDescriptors(pass *analysis.Pass) (any, error) {
	path, ours := packageOf(pass)
	if !ours || !within(path, []string{"backend/intel", "backend/driver"}) {
		return nil, nil
	}
	for _, f := range sources(pass) {
		file := path + "/" + filepath.Base(pass.Fset.File(f.Pos()).Name())
		if within(file, KnowsSends) && !everywhere {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if msg := knowsSend(pass, n); msg != "" {
				pass.Reportf(n.Pos(), "%s; state it in a row of defs/intel/message, which lower.Messages reads", msg)
			}
			return true
		})
	}
	return nil, nil
}

// knowsSend describes the part of a send's encoding that a node refers to, or returns "".
func knowsSend(pass *analysis.Pass, n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		obj := pass.TypesInfo.Uses[n]
		if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != module+"/generated/isa" || obj.Parent() != obj.Pkg().Scope() {
			break
		}
		for _, p := range []string{"SFID", "Desc", "ExDesc", "Msg", "DecodeMessage"} {
			// The type of a shared function is not itself a shared function.
			if strings.HasPrefix(n.Name, p) && n.Name != "SFID" {
				return "isa." + n.Name + " is a part of sends"
			}
		}
	case *ast.BinaryExpr:
		if descriptor(n.X) || descriptor(n.Y) {
			return "computes with a descriptor"
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if !descriptor(l) {
				continue
			}
			if n.Tok != token.ASSIGN {
				return "computes with a descriptor"
			}
			if len(n.Rhs) == len(n.Lhs) && constantBits(pass, n.Rhs[i]) {
				return "writes the bits of a descriptor"
			}
		}
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok && (id.Name == "Desc" || id.Name == "ExDesc") && constantBits(pass, n.Value) {
			return "writes the bits of a descriptor"
		}
	case *ast.BasicLit:
		if isInt(n, bindings) {
			return n.Value + " is a binding table of the machine's"
		}
	}
	return ""
}

// descriptor reports whether an expression is a descriptor of an instruction.
func descriptor(e ast.Expr) bool {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && (s.Sel.Name == "Desc" || s.Sel.Name == "ExDesc")
}

// constantBits reports whether a value has bits set by code: it is a nonzero constant,
// or is computed from a constant.
func constantBits(pass *analysis.Pass, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		if tv := pass.TypesInfo.Types[x]; tv.Value != nil && tv.Type != nil {
			if b, ok := tv.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 && tv.Value.ExactString() != "0" {
				found = true
			}
			return false
		}
		_, index := n.(*ast.IndexExpr)
		return !index
	})
	return found
}
