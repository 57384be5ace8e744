// SPDX-License-Identifier: MIT

package accesses

import "jacquard.example/core/pass"

// context is the pass.Context with this package's methods.
type context struct {
	*pass.Context
	*state
}

// state is shared by the functions of a pass.
type state struct {
	indexed bool // offsets have the form that package explicitio generates, see MergeIndexed
	wide    bool // merge only accesses at 64-bit addresses, see MergeAddresses
}

func in(c *pass.Context) context {
	x := context{c, pass.Scratch[state](c)}
	x.indexed, x.wide = false, false
	return x
}
