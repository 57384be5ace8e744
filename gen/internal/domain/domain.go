// SPDX-License-Identifier: MIT

package domain

import (
	"maps"
	"slices"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// Context is the argument of every part of the generator.
type Context struct {
	Roots []table.Root // the project's tables, then a user's own
	Out   *emit.Out

	used   map[string]bool
	tables map[string]shared // read by Once
	reads  []map[string]bool // the folders read by each call of Once in progress
}

// shared is a table that parts share, and the folders that it was read from.
type shared struct {
	table   any
	folders map[string]bool
}

// With returns a context with one more root, which contains only the folder sub.
func (c *Context) With(root table.Root, sub string) *Context {
	return c.Of(append(slices.Clip(c.Roots), root), sub)
}

// Of returns a context of roots that differ from the roots of c in the folder sub only. It shares what c has read from
// other folders, and discards its output.
func (c *Context) Of(roots []table.Root, sub string) *Context {
	d := &Context{Roots: roots, Out: emit.Discard(), used: maps.Clone(c.used), tables: map[string]shared{}}
	for name, s := range c.tables {
		if !s.folders[sub] {
			d.tables[name] = s
		}
	}
	return d
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
func (c *Context) Load(sub string) (*table.Set, error) {
	c.reading(map[string]bool{sub: true})
	return table.Load(c.Roots, sub)
}

// reading records folders for all calls of Once in progress.
func (c *Context) reading(folders map[string]bool) {
	for _, r := range c.reads {
		maps.Copy(r, folders)
	}
}

// Once returns the table of a name. It calls read the first time; all parts then share the table, and must not change it.
func Once[T any](c *Context, name string, read func(*Context) (T, error)) (T, error) {
	if s, ok := c.tables[name]; ok {
		c.reading(s.folders)
		return s.table.(T), nil
	}
	folders := map[string]bool{}
	c.reads = append(c.reads, folders)
	t, err := read(c)
	c.reads = c.reads[:len(c.reads)-1]
	if err == nil {
		if c.tables == nil {
			c.tables = map[string]shared{}
		}
		c.tables[name] = shared{t, folders}
	}
	return t, err
}
