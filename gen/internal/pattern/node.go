// SPDX-License-Identifier: MIT

package pattern

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/opcodes"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes.
const (
	Op Kind = iota
	Var
	Lit
)

// LitKind is the form of a literal.
type LitKind uint8

// The kinds of literals.
const (
	LitInt LitKind = iota
	LitBool
	LitFloat
)

// Node is one node of a pattern.
type Node struct {
	Kind  Kind
	Col   int    // column in the expression, from 1
	Name  string // name of the opcode, intrinsic or variable; a literal's text
	Preds []string
	Sizes Sizes // sizes allowed by @; 0 if none given

	// Op
	Code   *opcodes.Op // nil for an intrinsic (selection rows only)
	Args   []*Node
	Parent *Node

	// Var
	Const bool
	May   string // for ?a in a condition (the constant mask of the bits of a that may be 1): "a"; Name is "?a"
	Swz   string

	// Lit
	LitKind LitKind
	Neg     bool
	Int     uint64  // magnitude of an integer literal
	Float   float64 // value of a float literal

	Class int // size class of the result, see Typing
	Exec  int // size class of the unsized operands; -1 if none
	Base  eval.Base
}

// Sizes is a set of bit sizes, one bit per entry of AllSizes.
type Sizes uint8

// AllSizes lists the bit sizes a value can have.
var AllSizes = [...]int{1, 8, 16, 32, 64}

// AnySize is the set of all sizes.
const AnySize Sizes = 1<<len(AllSizes) - 1

// Whatever reports whether a pattern is one instruction on distinct variables that need not be constant. Apart from sizes
// and predicates, it matches the opcode with any operands.
func (n *Node) Whatever() bool {
	seen := map[string]bool{}
	for _, a := range n.Args {
		if a.Kind != Var || a.Const || seen[a.Name+"."+a.Swz] {
			return false
		}
		seen[a.Name+"."+a.Swz] = true
	}
	return n.Kind == Op
}

// SizeSet returns the set of the given sizes.
func SizeSet(sizes ...int) Sizes {
	var s Sizes
	for _, n := range sizes {
		for i, m := range AllSizes {
			if n == m {
				s |= 1 << i
			}
		}
	}
	return s
}

// Has reports whether the set contains a size.
func (s Sizes) Has(n int) bool { return s&SizeSet(n) != 0 }

// List returns the sizes in ascending order.
func (s Sizes) List() []int {
	var out []int
	for i, n := range AllSizes {
		if s&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// One returns the only size of a set, or 0 if there are several or none.
func (s Sizes) One() int {
	if l := s.List(); len(l) == 1 {
		return l[0]
	}
	return 0
}

func (s Sizes) String() string {
	var b []string
	for _, n := range s.List() {
		b = append(b, strconv.Itoa(n))
	}
	return strings.Join(b, "|")
}

// String returns the node in the syntax of the tables.
func (n *Node) String() string {
	var b strings.Builder
	n.write(&b, func(v *Node) string { return v.Name })
	return b.String()
}

func (n *Node) write(b *strings.Builder, name func(*Node) string) {
	suffix := func() {
		if n.Sizes != 0 {
			b.WriteString("@" + n.Sizes.String())
		}
		for _, p := range n.Preds {
			b.WriteString(":" + p)
		}
	}
	switch n.Kind {
	case Op:
		b.WriteString("(" + n.Name)
		suffix()
		for _, a := range n.Args {
			b.WriteByte(' ')
			a.write(b, name)
		}
		b.WriteByte(')')
	case Var:
		if n.Const {
			b.WriteByte('#')
		}
		b.WriteString(name(n))
		suffix()
		if n.Swz != "" {
			b.WriteString("." + n.Swz)
		}
	case Lit:
		b.WriteString(n.Name)
		suffix()
	}
}

// Walk calls f for the node and everything below it, parents first.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for _, a := range n.Args {
		a.Walk(f)
	}
}

// Commutes reports whether the first two arguments of the node may be exchanged, since its opcode is commutative.
func (n *Node) Commutes() bool {
	return n.Kind == Op && n.Code != nil && n.Code.Has("commutative") && len(n.Args) >= 2
}

// Depth returns the number of instructions on the longest path.
func (n *Node) Depth() int {
	if n.Kind != Op {
		return 0
	}
	d := 0
	for _, a := range n.Args {
		d = max(d, a.Depth())
	}
	return d + 1
}

// Ops counts the instructions of the pattern.
func (n *Node) Ops() int {
	c := 0
	n.Walk(func(x *Node) {
		if x.Kind == Op {
			c++
		}
	})
	return c
}

// Bits returns the bits of a literal at a size; a float is rounded. ok is false if an integer does not fit, or if a bool
// or a float cannot have that size.
func (n *Node) Bits(size int) (bits uint64, ok bool) {
	mask := ^uint64(0) >> (64 - size)
	switch n.LitKind {
	case LitBool:
		return n.Int, size == 1
	case LitFloat:
		switch size {
		case 16:
			return halfBits(n.Float), true
		case 32:
			return uint64(math.Float32bits(float32(n.Float))), true
		case 64:
			return math.Float64bits(n.Float), true
		}
		return 0, false
	}
	if n.Neg {
		return -n.Int & mask, n.Int <= 1<<(size-1)
	}
	return n.Int & mask, n.Int <= mask
}

// Exact reports whether the literal has a value at the size: see Bits. A float may be rounded.
func (n *Node) Exact(size int) bool {
	_, ok := n.Bits(size)
	return ok
}

// halfBits rounds to the nearest 16-bit float, ties to even.
func halfBits(f float64) uint64 {
	sign := uint64(0)
	if math.Signbit(f) {
		sign = 0x8000
	}
	a := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return 0x7e00
	case a >= 65520:
		return sign | 0x7c00
	case a < 0x1p-14:
		return sign | uint64(math.RoundToEven(a*0x1p24))
	}
	frac, exp := math.Frexp(a) // frac in [0.5, 1): 11 bits are kept
	return sign | (uint64(exp+13)<<10 + uint64(math.RoundToEven(frac*2048)))
}

// Error is an error in an expression.
type Error struct {
	Col int
	Msg string
}

func (e *Error) Error() string {
	if e.Col > 0 {
		return fmt.Sprintf("column %d: %s", e.Col, e.Msg)
	}
	return e.Msg
}

func errAt(n *Node, format string, args ...any) error {
	return &Error{n.Col, fmt.Sprintf(format, args...)}
}
