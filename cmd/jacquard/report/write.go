// SPDX-License-Identifier: MIT

package report

import (
	"fmt"
	"html"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
)

// writers write documents, by the name of a format.
var writers = map[string]struct {
	start, end string
	write      func(io.Writer, *document) error
}{
	"text":     {"", "", writeText},
	"markdown": {"", "", writeMarkdown},
	"html":     {pageStart, pageEnd, writeHTML},
}

// Write writes reports as text, markdown or html; those with an error are left out, unless the entry point has reports for several
// targets. Reports of the same entry point that follow each other are written side by side.
func Write(w io.Writer, format string, list []*Report) error {
	f := writers[format]
	if _, err := io.WriteString(w, f.start); err != nil {
		return err
	}
	for first := true; len(list) > 0; {
		n := 1
		for n < len(list) && sameShader(list[0], list[n]) && list[n].Target != list[0].Target {
			n++
		}
		d := (*document)(nil)
		switch {
		case n > 1:
			d = sideBySide(list[:n])
		case list[0].Error == nil:
			d = layout(list[0])
		}
		list = list[n:]
		if d == nil {
			continue
		}
		if !first {
			io.WriteString(w, "\n")
		}
		first = false
		d.clean()
		if err := f.write(w, d); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, f.end)
	return err
}

func sameShader(x, y *Report) bool {
	return x.File == y.File && x.Entry == y.Entry && x.Stage == y.Stage
}

// clean makes names and source text fit for terminals and tables: it replaces tabs with spaces, and other characters that do
// not print with U+FFFD.
func (d *document) clean() {
	d.title = printable(d.title)
	for i := range d.parts {
		p := &d.parts[i]
		for k, n := range p.notes {
			p.notes[k] = printable(n)
		}
		if p.table == nil {
			continue
		}
		for _, row := range p.table.rows {
			for k, cell := range row {
				row[k] = printable(cell)
			}
		}
	}
}

func printable(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case !unicode.IsGraphic(c):
			return unicode.ReplacementChar
		}
		return c
	}, text)
}

func writeText(w io.Writer, d *document) error {
	fmt.Fprintf(w, "%s\n", d.title)
	for _, p := range d.parts {
		fmt.Fprintln(w)
		indent := ""
		if p.title != "" {
			fmt.Fprintf(w, "%s:\n", p.title)
			indent = "  "
		}
		after := p.table != nil && p.table.head != nil
		if !after {
			for _, n := range p.notes {
				fmt.Fprintf(w, "%s%s\n", indent, n)
			}
		}
		if p.table != nil {
			t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			for _, row := range p.table.all() {
				fmt.Fprintf(t, "%s%s\n", indent, strings.TrimRight(strings.Join(row, "\t"), "\t"))
			}
			if err := t.Flush(); err != nil {
				return err
			}
		}
		if after {
			for _, n := range p.notes {
				fmt.Fprintf(w, "%s%s\n", indent, n)
			}
		}
	}
	return nil
}

// all returns the rows with the head.
func (g *grid) all() [][]string {
	if g.head == nil {
		return g.rows
	}
	return append([][]string{g.head}, g.rows...)
}

func writeMarkdown(w io.Writer, d *document) error {
	fmt.Fprintf(w, "## %s\n", markdown(d.title))
	for _, p := range d.parts {
		fmt.Fprintln(w)
		if p.title != "" {
			fmt.Fprintf(w, "### %s\n\n", markdown(p.title))
		}
		for _, n := range p.notes {
			fmt.Fprintf(w, "- %s\n", markdown(n))
		}
		if p.table == nil || len(p.table.rows) == 0 {
			continue
		}
		if p.notes != nil {
			fmt.Fprintln(w)
		}
		head := p.table.head
		if head == nil {
			head = make([]string, width(p.table.rows))
		}
		row := func(cells []string, text func(string) string) {
			for i := range head {
				cell := ""
				if i < len(cells) {
					cell = text(cells[i])
				}
				fmt.Fprintf(w, "| %s ", cell)
			}
			fmt.Fprintln(w, "|")
		}
		row(head, markdown)
		row(head, func(string) string { return "---" })
		for _, r := range p.table.rows {
			row(r, markdown)
		}
	}
	return nil
}

func width(rows [][]string) (n int) {
	for _, r := range rows {
		n = max(n, len(r))
	}
	return n
}

// markdown escapes the characters that Markdown or HTML interprets.
func markdown(s string) string { return escaper.Replace(s) }

var escaper = strings.NewReplacer(
	"\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", ">", "&gt;", "&", "&amp;", "[", "\\[", "#",
	"\\#", "~", "\\~")

const (
	pageStart = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>jacquard report</title>
<style>
body { font: 14px sans-serif; margin: 16px; }
h1 { font-size: 17px; }
h2 { font-size: 14px; margin-bottom: 4px; }
p { margin: 4px 0; }
table { border-collapse: collapse; font: 12px monospace; }
th, td { border: 1px solid #ccc; padding: 2px 8px; text-align: left; }
tr.chosen { background: #d8f5d0; }
</style>
`
	pageEnd = "</html>\n"
)

func writeHTML(w io.Writer, d *document) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1>\n", html.EscapeString(d.title))
	for _, p := range d.parts {
		if p.title != "" {
			fmt.Fprintf(&b, "<h2>%s</h2>\n", html.EscapeString(p.title))
		}
		for _, n := range p.notes {
			fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(n))
		}
		if p.table == nil || len(p.table.rows) == 0 {
			continue
		}
		b.WriteString("<table>\n")
		for i, row := range p.table.all() {
			cell, class := "td", ""
			if i == 0 && p.table.head != nil {
				cell = "th"
			} else if row[0] == "*" {
				class = ` class="chosen"`
			}
			fmt.Fprintf(&b, "<tr%s>", class)
			for _, text := range row {
				fmt.Fprintf(&b, "<%s>%s</%s>", cell, html.EscapeString(text), cell)
			}
			b.WriteString("</tr>\n")
		}
		b.WriteString("</table>\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
