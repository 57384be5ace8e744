// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// Locations rejects code that derives a register, a slot or a table index from the location of an
// input or output after inputs and outputs have become accesses to slots: the index base is the slot
// (acceptance row O-03). The index location is used only as the Number of a Slot, which tells a
// launcher the name of the slot, and for errors. The passes, which number the slots, are exempt.
var Locations = &analysis.Analyzer{
	Name: "locations",
	Doc:  "locations: nothing after the lowering of inputs and outputs maps a location to a register",
	Run: func(pass *analysis.Pass) (any, error) {
		path, ours := packageOf(pass)
		if !ours || !within(path, afterLowering) {
			return nil, nil
		}
		for _, f := range sources(pass) {
			walk(f, func(n ast.Node, around []ast.Node) {
				id, ok := n.(*ast.Ident)
				if ok && id.Name == "IxLocation" && !namesSlot(around) && !refuses(around) {
					pass.Reportf(id.Pos(), "a location is used for something other than the name of a slot: base is the slot")
				}
			})
		}
		return nil, nil
	},
}

// afterLowering are the packages that run or compile shaders whose inputs and outputs are slots.
var afterLowering = []string{"backend", "core/interp", "core/draw"}

// namesSlot reports whether an expression is the Number in a literal of type Slot.
func namesSlot(around []ast.Node) bool {
	for i, n := range around {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok || i == 0 {
			continue
		}
		lit, inLiteral := around[i-1].(*ast.CompositeLit)
		if key, ok := kv.Key.(*ast.Ident); !inLiteral || !ok || key.Name != "Number" {
			continue
		}
		if typ, ok := lit.Type.(*ast.SelectorExpr); ok && typ.Sel.Name == "Slot" {
			return true
		}
	}
	return false
}

// refuses reports whether an expression is in the condition of an if statement that only fails, or in
// the arguments of the failure.
func refuses(around []ast.Node) bool {
	for i, n := range around {
		switch x := n.(type) {
		case *ast.IfStmt:
			if i+1 < len(around) && around[i+1] == x.Cond && x.Else == nil && len(x.Body.List) > 0 && fails(x.Body.List[0]) {
				return true
			}
		case ast.Stmt:
			if fails(x) {
				return true
			}
		}
	}
	return false
}

// fails reports whether a statement is a call of Fail.
func fails(s ast.Stmt) bool {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && f.Sel.Name == "Fail"
}
