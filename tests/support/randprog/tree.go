// SPDX-License-Identifier: MIT

package randprog

import "slices"

// Program is an abstract program, which is written as GLSL and as C.
type Program struct {
	Seed    uint64
	Local   [3]int // invocations of a workgroup
	Groups  [3]int
	Structs []*Type
	Globals []*Var // private variables
	Shared  []*Var
	Buffers []*Var
	Specs   []*Var // specialization constants
	Funcs   []*Func
	Main    *Func
	// Passes are the passes of spirv-opt that run on the module.
	Passes []string
	// LeftOut are the optional passes of the compiler that the program is compiled without.
	LeftOut []string
}

// Lanes returns the number of invocations of a workgroup.
func (p *Program) Lanes() int { return p.Local[0] * p.Local[1] * p.Local[2] }

// Invocations returns the total number of invocations.
func (p *Program) Invocations() int { return p.Lanes() * p.Groups[0] * p.Groups[1] * p.Groups[2] }

// Class is the storage class of a variable.
type Class uint8

// The classes of variables.
const (
	Local Class = iota
	Param
	Private // belongs to an invocation, declared outside of functions
	Shared
	Buffer
	Uniform // a uniform buffer
	Push    // push constants
	Spec    // a specialization constant
	Builtin
	Counter // counts a loop, and only the loop changes it
)

// Dir is the direction in which a parameter passes its value.
type Dir uint8

// The directions.
const (
	In Dir = iota
	Const
	Out
	InOut
)

// Var is a variable.
type Var struct {
	Name  string
	T     *Type
	Class Class
	Dir   Dir
	Init  *Expr // initial value of a private variable
	Zero  bool  // whether shared memory starts as zeros

	// Own is the number of elements of an array that each invocation may write and no other one reads at the same time:
	// its own slice. 0 if all invocations only read the array.
	Own int
	// Accu is set for an array whose elements are only changed by atomic operations,
	// all of one kind for each element.
	Accu bool

	Binding int
	Layout  Layout
	Written bool   // the buffer is an output
	Data    []byte // the contents of the buffer or the value of the specialization constant

	Ranged  bool // whether the value is an integer from Lo to Hi
	Lo, Hi  int64
	Arrayed bool   // each element of the array is a separate block with a descriptor
	Memory  string // a qualifier of the block
	Of      *Var   // the buffer whose length is the value of a builtin variable
	Uniform bool   // the same in all invocations of a workgroup
	GLSL, C string
}

// Func is a function.
type Func struct {
	Name   string
	Result *Type // nil if none
	Params []*Var
	Body   []*Stmt
}

// Expr is an expression. It has no effects, unless it is a call, an atomic or an operation over the subgroup; these
// are the whole right side of an assignment.
type Expr struct {
	Op   *Op
	T    *Type
	Args []*Expr
	Var  *Var
	Func *Func
	N    []int
	Bits []uint64 // bits of a constant, by component
}

// StmtKind is the kind of a statement.
type StmtKind uint8

// The kinds of statements.
const (
	Decl     StmtKind = iota // Var = RHS, or without a value
	Assign                   // LHS = RHS
	Do                       // RHS alone
	If                       // RHS, Body, Else
	Switch                   // RHS, Cases
	For                      // Var counts from From by Step while it is less than RHS, which is cut to Trips·Step+From
	While                    // at most Trips times, while RHS
	DoWhile                  // the same, with the condition at the end
	Forever                  // the same, with nothing but jumps to leave it
	Break                    //
	Continue                 //
	Return                   // RHS, or nothing
	Barrier                  //
	Block                    // Body
)

// Stmt is a statement.
type Stmt struct {
	Kind  StmtKind
	Var   *Var
	LHS   *Expr
	RHS   *Expr
	Body  []*Stmt
	Else  []*Stmt
	Cases []*Case
	From  int
	Step  int
	Trips int
	Keep  bool // the reducer must not remove it
}

