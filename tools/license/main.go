// SPDX-License-Identifier: MIT

// Command license checks that every source file names its license in the first line, or the second of a script with an
// interpreter line, in the form that SPDX defines:
//
//	go run ./tools/license [-add]
//
// With -add it adds the line where it is missing. Generated files get theirs from the generator, and test data has none.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// identifier is the license of the project, as in the file LICENSE.
const identifier = "SPDX-License-Identifier: " + "MIT"

func main() {
	add := flag.Bool("add", false, "add the line to files that lack it")
	flag.Parse()
	missing, err := check(*add)
	if err != nil {
		fmt.Fprintln(os.Stderr, "license:", err)
		os.Exit(1)
	}
	for _, name := range missing {
		fmt.Printf("%s: no line %q at the start; go run ./tools/license -add adds it\n", name, identifier)
	}
	if len(missing) > 0 {
		os.Exit(1)
	}
}

// check returns the source files in the current folder, of those that git knows or would add, that lack the line. If add is
// set it adds the line instead.
func check(add bool) (missing []string, err error) {
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		mark := comment(name)
		if mark == "" {
			continue
		}
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // removed, but not in a commit
		}
		if err != nil {
			return nil, err
		}
		out, changed := licensed(text, mark)
		switch {
		case !changed:
		case !add:
			missing = append(missing, name)
		default:
			info, err := os.Stat(name)
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(name, out, info.Mode().Perm()); err != nil {
				return nil, err
			}
		}
	}
	return missing, nil
}

// comment returns how a comment starts in a source file, or "" for other files.
func comment(name string) string {
	folders := strings.Split(path.Dir(name), "/")
	if folders[0] == "generated" || slices.Contains(folders, "testdata") {
		return ""
	}
	switch path.Ext(name) {
	case ".go", ".js", ".mjs":
		return "//"
	case ".toml", ".sh", ".yml":
		return "#"
	}
	if name == "Makefile" || folders[0] == ".ci" {
		return "#"
	}
	return ""
}

// licensed returns a file with the line and an empty line in front of the rest, and whether it lacked the line.
func licensed(text []byte, mark string) (out []byte, changed bool) {
	first := []byte{}
	if bytes.HasPrefix(text, []byte("#!")) {
		end := bytes.IndexByte(text, '\n') + 1
		first, text = text[:end], text[end:]
	}
	line := mark + " " + identifier + "\n"
	if bytes.HasPrefix(text, []byte(line)) {
		return slices.Concat(first, text), false
	}
	return slices.Concat(first, []byte(line+"\n"), text), true
}
