package memory

import "jacquard.example/core/pass"

// context is what the passes of this package work on.
type context struct {
	*pass.Context
	*state
}

// state is what the functions of a pass share.
type state struct {
	indexed bool // offsets are as ExplicitIO makes them, see mergeIndexed
	wide    bool // only accesses at 64-bit addresses are merged, see MergeAddresses
	again   bool // constants that were made may be used again
	made    constants
}

func in(c *pass.Context) context {
	x := context{c, pass.Scratch[state](c)}
	x.indexed, x.wide, x.again = false, false, false
	return x
}
