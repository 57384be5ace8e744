// Package state names states of the source tree: [Of] hashes the files below some folders, so
// that a report can carry the hash of what it depends on, and whoever prints or reads the report can
// tell whether it still holds. Tests, test data and texts for readers do not count: they change
// nothing of what a report measures.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Compiler are the folders that decide what the compiler makes of a shader. The Go files of
// the module's root belong to them.
var Compiler = []string{"core", "backend", "gen", "defs"}

// Depends is what the reports on the compiler depend on.
var Depends = append(slices.Clone(Compiler), "./.")

// Of returns the hash of the files below folders and of single files, all relative to root. The name of a folder
// that ends with /. stands for its files alone.
func Of(root string, paths ...string) (string, error) {
	var files []string
	for _, p := range paths {
		top, alone := strings.CutSuffix(p, "/.")
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || alone && path != filepath.Join(root, top)):
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".md"):
				return nil
			}
			files = append(files, path)
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	slices.Sort(files)
	all := sha256.New()
	for _, f := range slices.Compact(files) {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		rel, err := filepath.Rel(root, f)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%s\n%x\n", filepath.ToSlash(rel), sha256.Sum256(text))
	}
	return hex.EncodeToString(all.Sum(nil)[:6]), nil
}
