// Package lower holds the passes that express operations by those that a target
// has: 64-bit integers, floats taken apart, operations across a subgroup, system
// values.
package lower

import "jacquard.example/core/pass"

// context is what the passes of this package work on.
type context struct{ *pass.Context }

func in(c *pass.Context) context { return context{c} }
