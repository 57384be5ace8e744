// Package flow holds the passes that change control flow: returns, calls, small
// ifs, code that control never comes to, and the means of others to insert ifs
// and loops.
package flow

import "jacquard.example/core/pass"

// context is what the passes of this package work on.
type context struct{ *pass.Context }

func in(c *pass.Context) context { return context{c} }
