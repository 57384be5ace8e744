// SPDX-License-Identifier: MIT

package random

import (
	"fmt"
	"strings"

	"jacquard.example/tests/support/randprog"
)

// featuresOf counts the features of a program, by name.
func featuresOf(p *randprog.Program) map[string]int {
	f := features{p: p, count: map[string]int{}}
	for _, fn := range p.Functions() {
		for _, v := range fn.Params {
			name := [...]string{randprog.In: "in", randprog.Const: "const in", randprog.Out: "out", randprog.InOut: "inout"}[v.Dir]
			f.count["parameter "+name]++
		}
		f.list(fn.Body, surroundings{fn: fn})
	}
	p.Exprs(f.expr)
	for _, v := range p.Buffers {
		f.count[[...]string{randprog.Buffer: "buffer", randprog.Uniform: "uniform buffer", randprog.Push: "push constants"}[v.Class]]++
		f.count["layout "+v.Layout.Glsl()]++
	}
	for _, v := range p.Buffers {
		if v.Arrayed {
			f.count["blocks in arrays"]++
		}
		if v.Memory != "" {
			f.count["buffer "+v.Memory]++
		}
	}
	if len(p.Shared) > 0 {
		f.count["shared memory"]++
	}
	if len(p.Passes) > 0 {
		f.count["spirv-opt"]++
	}
	if len(p.LeftOut) > 0 {
		f.count["passes left out"]++
	}
	return f.count
}

type features struct {
	p     *randprog.Program
	count map[string]int
}

// surroundings counts the constructs around a statement.
type surroundings struct {
	fn              *randprog.Func
	loops, switches int
	branches        int
}

func (f *features) list(list []*randprog.Stmt, at surroundings) {
	for _, s := range list {
		f.stmt(s, at)
	}
}

// statements names the kinds of statements.
var statements = [...]string{
	randprog.Decl: "declaration", randprog.Assign: "assignment", randprog.Do: "statement", randprog.If: "if", randprog.Switch: "switch",
	randprog.For: "for", randprog.While: "while", randprog.DoWhile: "do-while", randprog.Forever: "endless loop",
	randprog.Break: "break", randprog.Continue: "continue", randprog.Return: "return", randprog.Barrier: "barrier", randprog.Block: "block",
}

func (f *features) stmt(s *randprog.Stmt, at surroundings) {
	f.count[statements[s.Kind]]++
	if s.RHS != nil && (s.RHS.Op.Subgroup || s.RHS.Op == randprog.OpNorm && s.RHS.Args[0].Op.Subgroup) {
		where := "subgroup operation"
		if at.loops > 0 {
			where += " in a loop"
		} else if at.branches > 0 {
			where += " in a branch"
		}
		f.count[where]++
	}
	switch s.Kind {
	case randprog.Switch:
		at.switches++
		at.branches++
		for i, c := range s.Cases {
			last := len(c.Body) - 1
			if i < len(s.Cases)-1 && (last < 0 || c.Body[last].Kind < randprog.Break || c.Body[last].Kind > randprog.Return) {
				f.count["fallthrough"]++
			}
		}
	case randprog.If:
		at.branches++
	case randprog.For, randprog.While, randprog.DoWhile, randprog.Forever:
		if fills(s) {
			f.count["table filled by a loop"]++
		}
		if at.loops > 0 {
			f.count["nested loop"]++
		}
		at.loops++
	case randprog.Break:
		if at.switches > 0 && at.loops > 0 {
			f.count["break in a switch in a loop"]++
		}
	case randprog.Continue:
		if at.switches > 0 {
			f.count["continue in a switch"]++
		}
	case randprog.Return:
		if at.branches+at.loops > 0 {
			f.count["early return"]++
		}
	case randprog.Barrier:
		if at.loops > 0 {
			f.count["barrier in a loop"]++
		} else if at.branches > 0 {
			f.count["barrier in a branch"]++
		}
	}
	s.Bodies(func(b *[]*randprog.Stmt) { f.list(*b, at) })
}

// fills reports whether a loop does nothing but set elements of an array, by its counter.
func fills(s *randprog.Stmt) bool {
	if s.Kind != randprog.For || len(s.Body) != 1 || s.Body[0].Kind != randprog.Assign {
		return false
	}
	to := s.Body[0].LHS
	return to.Op == randprog.OpIndex && to.Args[1].Var == s.Var
}

func (f *features) expr(e *randprog.Expr) {
	switch e.Op {
	case randprog.OpConst, randprog.OpVar:
	case randprog.OpConvert:
		f.count[fmt.Sprintf("convert %s to %s", scalarName(e.Args[0].T.Base), scalarName(e.T.Base))]++
		f.count["conversion"]++
	case randprog.OpIndex:
		if e.Args[1].Op != randprog.OpConst {
			shapes := [...]string{randprog.IsVector: "a vector", randprog.IsMatrix: "a matrix", randprog.IsArray: "an array"}
			f.count["dynamic index of "+shapes[e.Args[0].T.Shape]]++
		}
	case randprog.OpAtomic:
		f.count[randprog.Atomics[e.N[0]].Glsl]++
	default:
		f.count[strings.TrimSpace("operation "+e.Op.Name)]++
	}
	if e.T != nil && e.T.Simple() {
		f.count["value of "+scalarName(e.T.Base)]++
		if e.T.Shape != randprog.IsScalar {
			f.count[[...]string{randprog.IsVector: "vector", randprog.IsMatrix: "matrix"}[e.T.Shape]]++
		}
	} else if e.T != nil {
		f.count[[...]string{randprog.IsArray: "array", randprog.IsStruct: "struct"}[e.T.Shape]]++
	}
}

// scalarName returns a short name of a scalar type.
func scalarName(s randprog.Scalar) string { return fmt.Sprintf("%c%d", "biuf"[s.Kind], s.Bits) }
