// SPDX-License-Identifier: MIT

package domain

import (
	"testing"

	"jacquard.example/gen/internal/table"
)

// TestContextWithRoot: a context with one more root reads again only the tables that depend on its folder, directly or through
// other tables.
func TestContextWithRoot(t *testing.T) {
	reads := map[string]int{}
	reader := func(name string, needs ...string) func(*Context) (string, error) {
		return func(c *Context) (string, error) {
			reads[name]++
			for _, n := range needs {
				if _, err := c.Load(n); err != nil {
					return "", err
				}
			}
			return name, nil
		}
	}
	read := func(c *Context) {
		t.Helper()
		for range 2 {
			if _, err := Once(c, "a", reader("a", "ops")); err != nil {
				t.Fatal(err)
			}
			if _, err := Once(c, "b", func(c *Context) (string, error) {
				if _, err := Once(c, "a", reader("a", "ops")); err != nil {
					return "", err
				}
				return reader("b", "rules")(c)
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	base := &Context{}
	read(base)
	if reads["a"] != 1 || reads["b"] != 1 {
		t.Errorf("read %v times in one context", reads)
	}
	for sub, want := range map[string][2]int{"ops": {1, 1}, "rules": {0, 1}, "other": {0, 0}} {
		clear(reads)
		read(base.With(table.Root{Dir: t.TempDir(), Name: "own"}, sub))
		if got := [2]int{reads["a"], reads["b"]}; got != want {
			t.Errorf("with %s: read %v times, want %v", sub, got, want)
		}
	}
}
