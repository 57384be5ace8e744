// SPDX-License-Identifier: MIT

package cli

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"jacquard.example"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
)

// stopPoint is the point at which --stop-after ends the IR passes: after N passes, or
// after the first (PASS) or a later (PASS:N) run of one pass.
type stopPoint struct {
	text string
	pass string // empty means any
	runs int    // 0 if all passes run
	ran  int
}

// NewStopPoint parses the value of --stop-after. A pass that it names must be among rows.
func NewStopPoint(text string, rows pass.Pipeline) (*stopPoint, error) {
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
			return nil, Usagef("--stop-after %s: no IR pass %q runs; 'jacquard info passes' lists the passes%s", text, s.pass,
				NoIRPass(s.pass))
		}
	}
	var err error
	if s.runs, err = strconv.Atoi(number); err != nil || s.runs == 0 && s.pass != "" {
		return nil, Usagef("--stop-after %s: %q is not a number of runs", text, number)
	}
	return s, nil
}

// Stop reports, after every pass, whether to stop.
func (s *stopPoint) Stop(name string) bool {
	if s.runs == 0 || s.pass != "" && s.pass != name {
		return false
	}
	s.ran++
	return s.ran == s.runs
}

// Reached returns an error if the pass did not run as often as requested. A number of
// passes beyond all of them simply runs them all.
func (s *stopPoint) Reached() error {
	if s.pass != "" && s.ran < s.runs {
		return Usagef("--stop-after %s: %s runs %d times", s.text, s.pass, s.ran)
	}
	return nil
}

// IRPassNames yields the names of the passes of the IR.
func IRPassNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range pipeline.Known.Passes() {
			if !yield(p.Name) {
				return
			}
		}
	}
}

// NoIRPass returns the end of a message about a word that is not the name of an IR pass; it may be the name of a
// back-end pass.
func NoIRPass(name string) string {
	if slices.Contains(jacquard.Passes(), name) {
		return "; it is a back-end pass, which belongs to compile"
	}
	return Guess(name, IRPassNames())
}
