// SPDX-License-Identifier: MIT

package ruleset

import (
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
)

// TestUnused: predicates and options that nothing uses are rejected.
func TestUnused(t *testing.T) {
	dir := t.TempDir()
	const text = `[predicate.used]
doc  = "Some bit is set."
kind = "value"
of   = "uint"
eval = "a != 0"

[predicate.odd]
doc  = "The lowest bit is set."
kind = "value"
of   = "uint"
eval = "a & 1 != 0"

[option.has_mad]
doc = "There is a mad."
`
	if err := os.Mkdir(filepath.Join(dir, rules.Dir), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, rules.Dir, "x.toml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := &domain.Context{Roots: []table.Root{{Dir: dir, Name: "defs"}}}
	ctx.Use("predicate.used")
	const want = `defs/algebraic/x.toml:7:1: error: [predicate.odd] no rule and no instruction selection row uses it
defs/algebraic/x.toml:13:1: error: [option.has_mad] no rule and no lowering depends on it`
	if err := Unused(ctx); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
