// SPDX-License-Identifier: MIT

package rules

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
)

// Condition is a when condition over options. The nil condition always holds.
type Condition struct {
	expr    ast.Expr
	Options []string // the options it uses, each once
}

// The maximum number of options in a condition, and in several conditions together when
// all their settings are tried.
const (
	maxOptions = 6
	maxTried   = 2 * maxOptions
)

// condition parses a when condition and checks its options.
func (t *Table) condition(text string) (*Condition, error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a condition; an example is lower_fdiv && !has_rotate", text)
	}
	c := &Condition{expr: e}
	if err := t.checkWhen(c, e); err != nil {
		return nil, err
	}
	if len(c.Options) > maxOptions {
		return nil, fmt.Errorf("names %d options; at most %d are possible", len(c.Options), maxOptions)
	}
	return c, nil
}

func (t *Table) checkWhen(c *Condition, e ast.Expr) error {
	switch x := e.(type) {
	case *ast.Ident:
		var names []string
		for _, o := range t.Options {
			names = append(names, o.Name)
		}
		if !slices.Contains(names, x.Name) {
			return errors.New(diag.Unknown("option", x.Name, slices.Values(names)))
		}
		if !slices.Contains(c.Options, x.Name) {
			c.Options = append(c.Options, x.Name)
		}
		return nil
	case *ast.ParenExpr:
		return t.checkWhen(c, x.X)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return t.checkWhen(c, x.X)
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			if err := t.checkWhen(c, x.X); err != nil {
				return err
			}
			return t.checkWhen(c, x.Y)
		}
	}
	return fmt.Errorf("only options, !, && and || are supported")
}

// Code returns the condition over the options o as Go.
func (c *Condition) Code() *jen.Statement { return whenCode(c.expr) }

func whenCode(e ast.Expr) *jen.Statement {
	switch x := e.(type) {
	case *ast.Ident:
		return emit.Go("o.Has(option." + irtab.Camel(x.Name) + ")")
	case *ast.ParenExpr:
		return jen.Parens(whenCode(x.X))
	case *ast.UnaryExpr:
		return jen.Op("!").Add(whenCode(x.X))
	}
	x := e.(*ast.BinaryExpr)
	return whenCode(x.X).Op(x.Op.String()).Add(whenCode(x.Y))
}

// Holds evaluates the condition.
func (c *Condition) Holds(on map[string]bool) bool {
	return c == nil || holds(c.expr, on)
}

func holds(e ast.Expr, on map[string]bool) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return on[x.Name]
	case *ast.ParenExpr:
		return holds(x.X, on)
	case *ast.UnaryExpr:
		return !holds(x.X, on)
	}
	x := e.(*ast.BinaryExpr)
	if x.Op == token.LAND {
		return holds(x.X, on) && holds(x.Y, on)
	}
	return holds(x.X, on) || holds(x.Y, on)
}

// named returns the options that conditions use.
func named(conds []*Condition) (names []string) {
	for _, c := range conds {
		if c == nil {
			continue
		}
		for _, o := range c.Options {
			if !slices.Contains(names, o) {
				names = append(names, o)
			}
		}
	}
	return names
}

// Choices calls f with every setting of the options that the conditions use, the fewest options on first, until f
// returns false. The conditions must use at most maxTried options.
func Choices(f func(on map[string]bool) (more bool), conds ...*Condition) {
	names := named(conds)
	for many := range len(names) + 1 {
		for bits := range 1 << len(names) {
			on := map[string]bool{}
			for i, n := range names {
				if bits>>i&1 != 0 {
					on[n] = true
				}
			}
			if len(on) == many && !f(on) {
				return
			}
		}
	}
}

// Least returns a smallest set of options under which the condition holds, or nil if it
// cannot hold.
func (c *Condition) Least() map[string]bool {
	var out map[string]bool
	Choices(func(on map[string]bool) bool {
		if c.Holds(on) {
			out = on
		}
		return out == nil
	}, c)
	return out
}

// implies reports whether at least one of the other conditions holds wherever c does. If
// together they use more than maxTried options, it reports whether a single one does.
func (c *Condition) implies(others ...*Condition) bool {
	all := append([]*Condition{c}, others...)
	if len(named(all)) > maxTried {
		return slices.ContainsFunc(others, func(o *Condition) bool { return c.implies(o) })
	}
	out := true
	Choices(func(on map[string]bool) bool {
		if c.Holds(on) {
			out = slices.ContainsFunc(others, func(o *Condition) bool { return o.Holds(on) })
		}
		return out
	}, all...)
	return out
}
