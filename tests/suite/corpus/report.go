// SPDX-License-Identifier: MIT

package corpus

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"jacquard.example/tests/support/modules"
)

// Reason returns an error's text without numbers, names and positions of a module, so that equal reasons can be
// counted.
func Reason(why string) string {
	if why == "" || why == NotReached || strings.HasPrefix(why, "panic:") {
		return why
	}
	for _, r := range reasonRules {
		why = r.find.ReplaceAllString(why, r.with)
	}
	if len(why) > 150 {
		why = why[:150] + "…"
	}
	return why
}

var reasonRules = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`^word \d+: `), ""},
	{regexp.MustCompile(`\s+`), " "},
	{regexp.MustCompile(`"[^"]*"`), "…"},
	{regexp.MustCompile(`\b(id|block|function|variable|entry point|member|case) \d+`), "$1 N"},
	{regexp.MustCompile(`%\d+`), "%N"},
	{regexp.MustCompile(`@\d+`), "@N"},
	{regexp.MustCompile(`0x[0-9a-f]+`), "N"},
	{regexp.MustCompile(`\b\d{3,}\b`), "N"},
}

// WriteReport writes a summary of all outcomes: a table by package and stage, and
// the reasons why steps failed, the most frequent first.
func WriteReport(w io.Writer, tried map[string]int, outcomes []*Outcome) {
	fmt.Fprintf(w, "# Outcomes for the corpus\n\n"+
		"Written by `make corpus`. Shaders of public packages, compiled by stock tools; equal modules count once. An entry point\n"+
		"counts as a module. Only what spirv-val accepts is in the first table. A step counts those that went well; what comes after\n"+
		"reading is tried only if that went well, and what comes after the binary form for compute, vertex and fragment shaders only.\n"+
		"Vertex and fragment shaders are run in synthetic draws. \"Interpreted\" counts a draw if it covers pixels, most of which do not\n"+
		"depend on what Vulkan leaves open. After all passes, and on the model at every width, the picture must be one that Vulkan\n"+
		"allows (make pictures compares with lavapipe). Without a draw, \"same after passes\" only means well formed after every pass.\n\n")
	group := func(o *Outcome) string { return o.Module.Package + " | " + o.Stage }
	var rows []string
	count := map[string]int{}
	good := map[string]*[Steps]int{}
	var invalid []*Outcome
	for _, o := range outcomes {
		if o.Module.Invalid != "" {
			invalid = append(invalid, o)
			continue
		}
		for _, k := range []string{group(o), "all | " + o.Stage} {
			if good[k] == nil {
				good[k] = new([Steps]int)
				rows = append(rows, k)
			}
			count[k]++
			for i, why := range o.Why {
				if why == "" {
					good[k][i]++
				}
			}
		}
	}
	slices.Sort(rows)
	fmt.Fprintf(w, "| package | stage | modules |")
	for i := range Steps {
		fmt.Fprintf(w, " %s |", i)
	}
	fmt.Fprintf(w, "\n|%s\n", strings.Repeat("---|", int(Steps)+3))
	for _, k := range rows {
		fmt.Fprintf(w, "| %s | %d |", k, count[k])
		for _, n := range good[k] {
			fmt.Fprintf(w, " %d |", n)
		}
		fmt.Fprintln(w)
	}
	writeTargets(w, outcomes)
	writePairs(w, outcomes)
	writeStages(w, outcomes)
	for _, stage := range []string{"compute", "vertex", "fragment"} {
		writeRefusals(w, stage, outcomes)
	}
	for _, stage := range []string{"compute", "vertex", "fragment", ""} {
		for i := range Steps {
			writeReasons(w, i, stage, outcomes)
		}
	}
	fmt.Fprintf(w, "\n## Modules that spirv-val refuses: %d\n\n", len(invalid))
	read := 0
	for _, o := range invalid {
		if o.Why[Read] == "" {
			read++
		}
	}
	fmt.Fprintf(w, "%d of them are read: the reader refuses only what it cannot understand, not all that spirv-val checks.\n",
		read)
	writeSlowest(w, outcomes)
}

