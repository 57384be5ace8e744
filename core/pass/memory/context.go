// SPDX-License-Identifier: MIT

package memory

import "jacquard.example/core/pass"

// context is the pass.Context with this package's methods.
type context struct{ *pass.Context }

func in(c *pass.Context) context { return context{c} }
