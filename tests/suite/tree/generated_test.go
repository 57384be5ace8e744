// SPDX-License-Identifier: MIT

package tree

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGeneratedIsFresh generates again from the tables into an empty folder and
// compares the set of files and their bytes with generated/.
func TestGeneratedIsFresh(t *testing.T) {
	fresh := t.TempDir()
	cmd := exec.Command("go", "run", "./gen", "-out", fresh)
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, have := tree(t, fresh), tree(t, "../../../generated")
	if len(want) == 0 {
		t.Fatal("the generator wrote nothing")
	}
	for path, data := range want {
		committed, ok := have[path]
		switch {
		case !ok:
			t.Errorf("generated/%s is missing: run 'make generate'", path)
		case !bytes.Equal(data, committed):
			t.Errorf("generated/%s is stale or was edited: run 'make generate'", path)
		}
	}
	for path := range have {
		if _, ok := want[path]; !ok {
			t.Errorf("generated/%s comes from no table: run 'make generate'", path)
		}
	}
}

// tree reads all files below dir, by relative path.
func tree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
