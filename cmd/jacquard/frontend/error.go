package frontend

import (
	"fmt"
	"strings"

	"jacquard.example/generated/frontend"
)

// Error is what a program reports about a source, or why none runs.
type Error struct {
	File         string
	Line, Column int // from 1; 0: unknown
	Msg          string
}

func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: error: %s", e.File, e.Msg)
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: error: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: error: %s", e.File, e.Line, e.Column, e.Msg)
}

// MissingError reports that no program for a source is installed.
type MissingError struct{ Err *Error }

func (e *MissingError) Error() string { return e.Err.Error() }

// Unwrap returns the error with its position.
func (e *MissingError) Unwrap() error { return e.Err }

// Summary is the last of several errors in a source: it only says how many there are.
type Summary struct {
	File   string
	Errors int
}

func (e *Summary) Error() string { return fmt.Sprintf("%s: %d errors", e.File, e.Errors) }

// missing returns the error of a source for which no command can run. reasons says why of each.
func missing(file string, reasons []string) error {
	return &MissingError{&Error{File: file, Msg: strings.Join(reasons, "; ")}}
}

// absent says that a program is not installed, and where to get it.
func absent(c *frontend.Command, program string) string {
	return program + " is not installed (" + where(c) + ")"
}

// where says where to get a program.
func where(c *frontend.Command) string {
	var list []string
	if c.Debian != "" {
		list = append(list, "Debian package: "+c.Debian)
	}
	if c.URL != "" {
		list = append(list, c.URL)
	}
	if c.Get != "" {
		list = append(list, c.Get)
	}
	return strings.Join(list, ", ")
}
