package pass

import "jacquard.example/core/match"

// Rules returns the function of a pass that runs a set of rewrite rules. A run that exhausts its budget leaves a correct
// shader, and is recorded in Options.RuleStats.
func Rules(set *match.Set) func(*Context) bool {
	return func(c *Context) bool {
		changed, _ := c.match.Apply(c.S, c.F, set, &c.Target().Rewrite, c.Options.RuleStats)
		return changed
	}
}
