// SPDX-License-Identifier: MIT

package pass

import "jacquard.example/core/match"

// Rules returns the function of a pass that runs a set of rewrite rules. If the run exhausts its budget, the shader is
// still correct; Options.RuleStats records it.
func Rules(set *match.Set) func(*Context) bool {
	return func(c *Context) bool {
		changed, _ := c.match.Apply(c.S, c.F, set, &c.Target().Rewrite, c.Options.RuleStats)
		return changed
	}
}
