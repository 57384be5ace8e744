package randprog

import (
	"fmt"
	"strings"
)

// Features counts the features of a program, by name.
func Features(p *Program) map[string]int {
	f := features{p: p, count: map[string]int{}}
	for _, fn := range p.Functions() {
		for _, v := range fn.Params {
			f.count["parameter "+[...]string{In: "in", Const: "const in", Out: "out", InOut: "inout"}[v.Dir]]++
		}
		f.list(fn.Body, surroundings{fn: fn})
	}
	p.Exprs(f.expr)
	for _, v := range p.Buffers {
		f.count[[...]string{Buffer: "buffer", Uniform: "uniform buffer", Push: "push constants"}[v.Class]]++
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
	p     *Program
	count map[string]int
}

// surroundings counts the constructs around a statement.
type surroundings struct {
	fn              *Func
	loops, switches int
	branches        int
}

func (f *features) list(list []*Stmt, at surroundings) {
	for _, s := range list {
		f.stmt(s, at)
	}
}

func (f *features) stmt(s *Stmt, at surroundings) {
	names := [...]string{Decl: "declaration", Assign: "assignment", Do: "statement", If: "if", Switch: "switch", For: "for", While: "while",
		DoWhile: "do-while", Forever: "endless loop", Break: "break", Continue: "continue", Return: "return", Barrier: "barrier", Block: "block"}
	f.count[names[s.Kind]]++
	if s.RHS != nil && (s.RHS.Op.Subgroup || s.RHS.Op == OpNorm && s.RHS.Args[0].Op.Subgroup) {
		where := "subgroup operation"
		if at.loops > 0 {
			where += " in a loop"
		} else if at.branches > 0 {
			where += " in a branch"
		}
		f.count[where]++
	}
	switch s.Kind {
	case Switch:
		at.switches++
		at.branches++
		for i, c := range s.Cases {
			last := len(c.Body) - 1
			if i < len(s.Cases)-1 && (last < 0 || c.Body[last].Kind < Break || c.Body[last].Kind > Return) {
				f.count["fallthrough"]++
			}
		}
	case If:
		at.branches++
	case For, While, DoWhile, Forever:
		if at.loops > 0 {
			f.count["nested loop"]++
		}
		at.loops++
	case Break:
		if at.switches > 0 && at.loops > 0 {
			f.count["break in a switch in a loop"]++
		}
	case Continue:
		if at.switches > 0 {
			f.count["continue in a switch"]++
		}
	case Return:
		if at.branches+at.loops > 0 {
			f.count["early return"]++
		}
	case Barrier:
		if at.loops > 0 {
			f.count["barrier in a loop"]++
		} else if at.branches > 0 {
			f.count["barrier in a branch"]++
		}
	}
	s.Bodies(func(b *[]*Stmt) { f.list(*b, at) })
}

func (f *features) expr(e *Expr) {
	switch e.Op {
	case OpConst, OpVar:
	case OpConvert:
		f.count[fmt.Sprintf("convert %s to %s", e.Args[0].T.Base.c(), e.T.Base.c())]++
		f.count["conversion"]++
	case OpIndex:
		if e.Args[1].Op != OpConst {
			f.count["dynamic index of "+[...]string{IsVector: "a vector", IsMatrix: "a matrix", IsArray: "an array"}[e.Args[0].T.Shape]]++
		}
	case OpAtomic:
		f.count[Atomics[e.N[0]].Glsl]++
	default:
		f.count[strings.TrimSpace("operation "+e.Op.Name)]++
	}
	if e.T != nil && e.T.Simple() {
		f.count["value of "+e.T.Base.c()]++
		if e.T.Shape != IsScalar {
			f.count[[...]string{IsVector: "vector", IsMatrix: "matrix"}[e.T.Shape]]++
		}
	} else if e.T != nil {
		f.count[[...]string{IsArray: "array", IsStruct: "struct"}[e.T.Shape]]++
	}
}
