// SPDX-License-Identifier: MIT

package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// ManCommand writes manual pages.
var ManCommand = Command{
	Name:  "man",
	Args:  "[SUBCOMMAND]",
	Brief: "write a manual page",
	Text: `
Writes the manual page of jacquard, or of a subcommand, as roff source.

Examples:
  jacquard man > jacquard.1
  jacquard man compile > jacquard-compile.1`,
	Setup: func(*FlagSet) func(*App, []string) error {
		return func(a *App, args []string) error {
			table := a.table
			switch len(args) {
			case 0:
				manOverview(a.Stdout, table)
				return nil
			case 1:
				for i := range table {
					if table[i].Name == args[0] {
						table[i].man(a.Stdout)
						return nil
					}
				}
				return unknownCommand(table, args[0])
			}
			return Usagef("expected one SUBCOMMAND, but found another, %q", args[1])
		}
	},
}

func manHead(w io.Writer, page, brief string) {
	fmt.Fprintf(w, ".TH %s 1\n.SH NAME\n%s \\- %s\n", strings.ToUpper(page), page, roff(brief))
}

// manOverview writes the page that lists the subcommands.
func manOverview(w io.Writer, table []Command) {
	manHead(w, "jacquard", "compile SPIR-V shaders to Intel GPU machine code")
	io.WriteString(w, ".SH SYNOPSIS\n.B jacquard\nSUBCOMMAND [FLAGS] [FILE...]\n.SH SUBCOMMANDS\n")
	for _, c := range table {
		fmt.Fprintf(w, ".TP\n.BR jacquard\\-%s (1)\n%s\n", roff(c.Name), roff(c.Brief))
	}
	io.WriteString(w, ".SH EXIT STATUS\n0 on success, 1 for bad input or a failed expectation,\n")
	io.WriteString(w, "2 for incorrect usage, 3 for a defect of jacquard.\n")
}

// man writes the page of a subcommand.
func (c *Command) man(w io.Writer) {
	manHead(w, "jacquard-"+c.Name, c.Brief)
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B jacquard %s\n[FLAGS] %s\n.SH DESCRIPTION\n", roff(c.Name), roff(c.Args))
	verbatim := false
	for line := range strings.Lines(strings.TrimSpace(c.Text) + "\n") {
		line = strings.TrimSuffix(line, "\n")
		if indented := strings.HasPrefix(line, "  "); indented != verbatim && line != "" {
			if verbatim = indented; verbatim {
				io.WriteString(w, ".nf\n")
			} else {
				io.WriteString(w, ".fi\n")
			}
		}
		switch {
		case line == "Examples:":
			io.WriteString(w, ".SH EXAMPLES\n")
		case line == "":
			io.WriteString(w, ".PP\n")
		default:
			fmt.Fprintln(w, roff(line))
		}
	}
	if verbatim {
		io.WriteString(w, ".fi\n")
	}
	io.WriteString(w, ".SH FLAGS\n")
	for _, f := range c.Flags() {
		text := f.text
		if f.def != "" {
			text += " (default: " + f.def + ")"
		}
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(f.Dashed()+" "+f.arg)), roff(text))
	}
	io.WriteString(w, ".SH SEE ALSO\n.BR jacquard (1)\n")
}

// roff escapes the characters that are special in roff.
func roff(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case i == 0 && (r == '.' || r == '\''):
			b.WriteString(`\&` + string(r))
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
