// SPDX-License-Identifier: MIT

package selectgen

import (
	"slices"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/pattern"
)

// Coverage holds the operations that the rows of instruction selection match on some machines.
type Coverage struct {
	Where
	Ops map[string]*Sizes
	// execution sizes at which a row matches an opcode with any operands; AnySize without an execution size
	Any        map[string]pattern.Sizes
	Intrinsics map[string]bool
}

// Sizes are the bit sizes of an opcode's operands that some row matches.
type Sizes struct {
	Out pattern.Sizes
	Src []pattern.Sizes
}

// Covers returns the coverage of the rows. An opcode inside a pattern counts as much as one at the root: its user is at
// the root of another row, or of the same. Rows for the same machines are combined; the rows for all machines come
// first.
func Covers(ctx *domain.Context) (covers []*Coverage, files []string, err error) {
	l, err := load(ctx)
	if err != nil {
		return nil, nil, err
	}
	covers = []*Coverage{l.coverage(Where{})}
	for _, r := range l.rows {
		i := slices.IndexFunc(covers, func(c *Coverage) bool { return c.within(&r.where) && r.where.within(&c.Where) })
		if i < 0 {
			i, covers = len(covers), append(covers, l.coverage(r.where))
		}
		c := covers[i]
		if n := r.find; n.Code != nil && n.Whatever() && !restricted(n) {
			sizes := pattern.AnySize
			if n.Exec >= 0 {
				sizes = r.typing.Set(n.Exec)
			}
			c.Any[n.Name] |= sizes
		}
		r.find.Walk(func(n *pattern.Node) {
			switch {
			case n.Kind != pattern.Op:
			case n.Code != nil:
				x := c.Ops[n.Code.Name]
				x.Out |= r.typing.Set(n.Class)
				for i, a := range n.Args {
					x.Src[i] |= r.typing.Set(a.Class)
				}
			case n.Name != condRoot:
				c.Intrinsics[n.Name] = true
			}
		})
	}
	return covers, l.files, nil
}

// coverage returns an empty coverage.
func (l *loader) coverage(w Where) *Coverage {
	c := &Coverage{Where: w, Ops: map[string]*Sizes{}, Any: map[string]pattern.Sizes{}, Intrinsics: map[string]bool{}}
	for _, o := range l.ops.Ops {
		c.Ops[o.Name] = &Sizes{Src: make([]pattern.Sizes, len(o.Srcs))}
	}
	return c
}

// restricted reports whether predicates restrict the values that a node matches.
func restricted(n *pattern.Node) bool {
	some := func(n *pattern.Node) bool {
		return slices.ContainsFunc(n.Preds, func(p string) bool { return !operandFlags[p] })
	}
	return some(n) || slices.ContainsFunc(n.Args, some)
}
