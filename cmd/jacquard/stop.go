package main

import (
	"slices"
	"strconv"
	"strings"

	"jacquard.example/core/pass"
)

// stopPoint is where --stop-after ends the passes of the IR: N passes, or a run of one
// pass, the first (PASS) or a later one (PASS:N).
type stopPoint struct {
	text string
	pass string // empty: any
	runs int    // 0: all passes run
	ran  int
}

// newStopPoint reads the flag, which names one of rows.
func newStopPoint(text string, rows []pass.Pass) (*stopPoint, error) {
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
		if !slices.Contains(pass.Names(rows), s.pass) {
			return nil, usagef("--stop-after %s: the IR has no pass %q that is run; 'jacquard info passes' lists them", text, s.pass)
		}
	}
	var err error
	if s.runs, err = strconv.Atoi(number); err != nil || s.runs == 0 && s.pass != "" {
		return nil, usagef("--stop-after %s: %q is no number of runs", text, number)
	}
	return s, nil
}

// stop is asked behind every pass.
func (s *stopPoint) stop(name string) bool {
	if s.runs == 0 || s.pass != "" && s.pass != name {
		return false
	}
	s.ran++
	return s.ran == s.runs
}

// reached refuses a run of a pass that there was not. More passes than there are just all
// run.
func (s *stopPoint) reached() error {
	if s.pass != "" && s.ran < s.runs {
		return usagef("--stop-after %s: %s runs %d times", s.text, s.pass, s.ran)
	}
	return nil
}
