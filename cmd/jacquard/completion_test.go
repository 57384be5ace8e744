// SPDX-License-Identifier: MIT

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"jacquard.example/cmd/jacquard/cli"
)

// written runs a subcommand and returns its standard output.
func written(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	a := &cli.App{Ctx: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	if status := a.Main(commands(), args); status != cli.StatusOK {
		t.Fatalf("%v: status %d: %s", args, status, errs.String())
	}
	return out.String()
}

// TestCompletionBash lets bash complete lines, as it would at the prompt.
func TestCompletionBash(t *testing.T) {
	script := filepath.Join(t.TempDir(), "jacquard.bash")
	if err := os.WriteFile(script, []byte(written(t, "completion", "bash")), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		want []string
	}{
		{"jacquard comp", []string{"compile", "compare", "completion"}},
		{"jacquard help lim", []string{"limits"}},
		{"jacquard compile --ta", []string{"--target"}},
		{"jacquard compile --target s", []string{"skl"}},
		{"jacquard compile --emit ab", []string{"abi"}},
		{"jacquard compile --simd ", []string{"auto", "8", "16", "32"}},
		{"jacquard asm --de", []string{"--debug"}},
	} {
		words := strings.Split(c.line, " ")
		run := `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _jacquard; printf '%s\n' "${COMPREPLY[@]}"`
		out, err := exec.Command("bash", append([]string{"-c", run, "bash", script}, words...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.line, err, out)
		}
		if got := strings.Fields(string(out)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

// flagsIn returns the flags that the completions for a shell have for a subcommand.
func flagsIn(shell, text, name string) (flags []string) {
	find := func(in, pattern string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(in, -1) {
			flags = append(flags, m[1])
		}
	}
	switch shell {
	case "bash":
		_, rest, _ := strings.Cut(text, "\t"+name+")\n\t\tcase ")
		_, rest, _ = strings.Cut(rest, "flags='")
		rest, _, _ = strings.Cut(rest, "'")
		return strings.Fields(rest)
	case "zsh":
		_, rest, _ := strings.Cut(text, "\t"+name+") _arguments")
		rest, _, _ = strings.Cut(rest, "*:file:_files")
		find(rest, `(?m)^\t\t'(--?[\w-]+)\[`)
	case "fish":
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(line, "complete -c jacquard -n '__fish_seen_subcommand_from "+name+"' "); ok {
				find(strings.Replace(strings.Replace(rest, "-s ", "-", 1), "-l ", "--", 1), `^(--?[\w-]+) `)
			}
		}
	}
	return flags
}

// TestCompletions checks that the completions for every shell have all subcommands, each with its flags in the order of the help
// text, and has each installed shell check the syntax of its script.
func TestCompletions(t *testing.T) {
	for _, shell := range cli.ShellNames() {
		text := written(t, "completion", shell)
		for _, c := range commands() {
			var want []string
			for _, f := range c.Flags() {
				want = append(want, f.Dashed())
			}
			if got := flagsIn(shell, text, c.Name); !slices.Equal(got, want) {
				t.Errorf("%s: %s has the flags %v, want %v", shell, c.Name, got, want)
			}
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue // bash is in every Debian
		}
		cmd := exec.Command(path, "-n")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, out)
		}
	}
}

// TestManPages checks that the manual pages have all subcommands and flags, checks the lines of the pages, and lets groff
// format them, if it is there.
func TestManPages(t *testing.T) {
	pages, overview := [][]string{{"man"}}, written(t, "man")
	for _, c := range commands() {
		pages = append(pages, []string{"man", c.Name})
		if !strings.Contains(overview, ".BR jacquard\\-"+c.Name+" (1)\n") {
			t.Errorf("the page that lists subcommands lacks %s", c.Name)
		}
		_, entries, _ := strings.Cut(written(t, "man", c.Name), ".SH FLAGS\n")
		var got, want []string
		for _, m := range regexp.MustCompile(`(?m)^\.B (\S+)`).FindAllStringSubmatch(entries, -1) {
			got = append(got, strings.ReplaceAll(m[1], `\-`, "-"))
		}
		for _, f := range c.Flags() {
			want = append(want, f.Dashed())
		}
		if !slices.Equal(got, want) {
			t.Errorf("the page of %s has the flags %v, want %v", c.Name, got, want)
		}
	}
	requests := []string{".TH", ".SH", ".TP", ".B", ".BR", ".PP", ".nf", ".fi"}
	groff, _ := exec.LookPath("groff")
	for _, args := range pages {
		text := written(t, args...)
		if !strings.HasPrefix(text, ".TH JACQUARD") {
			t.Errorf("%v begins with %.40q", args, text)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !slices.Contains(requests, strings.Fields(line)[0]) {
				t.Errorf("%v: a request: %s", args, line)
			}
		}
		if groff == "" {
			continue
		}
		cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("groff: %v: %v\n%s", args, err, out)
		}
	}
}
