// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// move updates, in their files, the rows whose code or test has moved. It lists the rows that still do not apply, with the
// reason, and reports whether there are none.
func move(w io.Writer, root, tables string, list []*row) (ok bool, err error) {
	t, err := readTree(root)
	if err != nil {
		return false, err
	}
	ok = true
	var moved []*row
	edits := map[string][]quoted{}
	for _, r := range list {
		if r.check(root) == nil {
			continue
		}
		now, err := t.place(r)
		if err == nil {
			err = now.check(root)
		}
		if err != nil {
			ok = false
			fmt.Fprintf(w, "[mutant.%s] %v\n", r.name, err)
			continue
		}
		moved = append(moved, now)
		edits[r.name] = r.changes(now)
	}
	c, err := newChecker(root, moved)
	if err != nil {
		return false, err
	}
	for _, r := range moved {
		if err := c.compiles(r); err != nil {
			ok = false
			fmt.Fprintf(w, "[mutant.%s] does not compile in %s: %v\n", r.name, r.File, err)
			continue
		}
		if err := rewrite(filepath.Join(tables, r.table), r.name, edits[r.name]); err != nil {
			return false, err
		}
		for _, e := range edits[r.name] {
			fmt.Fprintf(w, "[mutant.%s] %q is now %q\n", r.name, e.before, e.now)
		}
	}
	return ok, nil
}

// tree holds the text of the files that rows may change, and the packages of each test.
type tree struct {
	files map[string]string   // by path below the root
	tests map[string][]string // packages, by name of test
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

func readTree(root string) (*tree, error) {
	t := &tree{map[string]string{}, map[string][]string{}}
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case d.IsDir() && (name == "generated" || d.Name() == "testdata" || len(name) > 1 && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" && !strings.HasPrefix(name, "defs/"):
			return nil
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range testFunc.FindAllSubmatch(text, -1) {
				t.tests[string(m[1])] = append(t.tests[string(m[1])], path.Dir(name))
			}
			return nil
		}
		t.files[name] = string(text)
		return nil
	})
	return t, err
}

// place returns the row with its present file, texts and package.
func (t *tree) place(r *row) (*row, error) {
	now := *r
	now.More = slices.Clone(r.More)
	if !r.finds(t.files[r.File], exactly) {
		how := exactly
		at := t.finding(r, how)
		if len(at) == 0 {
			how = spaced
			at = t.finding(r, how)
		}
		far := func(f string) bool { return path.Dir(f) != path.Dir(r.File) }
		if near := slices.DeleteFunc(slices.Clone(at), far); len(at) > 1 && len(near) > 0 {
			at = near
		}
		switch len(at) {
		case 0:
			return nil, fmt.Errorf("the text to find is in no file: %q", r.Find)
		case 1:
		default:
			return nil, fmt.Errorf("the text to find is in %s: %q", strings.Join(at, ", "), r.Find)
		}
		now.File = at[0]
		now.Find = how(r.Find, t.files[now.File])[0]
		for i := range now.More {
			now.More[i].Find = how(r.More[i].Find, t.files[now.File])[0]
		}
	}
	if r.By == "" {
		return &now, nil
	}
	name, _, _ := strings.Cut(r.test(), "/")
	in := slices.Compact(slices.Sorted(slices.Values(t.tests[name])))
	switch {
	case slices.Contains(in, r.pkg()):
	case len(in) == 1:
		now.By = in[0] + " " + r.test()
	case len(in) == 0:
		return nil, fmt.Errorf("by: no package has %s", name)
	default:
		return nil, fmt.Errorf("by: %s have %s", strings.Join(in, ", "), name)
	}
	return &now, nil
}

// finding returns the files in which each text to find of a row occurs exactly once.
func (t *tree) finding(r *row, how matcher) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		if path.Ext(name) == path.Ext(r.File) && r.finds(t.files[name], how) {
			out = append(out, name)
		}
	}
	return out
}

func (r *row) finds(text string, how matcher) bool {
	for _, e := range append([]edit{r.edit}, r.More...) {
		if len(how(e.Find, text)) != 1 {
			return false
		}
	}
	return true
}

// matcher returns the matches of one text in another, as written there.
type matcher func(find, text string) []string

func exactly(find, text string) []string {
	return slices.Repeat([]string{find}, strings.Count(text, find))
}

// spaced ignores differences in white space: code that moves into a block gets another indentation.
func spaced(find, text string) []string {
	words := strings.Fields(find)
	if len(words) == 0 || !strings.Contains(text, words[0]) {
		return nil
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	like := strings.Join(words, `\s+`)
	if strings.TrimLeft(find, " \t\n") != find {
		like = `\s+` + like
	}
	if strings.TrimRight(find, " \t\n") != find {
		like += `\s+`
	}
	return regexp.MustCompile(like).FindAllString(text, -1)
}

// quoted is a value of a row, and its replacement.
type quoted struct{ before, now string }

// changes returns the values of r that differ from the row's present values, now.
func (r *row) changes(now *row) (out []quoted) {
	add := func(a, b string) {
		if a != b {
			out = append(out, quoted{a, b})
		}
	}
	add(r.File, now.File)
	add(r.Find, now.Find)
	for i := range r.More {
		add(r.More[i].Find, now.More[i].Find)
	}
	add(r.By, now.By)
	return out
}

// rewrite replaces values of one row in its file, and leaves the rest as it is.
func rewrite(file, name string, edits []quoted) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head := "[mutant." + name + "]\n"
	before, section, ok := strings.Cut(string(data), head)
	if !ok {
		return fmt.Errorf("%s: no %s", file, head)
	}
	after := ""
	if i := strings.Index(section, "\n[mutant."); i >= 0 {
		section, after = section[:i], section[i:]
	}
	for _, e := range edits {
		was := strconv.Quote(e.before)
		for _, form := range []string{"'" + e.before + "'", "\"\"\"\n" + e.before + "\"\"\""} {
			if strings.Contains(section, form) {
				was = form
			}
		}
		if n := strings.Count(section, was); n != 1 {
			return fmt.Errorf("%s: [mutant.%s] has %d values %s", file, name, n, was)
		}
		section = strings.Replace(section, was, strconv.Quote(e.now), 1)
	}
	return os.WriteFile(file, []byte(before+head+section+after), 0o666)
}
