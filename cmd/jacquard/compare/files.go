// SPDX-License-Identifier: MIT

package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"jacquard.example"
)

// Version is the value of the field "version" of results. Later versions only add fields.
const Version = 1

// figures are the statistics that are compared.
var figures = []struct {
	name string
	of   func(*jacquard.Stats) int
	free bool // it may grow beyond a threshold
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

// Figure is a statistic of a program, or a total over several.
type Figure struct {
	Name string `json:"name"`
	Old  int    `json:"old"`
	New  int    `json:"new"`
	free bool
}

// Total is the sum of a figure over the programs in both files, with the numbers of programs in which it shrank and
// grew.
type Total struct {
	Figure
	Helped int `json:"helped"`
	Hurt   int `json:"hurt"`
}

// Totals are the sums of all figures over the programs for a target that are in both files.
type Totals struct {
	Target   string  `json:"target"`
	Programs int     `json:"programs"`
	Figures  []Total `json:"figures"`
}

// Change is a program whose statistics differ, with the figures that do.
type Change struct {
	Program
	Figures []Figure `json:"figures"`
}

// Result is the difference between two statistics files.
type Result struct {
	Version int `json:"version"`
	// OldTargets and NewTargets are the targets of the files. If each has one, and they differ, programs are compared
	// across them, under the target of the old file.
	OldTargets []string   `json:"old_targets"`
	NewTargets []string   `json:"new_targets"`
	Totals     []Totals   `json:"totals"`  // by target
	Changed    []*Change  `json:"changed"` // the largest relative change in instructions first
	Lost       []*Program `json:"lost"`    // only in the old file
	Gained     []*Program `json:"gained"`  // only in the new file

	points map[string]int // by file: the number of entry points
	all    int            // the number of programs that differ, listed or not
}

// changed returns the number of programs that differ, including changes that are not listed.
func (r *Result) changed() int { return max(r.all, len(r.Changed)) }

// Files compares two statistics files. A program is an entry point of a file at one width, for a target.
func Files(old, new Statistics) *Result {
	r := &Result{Version: Version, OldTargets: old.targets(), NewTargets: new.targets(), Totals: []Totals{}, Changed: []*Change{},
		Lost: []*Program{}, Gained: []*Program{}, points: map[string]int{}}
	if r.across() {
		new = new.as(r.OldTargets[0])
	}
	r.countPoints(old, new)
	both := map[string][]Program{}
	for p := range old {
		if _, ok := new[p]; ok {
			both[p.Target] = append(both[p.Target], p)
		} else {
			r.Lost = append(r.Lost, &p)
		}
	}
	for p := range new {
		if _, ok := old[p]; !ok {
			r.Gained = append(r.Gained, &p)
		}
	}
	for _, target := range r.OldTargets {
		if list := both[target]; list != nil || len(r.OldTargets) == 1 {
			r.Totals = append(r.Totals, totals(target, list, old, new))
			r.change(list, old, new)
		}
	}
	slices.SortFunc(r.Changed, func(x, y *Change) int {
		return cmp.Or(cmp.Compare(y.size(), x.size()), inOrder(&x.Program, &y.Program))
	})
	slices.SortFunc(r.Lost, inOrder)
	slices.SortFunc(r.Gained, inOrder)
	return r
}

// across reports whether programs for one target are compared with programs for another.
func (r *Result) across() bool {
	return len(r.OldTargets) == 1 && len(r.NewTargets) == 1 && r.OldTargets[0] != r.NewTargets[0]
}

// countPoints counts the entry points of each file.
func (r *Result) countPoints(sides ...Statistics) {
	seen := map[Program]bool{}
	for _, s := range sides {
		for p := range s {
			p.SIMD, p.Target = 0, ""
			if !seen[p] {
				seen[p] = true
				r.points[p.File]++
			}
		}
	}
}

func totals(target string, both []Program, old, new Statistics) Totals {
	t := Totals{Target: target, Programs: len(both)}
	for _, f := range figures {
		sum := Total{Figure: Figure{Name: f.name, free: f.free}}
		for _, p := range both {
			o, n := old[p], new[p]
			x, y := f.of(&o), f.of(&n)
			sum.Old, sum.New = sum.Old+x, sum.New+y
			switch {
			case y < x:
				sum.Helped++
			case y > x:
				sum.Hurt++
			}
		}
		t.Figures = append(t.Figures, sum)
	}
	return t
}

// change adds the programs that differ.
func (r *Result) change(both []Program, old, new Statistics) {
	for _, p := range both {
		o, n := old[p], new[p]
		if o == n {
			continue
		}
		c := &Change{Program: p, Figures: []Figure{}}
		for _, f := range figures {
			if x, y := f.of(&o), f.of(&n); x != y {
				c.Figures = append(c.Figures, Figure{f.name, x, y, f.free})
			}
		}
		r.Changed = append(r.Changed, c)
	}
}

// size returns the relative change in instructions.
func (c *Change) size() float64 {
	for _, f := range c.Figures {
		if f.Name == figures[0].name {
			return math.Abs(float64(f.New-f.Old)) / float64(max(f.Old, 1))
		}
	}
	return 0
}

// Top keeps the n largest changes; the number of changes is still written.
func (r *Result) Top(n int) {
	r.all = len(r.Changed)
	r.Changed = r.Changed[:min(n, len(r.Changed))]
}

// Check returns an error about the new file for each total that has grown by more than a threshold in percent, unless
// it may, for programs that the file lacks, and for a comparison across targets.
func (r *Result) Check(file string, threshold float64) error {
	var errs []error
	if r.across() {
		errs = append(errs, &jacquard.Error{File: file, Msg: r.differ()})
	}
	if n := len(r.Lost); n > 0 {
		errs = append(errs, &jacquard.Error{File: file, Msg: "this file lacks " + counted(n, "program") + " of the old file"})
	}
	for _, t := range r.Totals {
		for _, f := range t.Figures {
			errs = append(errs, f.check(file, r.titled(t.Target), threshold))
		}
	}
	return errors.Join(errs...)
}

// check returns an error if the figure must not grow and has grown by more than a threshold in percent. where follows
// the figure's name in the message.
func (f *Figure) check(file, where string, threshold float64) error {
	if f.free || float64(f.New-f.Old) <= threshold/100*float64(f.Old) {
		return nil
	}
	return &jacquard.Error{File: file, Msg: fmt.Sprintf("%s%s grew from %d to %d, by more than %g%%", f.Name, where, f.Old,
		f.New, threshold)}
}

// titled returns the suffix of a total's name: its target if there are several, otherwise "".
func (r *Result) titled(target string) string {
	if len(r.Totals) < 2 {
		return ""
	}
	return " on " + target
}

// counted formats "1 program", "2 programs".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
