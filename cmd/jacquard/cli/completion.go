// SPDX-License-Identifier: MIT

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// CompletionCommand writes completions for shells.
var CompletionCommand = Command{
	Name:  "completion",
	Args:  "bash|zsh|fish",
	Brief: "write completions for a shell",
	Text: `
Writes a script that makes a shell complete subcommands, flags, their values, and files. Source it in the shell's startup
file, or put it into the shell's folder of completions.

Examples:
  jacquard completion bash > jacquard.bash
  jacquard completion fish > jacquard.fish`,
	Setup: func(*FlagSet) func(*App, []string) error {
		return func(a *App, args []string) error {
			if len(args) != 1 {
				return Usagef("expected the name of a shell: %s", OrList(ShellNames()))
			}
			for _, s := range shells {
				if s.name == args[0] {
					s.write(a.Stdout, a.table)
					return nil
				}
			}
			return Usagef("unknown shell %q; expected %s%s", args[0], OrList(ShellNames()), Guess(args[0], slices.Values(ShellNames())))
		}
	},
}

// shells holds the supported shells.
var shells = []struct {
	name  string
	write func(w io.Writer, table []Command)
}{{"bash", bashCompletion}, {"zsh", zshCompletion}, {"fish", fishCompletion}}

// ShellNames returns the shells for which there are completions.
func ShellNames() (names []string) {
	for _, s := range shells {
		names = append(names, s.name)
	}
	return names
}

// Flags returns the flags of a subcommand in the order of its help.
func (c *Command) Flags() []flagInfo {
	fs := NewFlagSet()
	c.Setup(fs)
	diagnostics := "text"
	(&App{}).common(fs, &diagnostics)
	return fs.list
}

// Dashed returns the name of a flag with its dashes.
func (f *flagInfo) Dashed() string {
	if len(f.Name) == 1 {
		return "-" + f.Name
	}
	return "--" + f.Name
}

// words returns the values of a flag that has a fixed set of them; otherwise nil.
func (f *flagInfo) words() []string {
	if !strings.Contains(f.arg, "|") || strings.HasPrefix(f.arg, "[") {
		return nil
	}
	return strings.Split(f.arg, "|")
}

// takesValue reports whether a flag is followed by its value.
func (f *flagInfo) takesValue() bool { return f.arg != "" && !strings.HasPrefix(f.arg, "[") }

func bashCompletion(w io.Writer, table []Command) {
	var names []string
	for _, c := range table {
		names = append(names, c.Name)
	}
	fmt.Fprintf(w, `# Completions of jacquard for bash.
_jacquard() {
	local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} flags=
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W '%s help version' -- "$word"))
		return
	fi
	case $command in
	help) COMPREPLY=($(compgen -W '%[1]s limits' -- "$word")); return ;;
`, strings.Join(names, " "))
	for _, c := range table {
		fmt.Fprintf(w, "\t%s)\n\t\tcase $last in\n", c.Name)
		var flags, free []string
		for _, f := range c.Flags() {
			flags = append(flags, f.Dashed())
			switch words := f.words(); {
			case words != nil:
				fmt.Fprintf(w, "\t\t%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n", f.Dashed(), strings.Join(words, " "))
			case f.takesValue():
				free = append(free, f.Dashed())
			}
		}
		if len(free) > 0 {
			fmt.Fprintf(w, "\t\t%s) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", strings.Join(free, "|"))
		}
		fmt.Fprintf(w, "\t\tesac\n\t\tflags='%s' ;;\n", strings.Join(flags, " "))
	}
	io.WriteString(w, `	esac
	case $word in
	-*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
	*) COMPREPLY=($(compgen -f -- "$word")) ;;
	esac
}
complete -o filenames -F _jacquard jacquard
`)
}

func zshCompletion(w io.Writer, table []Command) {
	io.WriteString(w, "#compdef jacquard\n# Completions of jacquard for zsh.\n_jacquard() {\n\tlocal -a commands\n\tcommands=(\n")
	for _, c := range table {
		fmt.Fprintf(w, "\t\t%s\n", quoted(c.Name+":"+c.Brief))
	}
	io.WriteString(w, `		'help:explain a subcommand'
		'version:print the version'
	)
	if (( CURRENT == 2 )); then
		_describe subcommand commands
		return
	fi
	case $words[2] in
`)
	for _, c := range table {
		fmt.Fprintf(w, "\t%s) _arguments -s", c.Name)
		for _, f := range c.Flags() {
			spec := f.Dashed() + "[" + strings.NewReplacer("[", "(", "]", ")", ":", ";").Replace(f.text) + "]"
			switch words := f.words(); {
			case words != nil:
				spec += ":" + f.Name + ":(" + strings.Join(words, " ") + ")"
			case f.takesValue():
				spec += ":" + strings.ReplaceAll(f.arg, ":", ";") + ":_files"
			}
			fmt.Fprintf(w, " \\\n\t\t%s", quoted(spec))
		}
		io.WriteString(w, " \\\n\t\t'*:file:_files' ;;\n")
	}
	io.WriteString(w, "\t*) _files ;;\n\tesac\n}\n_jacquard \"$@\"\n")
}

func fishCompletion(w io.Writer, table []Command) {
	io.WriteString(w, "# Completions of jacquard for fish.\n")
	for _, c := range table {
		fmt.Fprintf(w, "complete -c jacquard -n __fish_use_subcommand -f -a %s -d %s\n", c.Name, quoted(c.Brief))
	}
	for _, c := range table {
		for _, f := range c.Flags() {
			fmt.Fprintf(w, "complete -c jacquard -n '__fish_seen_subcommand_from %s'", c.Name)
			if len(f.Name) == 1 {
				fmt.Fprintf(w, " -s %s", f.Name)
			} else {
				fmt.Fprintf(w, " -l %s", f.Name)
			}
			switch words := f.words(); {
			case words != nil:
				fmt.Fprintf(w, " -x -a %s", quoted(strings.Join(words, " ")))
			case f.takesValue():
				io.WriteString(w, " -r")
			}
			fmt.Fprintf(w, " -d %s\n", quoted(f.text))
		}
	}
}

// quoted puts a word in single quotes, which all three shells understand.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
