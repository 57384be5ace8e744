// SPDX-License-Identifier: MIT

// Package command builds the command for tests that run it as users do: as a process with arguments, files, standard
// streams and an exit status. Tests that can call a package directly should not use it, since every [Build] costs
// seconds.
package command

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Build builds the command and returns the file, named jacquard and alone in its folder.
func Build(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "jacquard")
	if out, err := exec.Command("go", "build", "-o", file, "jacquard.example/cmd/jacquard").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}
