// SPDX-License-Identifier: MIT

package table

import (
	"strings"

	"jacquard.example/gen/internal/diag"
)

// Limits of a file of tables. The project's own files stay far below them; larger ones could cost unreasonable time or
// memory.
const (
	MaxFile   = 4 << 20 // bytes of a file
	MaxString = 4 << 10 // bytes of a string, including quotes and escapes
	MaxNest   = 16      // parts of a key, and nested brackets
	MaxRows   = 16384   // rows in a family
)

// limits checks a file before it is parsed: the parser recurses on nesting.
func limits(text, file string) error {
	l := limiter{file: file, line: 1}
	if len(text) > MaxFile {
		return l.errorf("the file has %d bytes; at most %d are read", len(text), MaxFile)
	}
	depth, parts := 0, 1
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '"', '\'':
			n := quoted(text[i:])
			if n > MaxString {
				return l.errorf("a string of %d bytes; at most %d are read", n, MaxString)
			}
			l.line += strings.Count(text[i:i+n], "\n")
			i += n
			continue
		case '#':
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(text)
			}
			continue
		case '\n':
			l.line++
			parts = 1
		case '=', ',':
			parts = 1
		case '.':
			if parts++; parts > MaxNest {
				return l.errorf("a key of more than %d parts", MaxNest)
			}
		case '[', '{':
			parts = 1
			if depth++; depth > MaxNest {
				return l.errorf("brackets nested more than %d deep", MaxNest)
			}
		case ']', '}':
			depth = max(depth-1, 0)
		}
		i++
	}
	return nil
}

// quoted returns the length of the string that text starts with. An unterminated string on a
// single line ends with the line: the parser reports it.
func quoted(text string) int {
	q := text[:1]
	end := "\n"
	if strings.HasPrefix(text, strings.Repeat(q, 3)) {
		q, end = text[:3], ""
	}
	for i := len(q); i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], q):
			return i + len(q)
		case q[0] == '"' && text[i] == '\\':
			i++
		case end != "" && text[i] == '\n':
			return i
		}
	}
	return len(text)
}

type limiter struct {
	file string
	line int
}

func (l *limiter) errorf(format string, args ...any) error {
	return diag.Errorf(diag.Pos{File: l.file, Line: l.line, Col: 1}, "", format, args...)
}
