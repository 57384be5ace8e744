// SPDX-License-Identifier: MIT

package diag

import (
	"errors"
	"fmt"
	"slices"
	"sort"
)

// Pos is a position in a table. Line and Col, which counts bytes, start at 1; a Col
// of 0 is unknown.
type Pos struct {
	File string // path relative to the project's root, e.g. "defs/opcodes/int.toml"
	Line int
	Col  int
}

// String returns the position as other messages refer to it: by file and line.
func (p Pos) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Before reports whether a precedes b in tables that are read in the order of files.
func Before(files []string, a, b Pos) bool {
	if d := slices.Index(files, a.File) - slices.Index(files, b.File); d != 0 {
		return d < 0
	}
	return a.Line < b.Line
}

// Error is one error in a table.
type Error struct {
	Pos Pos
	Row string // the row's full name, e.g. "op.iadd"; may be empty
	Msg string
}

func (e *Error) Error() string {
	place := e.Pos.String()
	if e.Pos.Col > 0 {
		place = fmt.Sprintf("%s:%d", place, e.Pos.Col)
	}
	if e.Row == "" {
		return fmt.Sprintf("%s: error: %s", place, e.Msg)
	}
	return fmt.Sprintf("%s: error: [%s] %s", place, e.Row, e.Msg)
}

// Errorf returns an Error.
func Errorf(pos Pos, row, format string, args ...any) *Error {
	return &Error{Pos: pos, Row: row, Msg: fmt.Sprintf(format, args...)}
}

// List collects errors so that one run of the generator reports every invalid row, not only the first.
type List struct{ errs []*Error }

// Addf appends an error.
func (l *List) Addf(pos Pos, row, format string, args ...any) {
	l.errs = append(l.errs, Errorf(pos, row, format, args...))
}

// Add appends err, which may be an *Error, several joined ones, wrapped or not, or
// any other error.
func (l *List) Add(err error) {
	if err == nil {
		return
	}
	var m interface{ Unwrap() []error }
	if errors.As(err, &m) {
		for _, e := range m.Unwrap() {
			l.Add(e)
		}
		return
	}
	var e *Error
	if errors.As(err, &e) {
		l.errs = append(l.errs, e)
		return
	}
	l.errs = append(l.errs, &Error{Msg: err.Error()})
}

// Err returns the collected errors in the order of their positions, or nil.
func (l *List) Err() error {
	if len(l.errs) == 0 {
		return nil
	}
	sort.SliceStable(l.errs, func(i, j int) bool {
		a, b := l.errs[i].Pos, l.errs[j].Pos
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	out := make([]error, len(l.errs))
	for i, e := range l.errs {
		out[i] = e
	}
	return errors.Join(out...)
}
