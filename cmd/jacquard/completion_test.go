package main

import (
	"os"
	"os/exec"
	"path/filepath"
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

// TestCompletions checks that the completions for every shell name all subcommands and flags, and has each installed
// shell check the syntax of its script.
func TestCompletions(t *testing.T) {
	for _, shell := range cli.ShellNames() {
		text := written(t, "completion", shell)
		for _, c := range commands() {
			if !strings.Contains(text, c.Name) {
				t.Errorf("%s: no subcommand %s", shell, c.Name)
			}
			for _, f := range c.Flags() {
				if !strings.Contains(text, f.Dashed()) && !strings.Contains(text, " -l "+f.Name) && !strings.Contains(text, " -s "+f.Name) {
					t.Errorf("%s: no flag %s of %s", shell, f.Dashed(), c.Name)
				}
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

// TestManPages checks the lines of all manual pages, and lets groff format them, if it is there.
func TestManPages(t *testing.T) {
	pages := [][]string{{"man"}}
	for _, c := range commands() {
		pages = append(pages, []string{"man", c.Name})
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
