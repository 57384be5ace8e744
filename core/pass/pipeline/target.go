// SPDX-License-Identifier: MIT

package pipeline

import (
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/legal"
	stages "jacquard.example/generated/legal"
)

// reached maps passes to the stage that a shader has reached after them. The other stages are at the end of a pipeline.
var reached = [...]struct {
	pass string
	to   stages.Stage
}{
	{inlineFunctions.Name, stages.Inlined},
	{explicitIO.Name, stages.Explicit},
}

// ForTarget takes a shader from the reader to the input of instruction selection. The error is a *legal.Error if the
// shader contains an operation that the target does not support.
func ForTarget(c *pass.Context, tr *pass.Trace) error {
	for _, part := range []struct {
		passes pass.Pipeline
		to     stages.Stage
	}{{Optimize, stages.Optimized}, {Lower, stages.Selectable}} {
		if err := c.Run(part.passes, tr); err != nil {
			return err
		}
		if err := legal.Check(c.S, c.Target(), part.to); err != nil {
			return err
		}
	}
	return c.Run(slots, tr)
}

// Follower checks after every pass of ForTarget that a shader contains only operations that may remain at the stage
// that it has reached.
type Follower struct {
	stage   stages.Stage
	started bool
}

// After checks the shader after the pass with the given name has run.
func (x *Follower) After(c *pass.Context, name string) error {
	for _, r := range reached {
		if r.pass == name && (!x.started || r.to > x.stage) {
			x.stage, x.started = r.to, true
		}
	}
	if !x.started {
		return nil
	}
	return legal.Check(c.S, c.Target(), x.stage)
}
