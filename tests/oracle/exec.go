// SPDX-License-Identifier: MIT

package oracle

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A ToolError reports that a tool exited with a nonzero status, which is the oracle's "no". Failures to start it end the
// test instead.
type ToolError struct {
	Tool   string
	Status int
	Output string // standard error, or standard output if that is empty
}

func (e *ToolError) Error() string {
	return fmt.Sprintf("%s: exit status %d: %s", e.Tool, e.Status, strings.TrimSpace(e.Output))
}

// Run runs a tool with standard input and returns its standard output and standard error. The
// error is nil or a *[ToolError].
func Run(t testing.TB, tool string, stdin []byte, args ...string) (stdout, stderr []byte, err error) {
	t.Helper()
	return runFile(t, "", Need(t, tool), stdin, args...)
}

// RunProgram runs a program that a test has built, as [Run] runs a tool, and returns its standard output.
func RunProgram(t testing.TB, path string, stdin []byte, args ...string) (stdout []byte, err error) {
	t.Helper()
	stdout, _, err = runFile(t, "", path, stdin, args...)
	return stdout, err
}

func runFile(t testing.TB, dir, path string, stdin []byte, args ...string) (stdout, stderr []byte, err error) {
	t.Helper()
	tool := filepath.Base(path)
	cmd := exec.CommandContext(t.Context(), path, args...)
	var out, errs bytes.Buffer
	cmd.Dir = dir // "" means the test's own folder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		said := errs.String()
		if strings.TrimSpace(said) == "" {
			said = out.String()
		}
		err = &ToolError{tool, exit.ExitCode(), said}
	case err != nil:
		t.Fatalf("%s: %v", tool, err)
	}
	return out.Bytes(), errs.Bytes(), err
}

// files writes contents to numbered files in a new folder, which is removed after the test, and returns the folder
// and the names.
func files(t testing.TB, ext string, contents [][]byte) (dir string, names []string) {
	t.Helper()
	dir = t.TempDir()
	for i, c := range contents {
		name := filepath.Join(dir, fmt.Sprintf("%05d%s", i, ext))
		if err := os.WriteFile(name, c, 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return dir, names
}

// file writes one file and names another beside it, for a tool's output.
func file(t testing.TB, ext string, content []byte) (in, out string) {
	t.Helper()
	dir, names := files(t, ext, [][]byte{content})
	return names[0], filepath.Join(dir, "out")
}

// read returns the output that a tool wrote to a file, or err if the tool failed.
func read(t testing.TB, name string, err error) ([]byte, error) {
	t.Helper()
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b, nil
}
