// SPDX-License-Identifier: MIT

package lex

import (
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/core/work"
)

// Cursor is a position between the tokens of a text. The parsers of all formats are based on it.
type Cursor struct {
	lexer lexer
	prev  Token
	cur   Token
	ahead Token
}

// NewCursor returns a cursor at the start of a text. It panics like its methods.
func NewCursor(src []byte, s *Syntax) Cursor {
	c := Cursor{lexer: lexer{syntax: s, src: src, line: 1, ended: true}}
	c.cur, c.ahead = c.lexer.next(), c.lexer.next()
	return c
}

// Catch is deferred by the parser that c belongs to: *err becomes the syntax error, or
// the exceeded budget as an *Error at the cursor.
func (c *Cursor) Catch(err *error) {
	r := recover()
	if r == nil {
		return
	}
	e, ok := r.(*Error)
	if reason := work.Reason(r); reason != nil {
		e, ok = &Error{c.cur.Line, c.cur.Col, reason.Error()}, true
	}
	if !ok {
		panic(r)
	}
	*err = e
}

// Fail ends parsing with an error at t.
func (c *Cursor) Fail(t Token, format string, args ...any) {
	panic(&Error{t.Line, t.Col, fmt.Sprintf(format, args...)})
}

// Prev returns the token before the cursor.
func (c *Cursor) Prev() Token { return c.prev }

// Peek returns the token at the cursor.
func (c *Cursor) Peek() Token { return c.cur }

// Ahead returns the token after the one at the cursor.
func (c *Cursor) Ahead() Token { return c.ahead }

// Next returns the token at the cursor and advances.
func (c *Cursor) Next() Token {
	c.prev, c.cur, c.ahead = c.cur, c.ahead, c.lexer.next()
	return c.prev
}

// IsPunct reports whether the punctuation p is at the cursor.
func (c *Cursor) IsPunct(p string) bool { return c.cur.Kind == Punct && c.cur.Text == p }

// IsWord reports whether the word w is at the cursor.
func (c *Cursor) IsWord(w string) bool { return c.cur.Kind == Word && c.cur.Text == w }

// Expect consumes the punctuation p.
func (c *Cursor) Expect(p string) {
	if t := c.Next(); t.Kind != Punct || t.Text != p {
		c.Fail(t, "expected '%s', found %s", p, t)
	}
}

// Accept consumes the punctuation p if present.
func (c *Cursor) Accept(p string) bool {
	if c.IsPunct(p) {
		c.Next()
		return true
	}
	return false
}

// Word consumes a word; what describes it in errors.
func (c *Cursor) Word(what string) Token {
	t := c.Next()
	if t.Kind != Word {
		c.Fail(t, "expected %s, found %s", what, t)
	}
	return t
}

// Str consumes a quoted string.
func (c *Cursor) Str(what string) string {
	t := c.Next()
	if t.Kind != String {
		c.Fail(t, "expected %s in quotes, found %s", what, t)
	}
	return t.Text
}

// Newline consumes the end of a line.
func (c *Cursor) Newline() {
	if t := c.Next(); t.Kind != Newline && t.Kind != EOF {
		c.Fail(t, "expected the end of the line, found %s", t)
	}
}

// Number returns the number that text, a part of t, denotes.
func (c *Cursor) Number(t Token, text string, bits int) uint64 {
	n, err := strconv.ParseUint(text, 0, bits)
	if err != nil {
		c.Fail(t, "%q is not a number of at most %d bits", text, bits)
	}
	return n
}

// U32 consumes a number.
func (c *Cursor) U32(what string) uint32 {
	t := c.Word(what)
	return uint32(c.Number(t, t.Text, 32))
}

// U8 consumes a number of at most 8 bits.
func (c *Cursor) U8(what string) uint8 {
	t := c.Word(what)
	return uint8(c.Number(t, t.Text, 8))
}

// Most consumes a number of at most limit: a larger one is an invalid reference, or would overflow.
func (c *Cursor) Most(limit uint32, what string) uint32 {
	n := c.U32(what)
	if n > limit {
		c.Fail(c.prev, "%d is too large; the maximum is %d", n, limit)
	}
	return n
}

// Positive consumes a number from 1 to limit.
func (c *Cursor) Positive(limit uint32, what string) uint32 {
	n := c.Most(limit, what)
	if n == 0 {
		c.Fail(c.prev, "%s is 0; the minimum is 1", what)
	}
	return n
}

// Ref returns the number after a prefix in the word t, as in %3 or b3, below limit.
func (c *Cursor) Ref(t Token, prefix, what string, limit uint64) uint32 {
	rest, ok := strings.CutPrefix(t.Text, prefix)
	if t.Kind != Word || !ok {
		c.Fail(t, "expected %s (%sN), found %s", what, prefix, t)
	}
	n := c.Number(t, rest, 32)
	if n >= limit {
		c.Fail(t, "%s%d: the number is too large", prefix, n)
	}
	return uint32(n)
}
