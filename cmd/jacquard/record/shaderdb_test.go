// SPDX-License-Identifier: MIT

package record_test

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/record"
)

// shaderLine and timeLine are the regular expressions by which report.py of shader-db finds lines.
var (
	shaderLine = regexp.MustCompile(`(\S+) - (.*) shader: (.*)`)
	timeLine   = regexp.MustCompile(`Thread \S+ took (\S+) seconds`)
)

// readAsReport reads lines like report.py, by their first two groups: a value precedes its name after a space, other
// words are skipped, and spills and fills are one value.
func readAsReport(t *testing.T, text string) map[string]string {
	t.Helper()
	results, seconds := map[string]string{}, 0.0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := timeLine.FindStringSubmatch(line); m != nil {
			x, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			seconds += x
			continue
		}
		m := shaderLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		values := map[string]int{}
		for stat := range strings.SplitSeq(m[3], ", ") {
			words := strings.Split(stat, " ")
			name := words[1] // report.py fails if there is none
			if len(words) != 2 {
				continue
			}
			list := []string{words[0]}
			names := []string{strings.Replace(name, "inst", "instructions", 1)}
			if name == "spills:fills" {
				list, names = strings.Split(words[0], ":"), []string{"spills", "fills"}
			}
			for i, v := range list {
				n, err := strconv.Atoi(v)
				if err != nil {
					t.Fatalf("%q: %v", stat, err)
				}
				values[names[i]] = n
			}
		}
		results[m[1]+"|"+m[2]] = fmt.Sprint(values)
	}
	results["time"] = fmt.Sprintf("%.3f", seconds)
	return results
}

// TestShaderDB: report.py reads the statistics that it compares by default, and keeps programs apart.
func TestShaderDB(t *testing.T) {
	stats := jacquard.Stats{Instructions: 23, Sends: 4, Loops: 1, Spills: 5, Fills: 6, Cycles: 700, Bytes: 368, Registers: 9}
	other := stats
	other.Cycles = 900
	line := func(file, target, stage, entry string) *record.Line {
		return &record.Line{File: file, Program: record.Program{Target: target, Stage: stage, Entry: entry,
			Programs: []record.Variant{{SIMD: 8, Stats: stats}, {SIMD: 16, Stats: other}}}}
	}
	refused := "refused"
	text := line("a b - c.spv", "tgl", "compute", "main").ShaderDB(false) +
		line("d.spv", "tgl", "fragment", "other one").ShaderDB(true) + line("d.spv", "skl", "fragment", "other one").ShaderDB(true) +
		(&record.Line{File: "e.spv", Program: record.Program{Error: &refused}}).ShaderDB(false) + record.ShaderDBTime(1234.5)
	values := func(cycles int) string {
		return fmt.Sprint(map[string]int{"instructions": 23, "loops": 1, "cycles": cycles, "spills": 5, "fills": 6, "sends": 4, "bytes": 368})
	}
	want := map[string]string{
		"a%20b%20-%20c.spv|CS SIMD8": values(700), "a%20b%20-%20c.spv|CS SIMD16": values(900),
		"d.spv:other%20one|tgl FS SIMD8": values(700), "d.spv:other%20one|tgl FS SIMD16": values(900),
		"d.spv:other%20one|skl FS SIMD8": values(700), "d.spv:other%20one|skl FS SIMD16": values(900),
		"time": "1.234",
	}
	if got := readAsReport(t, text); !maps.Equal(got, want) {
		t.Errorf("%v\nwant %v\nof\n%s", got, want, text)
	}
}
