package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/record"
)

var compareCommand = command{
	name:  "compare",
	args:  "OLD.json NEW.json",
	brief: "compare two files of statistics",
	text: `
Shows what changed between two files written by stats: the totals over the programs in both files, the programs
whose statistics differ, the largest change in instructions first, and the shaders that compile in only one of them.
A program is a shader at one SIMD width.

With --threshold, the exit status is 1 if a total of instructions, sends, spills, fills, cycles or bytes has grown by
more than PERCENT, or if a program of the old file is missing in the new one.

Example:
  jacquard compare old.json new.json
  jacquard compare --threshold 0.5 old.json new.json`,
	setup: func(fs *flagSet) func(*app, []string) error {
		c := &comparison{threshold: -1}
		fs.percentage(&c.threshold, "threshold", "PERCENT", "fail if a total grows by more than this")
		fs.integer(&c.top, "top", "N", 0, "list only the N largest changes; 0 lists all")
		return c.run
	},
}

type comparison struct {
	top       int
	threshold float64 // in percent; negative: none
}

// figures are the columns of a comparison.
var figures = []struct {
	name string
	of   func(*jacquard.Stats) int
	free bool // may grow past the threshold
}{
	{"instructions", func(s *jacquard.Stats) int { return s.Instructions }, false},
	{"sends", func(s *jacquard.Stats) int { return s.Sends }, false},
	{"loops", func(s *jacquard.Stats) int { return s.Loops }, true},
	{"spills", func(s *jacquard.Stats) int { return s.Spills }, false},
	{"fills", func(s *jacquard.Stats) int { return s.Fills }, false},
	{"cycles", func(s *jacquard.Stats) int { return s.Cycles }, false},
	{"bytes", func(s *jacquard.Stats) int { return s.Bytes }, false},
	{"registers", func(s *jacquard.Stats) int { return s.Registers }, true},
}

// programKey identifies a program in a file of statistics.
type programKey struct {
	file string
	simd int
}

func (k programKey) String() string { return fmt.Sprintf("%s SIMD%d", k.file, k.simd) }

func (c *comparison) run(a *app, args []string) error {
	if len(args) != 2 {
		return usagef("expected two files: OLD.json and NEW.json")
	}
	var sides [2]map[programKey]jacquard.Stats
	for i, file := range args {
		var err error
		if sides[i], err = a.statsOf(file); err != nil {
			return err
		}
	}
	if err := a.write("", c.compare(sides[0], sides[1])); err != nil {
		return err
	}
	return c.gate(args[1], sides[0], sides[1])
}

// gate returns an error for each total that has grown past the threshold, and one for
// programs that are missing.
func (c *comparison) gate(file string, old, new map[programKey]jacquard.Stats) error {
	if c.threshold < 0 {
		return nil
	}
	var errs []error
	both, lost, _ := pairUp(old, new)
	if len(lost) > 0 {
		errs = append(errs, &jacquard.Error{File: file, Msg: count(len(lost), "program") + " of the old file missing"})
	}
	for _, f := range figures {
		before, after := 0, 0
		for _, k := range both {
			o, n := old[k], new[k]
			before, after = before+f.of(&o), after+f.of(&n)
		}
		if !f.free && float64(after-before) > c.threshold/100*float64(before) {
			errs = append(errs, &jacquard.Error{File: file, Msg: fmt.Sprintf("%s grew from %d to %d, by more than %g%%", f.name, before, after, c.threshold)})
		}
	}
	return errors.Join(errs...)
}

// statsOf reads a file of statistics.
func (a *app) statsOf(file string) (map[programKey]jacquard.Stats, error) {
	name, data, err := a.read(file)
	if err != nil {
		return nil, err
	}
	programs := map[programKey]jacquard.Stats{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var s record.Line
		if why := parseLine(&s, line); why != "" {
			return nil, &jacquard.Error{File: name, Line: n, Column: 1, Msg: "not a line of statistics: " + why}
		}
		for _, p := range s.Programs {
			programs[programKey{s.File, p.SIMD}] = p.Stats
		}
	}
	return programs, nil
}

