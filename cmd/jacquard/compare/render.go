// SPDX-License-Identifier: MIT

package compare

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"
)

// block is a part of a comparison: a title, then a table, a list or a listing.
type block struct {
	title   string
	columns []string
	rows    [][]string // the first cell of each is the name of the row
	items   []item     // items of a list, which Markdown folds away
	listing []byte     // a unified diff
	loud    bool       // the title is emphasized
}

// item is an element of a list: a name and a text about it.
type item struct{ name, text string }

// text writes blocks as text.
func text(blocks []block) []byte {
	var b bytes.Buffer
	for i := range blocks {
		x := &blocks[i]
		if i > 0 && !x.loud {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, x.title)
		if len(x.rows) > 0 {
			w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
			for _, row := range append([][]string{x.columns}, x.rows...) {
				fmt.Fprintf(w, "%s\t\n", strings.Join(row, "\t"))
			}
			w.Flush()
		}
		for _, it := range x.items {
			fmt.Fprintf(&b, "  %s%s\n", it.name, it.text)
		}
		b.Write(x.listing)
	}
	return b.Bytes()
}

// markdown writes blocks as Markdown, as GitHub and GitLab render it.
func markdown(blocks []block) []byte {
	var b bytes.Buffer
	for i := range blocks {
		x := &blocks[i]
		switch {
		case len(x.items) > 0:
			fmt.Fprintf(&b, "<details><summary>%s</summary>\n\n", x.title)
		case x.loud || len(x.rows) > 0:
			fmt.Fprintf(&b, "**%s**\n\n", x.title)
		default:
			fmt.Fprintf(&b, "%s\n\n", x.title)
		}
		for k, row := range append([][]string{x.columns}, x.rows...) {
			if len(row) > 0 {
				fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			}
			if k == 0 && len(row) > 0 {
				fmt.Fprintf(&b, "|---|%s\n", strings.Repeat("--:|", len(row)-1))
			}
		}
		for _, it := range x.items {
			fmt.Fprintf(&b, "- `%s`%s\n", strings.NewReplacer("`", "'", "\n", " ").Replace(it.name), it.text)
		}
		switch {
		case len(x.items) > 0:
			b.WriteString("\n</details>\n")
		case len(x.listing) > 0:
			fmt.Fprintf(&b, "```diff\n%s```\n", x.listing)
		}
		if i < len(blocks)-1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
