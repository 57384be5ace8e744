// SPDX-License-Identifier: MIT

package cli

import (
	"fmt"
	"io"
)

// progress shows the progress of long work, on a terminal only.
type progress struct {
	w           io.Writer
	done, total int
}

// NewProgress returns a counter of steps, which is shown only on a terminal.
func NewProgress(w io.Writer, total int) *progress {
	if !IsTerminal(w) {
		w = io.Discard
	}
	return &progress{w: w, total: total}
}

func (p *progress) Step() {
	p.done++
	fmt.Fprintf(p.w, "\r%d/%d", p.done, p.total)
}

// End clears the line.
func (p *progress) End() { fmt.Fprint(p.w, "\r\x1b[K") }
