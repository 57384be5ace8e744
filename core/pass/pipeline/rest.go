// SPDX-License-Identifier: MIT

package pipeline

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/text"
)

// moreRounds is the number of rounds for which Rest repeats the passes of a loop that has not reached a fixed point.
const moreRounds = 64

// Unrest is the error of a loop of passes that would never end: the shader returned to an earlier state.
type Unrest struct{ Passes []string }

func (e *Unrest) Error() string {
	return fmt.Sprintf("the loop of passes does not reach a fixed point: %s undo each other", strings.Join(e.Passes, ", "))
}

// Rest examines a loop that was stopped while its passes still changed the shader. It works on a copy. If passes undo
// each other, it returns an *Unrest. Otherwise it returns the names of the passes that still change the shader after
// more rounds, or none if the shader comes to rest. Passes that still make progress are not a defect.
func Rest(c *pass.Context, l pass.Loop) (changing []string, err error) {
	s, err := text.Parse(text.Print(c.S))
	if err != nil {
		return nil, err
	}
	x := pass.New(s)
	x.Options, x.Work = c.Options, c.Work
	x.Options.RuleStats = nil
	seen := []string{digest(s)}
	var all []string
	for range moreRounds {
		if changing, err = x.Once(l); err != nil || len(changing) == 0 {
			return nil, err
		}
		all = append(all, changing...)
		now := digest(s)
		if slices.Contains(seen, now) {
			return nil, &Unrest{namesIn(l, all)}
		}
		seen = append(seen, now)
	}
	return changing, nil
}

// digest returns a 128-bit hash of a shader's text, since the texts of all rounds can take much memory.
func digest(s *ir.Shader) string {
	h := fnv.New128a()
	h.Write(text.Print(s)) // never fails
	return string(h.Sum(nil))
}

// namesIn returns the names of the loop's passes that are in names, in the order of the loop.
func namesIn(l pass.Loop, names []string) (out []string) {
	for p := range pass.Pipeline(l).Passes() {
		if slices.Contains(names, p.Name) {
			out = append(out, p.Name)
		}
	}
	return out
}
