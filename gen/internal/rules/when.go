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

// condition is a when condition over options. The nil condition always holds.
type condition struct {
	expr    ast.Expr
	options []string // the options it uses, each once
}

// The maximum number of options in a condition, and in several conditions together when
// all their settings are tried.
const (
	maxOptions = 6
	maxTried   = 2 * maxOptions
)

// condition parses a when condition and checks its options.
func (t *Table) condition(text string) (*condition, error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a condition; an example is lower_fdiv && !has_mad", text)
	}
	c := &condition{expr: e}
	if err := t.checkWhen(c, e); err != nil {
		return nil, err
	}
	if len(c.options) > maxOptions {
		return nil, fmt.Errorf("names %d options; at most %d are possible", len(c.options), maxOptions)
	}
	return c, nil
}

func (t *Table) checkWhen(c *condition, e ast.Expr) error {
	switch x := e.(type) {
	case *ast.Ident:
		var names []string
		for _, o := range t.Options {
			names = append(names, o.Name)
		}
		if !slices.Contains(names, x.Name) {
			return errors.New(diag.Unknown("option", x.Name, slices.Values(names)))
		}
		if !slices.Contains(c.options, x.Name) {
			c.options = append(c.options, x.Name)
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

// code returns the condition over the options o as Go.
func (c *condition) code() *jen.Statement { return whenCode(c.expr) }

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

// holds evaluates the condition.
func (c *condition) holds(on map[string]bool) bool {
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
func named(conds []*condition) (names []string) {
	for _, c := range conds {
		if c == nil {
			continue
		}
		for _, o := range c.options {
			if !slices.Contains(names, o) {
				names = append(names, o)
			}
		}
	}
	return names
}

// choices calls f with every setting of the options that the conditions use, the fewest options on first, until f
// returns false. There are at most maxTried options.
func choices(f func(on map[string]bool) (more bool), conds ...*condition) {
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

// least returns a smallest set of options under which the condition holds, or nil if it
// cannot hold.
func (c *condition) least() map[string]bool {
	var out map[string]bool
	choices(func(on map[string]bool) bool {
		if c.holds(on) {
			out = on
		}
		return out == nil
	}, c)
	return out
}

// implies reports whether at least one of the other conditions holds wherever c does. If
// together they use too many options, only whether a single one always does.
func (c *condition) implies(others ...*condition) bool {
	all := append([]*condition{c}, others...)
	if len(named(all)) > maxTried {
		return slices.ContainsFunc(others, func(o *condition) bool { return c.implies(o) })
	}
	out := true
	choices(func(on map[string]bool) bool {
		if c.holds(on) {
			out = slices.ContainsFunc(others, func(o *condition) bool { return o.holds(on) })
		}
		return out
	}, all...)
	return out
}
