package main

import (
	"fmt"
	"strings"
)

const about = `jacquard compiles SPIR-V shaders to Intel GPU machine code. It needs no GPU.
`

// help implements "jacquard help [SUBCOMMAND]".
func (a *app) help(table []command, args []string) int {
	if len(args) == 0 {
		fmt.Fprint(a.stdout, about+"\n"+overview(table))
		return statusOK
	}
	if args[0] == "limits" {
		fmt.Fprint(a.stdout, limitsHelp())
		return statusOK
	}
	for i := range table {
		if table[i].name == args[0] {
			fmt.Fprint(a.stdout, table[i].help())
			return statusOK
		}
	}
	return a.status("", unknownCommand(table, args[0]))
}

// overview lists the subcommands.
func overview(table []command) string {
	var b strings.Builder
	b.WriteString("Usage: jacquard SUBCOMMAND [FLAGS] [FILE…]\n\n")
	for _, c := range table {
		fmt.Fprintf(&b, "  %-11s%s\n", c.name, c.brief)
	}
	b.WriteString("\n'jacquard help SUBCOMMAND' explains one of them, 'jacquard help limits' the budgets; 'jacquard version'\nprints the version. ")
	b.WriteString("Flags and files may come in any order; the file - is standard input.\n")
	b.WriteString("Errors are written to standard error; --diagnostics json or sarif makes them readable for tools, for example\n" +
		"with '--diagnostics sarif 2> errors.sarif'.\n")
	b.WriteString("Exit status: 0 on success, 1 for bad input or a failed expectation, 2 for incorrect usage,\n3 for a defect of jacquard.\n")
	return b.String()
}

// help returns the help text of one subcommand.
func (c *command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: jacquard %s [FLAGS] %s\n\n%s\n\nFlags:\n", c.name, c.args, strings.TrimSpace(c.text))
	for _, f := range c.flags() {
		head := "  " + f.dashed()
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
