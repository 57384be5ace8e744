package memory

import "jacquard.example/core/pass"

// context is the receiver of the passes of this package.
type context struct{ *pass.Context }

func in(c *pass.Context) context { return context{c} }
