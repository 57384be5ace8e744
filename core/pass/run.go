// SPDX-License-Identifier: MIT

package pass

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"jacquard.example/core/work"
)

// Pipeline is a list of passes and loops of passes, in the order in which they run.
type Pipeline []Step

// Step is a *Pass or a Loop.
type Step interface {
	run(c *Context, tr *Trace) (changed bool, err error)
}

// Loop is a list of steps that are repeated until none of them changes the shader.
type Loop []Step

// maxRounds bounds the iterations of a loop. Passes that never reach a fixed point are a defect, but must not hang.
const maxRounds = 64

// Trace selects what to report while a pipeline runs. The zero value reports nothing and costs nothing.
type Trace struct {
	// After is called after every pass that has run.
	After func(name string, changed bool, took time.Duration) error
	// Stop is called after every pass that has run and reports whether the pipeline ends there; if
	// nil, all passes run.
	Stop func(name string) bool
	// Unsettled is called with a loop that reaches maxRounds while its passes still change the shader; if nil, the
	// compilation continues.
	Unsettled func(Loop) error

	ended bool
}

// Run runs a pipeline. The error is the first reason why the shader cannot be compiled, an error that
// Trace.After or Trace.Unsettled returned, a *work.Limit, or the error of the context that c.Work observes.
func (c *Context) Run(pipeline Pipeline, tr *Trace) (err error) {
	defer func() {
		if err != nil {
			c.name(err)
		}
	}()
	defer work.Catch(&err)
	c.settled = c.settled[:0]
	for _, x := range pipeline {
		if _, err := x.run(c, tr); err != nil {
			return err
		}
	}
	return nil
}

// name sets the stage of a budget error to the pass that exceeded the budget.
func (c *Context) name(err error) {
	if limit := (*work.Limit)(nil); errors.As(err, &limit) && c.running != nil {
		limit.Stage = c.running.Name
	}
}

// run repeats the steps of a loop until none of them changes the shader, at most maxRounds times.
func (l Loop) run(c *Context, tr *Trace) (changed bool, err error) {
	for range maxRounds {
		again := false
		for _, x := range l {
			did, err := x.run(c, tr)
			again = again || did
			if err != nil {
				return true, err
			}
		}
		if !again {
			return changed, nil
		}
		changed = true
	}
	if tr == nil || tr.Unsettled == nil {
		return changed, nil
	}
	return changed, tr.Unsettled(l)
}

// run runs a pass, unless it is disabled or settled.
func (p *Pass) run(c *Context, tr *Trace) (changed bool, err error) {
	switch {
	case slices.Contains(c.settled, p), !p.Required && slices.Contains(c.Options.Disable, p.Name):
		return false, nil
	case tr == nil:
		return c.apply(p)
	case tr.ended:
		return false, nil
	}
	start := time.Now()
	if changed, err = c.apply(p); err != nil {
		return changed, err
	}
	tr.ended = tr.Stop != nil && tr.Stop(p.Name)
	if tr.After != nil {
		return changed, tr.After(p.Name, changed, time.Since(start))
	}
	return changed, nil
}

// apply runs a pass. If the pass changes nothing, it becomes settled; otherwise, no pass is settled any more.
func (c *Context) apply(p *Pass) (changed bool, err error) {
	c.running = p
	c.B.Float = 0
	c.Work.Look()
	if c.part > 0 {
		c.Work.Spend(c.part)
	} else {
		c.Work.Spend(c.S.NumValues())
	}
	changed = p.Run(c)
	c.running = nil
	if changed {
		c.settled = c.settled[:0]
	} else {
		c.settled = append(c.settled, p)
	}
	if c.err != nil {
		return changed, fmt.Errorf("%s: %w", p.Name, c.err)
	}
	return changed, nil
}

// Nested runs a loop from within a pass, on the current function, which has n instructions. An error stays in
// the context, and becomes the error of the running pass.
func (c *Context) Nested(l Loop, n int) {
	running := c.running
	c.settled, c.part = c.settled[:0], n
	_, _ = l.run(c, nil) // the error is c.err
	c.settled, c.part = c.settled[:0], 0
	c.running = running
}

// Once runs each pass of a loop once, and returns the names of the passes that changed the shader.
func (c *Context) Once(l Loop) (changing []string, err error) {
	for p := range Pipeline(l).Passes() {
		did, err := c.apply(p)
		if did {
			changing = append(changing, p.Name)
		}
		if err != nil {
			return changing, err
		}
	}
	return changing, nil
}

// Passes iterates over the passes of a pipeline and of its loops, in the order in which they first run.
func (l Pipeline) Passes() iter.Seq[*Pass] {
	return func(yield func(*Pass) bool) { l.each(yield) }
}

func (l Pipeline) each(yield func(*Pass) bool) bool {
	for _, x := range l {
		switch x := x.(type) {
		case *Pass:
			if !yield(x) {
				return false
			}
		case Loop:
			if !Pipeline(x).each(yield) {
				return false
			}
		}
	}
	return true
}

// Names returns the names of all passes of a pipeline, sorted and without duplicates.
func (l Pipeline) Names() []string {
	var out []string
	for p := range l.Passes() {
		out = append(out, p.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Find returns the first pass of a pipeline with the given name, or nil if there is none.
func (l Pipeline) Find(name string) *Pass {
	for p := range l.Passes() {
		if p.Name == name {
			return p
		}
	}
	return nil
}
