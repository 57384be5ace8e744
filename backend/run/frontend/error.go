// SPDX-License-Identifier: MIT

package frontend

import (
	"fmt"
	"strings"

	"jacquard.example/generated/frontend"
)

// Error is an error that a program reports about a source, or the reason why no program can run.
type Error struct {
	File         string
	Line, Column int // from 1; 0 if unknown
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

// Summary follows several errors in a source and counts them.
type Summary struct {
	File   string
	Errors int
}

func (e *Summary) Error() string { return fmt.Sprintf("%s: %d errors", e.File, e.Errors) }

// missing returns the error of a source for which no command can run, with the reason for each command.
func missing(file string, reasons []string) error {
	return &MissingError{&Error{File: file, Msg: strings.Join(reasons, "; ")}}
}

// absent returns a message that a program is not installed, with the places to get it.
func absent(c *frontend.Command, program string) string {
	return program + " is not installed (" + where(c) + ")"
}

// where lists the places to get a program.
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
