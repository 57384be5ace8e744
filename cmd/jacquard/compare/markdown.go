package compare

import (
	"bytes"
	"fmt"
	"strings"
)

// Markdown returns the result as Markdown, as GitHub and GitLab render it: the totals as tables, the programs folded away.
func (r *Result) Markdown() []byte {
	var b bytes.Buffer
	if s := r.differ(); s != "" {
		fmt.Fprintf(&b, "**%s**\n\n", upper(s))
	}
	for i := range r.Totals {
		t := &r.Totals[i]
		fmt.Fprintf(&b, "**%s**\n\n| | old | new | change | helped | hurt |\n|---|--:|--:|--:|--:|--:|\n", upper(r.heading(t)))
		for _, f := range t.Figures {
			fmt.Fprintf(&b, "| %s | %d | %d | %s | %d | %d |\n", f.Name, f.Old, f.New, f.change(), f.Helped, f.Hurt)
		}
		b.WriteByte('\n')
	}
	if len(r.Totals) == 0 {
		fmt.Fprintf(&b, "%s\n\n", upper(none))
	}
	if len(r.Changed) > 0 {
		folded(&b, fmt.Sprintf("Changed: %d", r.changed()), func() {
			b.WriteString("| program |")
			for _, f := range figures {
				fmt.Fprintf(&b, " %s |", f.name)
			}
			fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---|", len(figures)))
			for i := range r.Changed {
				r.row(&b, &r.Changed[i])
			}
		})
	}
	for _, part := range r.missing() {
		folded(&b, fmt.Sprintf("%s: %d", upper(part.title), len(part.programs)), func() {
			for i := range part.programs {
				fmt.Fprintf(&b, "- %s\n", code(r.name(&part.programs[i])))
			}
		})
	}
	return b.Bytes()
}

// row writes a program that differs as a row with a column for each figure, empty if it does not.
func (r *Result) row(b *bytes.Buffer, c *Change) {
	fmt.Fprintf(b, "| %s |", code(r.name(&c.Program)))
	for _, f := range figures {
		text := ""
		for _, x := range c.Figures {
			if x.Name == f.name {
				text = x.String()
			}
		}
		fmt.Fprintf(b, " %s |", text)
	}
	b.WriteByte('\n')
}

// folded writes what body writes as a section that is closed at first.
func folded(b *bytes.Buffer, title string, body func()) {
	fmt.Fprintf(b, "<details><summary>%s</summary>\n\n", title)
	body()
	b.WriteString("\n</details>\n\n")
}

// code returns a name as code, without what would end it or a cell of a table.
func code(name string) string {
	return "`" + strings.NewReplacer("`", "'", "|", `\|`, "\n", " ").Replace(name) + "`"
}

// upper returns a sentence that begins with a capital letter.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
