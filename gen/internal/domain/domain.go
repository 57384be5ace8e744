package domain

import (
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// Context is the argument of every part of the generator.
type Context struct {
	Roots []table.Root // the project's tables, then a user's own
	Out   *emit.Out

	used map[string]bool
}

// Use records that a part of the generator uses a row, such as
// "predicate.pow2".
func (c *Context) Use(row string) {
	if c.used == nil {
		c.used = map[string]bool{}
	}
	c.used[row] = true
}

// Used reports whether a part that has run uses a row.
func (c *Context) Used(row string) bool { return c.used[row] }

// Load reads one folder of the tables.
func (c *Context) Load(sub string) (*table.Set, error) { return table.Load(c.Roots, sub) }
