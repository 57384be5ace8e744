package selectgen

import (
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/pattern"
)

// Coverage is what the rows of instruction selection take.
type Coverage struct {
	Ops        map[string]*Sizes
	Intrinsics map[string]bool
	Files      []string
}

// Sizes are the bit sizes that some row takes of an opcode's operands.
type Sizes struct {
	Out pattern.Sizes
	Src []pattern.Sizes
}

// Covers reads the rows. An opcode inside a pattern counts as much as one at the
// root: what reads it is at the root of another row, or of the same.
func Covers(ctx *domain.Context) (*Coverage, error) {
	l, err := load(ctx)
	if err != nil {
		return nil, err
	}
	c := &Coverage{Ops: map[string]*Sizes{}, Intrinsics: map[string]bool{}, Files: l.files}
	for _, o := range l.ops.Ops {
		c.Ops[o.Name] = &Sizes{Src: make([]pattern.Sizes, len(o.Srcs))}
	}
	for _, r := range l.rows {
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
	return c, nil
}
