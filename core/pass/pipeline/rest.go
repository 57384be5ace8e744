package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/core/pass"
	"jacquard.example/core/text"
)

// moreRounds is how often Rest repeats the passes of a loop that has ended without coming to rest.
const moreRounds = 64

// Unrest is the error of a loop of passes that never ends by itself: the shader is again what it was some rounds ago.
type Unrest struct{ Passes []string }

func (e *Unrest) Error() string {
	return fmt.Sprintf("the loop of passes does not come to rest: %s undo each other", strings.Join(e.Passes, ", "))
}

// Rest examines a loop that has ended although its passes still change the shader, on a copy of it. It returns an *Unrest
// if they undo each other, and otherwise the names of those that still change the shader after more rounds; none if the
// shader comes to rest. Passes that still find something to do are no defect.
func Rest(c *pass.Context, l pass.Loop) (changing []string, err error) {
	s, err := text.Parse(text.Print(c.S))
	if err != nil {
		return nil, err
	}
	x := pass.New(s)
	x.Options, x.Work = c.Options, c.Work
	x.Options.RuleStats = nil
	seen := []string{string(text.Print(s))}
	var all []string
	for range moreRounds {
		if changing, err = x.Once(l); err != nil || len(changing) == 0 {
			return nil, err
		}
		all = append(all, changing...)
		now := string(text.Print(s))
		if slices.Contains(seen, now) {
			return nil, &Unrest{namesIn(l, all)}
		}
		seen = append(seen, now)
	}
	return changing, nil
}

// namesIn returns the names that passes of a loop have, in the order of the loop.
func namesIn(l pass.Loop, names []string) (out []string) {
	for p := range pass.Pipeline(l).Passes() {
		if slices.Contains(names, p.Name) {
			out = append(out, p.Name)
		}
	}
	return out
}