// Case is one or more labels of a switch, with the statements after them.
type Case struct {
	Labels  []uint32
	Default bool
	Body    []*Stmt
}

// Exprs calls f with pointers to the expressions of a statement.
func (s *Stmt) Exprs(f func(**Expr)) {
	if s.LHS != nil {
		f(&s.LHS)
	}
	if s.RHS != nil {
		f(&s.RHS)
	}
}

// Bodies calls f with pointers to the lists of statements in a statement.
func (s *Stmt) Bodies(f func(*[]*Stmt)) {
	f(&s.Body)
	f(&s.Else)
	for _, c := range s.Cases {
		f(&c.Body)
	}
}

// Walk calls f with an expression and all below it.
func (e *Expr) Walk(f func(*Expr)) {
	f(e)
	for _, a := range e.Args {
		a.Walk(f)
	}
}

// WalkStmts calls f with all statements of a list, outer ones first.
func WalkStmts(list []*Stmt, f func(*Stmt)) {
	for _, s := range list {
		f(s)
		s.Bodies(func(b *[]*Stmt) { WalkStmts(*b, f) })
	}
}

// Functions returns all functions, main last.
func (p *Program) Functions() []*Func { return append(slices.Clone(p.Funcs), p.Main) }

// Stmts calls f with every statement.
func (p *Program) Stmts(f func(*Stmt)) {
	for _, fn := range p.Functions() {
		WalkStmts(fn.Body, f)
	}
}

// Exprs calls f with every expression, the parts of expressions included.
func (p *Program) Exprs(f func(*Expr)) {
	for _, v := range p.Globals {
		if v.Init != nil {
			v.Init.Walk(f)
		}
	}
	p.Stmts(func(s *Stmt) { s.Exprs(func(e **Expr) { (*e).Walk(f) }) })
}

// Uses counts how often variables and functions are used. A use of a buffer's length is one of the buffer.
func (p *Program) Uses() (vars map[*Var]int, funcs map[*Func]int) {
	vars, funcs = map[*Var]int{}, map[*Func]int{}
	p.Exprs(func(e *Expr) {
		if e.Var != nil {
			vars[e.Var]++
			vars[e.Var.Of]++
		}
		if e.Func != nil {
			funcs[e.Func]++
		}
	})
	return vars, funcs
}

// Subgroups reports whether the program's results depend on subgroups.
func (p *Program) Subgroups() bool {
	found := false
	p.Exprs(func(e *Expr) {
		found = found || e.Op.Subgroup || e.Var != nil && e.Var.Class == Builtin && subgroupBuiltins[e.Var.Name]
	})
	return found
}

// Blocks returns the part of data for each descriptor of a variable.
func (v *Var) Blocks(data []byte) [][]byte {
	if !v.Arrayed {
		return [][]byte{data}
	}
	return slices.Collect(slices.Chunk(data, len(data)/v.T.Len))
}

// elem returns the type of the elements that each invocation owns.
func (v *Var) elem() *Type {
	if v.Arrayed {
		return v.T.Elem.Elem
	}
	return v.T.Elem
}

// Zeros returns the first binding after those of the buffers.
func (p *Program) Zeros() int {
	n := 0
	for _, v := range p.Buffers {
		n = max(n, v.Binding+1)
	}
	return n
}

// Packed reports whether a buffer has the layout that requires an extension.
func (p *Program) Packed() bool {
	return slices.ContainsFunc(p.Buffers, func(v *Var) bool { return v.Layout.rules() == Packed })
}

// Doubles reports whether the program computes with 64-bit floats.
func (p *Program) Doubles() bool {
	found := false
	p.Exprs(func(e *Expr) { found = found || IsFloat(e.T) && e.T.Base == f64 })
	return found
}

// Root returns the variable that a path starts from, or nil if the expression is not a path.
func (e *Expr) Root() *Var {
	for {
		switch e.Op {
		case OpVar, OpOwn:
			return e.Var
		case OpField, OpIndex, OpSwizzle:
			e = e.Args[0]
		default:
			return nil
		}
	}
}
