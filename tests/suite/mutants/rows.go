// SPDX-License-Identifier: MIT

package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// row is one mutant.
type row struct {
	File string
	edit
	More            []edit // further ones, of the same file
	By, Refused     string
	Why             string
	Generate, Hangs bool
	Soak            bool // only make soak finds it, which runs all cases

	name, table string // names of the row and of its file
}

// edit is a text and its replacement.
type edit struct{ Find, Replace string }

// pkg and test are the parts of by.
func (r *row) pkg() string  { p, _, _ := strings.Cut(r.By, " "); return p }
func (r *row) test() string { _, t, _ := strings.Cut(r.By, " "); return t }

// generates reports whether the mutant changes the generator's output.
func (r *row) generates() bool { return r.Generate || strings.HasPrefix(r.File, "defs/") }

//go:embed rows
var tables embed.FS

// rows reads all rows of the project, by file and line.
func rows() ([]*row, error) {
	files, err := fs.Glob(tables, "rows/*.toml")
	if err != nil {
		return nil, err
	}
	var out []*row
	seen := map[string]string{}
	for _, f := range files {
		text, err := tables.ReadFile(f)
		if err != nil {
			return nil, err
		}
		list, err := parse(f, string(text))
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			if other, dup := seen[r.name]; dup {
				return nil, fmt.Errorf("%s: [mutant.%s] is in %s already", f, r.name, other)
			}
			seen[r.name] = f
		}
		out = append(out, list...)
	}
	return out, nil
}

// parse reads the rows of one file in their order.
func parse(file, text string) ([]*row, error) {
	var doc struct{ Mutant map[string]*row }
	md, err := toml.Decode(text, &doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if extra := md.Undecoded(); len(extra) > 0 {
		return nil, fmt.Errorf("%s: unknown key %s", file, extra[0])
	}
	var out []*row
	for _, key := range md.Keys() {
		if len(key) == 2 {
			r := doc.Mutant[key[1]]
			r.name, r.table = key[1], file
			out = append(out, r)
		}
	}
	if len(out) != len(doc.Mutant) {
		return nil, fmt.Errorf("%s: %d of %d rows have a separate header", file, len(out), len(doc.Mutant))
	}
	return out, nil
}

// apply returns the file of a mutant with its text replaced.
func (r *row) apply(root string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(r.File)))
	if err != nil {
		return nil, err
	}
	out := string(text)
	for _, e := range append([]edit{r.edit}, r.More...) {
		if n := strings.Count(string(text), e.Find); n != 1 || e.Find == "" {
			return nil, fmt.Errorf("the text to find occurs %d times in %s: %s", n, r.File, e.Find)
		}
		out = strings.Replace(out, e.Find, e.Replace, 1)
	}
	return []byte(out), nil
}

// check returns an error for a row that is wrong, without running it.
func (r *row) check(root string) error {
	switch {
	case r.Find == r.Replace:
		return errors.New("nothing is changed")
	case r.Why == "":
		return errors.New("why is missing")
	case (r.By == "") == (r.Refused == ""):
		return errors.New("one of by and refused is needed")
	case r.Refused != "" && !r.generates():
		return errors.New("refused is only for files that the generator reads")
	case strings.HasSuffix(r.File, "_test.go") || strings.HasPrefix(r.File, "generated/"):
		return errors.New("tests and generated files are not mutated")
	}
	if _, err := r.apply(root); err != nil {
		return err
	}
	if r.By == "" {
		return nil
	}
	name, _, _ := strings.Cut(r.test(), "/")
	if ok, _ := regexp.MatchString(`^Test[A-Z]\w*$`, name); !ok {
		return fmt.Errorf("by: %q names no test", r.By)
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(r.pkg()), "*_test.go"))
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(files, func(f string) bool {
		text, err := os.ReadFile(f)
		return err == nil && strings.Contains(string(text), "\nfunc "+name+"(")
	}) {
		return fmt.Errorf("by: %s has no %s", r.pkg(), name)
	}
	return nil
}
