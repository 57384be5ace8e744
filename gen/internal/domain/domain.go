// Package domain says what a part of the generator is: a function that reads
// its own folder of the tables and adds files.
package domain

import (
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// Context is what every part of the generator gets.
type Context struct {
	Roots []table.Root // the project's tables, then a user's own
	Out   *emit.Out
}

// Load reads one folder of the tables.
func (c *Context) Load(sub string) (*table.Set, error) { return table.Load(c.Roots, sub) }
