package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// written runs a subcommand and returns its standard output.
func written(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	a := &app{ctx: t.Context(), stdin: strings.NewReader(""), stdout: &out, stderr: &errs}
	if status := a.main(commands(), args); status != statusOK {
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
	for _, shell := range shellNames() {
		text := written(t, "completion", shell)
		for _, c := range commands() {
			if !strings.Contains(text, c.name) {
				t.Errorf("%s: no subcommand %s", shell, c.name)
			}
			for _, f := range c.flags() {
				if !strings.Contains(text, f.dashed()) && !strings.Contains(text, " -l "+f.name) && !strings.Contains(text, " -s "+f.name) {
					t.Errorf("%s: no flag %s of %s", shell, f.dashed(), c.name)
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
		pages = append(pages, []string{"man", c.name})
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
