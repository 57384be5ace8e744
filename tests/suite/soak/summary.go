// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"io"
	"strings"

	"jacquard.example/tests/support/state"
)

// sum adds up the records of a part.
type sum struct {
	done, failed int
	cpu          float64 // CPU time, in minutes
	failures     []*record
}

func add(dir string, p *part) (sum, error) {
	var s sum
	for i := 1; i <= p.pieces; i++ {
		r, err := kept(dir, p, i)
		switch {
		case err != nil:
			return s, err
		case r == nil:
			continue
		case !r.OK:
			s.failed++
			s.failures = append(s.failures, r)
		default:
			s.done++
		}
		s.cpu += r.CPU / 60
	}
	return s, nil
}

// whole estimates the CPU time of all pieces of a part, in minutes, from the pieces that were run; ok is false if none
// was.
func (s *sum) whole(p *part) (minutes float64, ok bool) {
	n := s.done + s.failed
	if n == 0 {
		return 0, false
	}
	return s.cpu / float64(n) * float64(p.pieces), true
}

// summary returns the report on the records in a folder.
func summary(root, dir string) (string, error) {
	var b strings.Builder
	head, err := state.Line(root, state.Depends...)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "# Runs of make soak\n\n%s\n\n"+
		"Written by `make soak` from the records of finished pieces. CPU is the time of all processes, in minutes; the last\n"+
		"column is an estimate for all pieces.\n\n"+
		"| part | what | pieces | right | failed | CPU | CPU, all |\n|---|---|---|---|---|---|---|\n", head)
	var failures []*record
	for i := range parts {
		p := &parts[i]
		s, err := add(dir, p)
		if err != nil {
			return "", err
		}
		whole := "?"
		if m, ok := s.whole(p); ok {
			whole = fmt.Sprintf("%.0f", m)
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %.0f | %s |\n", p.name, p.what, p.pieces, s.done, s.failed, s.cpu, whole)
		failures = append(failures, s.failures...)
	}
	for _, r := range failures {
		fmt.Fprintf(&b, "\n## %s, piece %d of %d\n\n", r.Part, r.Piece, r.Of)
		for line := range strings.Lines(r.Says) {
			fmt.Fprintf(&b, "    %s\n", strings.TrimRight(line, " \t\n"))
		}
	}
	return b.String(), nil
}

// rates prints how long the remaining pieces will take.
func rates(w io.Writer, dir string, list []*part) error {
	for _, p := range list {
		s, err := add(dir, p)
		if err != nil {
			return err
		}
		if m, ok := s.whole(p); ok {
			left := m * float64(p.pieces-s.done) / float64(p.pieces)
			hours := left / 2 / 60
			fmt.Fprintf(w, "%-9s %3d of %3d pieces are right; the others will take %.1f hours on two cores\n",
				p.name, s.done, p.pieces, hours)
		} else {
			fmt.Fprintf(w, "%-9s none of %d pieces has been run\n", p.name, p.pieces)
		}
	}
	return nil
}
