package memory

import "jacquard.example/core/pass"

// context is the receiver of the passes of this package.
type context struct {
	*pass.Context
	*state
}

// state is shared by the functions of a pass.
type state struct {
	indexed bool // offsets have the form that ExplicitIO generates, see mergeIndexed
	wide    bool // merge only accesses at 64-bit addresses, see MergeAddresses
	again   bool // imm may reuse constants
	made    constants
}

func in(c *pass.Context) context {
	x := context{c, pass.Scratch[state](c)}
	x.indexed, x.wide, x.again = false, false, false
	return x
}
