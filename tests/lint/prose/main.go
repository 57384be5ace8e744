// SPDX-License-Identifier: MIT

// Command prose counts habits of style in the comments of the project's Go files: phrases whose subject is a clause
// without a noun, and phrases that are not idiomatic. It prints the number of occurrences of each in 1,000 lines of
// comments, and the limit.
//
//	go run ./tests/lint/prose [-list] [FOLDER…]
//
// With -list it also prints the lines. Generated files are not read.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// habits are the phrases, each with its limit in 1,000 lines of comments.
var habits = []struct {
	phrase *regexp.Regexp
	limit  float64
}{
	{regexp.MustCompile(`(?i)\bwhat (is|a|an|the|it|its|was|has|reads|writes)\b`), 3},
	{regexp.MustCompile(`(?i)\bthose (of|that|in|which|from)\b`), 3},
	{regexp.MustCompile(`(?i)\bsays\b`), 3},
	{regexp.MustCompile(`(?i)\bbehind\b`), 1},
	{regexp.MustCompile(`(?i)\bone that\b`), 1},
	{regexp.MustCompile(`(?i)\bfrom [\w.]+( [\w.]+)? on([.,;:)]|$)`), 0.1},                                             // starting at x
	{regexp.MustCompile(`\banew\b`), 0.1},                                                                              // rewrite, regenerate
	{regexp.MustCompile(`(?i)\b(in|at (most|least)) so many\b`), 0.1},                                                  // one in n
	{regexp.MustCompile(`(?i)\breplac(e|es|ing) ([\w']+ ){1,6}by (the|another|its|their|one|other)\b`), 0.1},           // replace x with y
	{regexp.MustCompile(`\b(cycles|threads|lanes|bytes|messages|registers) an? (lane|thread|workgroup|cycle)\b`), 0.1}, // per lane
	{regexp.MustCompile(`(?i)\b(is|are) no (number|register|code|element|constant|string|module|leaf)\b`), 0.1},
	{regexp.MustCompile(`[,;(] ?(0|-1|nil): (none|no|if|the|a|an|any|all|not|unknown)\b`), 0.1}, // or 0 if there is none
}

func main() {
	list := flag.Bool("list", false, "print the lines")
	flag.Parse()
	folders := flag.Args()
	if len(folders) == 0 {
		folders = []string{"."}
	}
	lines, found := 0, make([]int, len(habits))
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "generated" || d.Name() == "testdata"):
				return filepath.SkipDir
			case d.IsDir() || filepath.Ext(path) != ".go":
				return nil
			}
			n, err := count(path, *list, found)
			lines += n
			return err
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	for i, h := range habits {
		fmt.Printf("%5.1f of %3.1f  %s\n", 1000*float64(found[i])/float64(max(lines, 1)), h.limit, h.phrase)
	}
	fmt.Printf("per 1,000 of %d lines of comments\n", lines)
}

// count returns the number of lines of comments in a file, and adds the number of lines with each habit to found. If
// list is set, it prints these lines.
func count(path string, list bool, found []int) (lines int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	scanner := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; scanner.Scan(); n++ {
		text, ok := strings.CutPrefix(strings.TrimSpace(scanner.Text()), "//")
		if !ok || strings.HasPrefix(text, " SPDX-License-Identifier:") {
			continue
		}
		lines++
		for i, h := range habits {
			if h.phrase.MatchString(text) {
				found[i]++
				if list {
					fmt.Printf("%s:%d: %s\n", path, n, strings.TrimSpace(text))
				}
			}
		}
	}
	return lines, scanner.Err()
}
