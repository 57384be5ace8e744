// SPDX-License-Identifier: MIT

package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// differ describes how the targets of the two files differ. It returns "" if they are the same.
func (r *Result) differ() string {
	if slices.Equal(r.OldTargets, r.NewTargets) {
		return ""
	}
	return fmt.Sprintf("the targets differ: %s in the old file, %s in the new file", listed(r.OldTargets), listed(r.NewTargets))
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

// name returns a program as it is shown: its file and width, its entry point if the file has several, and its target
// if there are several.
func (r *Result) name(p *Program) string {
	var b strings.Builder
	b.WriteString(p.File)
	if r.points[p.File] > 1 {
		fmt.Fprintf(&b, " %s %s", p.Stage, p.Entry)
	}
	fmt.Fprintf(&b, " SIMD%d", p.SIMD)
	if len(r.OldTargets) > 1 || len(r.NewTargets) > 1 {
		b.WriteString(" on " + p.Target)
	}
	return b.String()
}

// heading returns the heading of a table of totals, with the number of programs that it covers.
func (r *Result) heading(t *Totals) string {
	s := counted(t.Programs, "program") + " in both files" + r.titled(t.Target)
	if r.across() {
		s += ", on " + r.OldTargets[0] + " and on " + r.NewTargets[0]
	}
	return s
}

// change formats a change relative to the old value.
func (f *Figure) change() string {
	switch {
	case f.Old == f.New:
		return "0%"
	case f.Old == 0:
		return "new"
	}
	return fmt.Sprintf("%+.2f%%", 100*(float64(f.New)/float64(f.Old)-1))
}

// Text returns the result as text.
func (r *Result) Text() []byte { return text(r.blocks()) }

// Markdown returns the result as Markdown, as GitHub and GitLab render it.
func (r *Result) Markdown() []byte { return markdown(r.blocks()) }

func (r *Result) blocks() (list []block) {
	if s := r.differ(); s != "" {
		list = append(list, block{title: s, loud: true})
	}
	for i := range r.Totals {
		t := &r.Totals[i]
		x := block{title: r.heading(t), columns: []string{"", "old", "new", "change", "helped", "hurt"}}
		for _, f := range t.Figures {
			x.rows = append(x.rows, append(f.row(), strconv.Itoa(f.Helped), strconv.Itoa(f.Hurt)))
		}
		list = append(list, x)
	}
	if len(r.Totals) == 0 {
		list = append(list, block{title: "no program is in both files"})
	}
	changed := block{title: fmt.Sprintf("changed: %d", r.changed())}
	for _, c := range r.Changed {
		what := ":"
		for _, f := range c.Figures {
			what += fmt.Sprintf(" %s %d -> %d (%s)", f.Name, f.Old, f.New, f.change())
		}
		changed.items = append(changed.items, item{r.name(&c.Program), what})
	}
	for _, x := range []block{changed, r.missing("only in the old file", r.Lost), r.missing("only in the new file", r.Gained)} {
		if len(x.items) > 0 {
			list = append(list, x)
		}
	}
	return list
}

// missing returns a list of programs that one of the files lacks.
func (r *Result) missing(title string, programs []*Program) block {
	x := block{title: fmt.Sprintf("%s: %d", title, len(programs))}
	for _, p := range programs {
		x.items = append(x.items, item{name: r.name(p)})
	}
	return x
}

// row returns the first cells of a row of a table.
func (f *Figure) row() []string {
	return []string{f.Name, strconv.Itoa(f.Old), strconv.Itoa(f.New), f.change()}
}
