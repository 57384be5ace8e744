// SPDX-License-Identifier: MIT

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`import "a.example/core/ir"`, `import "b.example/x/core/ir"`},
		{"The path is a.example. Or a.example", "The path is b.example/x. Or b.example/x"},
		{"a.example.org a.example-2 aa.example c/a.example", "a.example.org a.example-2 aa.example c/a.example"},
		{`"module a.example\n"`, `"module b.example/x\n"`},
	} {
		if got := string(replace([]byte(c.text), "a.example", "b.example/x")); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestRename renames a small module twice, and back.
func TestRename(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{
		"go.mod":                          "module a.example\n",
		"x.go":                            "package x\n\nimport (\n\t_ \"a.example/y\"\n\t_ \"b.example/y\"\n)\n",
		"testdata/src/a.example/y/y.txt":  "of a.example\n",
		"testdata/src/other/a.example.md": "a.example.md\n",
		"a.bin":                           "a.example\x00",
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name, want string) {
		t.Helper()
		if text, err := os.ReadFile(filepath.Join(root, name)); string(text) != want {
			t.Errorf("%s is %q (%v), want %q", name, text, err, want)
		}
	}
	for _, to := range []string{"c.example/a", "c.example/a/b", "a.example"} {
		if n, err := rename(root, to); err != nil || n != 3 {
			t.Fatalf("%s: %d files, %v", to, n, err)
		}
		check("go.mod", "module "+to+"\n")
		check("testdata/src/"+to+"/y/y.txt", "of "+to+"\n")
		if strings.HasPrefix(to, "c") {
			check("x.go", "package x\n\nimport (\n\t_ \"b.example/y\"\n\t_ \""+to+"/y\"\n)\n")
		}
	}
	for name, text := range files {
		check(name, text)
	}
	if _, err := rename(root, "no path"); err == nil {
		t.Error("a path with a space was accepted")
	}
}
