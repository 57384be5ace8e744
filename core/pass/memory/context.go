package memory

import "jacquard.example/core/pass"

// context is what the passes of this package work on.
type context struct {
	*pass.Context
	indexed bool // offsets are as ExplicitIO makes them, see mergeIndexed
}

func in(c *pass.Context) context { return context{Context: c} }
