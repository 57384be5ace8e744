package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime/debug"
	"strings"

	"jacquard.example"
	"jacquard.example/core/near"
)

// Exit statuses.
const (
	statusOK       = 0
	statusInput    = 1 // bad input, or an expectation that failed
	statusUsage    = 2 // incorrect command line
	statusInternal = 3 // a defect of the program
)

// app is one invocation of the command.
type app struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
	debug          bool // --debug: show stacks of internal errors
	table          []command
}

// command is a row of the table of subcommands.
type command struct {
	name  string
	args  string // the synopsis after the name, without flags
	brief string // one line for the list
	text  string // the help text
	// setup declares the flags and returns the function that runs the command on
	// the remaining arguments.
	setup func(*flagSet) func(a *app, args []string) error
}

// usageError reports an incorrect command line.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// main runs the command and returns the exit status. It recovers all panics.
func (a *app) main(table []command, args []string) int {
	a.table = table
	if len(args) == 0 {
		fmt.Fprintln(a.stderr, "jacquard: error: a subcommand is missing")
		fmt.Fprint(a.stderr, overview(table))
		return statusUsage
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		return a.help(table, args[1:])
	case "version", "-version", "--version":
		fmt.Fprintln(a.stdout, "jacquard "+jacquard.Version())
		return statusOK
	}
	for i := range table {
		if table[i].name == name {
			return a.status(name, a.run(&table[i], args[1:]))
		}
	}
	return a.status("", unknownCommand(table, name))
}

// unknownCommand returns the error for an unknown subcommand.
func unknownCommand(table []command, name string) error {
	return usagef("unknown subcommand %q%s", name, guess(name, func(yield func(string) bool) {
		for i := range table {
			if !yield(table[i].name) {
				return
			}
		}
	}))
}

// guess returns a suggestion for the end of a message about an unknown word: the known word that it resembles, or nothing.
func guess(word string, known iter.Seq[string]) string {
	if n := near.Guess(word, known); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}

// run executes one subcommand. A panic becomes an internal error.
func (a *app) run(c *command, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &jacquard.InternalError{Pass: "of jacquard " + c.name, Cause: r, Stack: debug.Stack()}
		}
	}()
	fs := newFlagSet()
	fs.boolean(&a.debug, "debug", debugHelp)
	run := c.setup(fs)
	rest, err := fs.parse(args)
	if errors.Is(err, errHelp) {
		fmt.Fprint(a.stdout, c.help())
		return nil
	}
	if err != nil {
		return err
	}
	return run(a, rest)
}

// status prints an error and returns the corresponding exit status. command is the
// subcommand, or "".
func (a *app) status(command string, err error) int {
	var usage *usageError
	var internal *jacquard.InternalError
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &usage):
		who, help := "jacquard", "jacquard help"
		if command != "" {
			who, help = who+" "+command, help+" "+command
		}
		fmt.Fprintf(a.stderr, "%s: error: %s (see '%s')\n", who, usage.msg, help)
		return statusUsage
	case errors.As(err, &internal):
		fmt.Fprintf(a.stderr, "jacquard: %s; this is a defect of jacquard %s: please report this line with the input and what --debug shows\n",
			oneLine(internal.Error()), jacquard.Version())
		if a.debug {
			fmt.Fprintf(a.stderr, "%s", internal.Stack)
		}
		return statusInternal
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(a.stderr, "jacquard: error: interrupted")
		return statusInput
	}
	// Errors at several places are joined, one per line.
	for line := range strings.Lines(err.Error() + "\n") {
		fmt.Fprintln(a.stderr, cut(strings.TrimSuffix(line, "\n")))
	}
	return statusInput
}

// cut shortens a message that quotes a long part of a damaged file.
func cut(line string) string {
	const most, end = 1000, 200
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most-end], "") + " … " + strings.ToValidUTF8(line[len(line)-end:], "")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
