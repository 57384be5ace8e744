// SPDX-License-Identifier: MIT

// Package project copies the project's files for tests that build a copy, or change one ([Copy]). Copies have the overlay
// of a mutant (tests/suite/mutants) applied ([Overlay]), so that a mutant of a file is found even by a test that builds
// another tree, and commands run in them with the variables that [Environment] returns.
package project

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Root returns the absolute path of the folder with go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no folder above has a go.mod")
		}
		dir = parent
	}
}

// Copy copies the files that git tracks or would add into an empty folder.
func Copy(t testing.TB) string {
	t.Helper()
	root, dir := Root(t), t.TempDir()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		from, to := filepath.Join(root, name), filepath.Join(dir, name)
		info, err := os.Stat(from)
		if os.IsNotExist(err) {
			continue // removed, but not in a commit
		}
		if folder := filepath.Dir(to); !made[folder] {
			if err := os.MkdirAll(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			made[folder] = true
		}
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, data, info.Mode().Perm())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	Overlay(t, dir)
	return dir
}

// Overlay applies the files of the overlay in GOFLAGS to a copy of the project.
func Overlay(t testing.TB, dir string) {
	t.Helper()
	var overlay struct{ Replace map[string]string }
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		file, ok := strings.CutPrefix(flag, "-overlay=")
		if !ok {
			continue
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &overlay)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	root := Root(t)
	for path, with := range overlay.Replace {
		rel, err := filepath.Rel(root, path)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		to := filepath.Join(dir, rel)
		if with == "" {
			err = os.Remove(to)
		} else {
			var data []byte
			if data, err = os.ReadFile(with); err == nil {
				err = os.WriteFile(to, data, 0o666)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Environment returns the environment of the test without the flags of the go command that apply only to the project
// itself, followed by more variables.
func Environment(more ...string) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GOFLAGS=") {
			env = append(env, v)
		}
	}
	return append(env, more...)
}
