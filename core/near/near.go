// SPDX-License-Identifier: MIT

// Package near finds known names that resemble a mistyped word, for error messages: the generator lists the names of a
// table by [Sort], and the command suggests a name by [Guess]. The distance of two words is the number of single
// letters that must be changed, as in most spelling checkers; the case of letters does not matter.
package near

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Sort returns the distinct names in order of their distance from a word. Names with the same distance, and all names
// if the word is empty, are in alphabetical order.
func Sort(word string, known iter.Seq[string]) []string {
	names := slices.Compact(slices.Sorted(known))
	if word != "" {
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(Distance(word, a), Distance(word, b)) })
	}
	return names
}

// Guess returns the name that a word was probably meant to be, or "" if it resembles none. A third of its letters,
// but at least one, may be wrong, or it may be the start of the name.
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

// longest is the length at which words are no longer compared: no name is that long, and the work grows with the length.
const longest = 64

// Distance returns the number of letters that must be inserted, removed, replaced, or exchanged with their neighbor to
// turn a into b. The case of letters does not matter. Words that are longer than any name are at the maximum distance
// from all.
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
