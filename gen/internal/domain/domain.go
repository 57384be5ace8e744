package domain

import (
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// Context is the argument of every part of the generator.
type Context struct {
	Roots []table.Root // the project's tables, then a user's own
	Out   *emit.Out

	used   map[string]bool
	tables map[string]any // read by Once
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

// Once returns the table of a name. It calls read the first time; all parts then share the table, and must not change it.
func Once[T any](c *Context, name string, read func(*Context) (T, error)) (T, error) {
	if t, ok := c.tables[name].(T); ok {
		return t, nil
	}
	t, err := read(c)
	if err == nil {
		if c.tables == nil {
			c.tables = map[string]any{}
		}
		c.tables[name] = t
	}
	return t, err
}
