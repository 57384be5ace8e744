package main

import (
	"fmt"
	"io"
	"strings"

	"jacquard.example/tests/support/state"
)

// sum is what the records of a part say together.
type sum struct {
	done, failed int
	cpu          float64 // minutes of those that are done
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

// whole is how long all pieces of a part take, in minutes of CPU, if the others take as long as those that
// were run; ok is false if none was.
func (s *sum) whole(p *part) (minutes float64, ok bool) {
	n := s.done + s.failed
	if n == 0 {
		return 0, false
	}
	return s.cpu / float64(n) * float64(p.pieces), true
}

// summary is the report on the records of a state.
func summary(root, dir string) (string, error) {
	var b strings.Builder
	head, err := state.Line(root, state.Depends...)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "# What make soak has run\n\n%s\n\nWritten by `make soak` from the records of finished pieces. CPU time is that of all processes, in minutes; the last column is\n"+
		"an estimate for all pieces.\n\n| part | what | pieces | right | failed | CPU | CPU, whole |\n|---|---|---|---|---|---|---|\n", head)
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

// rates prints how long what is left takes.
func rates(w io.Writer, dir string, list []*part) error {
	for _, p := range list {
		s, err := add(dir, p)
		if err != nil {
			return err
		}
		if m, ok := s.whole(p); ok {
			left := m * float64(p.pieces-s.done) / float64(p.pieces)
			fmt.Fprintf(w, "%-9s %3d of %3d pieces are right; the others take %.1f hours on two cores\n", p.name, s.done, p.pieces, left/2/60)
		} else {
			fmt.Fprintf(w, "%-9s none of %d pieces was run yet\n", p.name, p.pieces)
		}
	}
	return nil
}
