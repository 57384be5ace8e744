// SPDX-License-Identifier: MIT

package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestMark: a report is marked stale when a file that it depends on is changed or added, and current when the change is
// undone. Tests and files elsewhere do not count.
func TestMark(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a/x.go"), "1")
	write(t, filepath.Join(root, "b/x.go"), "1")
	write(t, filepath.Join(root, "c.go"), "1")
	head, err := Line(root, "a", "./.")
	if err != nil {
		t.Fatal(err)
	}
	report := Begin(head, "# Report\n\n| 1 |\n")
	if want := "# Report\n\n" + head + "\n\n| 1 |\n"; report != want {
		t.Fatal(report)
	}
	if table := Begin(head, "| 1 |\n"); table != head+"\n\n| 1 |\n" {
		t.Error(table)
	}
	now := func() string {
		t.Helper()
		s, err := Mark(root, report, "a", "./.")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if now() != report {
		t.Errorf("a new report becomes\n%s", now())
	}
	for _, c := range []struct {
		file, text string
		stale      bool
	}{
		{"a/x_test.go", "1", false}, {"a/testdata/x", "1", false}, {"b/x.go", "2", false}, {"a/README.md", "2", false}, {".git", "1", false}, {"command", "1", false},
		{"c.go", "2", true}, {"c.go", "1", false},
		{"a/x.go", "2", true}, {"a/x.go", "1", false}, {"a/b/y.toml", "1", true},
	} {
		write(t, filepath.Join(root, c.file), c.text)
		if got := strings.Contains(now(), "; **stale**: they have changed since.\n"); got != c.stale {
			t.Errorf("after %s became %q: stale is %v", c.file, c.text, got)
		}
		if report = now(); now() != report {
			t.Error("marking it again changes it")
		}
	}
	if _, err := Mark(root, report, "a"); err == nil {
		t.Error("a report on other paths is accepted")
	}
	if _, err := Mark(root, "# Report\n", "a"); err == nil {
		t.Error("a report without a line is accepted")
	}
	if _, err := Of(root, "missing"); err == nil {
		t.Error("a missing folder is accepted")
	}
}
