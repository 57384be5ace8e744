// SPDX-License-Identifier: MIT

package amber

import (
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/work"
)

// token is a word of the script, or the end of a line or of the text. Words
// are delimited by white space; a quoted string is one word.
type token struct {
	kind tokenKind
	text string
	pos  runner.Pos
}

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokEOL
	tokWord
	tokString
)

// String names the token in an error message.
func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "the end of the script"
	case tokEOL:
		return "the end of the line"
	}
	return "'" + t.text + "'"
}

func (t token) ends() bool          { return t.kind == tokEOL || t.kind == tokEOF }
func (t token) is(word string) bool { return t.kind == tokWord && t.text == word }

// lexer splits a script into tokens. Comments start with # where a word could start; a line that
// ends in a lone backslash continues on the next.
type lexer struct {
	src  string
	off  int
	line int
	bol  int // offset of the start of the current line

	meter *work.Meter // polls for cancellation
}

// Steps of a Meter: for a token, and for each byte that is read for it.
const (
	tokenSteps = 1 << 6
	charSteps  = 4
)

func (l *lexer) pos() runner.Pos { return runner.Pos{Line: l.line, Col: l.off - l.bol + 1} }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0 }

func (l *lexer) newline() {
	l.off++
	l.line++
	l.bol = l.off
}

func (l *lexer) next() token {
	from := l.off
	t := l.scan()
	l.meter.Spend(tokenSteps + charSteps*(l.off-from))
	return t
}

func (l *lexer) scan() token {
	for {
		for l.off < len(l.src) && isSpace(l.src[l.off]) {
			l.off++
		}
		if l.off < len(l.src) && l.src[l.off] == '#' {
			for l.off < len(l.src) && l.src[l.off] != '\n' {
				l.off++
			}
		}
		if l.off >= len(l.src) {
			return token{kind: tokEOF, pos: l.pos()}
		}
		if !l.continuation() {
			break
		}
	}
	t := token{pos: l.pos()}
	switch l.src[l.off] {
	case '\n':
		t.kind = tokEOL
		l.newline()
	case '"':
		t.kind, t.text = tokString, l.quoted()
	default:
		start := l.off
		for l.off < len(l.src) && !isSpace(l.src[l.off]) && l.src[l.off] != '\n' {
			l.off++
		}
		t.kind, t.text = tokWord, l.src[start:l.off]
	}
	return t
}

// peek returns the next token without consuming it.
func (l *lexer) peek() token {
	saved := *l
	t := l.next()
	*l = saved
	return t
}

// continuation skips a backslash that ends a line.
func (l *lexer) continuation() bool {
	rest := l.src[l.off:]
	switch {
	case strings.HasPrefix(rest, "\\\n"):
		l.off++
	case strings.HasPrefix(rest, "\\\r\n"):
		l.off += 2
	default:
		return false
	}
	l.newline()
	return true
}

// escapes are the letters with a special meaning after a backslash in a quoted string; every other
// character stands for itself.
var escapes = map[byte]byte{'a': '\a', 'b': '\b', 't': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r'}

// quoted reads a string whose opening quote is at l.off. It ends at the
// closing quote or at the end of the line.
func (l *lexer) quoted() string {
	var b strings.Builder
	for l.off++; l.off < len(l.src) && l.src[l.off] != '\n'; l.off++ {
		c := l.src[l.off]
		if c == '"' {
			l.off++
			break
		}
		if c == '\\' && l.off+1 < len(l.src) && l.src[l.off+1] != '\n' {
			l.off++
			c = l.src[l.off]
			if e, ok := escapes[c]; ok {
				c = e
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// textUntilEND returns the lines up to the next line that starts with the word END, and skips that word. ok is false
// if there is no such line.
func (l *lexer) textUntilEND() (text string, ok bool) {
	start := l.off
	for l.off < len(l.src) {
		end := strings.IndexByte(l.src[l.off:], '\n')
		if end < 0 {
			end = len(l.src) - l.off
		}
		line := l.src[l.off : l.off+end]
		indent := 0
		for indent < len(line) && isSpace(line[indent]) {
			indent++
		}
		word := line[indent:]
		if word == "END" || len(word) > 3 && word[:3] == "END" && isSpace(word[3]) {
			text = l.src[start:l.off]
			l.off += indent + len("END")
			return text, true
		}
		l.off += end
		if l.off < len(l.src) {
			l.newline()
		}
	}
	return "", false
}
