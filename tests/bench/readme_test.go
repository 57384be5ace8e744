// SPDX-License-Identifier: MIT

package bench

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the frozen figures into the tables of README.md")

// frozenCount is a line of the frozen counts: name, width, instructions, sends, spills,
// fills.
var frozenCount = regexp.MustCompile(`(?m)^(?:gioui/)?(\w+) SIMD(\d+): (\d+) \d+ (\d+) (\d+) `)

// readmeTables are the tables of README.md whose figures are frozen: the section, a row
// with the shader and one figure of ours for each width, and which figure that is.
var readmeTables = []struct {
	section string
	row     *regexp.Regexp
	figure  func(count []string) string
}{
	{"\n## Against Mesa\n", regexp.MustCompile(`(?m)^\| (\w+) \| [^|]* \| (\d+) / (\d+) / (\d+) \|`),
		func(c []string) string { return c[3] }},
	{"\n## Spills and fills\n", regexp.MustCompile(`(?m)^\| (\w+) \| (\d+:\d+), [^|]* \| (\d+:\d+), [^|]* \| (\d+:\d+),`),
		func(c []string) string { return c[4] + ":" + c[5] }},
}

// TestReadme: the figures of our code in README.md are the frozen counts. After these
// have been updated,
//
//	go test ./tests/bench -run TestReadme -update
//
// brings the tables up to date.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	counts, err := os.ReadFile("../suite/whole/testdata/counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	group := map[string]int{"8": 0, "16": 1, "32": 2}
	for _, table := range readmeTables {
		want := map[string][3]string{}
		for _, c := range frozenCount.FindAllStringSubmatch(string(counts), -1) {
			figures := want[c[1]]
			figures[group[c[2]]] = table.figure(c)
			want[c[1]] = figures
		}
		before, section, _ := strings.Cut(readme, table.section)
		section, after, _ := strings.Cut(section, "\n## ")
		rows := 0
		section = table.row.ReplaceAllStringFunc(section, func(row string) string {
			rows++
			m := table.row.FindStringSubmatchIndex(row)
			name := row[m[2]:m[3]]
			for i, w := range want[name] {
				if got := row[m[4+2*i]:m[5+2*i]]; got != w && !*update {
					t.Errorf("%s: README.md says %s, the frozen counts %s", name, got, w)
				}
			}
			out := row[:m[4]]
			for i, w := range want[name] {
				end := len(row)
				if i < 2 {
					end = m[6+2*i]
				}
				out += w + row[m[5+2*i]:end]
			}
			return out
		})
		if rows < 3 {
			t.Errorf("%q has %d rows", table.section, rows)
		}
		readme = before + table.section + section + "\n## " + after
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(readme), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
