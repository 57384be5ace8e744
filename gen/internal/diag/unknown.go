package diag

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// listed is the number of names that a message about an unknown word lists.
const listed = 8

// Unknown returns the message about a word that should be one of the known names, and is none. It lists them, nearest first.
func Unknown(what, word string, known iter.Seq[string]) string {
	said := fmt.Sprintf("unknown %s %q", what, word)
	if word == "" {
		said = what + " is missing"
	}
	names := slices.Compact(slices.Sorted(known))
	if len(names) == 0 {
		return said + "; there is none to name"
	}
	if word != "" {
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(distance(word, a), distance(word, b)) })
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

// Unknown appends the error of a word that is none of the known names.
func (l *List) Unknown(pos Pos, row, what, word string, known iter.Seq[string]) {
	l.Addf(pos, row, "%s", Unknown(what, word, known))
}

// distance returns how many letters must be inserted, removed, replaced, or exchanged with their neighbor to make b of a. The
// case of letters does not matter.
func distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
