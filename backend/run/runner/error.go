// SPDX-License-Identifier: MIT

package runner

import "fmt"

// Pos is a position in a script. Line and Col count from 1, Col in bytes. Line 0 means the script
// as a whole, Col 0 the line as a whole.
type Pos struct{ Line, Col int }

// Error is an error in parsing or running a script.
type Error struct {
	File string
	Pos
	Msg string
	Err error // the error that this one wraps, such as an engine's; nil if there is none
}

// Unwrap returns the wrapped error, or nil.
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: error: %s", e.File, e.Msg)
	case e.Col == 0:
		return fmt.Sprintf("%s:%d: error: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: error: %s", e.File, e.Line, e.Col, e.Msg)
}
