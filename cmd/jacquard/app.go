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
	"jacquard.example/backend/run/frontend"
	"jacquard.example/cmd/jacquard/diag"
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
	debug          bool      // --debug: show stacks of internal errors
	log            *diag.Log // of --diagnostics json and sarif, otherwise nil; stderr is the same
	table          []command
	sources        sources // the flags for sources
	programs       frontend.Programs
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

// guess returns a suggestion to append to a message about an unknown word: the most similar known word, or nothing.
func guess(word string, known iter.Seq[string]) string {
	if n := near.Guess(word, known); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}

// common declares the flags that every subcommand has.
func (a *app) common(fs *flagSet, diagnostics *string) {
	fs.choice(diagnostics, "diagnostics", append([]string{"text"}, diag.Formats...),
		"how to write errors and warnings to standard error: as text, as JSON, an object on each line, or as one SARIF 2.1.0 log")
	fs.boolean(&a.debug, "debug", "show the stack of an internal error")
}

// run executes one subcommand. A panic becomes an internal error.
func (a *app) run(c *command, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &jacquard.InternalError{Pass: "of jacquard " + c.name, Cause: r, Stack: debug.Stack()}
		}
	}()
	fs := newFlagSet()
	diagnostics := "text"
	a.common(fs, &diagnostics)
	run := c.setup(fs)
	rest, err := fs.parse(args)
	a.sources = fs.sources
	if diagnostics != "text" {
		a.log = diag.New(a.stderr, diagnostics)
		a.stderr = a.log
	}
	if errors.Is(err, errHelp) {
		fmt.Fprint(a.stdout, c.help())
		return nil
	}
	if err != nil {
		return err
	}
	return run(a, rest)
}

// status reports an error and returns the corresponding exit status. command is the
// subcommand, or "".
func (a *app) status(command string, err error) int {
	code := statusOK
	if err != nil {
		code = a.report(command, err)
	}
	if a.log != nil {
		a.log.Close(code)
	}
	return code
}

// report writes an error and returns the exit status.
func (a *app) report(command string, err error) int {
	var usage *usageError
	var internal *jacquard.InternalError
	switch {
	case errors.As(err, &usage):
		who, help := "jacquard", "jacquard help"
		if command != "" {
			who, help = who+" "+command, help+" "+command
		}
		a.say(diag.Usage, err, fmt.Sprintf("%s: error: %s (see '%s')", who, usage.msg, help))
		return statusUsage
	case errors.As(err, &internal):
		msg := fmt.Sprintf("%s; this is a defect of jacquard %s: please report this line with the input and what --debug shows",
			oneLine(internal.Error()), jacquard.Version())
		a.say(diag.Defect, errors.New(msg), "jacquard: "+msg)
		if a.debug {
			fmt.Fprintf(a.stderr, "%s", internal.Stack)
		}
		return statusInternal
	case errors.Is(err, context.Canceled):
		a.say(diag.Stopped, errors.New("interrupted"), "jacquard: error: interrupted")
		return statusInput
	}
	a.say(diag.Input, err, err.Error()) // errors at several places are joined, one per line
	return statusInput
}

// say reports an error in the form that --diagnostics selects: to the log, or as text.
func (a *app) say(kind string, err error, text string) {
	if a.log != nil {
		a.log.Error(kind, err)
		return
	}
	for line := range strings.Lines(text + "\n") {
		fmt.Fprintln(a.stderr, diag.Cut(strings.TrimSuffix(line, "\n")))
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
