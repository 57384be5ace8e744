// SPDX-License-Identifier: MIT

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime/debug"
	"strings"
	"sync"

	"jacquard.example"
	"jacquard.example/backend/run/frontend"
	"jacquard.example/cmd/jacquard/archive"
	"jacquard.example/cmd/jacquard/diag"
	"jacquard.example/core/near"
)

// Exit statuses.
const (
	StatusOK       = 0
	StatusInput    = 1 // bad input, or an expectation that failed
	statusUsage    = 2 // incorrect command line
	StatusInternal = 3 // a defect of the program
)

// App is one invocation of the command.
type App struct {
	Ctx            context.Context
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	debug          bool      // --debug: show stacks of internal errors
	Log            *diag.Log // the log of --diagnostics json or sarif, which Stderr then writes to; otherwise nil
	table          []Command
	sources        sources // the flags for sources
	Programs       frontend.Programs
	opened         sync.Mutex // of archives
	archives       map[string]*archive.Archive
}

// Command is a row of the table of subcommands.
type Command struct {
	Name  string
	Args  string // the synopsis after the name, without flags
	Brief string // one line for the list
	Text  string // the help text
	// Setup declares the flags and returns the function that runs the command on
	// the remaining arguments.
	Setup func(*FlagSet) func(a *App, args []string) error
}

// usageError reports an incorrect command line.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

// Usagef returns an error about the command line.
func Usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// Main runs the command and returns the exit status. A panic of a subcommand becomes an internal error.
func (a *App) Main(table []Command, args []string) int {
	a.table = table
	if len(args) == 0 {
		fmt.Fprintln(a.Stderr, "jacquard: error: a subcommand is missing")
		fmt.Fprint(a.Stderr, overview(table))
		return statusUsage
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		return a.help(table, args[1:])
	case "version", "-version", "--version":
		fmt.Fprintln(a.Stdout, "jacquard "+jacquard.Version())
		return StatusOK
	}
	for i := range table {
		if table[i].Name == name {
			return a.status(name, a.run(&table[i], args[1:]))
		}
	}
	return a.status("", unknownCommand(table, name))
}

// unknownCommand returns the error for an unknown subcommand.
func unknownCommand(table []Command, name string) error {
	return Usagef("unknown subcommand %q%s", name, Guess(name, func(yield func(string) bool) {
		for i := range table {
			if !yield(table[i].Name) {
				return
			}
		}
	}))
}

// Guess returns a suggestion to append to a message about an unknown word, the most similar known word, or "" if none
// is similar.
func Guess(word string, known iter.Seq[string]) string {
	if n := near.Guess(word, known); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}

// common declares the flags that every subcommand has.
func (a *App) common(fs *FlagSet, diagnostics *string) {
	fs.Choice(diagnostics, "diagnostics", append([]string{"text"}, diag.Formats...),
		"how to write errors and warnings to standard error: as text, as JSON, an object on each line, or as one SARIF 2.1.0 log")
	fs.Boolean(&a.debug, "debug", "show the stack of an internal error")
}

// run executes one subcommand. A panic becomes an internal error.
func (a *App) run(c *Command, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &jacquard.InternalError{Pass: "of jacquard " + c.Name, Cause: r, Stack: debug.Stack()}
		}
	}()
	fs := NewFlagSet()
	diagnostics := "text"
	a.common(fs, &diagnostics)
	run := c.Setup(fs)
	rest, err := fs.Parse(args)
	a.sources = fs.sources
	if diagnostics != "text" {
		a.Log = diag.New(a.Stderr, diagnostics)
		a.Stderr = a.Log
	}
	if errors.Is(err, errHelp) {
		fmt.Fprint(a.Stdout, c.help())
		return nil
	}
	if err != nil {
		return err
	}
	return run(a, rest)
}

// status reports an error and returns the corresponding exit status. command is the
// subcommand, or "".
func (a *App) status(command string, err error) int {
	code := StatusOK
	if err != nil {
		code = a.report(command, err)
	}
	if a.Log != nil {
		a.Log.Close(code)
	}
	return code
}

// report writes an error and returns the exit status.
func (a *App) report(command string, err error) int {
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
			OneLine(internal.Error()), jacquard.Version())
		a.say(diag.Defect, errors.New(msg), "jacquard: "+msg)
		if a.debug {
			fmt.Fprintf(a.Stderr, "%s", internal.Stack)
		}
		return StatusInternal
	case errors.Is(err, context.Canceled):
		a.say(diag.Stopped, errors.New("interrupted"), "jacquard: error: interrupted")
		return StatusInput
	}
	a.say(diag.Input, err, err.Error()) // errors at several places are joined, one per line
	return StatusInput
}

// say reports an error in the form that --diagnostics selects: to the log, or as text.
func (a *App) say(kind string, err error, text string) {
	if a.Log != nil {
		a.Log.Error(kind, err)
		return
	}
	for line := range strings.Lines(text + "\n") {
		fmt.Fprintln(a.Stderr, diag.Cut(strings.TrimSuffix(line, "\n")))
	}
}

// OneLine returns a message on one line, with a single space in place of each run of white space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
