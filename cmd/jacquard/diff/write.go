// SPDX-License-Identifier: MIT

package diff

import (
	"fmt"
	"io"
)

// column is the column in which comments begin.
const column = 72

// marks are in front of the lines, as in a unified diff.
var marks = map[Op]byte{Same: ' ', Old: '-', New: '+'}

// Write writes the lines that differ, with up to context lines before and after each, as a unified diff. The header
// of each part gives the first instruction, counted from 1, and the number of instructions in the old and in the new
// version.
func Write(w io.Writer, lines []Line, context int) {
	old, new := 1, 1 // the next instruction
	for i := 0; i < len(lines); {
		end := part(lines, i, context)
		if end == i {
			old, new, i = old+1, new+1, i+1
			continue
		}
		oldCount, newCount := lengths(lines[i:end])
		fmt.Fprintf(w, "@@ -%d,%d +%d,%d @@\n", old, oldCount, new, newCount)
		for _, l := range lines[i:end] {
			text := l.Text
			if l.Comment != "" {
				text = fmt.Sprintf("%-*s // %s", column, text, l.Comment)
			}
			fmt.Fprintf(w, "%c %s\n", marks[l.Op], text)
		}
		old, new, i = old+oldCount, new+newCount, end
	}
}

// part returns the end of the part of the diff that begins with line i, or i if line i is in no part.
func part(lines []Line, i, context int) int {
	end, same := i, 0
	for k := i; k < len(lines); k++ {
		if lines[k].Op == Same {
			same++
		} else {
			end, same = k+1, 0
		}
		if limit := 2 * context; same > limit || end == i && same > context {
			break
		}
	}
	if end == i {
		return i
	}
	return min(end+context, len(lines))
}

// lengths returns the number of lines of each version.
func lengths(lines []Line) (old, new int) {
	for _, l := range lines {
		if l.Op != New {
			old++
		}
		if l.Op != Old {
			new++
		}
	}
	return old, new
}
