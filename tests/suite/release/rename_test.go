// SPDX-License-Identifier: MIT

package release

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"jacquard.example/tests/support/project"
)

// home is the path that a copy of the project gets.
const home = "weavers.example/gpu/loom"

// TestRename gives a copy of the project another path, publishes it in a folder that serves as a proxy, and has a program in
// another module fetch it and compile a shader.
func TestRename(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a copy of the project")
	}
	dir := renamed(t)
	proxy := published(t, dir, "v0.1.0")
	user := placed(t, map[string][]byte{
		"go.mod": []byte("module user.example\n\ngo 1.26.0\n\nrequire " + home + " v0.1.0\n"),
		"main.go": []byte(`package main

import (
	"context"
	"fmt"
	"os"

	"` + home + `"
	"` + home + `/generated/gpu"
)

func main() {
	module, _ := os.ReadFile(os.Args[1])
	program, err := jacquard.Compile(context.Background(), module, jacquard.Options{Target: gpu.TGL})
	fmt.Println(len(program.Variants[0].Code), err, jacquard.Version())
}
`),
	})
	cache := goenv(t, "GOMODCACHE") + "/cache/download" // where the project's own modules are
	got := ran(t, user, []string{
		"GOFLAGS=-mod=mod -modcacherw -trimpath", "GOMODCACHE=" + t.TempDir(), "GONOSUMDB=" + home, "GOWORK=off",
		"GOPROXY=file://" + proxy + ",file://" + cache + "," + goenv(t, "GOPROXY"),
	}, "go", "run", ".", filepath.Join(project.Root(t), "tests/shaders/saxpy.comp.spv"))
	if want := "272 <nil> v0.1.0 (tables "; !strings.HasPrefix(got, want) {
		t.Errorf("the program writes %q, want %q…", got, want)
	}
}

// TestRenamedGenerates checks that the generator of a copy with another path changes only the path in its binary files, and
// that the copy builds with its tests.
func TestRenamedGenerates(t *testing.T) {
	if os.Getenv("JACQUARD_E2E") == "" {
		t.Skip("takes minutes: make e2e runs it")
	}
	dir := renamed(t)
	before := texts(t, dir)
	ran(t, dir, nil, "go", "generate", "./...")
	after := texts(t, dir)
	for name, text := range after {
		if filepath.Ext(name) == ".bin" {
			if bytes.Contains(text, placeholder) {
				t.Errorf("%s still has the old path", name)
			}
		} else if !bytes.Equal(text, before[name]) {
			t.Errorf("%s is another after generating", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files, %d after generating", len(before), len(after))
	}
	ran(t, dir, nil, "go", "vet", "./...")
}

// placeholder is the path of this copy, if no home has been found: in two parts, so that the test is not renamed.
var placeholder = []byte("jacquard" + ".example")

// renamed returns a copy of the project with another path.
func renamed(t *testing.T) string {
	t.Helper()
	dir := project.Copy(t)
	ran(t, dir, nil, "go", "run", "./tools/rename", "-module", home)
	for name, text := range texts(t, dir) {
		if bytes.Contains(text, placeholder) && filepath.Ext(name) != ".bin" || strings.Contains(name, string(placeholder)) {
			t.Errorf("%s still has the old path", name)
		}
	}
	return dir
}

// texts returns all files of a folder by path.
func texts(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err == nil {
			files[filepath.ToSlash(rel)], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// published returns a folder with the files of a proxy for one version of a module.
func published(t *testing.T, dir, version string) string {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := zip.CreateFromDir(&packed, module.Version{Path: home, Version: version}, dir); err != nil {
		t.Fatal(err)
	}
	at := home + "/@v/"
	return placed(t, map[string][]byte{
		at + "list":            []byte(version + "\n"),
		at + version + ".info": []byte(`{"Version":"` + version + `","Time":"2026-01-02T03:04:05Z"}`),
		at + version + ".mod":  mod,
		at + version + ".zip":  packed.Bytes(),
	})
}

// goenv returns a setting of the go command.
func goenv(t *testing.T, name string) string {
	t.Helper()
	return strings.TrimSpace(ran(t, ".", nil, "go", "env", name))
}

// ran runs a command and returns its standard output.
func ran(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = project.Environment(env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, errs.Bytes())
	}
	return string(out)
}
