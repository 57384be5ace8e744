// SPDX-License-Identifier: MIT

// Command rename changes the path of the module everywhere: in go.mod, imports, tables, texts, generated files and the names
// of folders.
//
//	go run ./tools/rename -module example.org/jacquard
//
// make rename also runs the generator afterwards, which writes the path into its binary files. A path may be changed again.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	to := flag.String("module", "", "the new `path`")
	flag.Parse()
	files, err := rename(".", *to)
	if err != nil {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed\n", files)
}

// rename changes the path of the module in a folder and returns the number of files that have changed.
func rename(root, to string) (changed int, err error) {
	if err := module.CheckPath(to); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	from := modfile.ModulePath(text)
	var folders []string // that are named like the path
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if path == filepath.Join(root, ".git") || path == filepath.Join(root, "dist") {
				return filepath.SkipDir
			}
			if strings.HasSuffix(filepath.ToSlash(path), "/"+from) {
				folders = append(folders, path)
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		done, err := edit(path, from, to)
		if done {
			changed++
		}
		return err
	})
	if err != nil || from == to {
		return changed, err
	}
	for _, old := range folders {
		parent := strings.TrimSuffix(filepath.ToSlash(old), from)
		if err := move(old, filepath.Join(parent, to)); err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// move moves a folder, which may become a folder inside itself.
func move(old, dir string) error {
	tmp := old + ".renamed"
	if err := os.Rename(old, tmp); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}

// edit changes the path in a file, if the file is text, and reports whether it has changed.
func edit(file, from, to string) (bool, error) {
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(text, []byte(from)) || bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
		return false, err
	}
	out := replace(text, from, to)
	if bytes.Equal(out, text) {
		return false, nil
	}
	if filepath.Ext(file) == ".go" {
		if sorted, err := format.Source(out); err == nil { // imports are in the order of their paths
			out = sorted
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(file, out, info.Mode().Perm())
}

// replace replaces a path where it is not a part of another: a.example, but not a.example.org.
func replace(text []byte, from, to string) []byte {
	var out []byte
	for {
		i := bytes.Index(text, []byte(from))
		if i < 0 {
			return append(out, text...)
		}
		end := i + len(from)
		out = append(out, text[:i]...)
		if i > 0 && inPath(text[i-1]) || goesOn(text[end:]) {
			out = append(out, from...)
		} else {
			out = append(out, to...)
		}
		text = text[end:]
	}
}

// goesOn reports whether a path continues in its last element.
func goesOn(rest []byte) bool {
	rest = bytes.TrimLeft(rest, ".") // a sentence may end here
	return len(rest) > 0 && rest[0] != '/' && inPath(rest[0])
}

func inPath(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_~./", c) >= 0
}