// writeTargets writes the number of supported compute modules that compile.
func writeTargets(w io.Writer, outcomes []*Outcome) {
	meant, through := 0, 0
	for _, o := range outcomes {
		if o.Stage != "compute" || o.Module.Invalid != "" || !o.Module.Targeted() {
			continue
		}
		meant++
		if o.Why[Read] == "" && o.Why[Validate] == "" && o.Why[Text] == "" && o.Why[Binary] == "" {
			through++
		}
	}
	fmt.Fprintf(w, "\nOf %d compute modules that declare only capabilities which the compiler is meant to take, %d (%.1f %%) "+
		"are read, validated and\n"+
		"come back from text and binary.\n", meant, through, 100*float64(through)/float64(max(meant, 1)))
}

// writePairs writes for each pair the number of modules with code, and of those that were compared on the model.
func writePairs(w io.Writer, outcomes []*Outcome) {
	fmt.Fprintf(w, "\n## Machine code\n\n"+
		"iga64 makes the same bytes of its text of all of it. Compared are modules of which something that the shader writes is "+
		"defined, by\n"+
		"the interpreter's subgroups of the same width: doubleword by doubleword, to the last bit.\n\n"+
		"| target, width | modules | refused | compared | doublewords |\n|---|---|---|---|---|\n")
	why := map[string]int{}
	for _, pair := range AllPairs(nil) {
		modules, refused := 0, 0
		compared, words := 0, 0
		for _, o := range outcomes {
			if o.Stage != "compute" {
				continue
			}
			for _, c := range o.Codes {
				switch {
				case c.Pair != pair || o.Module.Invalid != "":
					continue
				case c.Bytes == nil:
					refused++
					why["refused: "+Reason(c.Refused)]++
					continue
				case c.LeftOut != "":
					why["not compared: "+Reason(c.LeftOut)]++
				case o.Why[Model] == "":
					compared++
				}
				modules++
				words += c.Words
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", pair, modules, refused, compared, words)
	}
	fmt.Fprintln(w)
	writeCounts(w, why)
}

// writeCounts lists reasons, the most frequent first.
func writeCounts(w io.Writer, count map[string]int) {
	reasons := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a, b))
	})
	for _, why := range reasons {
		fmt.Fprintf(w, "- %d: %s\n", count[why], strings.ReplaceAll(why, "|", "\\|"))
	}
}

// writeReasons lists the reasons why a step failed; stage "" means all stages that are not compiled.
func writeReasons(w io.Writer, step Step, stage string, outcomes []*Outcome) {
	type reason struct {
		text    string
		n       int
		example string
	}
	found := map[string]*reason{}
	var list []*reason
	total := 0
	for _, o := range outcomes {
		if o.Module.Invalid != "" || o.Why[step] == "" || o.Why[step] == NotReached ||
			o.Stage != stage && (stage != "" || hasColumns(o.Stage)) {
			continue
		}
		text := Reason(o.Why[step])
		if found[text] == nil {
			found[text] = &reason{text: text, example: o.Module.ID()}
			list = append(list, found[text])
		}
		found[text].n++
		total++
	}
	if total == 0 {
		return
	}
	slices.SortFunc(list, func(a, b *reason) int { return cmp.Or(b.n-a.n, cmp.Compare(a.text, b.text)) })
	fmt.Fprintf(w, "\n## Not %s, %s: %d\n\n", step, cmp.Or(stage, "other stages"), total)
	for _, r := range list {
		fmt.Fprintf(w, "- %d: %s (%s)\n", r.n, strings.ReplaceAll(r.text, "|", "\\|"), r.example)
	}
}

// writeSlowest names the modules that took longest.
func writeSlowest(w io.Writer, outcomes []*Outcome) {
	const most = 5
	list := slices.Clone(outcomes)
	slices.SortFunc(list, func(a, b *Outcome) int { return cmp.Compare(b.Time, a.Time) })
	fmt.Fprintf(w, "\n## The slowest, reading to compiling, and what that allocated in sum\n\n")
	for _, o := range list[:min(most, len(list))] {
		fmt.Fprintf(w, "- %d ms, %d MiB: %s (%d instructions)\n", o.Time.Milliseconds(), o.Bytes>>20, o.Module.ID(),
			modules.BodySize(o.Module.SPIRV))
	}
	slices.SortFunc(list, func(a, b *Outcome) int { return cmp.Compare(b.Bytes, a.Bytes) })
	fmt.Fprintf(w, "\nThe hungriest:\n\n")
	for _, o := range list[:min(most, len(list))] {
		fmt.Fprintf(w, "- %d MiB, %d ms: %s\n", o.Bytes>>20, o.Time.Milliseconds(), o.Module.ID())
	}
}