// parseLine reads a line of a file of statistics; it returns what is wrong with the line.
func parseLine(s *record.Line, line []byte) string {
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(line, s); {
	case errors.As(err, &wrong) && wrong.Field == "":
		return "it is of JSON's type " + wrong.Value
	case errors.As(err, &wrong):
		return fmt.Sprintf("its field %s is of JSON's type %s", strings.TrimPrefix(wrong.Field, "Program."), wrong.Value)
	case err != nil:
		return err.Error()
	case s.Target == "":
		return "it names no target"
	}
	return ""
}

// pairUp returns the programs in both files, those only in the old one and those only in
// the new one, sorted.
func pairUp(old, new map[programKey]jacquard.Stats) (both, lost, gained []programKey) {
	for k := range old {
		if _, ok := new[k]; ok {
			both = append(both, k)
		} else {
			lost = append(lost, k)
		}
	}
	for k := range new {
		if _, ok := old[k]; !ok {
			gained = append(gained, k)
		}
	}
	slices.SortFunc(both, compareKeys)
	slices.SortFunc(lost, compareKeys)
	slices.SortFunc(gained, compareKeys)
	return both, lost, gained
}

// compare writes the three sections.
func (c *comparison) compare(old, new map[programKey]jacquard.Stats) []byte {
	both, lost, gained := pairUp(old, new)
	var b bytes.Buffer
	c.totals(&b, both, old, new)
	c.changes(&b, both, old, new)
	for _, part := range []struct {
		title string
		keys  []programKey
	}{{"only in the old file", lost}, {"only in the new file", gained}} {
		if len(part.keys) > 0 {
			fmt.Fprintf(&b, "\n%s: %d\n", part.title, len(part.keys))
		}
		for _, k := range part.keys {
			fmt.Fprintf(&b, "  %s\n", k)
		}
	}
	return b.Bytes()
}

func compareKeys(a, b programKey) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.simd, b.simd))
}

func (c *comparison) totals(b *bytes.Buffer, both []programKey, old, new map[programKey]jacquard.Stats) {
	fmt.Fprintf(b, "%s in both files\n", count(len(both), "program"))
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\told\tnew\tchange\thelped\thurt\t\n")
	for _, f := range figures {
		var before, after, helped, hurt int
		for _, k := range both {
			o, n := old[k], new[k]
			x, y := f.of(&o), f.of(&n)
			before, after = before+x, after+y
			switch {
			case y < x:
				helped++
			case y > x:
				hurt++
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t\n", f.name, before, after, percent(before, after), helped, hurt)
	}
	w.Flush()
}

// percent formats a change relative to the old value.
func percent(old, new int) string {
	switch {
	case old == new:
		return "0%"
	case old == 0:
		return "new"
	}
	return fmt.Sprintf("%+.2f%%", 100*(float64(new)/float64(old)-1))
}

// changes lists the programs that differ, the largest relative change in
// instructions first.
func (c *comparison) changes(b *bytes.Buffer, both []programKey, old, new map[programKey]jacquard.Stats) {
	var changed []programKey
	for _, k := range both {
		if old[k] != new[k] {
			changed = append(changed, k)
		}
	}
	size := func(k programKey) float64 {
		return math.Abs(float64(new[k].Instructions-old[k].Instructions)) / float64(max(old[k].Instructions, 1))
	}
	slices.SortFunc(changed, func(x, y programKey) int {
		return cmp.Or(cmp.Compare(size(y), size(x)), compareKeys(x, y))
	})
	if len(changed) == 0 {
		return
	}
	fmt.Fprintf(b, "\nchanged: %d\n", len(changed))
	if c.top > 0 && len(changed) > c.top {
		changed = changed[:c.top]
	}
	for _, k := range changed {
		o, n := old[k], new[k]
		fmt.Fprintf(b, "  %s:", k)
		for _, f := range figures {
			if x, y := f.of(&o), f.of(&n); x != y {
				fmt.Fprintf(b, " %s %d -> %d (%s)", f.name, x, y, percent(x, y))
			}
		}
		fmt.Fprintln(b)
	}
}
