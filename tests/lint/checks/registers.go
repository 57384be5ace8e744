// SPDX-License-Identifier: MIT

package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"jacquard.example/generated/isa"
)

// Registers rejects code that computes with literal sizes of a register file. The back
// end takes the size of a register, and how many there are, from the tables
// (mir.Func.GRF, the target's record). The model of the execution
// units has its own description of the machine, which may have numbers, but takes the
// size of a register from the program (thread.Program.GRF).
var Registers = &analysis.Analyzer{
	Name: "registers",
	Doc:  "registers: the code of the back end contains no numbers of the register file",
	Run: func(pass *analysis.Pass) (any, error) {
		path, ours := packageOf(pass)
		if !ours || !within(path, []string{"backend/intel"}) {
			return nil, nil
		}
		find := registerNumbers
		if within(path, ownAccount) {
			find = registerSizes
		}
		for _, f := range sources(pass) {
			for _, n := range find(f) {
				pass.Reportf(n.Pos(), "has a number of the register file: ask the function, the program or the target's record")
			}
		}
		return nil, nil
	},
}

// ownAccount are the packages with their own description of the machine.
var ownAccount = []string{"backend/intel/eu", "backend/intel/zebin"}

// fileNumbers are the sizes of the register files, and the sizes minus one, except 64, which is also the number of bits of a
// word of a set.
var fileNumbers = func() map[string]bool {
	numbers := map[string]bool{}
	for p := range isa.Platform(isa.NumPlatforms) {
		file := p.Registers()
		for _, n := range []int{file.Bytes, file.Registers} {
			numbers[fmt.Sprint(n)], numbers[fmt.Sprint(n-1)] = true, true
		}
		numbers[fmt.Sprint(file.LastFrom)] = true
	}
	delete(numbers, "64")
	delete(numbers, "63")
	return numbers
}()

// registerSizes finds constants and variables that are named for registers and have their size, in bytes.
func registerSizes(file *ast.File) (out []ast.Node) {
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for i, e := range spec.Values {
				name := strings.ToLower(spec.Names[i].Name)
				if isInt(e, sizes) && (strings.Contains(name, "grf") || strings.Contains(name, "reg")) {
					out = append(out, e)
				}
			}
		}
		return true
	})
	return out
}

// sizes are the sizes of registers in bytes.
var sizes = func() map[string]bool {
	numbers := map[string]bool{}
	for p := range isa.Platform(isa.NumPlatforms) {
		numbers[fmt.Sprint(p.Registers().Bytes)] = true
	}
	return numbers
}()

// lanesOrBits are the names that may be compared with 32: numbers of lanes and of bits.
var lanesOrBits = []string{"exec", "lanes", "width", "bits"}

// registerNumbers finds literals that are sizes of a register file, or sizes minus one, in sums and products, as array
// lengths, in comparisons other than with lanes and bits, and as sizes and alignments.
func registerNumbers(file *ast.File) (out []ast.Node) {
	counts := func(e ast.Expr) bool {
		name := ""
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				name = strings.ToLower(id.Name)
			}
			return true
		})
		for _, w := range lanesOrBits {
			if strings.HasSuffix(name, w) {
				return true
			}
		}
		return false
	}
	shifts := map[ast.Node]bool{} // a shift count is in bits
	ast.Inspect(file, func(n ast.Node) bool {
		if x, ok := n.(*ast.BinaryExpr); ok && (x.Op == token.SHL || x.Op == token.SHR) {
			ast.Inspect(x.Y, func(n ast.Node) bool {
				shifts[n] = true
				return true
			})
		}
		return true
	})
	is := func(e ast.Expr) bool { return isInt(e, fileNumbers) }
	add := func(n ast.Node) { out = append(out, n) }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if shifts[n] {
				break
			}
			switch n.Op {
			case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.AND_NOT:
				if is(n.X) || is(n.Y) {
					add(n)
				}
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				if is(n.X) && !counts(n.Y) || is(n.Y) && !counts(n.X) {
					add(n)
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE && is(n.Rhs[0]) {
				add(n)
			}
		case *ast.ArrayType:
			if n.Len != nil && is(n.Len) {
				add(n)
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && is(n.Value) &&
				(key.Name == "Align" || key.Name == "Lane" || key.Name == "Bytes" || key.Name == "Registers" || key.Name == "LastFrom") {
				add(n)
			}
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				if is(e) {
					add(e)
				}
			}
		case *ast.ValueSpec:
			for i, e := range n.Values {
				if name := strings.ToLower(n.Names[i].Name); is(e) &&
					(strings.Contains(name, "grf") || strings.Contains(name, "reg") || strings.Contains(name, "byte")) {
					add(e)
				}
			}
		}
		return true
	})
	return out
}
