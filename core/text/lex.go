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

// lex splits the text into tokens; runs of empty lines give one newline.
func lex(src []byte) ([]token, error) {
	var out []token
	line, start := 1, 0
	for i := 0; i < len(src); {
		c := src[i]
		col := i - start + 1
		switch {
		case c == '\n':
			if n := len(out); n > 0 && out[n-1].kind != tokNewline {
				out = append(out, token{tokNewline, "", line, col})
			}
			line++
			i++
			start = i
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			for i < len(src) && src[i] != '\n' {
				i++
			}
		case c == '"':
			j := i + 1
			for j < len(src) && src[j] != '"' && src[j] != '\n' {
				if src[j] == '\\' {
					j++
				}
				j++
			}
			if j >= len(src) || src[j] != '"' {
				return nil, &Error{line, col, "string is not closed on its line"}
			}
			text, err := strconv.Unquote(string(src[i : j+1]))
			if err != nil {
				return nil, &Error{line, col, "bad escape in string"}
			}
			out = append(out, token{tokString, text, line, col})
			i = j + 1
		case isWord(c):
			j := i
			for j < len(src) && isWord(src[j]) {
				j++
			}
			out = append(out, token{tokWord, string(src[i:j]), line, col})
			i = j
		case strings.IndexByte("(){}[],=:!", c) >= 0:
			out = append(out, token{tokPunct, string(c), line, col})
			i++
		default:
			return nil, &Error{line, col, fmt.Sprintf("unexpected character %q", c)}
		}
	}
	return append(out, token{tokNewline, "", line, len(src) - start + 1}, token{tokEOF, "", line, len(src) - start + 1}), nil
}
