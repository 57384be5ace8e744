// SPDX-License-Identifier: MIT

package tree

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/tests/lint/checks"
)

// lint runs the project's analyzers over packages and returns their findings.
func lint(t *testing.T, args ...string) (found string, ok bool) {
	t.Helper()
	// The go command tracks the files that a test opens, but not files opened by the commands that it starts: without
	// this the cached result would be used after a file changes.
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(t.TempDir(), "lint")
	for _, c := range [][]string{{"build", "-o", tool, "./tests/lint"}, append([]string{"vet", "-vettool=" + tool}, args...)} {
		cmd := exec.Command("go", c...)
		cmd.Dir = "../../.."
		out, err := cmd.CombinedOutput()
		if _, failed := err.(*exec.ExitError); err != nil && !failed {
			t.Fatal(err)
		}
		if found += string(out); err != nil {
			return found, false
		}
	}
	return found, true
}

// TestLint: the project's analyzers find nothing.
func TestLint(t *testing.T) {
	if found, ok := lint(t, "./..."); !ok {
		t.Error(found)
	}
}

// TestO03NoMapFromLocations: nothing after the lowering of inputs and outputs maps a location to a
// register.
func TestO03NoMapFromLocations(t *testing.T) {
	if found, ok := lint(t, "-locations", "./backend/...", "./core/interp", "./core/draw"); !ok {
		t.Error(found)
	}
}

// TestLintExceptions: the code that may know the contents of sends needs to.
func TestLintExceptions(t *testing.T) {
	found, _ := lint(t, "-descriptors", "-descriptors.everywhere", "./backend/...")
	for _, k := range checks.KnowsSends {
		if !strings.Contains(found, k) {
			t.Errorf("%s knows nothing of sends: the exception is not needed", k)
		}
	}
}
