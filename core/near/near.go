// Package near finds the known names that a mistyped word resembles, for messages about words that are unknown: the
// generator lists the names of a table by [Sort], and the command suggests one by [Guess]. How near two words are is the number
// of single letters that must be changed, as for most spelling checkers; the case of letters does not count.
package near

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Sort returns the different names in order of their distance from a word; equally near ones, and all if the word is empty,
// in alphabetical order.
func Sort(word string, known iter.Seq[string]) []string {
	names := slices.Compact(slices.Sorted(known))
	if word != "" {
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(Distance(word, a), Distance(word, b)) })
	}
	return names
}

// Guess returns the name that a word was probably meant to be, "" if it resembles none: a third of its letters may be
// wrong, or it is the start of the name.
func Guess(word string, known iter.Seq[string]) string {
	names := Sort(word, known)
	if len(names) > 0 && Distance(word, names[0]) <= max(1, len(word)/3) {
		return names[0]
	}
	for _, n := range names {
		if len(word) > 1 && strings.HasPrefix(n, word) {
			return n
		}
	}
	return ""
}

// longest is the length from which on words are not compared: no name is so long, and the work grows with the length.
const longest = 64

// Distance returns how many letters must be inserted, removed, replaced, or exchanged with their neighbor to make b of a.
// The case of letters does not matter. Words that are longer than any name have nothing in common with any.
func Distance(a, b string) int {
	if max(len(a), len(b)) >= longest {
		return len(a) + len(b)
	}
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
