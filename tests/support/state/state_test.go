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

// TestMark: a report is marked stale once a file that counts has another text or name, and loses
// the mark when the file is as it was; tests and files elsewhere do not count.
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
		t.Errorf("a report that has just been made becomes\n%s", now())
	}
	for _, c := range []struct {
		file, text string
		stale      bool
	}{
		{"a/x_test.go", "1", false}, {"a/testdata/x", "1", false}, {"b/x.go", "2", false}, {"a/README.md", "2", false},
		{"a/x.go", "2", true}, {"a/x.go", "1", false}, {"a/b/y.toml", "1", true},
	} {
		write(t, filepath.Join(root, c.file), c.text)
		if got := strings.Contains(now(), "; **stale**: they have changed since.\n"); got != c.stale {
			t.Errorf("after %s became %q: stale is %v", c.file, c.text, got)
		}
		if report = now(); now() != report {
			t.Error("marked again, it changes")
		}
	}
	if _, err := Mark(root, report, "a"); err == nil {
		t.Error("other paths are taken")
	}
	if _, err := Mark(root, "# Report\n", "a"); err == nil {
		t.Error("a report that depends on nothing is taken")
	}
	if _, err := Of(root, "missing"); err == nil {
		t.Error("a folder that is not there is taken")
	}
}
