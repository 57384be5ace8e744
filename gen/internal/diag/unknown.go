// SPDX-License-Identifier: MIT

package diag

import (
	"fmt"
	"iter"
	"strings"

	"jacquard.example/core/near"
)

// listed is the number of names that a message about an unknown word lists.
const listed = 8

// Unknown returns the message for a word that is none of the known names, or is empty and thus missing. It lists the
// nearest names, nearest first.
func Unknown(what, word string, known iter.Seq[string]) string {
	said := fmt.Sprintf("unknown %s %q", what, word)
	if word == "" {
		said = what + " is missing"
	}
	names := near.Sort(word, known)
	if len(names) == 0 {
		return said + "; there are none"
	}
	more := ""
	if n := len(names) - listed; n > 1 {
		names, more = names[:listed], fmt.Sprintf(" and %d more", n)
	}
	are := "are"
	if len(names) == 1 {
		are = "is"
	}
	return fmt.Sprintf("%s; known %s %s%s", said, are, strings.Join(names, ", "), more)
}

// Each yields the names of the elements of a list.
func Each[T any](list []T, name func(T) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, x := range list {
			if !yield(name(x)) {
				return
			}
		}
	}
}

// Join yields the names of several lists.
func Join(lists ...iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, names := range lists {
			for n := range names {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// Unknown appends an error about a word that is none of the known names.
func (l *List) Unknown(pos Pos, row, what, word string, known iter.Seq[string]) {
	l.Addf(pos, row, "%s", Unknown(what, word, known))
}
