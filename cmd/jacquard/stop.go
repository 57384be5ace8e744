package main

import (
	"slices"
	"strconv"
	"strings"

	"jacquard.example/core/pass"
)

// stopPoint is the point at which --stop-after ends the IR passes: after N passes, or
// after the first (PASS) or a later (PASS:N) run of one pass.
type stopPoint struct {
	text string
	pass string // empty: any
	runs int    // 0: all passes run
	ran  int
}

// newStopPoint parses the flag, which names one of rows.
func newStopPoint(text string, rows pass.Pipeline) (*stopPoint, error) {
	s := &stopPoint{text: text}
	if text == "" {
		return s, nil
	}
	number := text
	if strings.Trim(text, "0123456789") != "" {
		var several bool
		if s.pass, number, several = strings.Cut(text, ":"); !several {
			number = "1"
		}
		if !slices.Contains(rows.Names(), s.pass) {
			return nil, usagef("--stop-after %s: no IR pass %q runs; 'jacquard info passes' lists the passes%s", text, s.pass, noIRPass(s.pass))
		}
	}
	var err error
	if s.runs, err = strconv.Atoi(number); err != nil || s.runs == 0 && s.pass != "" {
		return nil, usagef("--stop-after %s: %q is not a number of runs", text, number)
	}
	return s, nil
}

// stop reports, after every pass, whether to stop.
func (s *stopPoint) stop(name string) bool {
	if s.runs == 0 || s.pass != "" && s.pass != name {
		return false
	}
	s.ran++
	return s.ran == s.runs
}

// reached returns an error if the pass did not run as often as requested. A number of
// passes beyond all of them simply runs them all.
func (s *stopPoint) reached() error {
	if s.pass != "" && s.ran < s.runs {
		return usagef("--stop-after %s: %s runs %d times", s.text, s.pass, s.ran)
	}
	return nil
}
