// SPDX-License-Identifier: MIT

package rules

import (
	"slices"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/matchgen"
	"jacquard.example/gen/internal/pattern"
)

// GivesUpFlag reports whether the rule itself gives up a property of floats, rather than only later rewrites of the
// operations that it makes.
func (r *Rule) GivesUpFlag(name string) bool {
	return slices.Contains(r.GivesUp, name) && !slices.Contains(r.Inherits, name)
}

// Claimed returns the properties that the rule itself gives up.
func (r *Rule) Claimed() []string {
	return slices.DeleteFunc(slices.Clone(r.GivesUp), func(g string) bool { return !r.GivesUpFlag(g) })
}

// Loose reports whether the replacement may round differently from find, apart from fusing.
func (r *Rule) Loose() bool { return r.GivesUpFlag("reassoc") || r.GivesUpFlag("transform") }

// Float reports whether the rule computes with floats.
func (r *Rule) Float() bool { return anyFloat(r.Find) || anyFloat(r.Replace) }

// FloatResult reports whether the results of the two sides are compared as floats.
func (r *Rule) FloatResult() bool {
	return r.Find.Base == eval.Float || r.Replace.Base == eval.Float
}

func anyFloat(n *pattern.Node) bool {
	found := false
	n.Walk(func(n *pattern.Node) { found = found || n.Kind == pattern.Op && matchgen.IsFloatOp(n.Code) })
	return found
}
