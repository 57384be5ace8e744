// SPDX-License-Identifier: MIT

package selectgen

import (
	"regexp"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// TestGivesUpIsRequired: a rule must list a flag that a row gives up on an operation that the rule makes, unless the API allows
// the same for the operations that the rule matches; flags listed needlessly are refused too.
func TestGivesUpIsRequired(t *testing.T) {
	const rows = `
[rule.row_of_selection]
find    = "(own a 1)"
replace = "(fneg (ffract a))"

[rule.listed]
find     = "(own a 2)"
replace  = "(fneg (ffract a))"
gives_up = ["transform"]

[rule.inherited]
find     = "(own a 3)"
replace  = "(fneg (ffract a))"
gives_up = ["transform"]
inherits = ["transform"]

[rule.another_size]
find    = "(own@16|64 a 4)"
replace = "(fneg (ffract a))"

[rule.rule_that_always_fires]
find     = "(own (frcp a) 5)"
replace  = "(fdiv a 3.0)"
gives_up = ["reassoc"]

[rule.of_an_operation_with_that_freedom]
find     = "(own (fdiv a b) 6)"
replace  = "(fdiv b a)"
gives_up = ["reassoc"]

[rule.of_constants]
find     = "(own (fmul a #b) 7)"
replace  = "(fmul a (fdiv b 3.0))"

[rule.its_own_freedom]
find       = "(own a 8)"
replace    = "(fadd a (ffract (fneg a)))"
gives_up   = ["nsz"]
allowed_by = "an example"

[rule.inherited_needlessly]
find     = "(own a 9)"
replace  = "(fmul a a)"
gives_up = ["reassoc"]
inherits = ["reassoc"]
`
	const ops = `
[op.own]
doc  = "One of several operations."
in   = ["float", "int32"]
out  = "float"
eval = "sel(b == 0, -a, a)"
test = ["(own@32 1.0 1) = 1.0"]
`
	const want = `own/algebraic/own.toml:2: error: [rule.row_of_selection] gives_up: transform is missing: the rule produces ffract from operations that keep it, and [select.ffract] at defs/intel/select/float.toml gives it up
own/algebraic/own.toml:21: error: [rule.rule_that_always_fires] gives_up: transform is missing: the rule produces fdiv from operations that keep it, and [rule.lower_fdiv] at defs/algebraic/lower_float.toml gives it up
own/algebraic/own.toml:35: error: [rule.its_own_freedom] gives_up: transform is missing: the rule produces ffract from operations that keep it, and [select.ffract] at defs/intel/select/float.toml gives it up
own/algebraic/own.toml:41: error: [rule.inherited_needlessly] inherits: reassoc: no row gives it up on an operation that the rule produces from operations that keep it`
	dir := t.TempDir()
	write(t, dir, "algebraic/own.toml", rows)
	write(t, dir, "opcodes/own.toml", ops)
	err := CheckFreedom(&domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}, {Dir: dir, Name: "own"}}})
	if err == nil {
		t.Fatal("accepted")
	}
	// The lines of other tables change with the rows above them.
	got := regexp.MustCompile(`(own\.toml:\d+):1:|( at defs/[a-z_/]+\.toml):\d+`).ReplaceAllString(err.Error(), "$1$2:")
	got = regexp.MustCompile(`\.toml: gives`).ReplaceAllString(got, ".toml gives")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
