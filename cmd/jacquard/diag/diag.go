// SPDX-License-Identifier: MIT

package diag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/run/frontend"
	"jacquard.example/backend/run/runner"
)

// Version is the value of the field "version" of diagnostics. Later versions only add fields.
const Version = 1

// Diagnostic is an error, a warning or a note. If they are unknown, File is empty, Line and Column are 0, and Word is
// nil.
type Diagnostic struct {
	Version int    `json:"version"`
	Level   string `json:"level"` // error, warning or note, as SARIF names levels
	Kind    string `json:"kind"`  // the name of a kind
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"` // in bytes
	Input   string `json:"input"`  // the input, if File is a source file that its debug information names
	Word    *int   `json:"word"`   // offset in the input, in units of 32 bits
	Message string `json:"message"`
}

// Kinds of diagnostics.
const (
	Input   = "input"
	Usage   = "usage"
	Defect  = "defect"
	Stopped = "stopped"
	Message = "message"
)

// kinds describes the kinds.
var kinds = []struct{ name, about string }{
	{Input, "The input is wrong, or an expectation does not hold."},
	{Usage, "The command line is wrong."},
	{Defect, "A defect of jacquard."},
	{Stopped, "The command was interrupted."},
	{Message, "Something else to know."},
}

// Formats are the formats that New accepts.
var Formats = []string{"json", "sarif"}

// Log writes diagnostics.
type Log struct {
	out   io.Writer
	sarif bool
	list  []Diagnostic // for SARIF, which is written at the end
	line  []byte       // the incomplete last line of text
	err   error        // the first error of writing to out
}

// New returns a log in one of Formats.
func New(out io.Writer, format string) *Log { return &Log{out: out, sarif: format == "sarif"} }

// Error reports each of the errors that are joined in err.
func (l *Log) Error(kind string, err error) { l.report("error", kind, err) }

// Warn is like Error, with the level of a warning.
func (l *Log) Warn(kind string, err error) { l.report("warning", kind, err) }

func (l *Log) report(level, kind string, err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range several.Unwrap() {
			l.report(level, kind, e)
		}
		return
	}
	d := Diagnostic{Level: level, Kind: kind}
	var at *jacquard.Error
	var script *runner.Error
	var source *frontend.Error
	switch sum, ok := err.(*frontend.Summary); {
	case ok:
		d.Level, d.Kind = "note", Message
		d.File, d.Message = sum.File, fmt.Sprintf("%d errors", sum.Errors)
	case errors.As(err, &at):
		d.File, d.Line, d.Column = at.File, at.Line, at.Column
		d.Input, d.Message = at.Input, at.Msg
		if at.HasWord {
			d.Word = &at.Word
		}
	case errors.As(err, &source):
		d.File, d.Line = source.File, source.Line
		d.Column, d.Message = source.Column, source.Msg
	case errors.As(err, &script):
		d.File, d.Line = script.File, script.Line
		d.Column, d.Message = script.Col, script.Msg
	default:
		d.Message = strings.TrimPrefix(err.Error(), "jacquard: error: ")
	}
	l.add(d)
}

// Write adds lines of text to the log: "FILE: warning: MESSAGE" as warnings, other lines as notes.
func (l *Log) Write(text []byte) (int, error) {
	l.line = append(l.line, text...)
	for {
		line, rest, whole := bytes.Cut(l.line, []byte("\n"))
		if !whole {
			return len(text), l.err
		}
		l.text(string(line))
		l.line = rest
	}
}

func (l *Log) text(line string) {
	if line = strings.TrimSpace(line); line == "" {
		return
	}
	d := Diagnostic{Level: "note", Kind: Message, Message: line}
	if file, msg, ok := strings.Cut(line, ": warning: "); ok {
		d.Level, d.File, d.Message = "warning", file, msg
	}
	l.add(d)
}

func (l *Log) add(d Diagnostic) {
	d.Version, d.Message = Version, Cut(strings.ToValidUTF8(d.Message, "\uFFFD"))
	if l.sarif {
		l.list = append(l.list, d)
		return
	}
	l.write(d)
}

func (l *Log) write(v any) {
	data, err := json.Marshal(v)
	if err == nil {
		_, err = l.out.Write(append(data, '\n'))
	}
	if l.err == nil {
		l.err = err
	}
}

// Close completes the log. status is the exit status of the command.
func (l *Log) Close(status int) error {
	l.text(string(l.line))
	if l.sarif {
		l.write(sarifLog(l.list, status))
	}
	return l.err
}

// Cut shortens a message of more than 1000 bytes, which may quote a damaged file, to its start and its end.
func Cut(message string) string {
	const most, end = 1000, 200
	if len(message) <= most {
		return message
	}
	return strings.ToValidUTF8(message[:most-end], "") + " … " + strings.ToValidUTF8(message[len(message)-end:], "")
}
