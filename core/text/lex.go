package text

import (
	"fmt"
	"strconv"
	"strings"
)

// Error is a mistake in the text.
type Error struct {
	Line, Col int // from 1
	Msg       string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

type tokKind uint8

const (
	tokEOF tokKind = iota
	tokNewline
	tokWord
	tokString
	tokPunct
)

type token struct {
	kind      tokKind
	text      string // words and punctuation as they stand, strings unquoted
	line, col int
}

func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "end of file"
	case tokNewline:
		return "end of line"
	case tokString:
		return strconv.Quote(t.text)
	}
	return "'" + t.text + "'"
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '|' || c == '%' || c == '@' || c == '-' || c == '?'
}

const punctuation = "(){}[],=:!"

// lexer splits the text into tokens, one after the other.
type lexer struct {
	src   []byte
	at    int
	line  int
	start int  // of the line
	ended bool // the line has a newline already, or nothing on it
	last  bool // the newline behind the text has been given
}

// next returns the next token; runs of empty lines give one newline.
func (l *lexer) next() token {
	for src := l.src; l.at < len(src); {
		i := l.at
		c := src[i]
		line, col := l.line, i-l.start+1
		give := func(k tokKind, text string, end int) token {
			l.at, l.ended = end, k == tokNewline
			return token{k, text, line, col}
		}
		switch {
		case c == '\n':
			l.line++
			l.at++
			l.start = l.at
			if !l.ended {
				return give(tokNewline, "", l.at)
			}
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			for i < len(src) && src[i] != '\n' {
				i++
			}
			l.at = i
		case c == '"':
			j := i + 1
			for j < len(src) && src[j] != '"' && src[j] != '\n' {
				if src[j] == '\\' {
					j++
				}
				j++
			}
			if j >= len(src) || src[j] != '"' {
				panic(&Error{line, col, "string is not closed on its line"})
			}
			text, err := strconv.Unquote(string(src[i : j+1]))
			if err != nil {
				panic(&Error{line, col, "bad escape in string"})
			}
			return give(tokString, text, j+1)
		case isWord(c):
			j := i
			for j < len(src) && isWord(src[j]) {
				j++
			}
			return give(tokWord, string(src[i:j]), j)
		case strings.IndexByte(punctuation, c) >= 0:
			p := strings.IndexByte(punctuation, c)
			return give(tokPunct, punctuation[p:p+1], i+1)
		default:
			panic(&Error{line, col, fmt.Sprintf("unexpected character %q", c)})
		}
	}
	if !l.last {
		l.last = true
		return token{tokNewline, "", l.line, len(l.src) - l.start + 1}
	}
	return token{tokEOF, "", l.line, len(l.src) - l.start + 1}
}
