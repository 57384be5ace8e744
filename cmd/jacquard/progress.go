package main

import (
	"fmt"
	"io"
)

// progress shows the progress of long work, on a terminal only.
type progress struct {
	w           io.Writer
	done, total int
}

func newProgress(w io.Writer, total int) *progress {
	if !isTerminal(w) {
		w = io.Discard
	}
	return &progress{w: w, total: total}
}

func (p *progress) step() {
	p.done++
	fmt.Fprintf(p.w, "\r%d/%d", p.done, p.total)
}

// end clears the line.
func (p *progress) end() { fmt.Fprint(p.w, "\r\x1b[K") }
