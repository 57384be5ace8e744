// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/cmd/jacquard/cli"
)

// TestStatus checks the exit status of commands that end in every possible way.
func TestStatus(t *testing.T) {
	ends := func(f func() error) func(*cli.FlagSet) func(*cli.App, []string) error {
		return func(*cli.FlagSet) func(*cli.App, []string) error {
			return func(*cli.App, []string) error { return f() }
		}
	}
	table := []cli.Command{
		{Name: "fine", Setup: ends(func() error { return nil })},
		{Name: "input", Setup: ends(func() error { return driver.WordError("x.spv", 7, "odd") })},
		{Name: "usage", Setup: ends(func() error { return cli.Usagef("no such thing") })},
		{Name: "panics", Setup: ends(func() error { panic("a\nb") })},
		{Name: "defect", Setup: ends(func() error {
			return fmt.Errorf("x.spv: %w",
				&jacquard.InternalError{Pass: "opt_dce", Function: "main", Cause: "no block", Stack: []byte("the stack\n")})
		})},
		{Name: "several", Setup: ends(func() error { return errors.Join(errors.New("one"), errors.New("two")) })},
		{Name: "stopped", Setup: ends(func() error { return context.Canceled })},
	}
	const report = "; this is a defect of jacquard VERSION: please report this line with the input and what --debug shows\n"
	for _, c := range []struct {
		args   string
		status int
		stderr string
	}{
		{"fine", 0, ""},
		{"input", 1, "x.spv: word 7: error: odd\n"},
		{"usage", 2, "jacquard usage: error: no such thing (see 'jacquard help usage')\n"},
		{"panics", 3, "jacquard: internal error in pass of jacquard panics, function (unknown): a b" + report},
		{"defect", 3, "jacquard: internal error in pass opt_dce, function main: no block" + report},
		{"defect --debug", 3, "jacquard: internal error in pass opt_dce, function main: no block" + report + "the stack\n"},
		{"several", 1, "one\ntwo\n"},
		{"stopped", 1, "jacquard: error: interrupted\n"},
		{"absent", 2, "jacquard: error: unknown subcommand \"absent\" (see 'jacquard help')\n"},
	} {
		var out, errs strings.Builder
		a := &cli.App{Ctx: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
		got := a.Main(table, strings.Fields(c.args))
		if said := strings.ReplaceAll(errs.String(), jacquard.Version(), "VERSION"); got != c.status || said != c.stderr ||
			out.String() != "" {
			t.Errorf("%s: status %d, want %d; stderr\n%swant\n%s", c.args, got, c.status, errs.String(), c.stderr)
		}
	}
}

// TestPanicShowsWhere checks that --debug shows the stack of a panic.
func TestPanicShowsWhere(t *testing.T) {
	var errs strings.Builder
	a := &cli.App{Ctx: t.Context(), Stderr: &errs}
	table := []cli.Command{{Name: "panics", Setup: func(*cli.FlagSet) func(*cli.App, []string) error { return panicking }}}
	if got := a.Main(table, []string{"panics", "--debug"}); got != cli.StatusInternal || !strings.Contains(errs.String(), "panicking") {
		t.Errorf("status %d\n%s", got, errs.String())
	}
}

func panicking(*cli.App, []string) error { panic("here") }

// TestFlagOrder checks that flags and other arguments come in any order.
func TestFlagOrder(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"f", `f - false "" false`},
		{"--name x f --on", `f x true "" false`},
		{"f -name=x g --passes=", `f g x false "" true`},
		{"--passes a,b --on f", `f - true "a,b" true`},
		{"--on -- --name -", `--name - - true "" false`},
		{"- --name=-", `- - false "" false`},
	} {
		fs := cli.NewFlagSet()
		name, on, passes := "-", false, cli.Optional{}
		fs.Text(&name, "name", "N", "")
		fs.Boolean(&on, "on", "")
		fs.Optional(&passes, "passes", "P", "")
		rest, err := fs.Parse(strings.Fields(c.args))
		got := fmt.Sprintf("%s %s %t %q %t", strings.Join(rest, " "), name, on, passes.Value, passes.IsSet)
		if err != nil || got != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.args, got, err, c.want)
		}
	}
}

// TestViewPage checks that text cannot break out of the page and that new lines
// are marked.
func TestViewPage(t *testing.T) {
	first := step{Title: "input", Lines: stepLines(nil, []byte("a\n<b>\n"))}
	second := step{Title: "opt_x", Lines: stepLines(first.Lines, []byte("a\n<c>\n"))}
	page := string(viewPage("{{columns}}<x>.spv", []step{first, second}))
	for _, want := range []string{"<title>{{columns}}&lt;x&gt;.spv</title>", "<h2>input</h2><pre>a\n&lt;b&gt;\n</pre>", "<h2>opt_x</h2><pre>a\n<ins>&lt;c&gt;</ins>\n</pre>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
}

// TestHelpOfEstimate looks for the default trip count and the limits of the estimate in the help of compile.
func TestHelpOfEstimate(t *testing.T) {
	var out strings.Builder
	a := &cli.App{Ctx: t.Context(), Stdout: &out, Stderr: &out}
	if status := a.Main(commands(), []string{"help", "compile"}); status != 0 {
		t.Fatalf("status %d\n%s", status, out.String())
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, fact := range []string{
		fmt.Sprintf("A loop of unknown count is assumed to run %d times", perf.AssumedTrips), `"assumed_loops"`,
		"divergence (both arms of an if count", "the number of threads", "barriers", "caches and addresses",
		"'jacquard run --on eu --stats' counts",
	} {
		if !strings.Contains(text, fact) {
			t.Errorf("the help of compile lacks %q\n%s", fact, text)
		}
	}
}
