// SPDX-License-Identifier: MIT

package cli

import (
	"fmt"
	"strings"
)

const about = `jacquard compiles SPIR-V shaders to Intel GPU machine code. It needs no GPU.
`

// help implements "jacquard help [SUBCOMMAND]".
func (a *App) help(table []Command, args []string) int {
	if len(args) == 0 {
		fmt.Fprint(a.Stdout, about+"\n"+overview(table))
		return StatusOK
	}
	if args[0] == "limits" {
		fmt.Fprint(a.Stdout, limitsHelp())
		return StatusOK
	}
	for i := range table {
		if table[i].Name == args[0] {
			fmt.Fprint(a.Stdout, table[i].help())
			return StatusOK
		}
	}
	return a.status("", unknownCommand(table, args[0]))
}

// overview lists the subcommands.
func overview(table []Command) string {
	var b strings.Builder
	b.WriteString("Usage: jacquard SUBCOMMAND [FLAGS] [FILE…]\n\n")
	for _, c := range table {
		fmt.Fprintf(&b, "  %-11s%s\n", c.Name, c.Brief)
	}
	b.WriteString("\n'jacquard help SUBCOMMAND' explains one of them, 'jacquard help limits' the budgets; 'jacquard version'\n" +
		"prints the version. ")
	b.WriteString("Flags and files may come in any order; the file - is standard input.\n")
	b.WriteString("Errors are written to standard error; --diagnostics json or sarif makes them readable for tools, for example\n" +
		"with '--diagnostics sarif 2> errors.sarif'.\n")
	b.WriteString("Exit status: 0 on success, 1 for bad input or a failed expectation, 2 for incorrect usage,\n" +
		"3 for a defect of jacquard.\n")
	return b.String()
}

// help returns the help text of one subcommand.
func (c *Command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: jacquard %s [FLAGS] %s\n\n%s\n\nFlags:\n", c.Name, c.Args, strings.TrimSpace(c.Text))
	for _, f := range c.Flags() {
		head := "  " + f.Dashed()
		switch {
		case strings.HasPrefix(f.arg, "["):
			head += f.arg // an optional value
		case f.arg != "":
			head += " " + f.arg
		}
		if f.def != "" {
			fmt.Fprintf(&b, "%s\n      %s (default: %s)\n", head, f.text, f.def)
		} else {
			fmt.Fprintf(&b, "%s\n      %s\n", head, f.text)
		}
	}
	return b.String()
}
