// SPDX-License-Identifier: MIT

// Package lex splits the project's text formats into tokens: words, quoted strings and
// punctuation, line by line, with // comments. Each format defines which characters
// words may contain and what counts as punctuation.
//
// A syntax error is a panic with an *Error, which the parser of the format catches, so
// that parsers need not check for errors at every token.
package lex

import (
	"fmt"
	"strconv"
)

// Error is a syntax error.
type Error struct {
	Line, Col int // from 1
	Msg       string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	EOF Kind = iota
	Newline
	Word
	String
	Punct
)

// Token is a token and its position.
type Token struct {
	Kind      Kind
	Text      string // words and punctuation verbatim, strings unquoted
	Line, Col int
}

func (t Token) String() string {
	switch t.Kind {
	case EOF:
		return "end of file"
	case Newline:
		return "end of line"
	case String:
		return strconv.Quote(t.Text)
	}
	return "'" + t.Text + "'"
}

// Syntax classifies the characters of a format.
type Syntax [256]class

type class uint8

const (
	other class = iota
	inWord
	punct
)

// NewSyntax returns a syntax: words consist of letters, digits, '_' and the characters
// in more; every character of punctuation is a token.
func NewSyntax(more, punctuation string) *Syntax {
	s := &Syntax{'_': inWord}
	for c := byte('0'); c <= '9'; c++ {
		s[c] = inWord
	}
	for c := byte('a'); c <= 'z'; c++ {
		s[c], s[c-'a'+'A'] = inWord, inWord
	}
	for i := range len(more) {
		s[more[i]] = inWord
	}
	for i := range len(punctuation) {
		s[punctuation[i]] = punct
	}
	return s
}

// lexer splits the text into tokens, one at a time.
type lexer struct {
	syntax *Syntax
	src    []byte
	at     int
	line   int
	start  int  // start of the line
	ended  bool // the line's newline has been returned, or the line is empty
	last   bool // the newline after the text has been returned
}

// next returns the next token. Empty lines have none.
func (l *lexer) next() Token {
	for src := l.src; l.at < len(src); {
		i := l.at
		c := src[i]
		line, col := l.line, i-l.start+1
		give := func(k Kind, text string, end int) Token {
			l.at, l.ended = end, k == Newline
			return Token{k, text, line, col}
		}
		switch {
		case c == '\n':
			l.line++
			l.at++
			l.start = l.at
			if !l.ended {
				return give(Newline, "", l.at)
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
				panic(&Error{line, col, "string is not terminated on its line"})
			}
			text, err := strconv.Unquote(string(src[i : j+1]))
			if err != nil {
				panic(&Error{line, col, "bad escape in string"})
			}
			return give(String, text, j+1)
		case l.syntax[c] == inWord:
			j := i
			for j < len(src) && l.syntax[src[j]] == inWord {
				j++
			}
			return give(Word, string(src[i:j]), j)
		case l.syntax[c] == punct:
			return give(Punct, string(src[i:i+1]), i+1)
		default:
			panic(&Error{line, col, fmt.Sprintf("unexpected character %q", c)})
		}
	}
	if !l.last {
		l.last = true
		return Token{Newline, "", l.line, len(l.src) - l.start + 1}
	}
	return Token{EOF, "", l.line, len(l.src) - l.start + 1}
}
