// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/rulebook"
)

// wrongRules are wrong for a power of two below zero, for a field that passes
// the last bit, for NaN and for -0; the last one holds.
const wrongRules = `
[rule.msb_of_magnitude]
find    = "(ifind_msb (f2i32 a@32))"
replace = "(ufind_msb (f2i32 (fabs a)))"

[rule.field_without_minimum]
find    = "(ubfe v o (umin w (isub 32 (iand o 31))))"
replace = "(ubfe v o w)"

[rule.less_as_number]
find    = "(feq (b2f32 (flt@32 a b)) 0.0)"
replace = "(fge a b)"

[rule.plus_zero]
find     = "(fadd@32 a 0.0)"
replace  = "a"
gives_up = ["denorm"]

[rule.minus_minus]
find    = "(ineg@32 (ineg a))"
replace = "a"
`

// TestRulesProve proves rules of a file outside the project: text, JSON, names
// and the exit status.
func TestRulesProve(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("z3 is missing: apt-get install z3")
		}
		t.Skip("z3 is missing: apt-get install z3")
	}
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte(wrongRules), 0o666); err != nil {
		t.Fatal(err)
	}
	prove := func(args ...string) (string, int) {
		var out, errs strings.Builder
		a := &cli.App{Ctx: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
		status := a.Main([]cli.Command{rulebook.RulesCommand}, append([]string{"rules", "prove", "--rules", file}, args...))
		return out.String() + errs.String(), status
	}
	text, status := prove()
	if status != 1 {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{
		"mine.toml:2: error: [rule.msb_of_magnitude] (a@32) is wrong: (ifind_msb@32 (f2i32@32 ",
		"error: [rule.field_without_minimum]",
		"error: [rule.less_as_number] (a@32, b@32) is wrong: (feq@32 (b2f32 (flt@32 ",
		"error: [rule.plus_zero] (a@32) is wrong: (fadd@32 -0.0 0.0) = 0.0, but -0.0 = -0.0",
		"minus_minus (a@32) proved by bits",
		"5 rules and claims of rows at their sizes: 1 proved (bits 1), 4 refuted",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text, status := prove("minus_minus"); status != 0 || strings.Contains(text, "wrong") {
		t.Errorf("minus_minus: status %d\n%s", status, text)
	}
	if text, status := prove("plus"); status != 1 || !strings.Contains(text, `unknown rule "plus"`) {
		t.Errorf("plus: status %d\n%s", status, text)
	}
	text, status = prove("--json", "plus_zero", "minus_minus")
	var list []struct{ Rule, Sizes, Status, Counterexample string }
	end := strings.LastIndexByte(text, ']')
	if err := json.Unmarshal([]byte(text[:end+1]), &list); err != nil || status != 1 {
		t.Fatalf("status %d, %v\n%s", status, err, text)
	}
	got := []string{}
	for _, x := range list {
		got = append(got, x.Rule+" "+x.Status)
	}
	if !slices.Equal(got, []string{"plus_zero refuted", "minus_minus proved"}) || !strings.HasPrefix(list[0].Counterexample, "(fadd@32 -0.0 0.0) = 0.0") {
		t.Errorf("JSON: %s", text)
	}
}
