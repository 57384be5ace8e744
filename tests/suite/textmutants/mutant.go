// SPDX-License-Identifier: MIT

package textmutants

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// tokens match the parts of a line that may be replaced by others of the same form: values,
// types, variables, names of structs, registers, modes and numbers.
var tokens = []*regexp.Regexp{
	regexp.MustCompile(`%\d+`), regexp.MustCompile(`@\d+`), regexp.MustCompile(`\bS\d+`),
	regexp.MustCompile(`modes=\S+`), regexp.MustCompile(`type=(?:\[[^\]]*\]|\S+)`),
	regexp.MustCompile(`\.\d+(?:x\d+)?\b`), regexp.MustCompile(`\w+=\w+`), regexp.MustCompile(`\b\d+\b`),
	regexp.MustCompile(`\[\d+ x [^\]]*\]`),
	regexp.MustCompile(`= \w+`), regexp.MustCompile(`\b(?:f|u|i)\d+(?:x\d+)*\b`),
}

// Mutant returns a text with one to three changes: swapped, removed, repeated lines, or changed tokens.
func Mutant(rng *rand.Rand, source string) string {
	lines := strings.Split(source, "\n")
	for range max(1, rng.IntN(4)) {
		i := rng.IntN(len(lines))
		switch rng.IntN(12) {
		case 0: // swap two lines
			if j := rng.IntN(len(lines)); j != i {
				lines[i], lines[j] = lines[j], lines[i]
			}
		case 1:
			lines = slices.Delete(lines, i, i+1)
		case 2:
			lines = slices.Insert(lines, i, lines[rng.IntN(len(lines))])
		case 3, 4, 5, 6:
			lines[i] = declare(rng, lines[i])
		default:
			re := tokens[rng.IntN(len(tokens))]
			for range 64 { // find a line with such a token
				if re.MatchString(lines[i]) {
					break
				}
				i = (i + 1) % len(lines)
			}
			from := re.FindAllString(strings.Join(lines, "\n"), -1)
			at := re.FindAllStringIndex(lines[i], -1)
			if len(at) == 0 || len(from) == 0 {
				continue
			}
			x := at[rng.IntN(len(at))]
			lines[i] = lines[i][:x[0]] + from[rng.IntN(len(from))] + lines[i][x[1]:]
		}
		if len(lines) == 0 {
			break
		}
	}
	return strings.Join(lines, "\n")
}
