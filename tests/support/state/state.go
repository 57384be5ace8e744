// SPDX-License-Identifier: MIT

// Package state identifies states of the source tree: [Of] hashes the files below some folders. A report carries the
// hash of the sources that it depends on, which shows whether it still holds. Tests, test data and documents do not
// count, since they do not affect the measurements.
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

// Compiler lists the folders with the sources of the compiler, apart from the Go files in the
// module's root.
var Compiler = []string{"core", "backend", "gen", "defs"}

// Depends lists the folders that reports on the compiler depend on: Compiler, and the Go files in the root.
var Depends = append(slices.Clone(Compiler), "./.")

// Of returns the hash of files, and of all files in folders and below. Paths are relative to root. A folder whose
// name ends with /. stands for only the Go files directly in it, go.mod and go.sum included: the root can also have a
// built command, which a clone does not have. Tests, testdata, .md files and files whose names begin with a dot do not
// count.
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
			case d.IsDir() || strings.HasPrefix(d.Name(), ".") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".md"),
				alone && !slices.Contains([]string{".go", ".mod", ".sum"}, filepath.Ext(path)):
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
