package pass

import "jacquard.example/core/match"

// Rules returns the function of a pass that runs a set of rewrite rules.
func Rules(set *match.Set) func(*Context) bool {
	return func(c *Context) bool {
		changed, err := c.match.Apply(c.S, c.F, set, &c.Target().Rewrite, c.Options.RuleStats)
		if err != nil {
			c.Fail("%v", err)
		}
		return changed
	}
}
