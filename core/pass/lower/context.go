package lower

import "jacquard.example/core/pass"

// context is what the passes of this package work on.
type context struct{ *pass.Context }

func in(c *pass.Context) context { return context{c} }
