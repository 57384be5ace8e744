package compare

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// none is what a comparison says without totals.
const none = "no program is in both files"

// differ says in which targets the files differ, if they do.
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

// name returns a program as it is shown: its entry point if the file has several, and its target if there are several.
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

// heading says how many programs a table of totals covers.
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

func (f *Figure) String() string { return fmt.Sprintf("%d -> %d (%s)", f.Old, f.New, f.change()) }

// Text returns the result as text.
func (r *Result) Text() []byte {
	var b bytes.Buffer
	if s := r.differ(); s != "" {
		fmt.Fprintf(&b, "%s\n\n", s)
	}
	for i := range r.Totals {
		t := &r.Totals[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, r.heading(t))
		w := columns(&b)
		fmt.Fprintf(w, "\told\tnew\tchange\thelped\thurt\t\n")
		for _, f := range t.Figures {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t\n", f.Name, f.Old, f.New, f.change(), f.Helped, f.Hurt)
		}
		w.Flush()
	}
	if len(r.Totals) == 0 {
		fmt.Fprintln(&b, none)
	}
	if len(r.Changed) > 0 {
		fmt.Fprintf(&b, "\nchanged: %d\n", r.changed())
	}
	for i := range r.Changed {
		c := &r.Changed[i]
		fmt.Fprintf(&b, "  %s:", r.name(&c.Program))
		for _, f := range c.Figures {
			fmt.Fprintf(&b, " %s %s", f.Name, f.String())
		}
		b.WriteByte('\n')
	}
	for _, part := range r.missing() {
		fmt.Fprintf(&b, "\n%s: %d\n", part.title, len(part.programs))
		for i := range part.programs {
			fmt.Fprintf(&b, "  %s\n", r.name(&part.programs[i]))
		}
	}
	return b.Bytes()
}

// columns returns a writer of a table whose columns are aligned to the right.
func columns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// part is a list of programs that one of the files lacks.
type part struct {
	title    string
	programs []Program
}

func (r *Result) missing() (parts []part) {
	for _, p := range []part{{"only in the old file", r.Lost}, {"only in the new file", r.Gained}} {
		if len(p.programs) > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}
