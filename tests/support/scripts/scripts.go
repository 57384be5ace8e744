// SPDX-License-Identifier: MIT

// Package scripts reads AmberScripts for tests: [Files] lists the files that match a pattern
// and fails the test if there are none, [Read] parses a script and fails the test with its
// error. It spares tests from handling errors that can only be mistakes in the tests, and runs
// nothing: that takes an engine.
package scripts

import (
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
)

// Files returns the files that match a pattern. If there are none, the test fails.
func Files(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files (%v)", pattern, err)
	}
	return files
}

// Read reads and parses a script, and the files next to it that it names. A failure fails the test.
func Read(t testing.TB, file string) *runner.Script {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	script, err := amber.ParseIn(t.Context(), os.DirFS(filepath.Dir(file)), file, text)
	if err != nil {
		t.Fatal(err)
	}
	return script
}
