// SPDX-License-Identifier: MIT

package explicitio

import "jacquard.example/core/pass"

// context is the pass.Context with this package's methods.
type context struct {
	*pass.Context
	*state
}

// state is shared by the functions of a pass.
type state struct {
	again bool // imm may reuse constants
	made  constants
}

func in(c *pass.Context) context {
	x := context{c, pass.Scratch[state](c)}
	x.again = false
	return x
}
