// SPDX-License-Identifier: MIT

package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/validate"
)

// checks implements Options.Verify: it checks a shader after each pass of the IR.
type checks struct {
	pass      *pass.Context
	follow    pipeline.Follower
	unchecked []string // see Program.Unchecked
}

// trace checks the shader as read, and returns a trace that checks it after each pass.
func (k *checks) trace() (*pass.Trace, error) {
	s := k.pass.S
	if err := verified(s, "read"); err != nil {
		return nil, err
	}
	after := func(name string, _ bool, _ time.Duration) error {
		if err := verified(s, name); err != nil {
			return err
		}
		if err := k.follow.After(k.pass, name); err != nil {
			return &InternalError{Pass: name, Function: s.Strs.Text(s.Func(s.Entry()).Name), Cause: err}
		}
		return nil
	}
	return &pass.Trace{After: after, Unsettled: k.unsettled}, nil
}

// unsettled examines a loop of passes that was stopped before it reached a fixed point. If its passes undo each other,
// that is a defect.
func (k *checks) unsettled(l pass.Loop) error {
	s := k.pass.S
	changing, err := pipeline.Rest(k.pass, l)
	var unrest *pipeline.Unrest
	switch {
	case errors.As(err, &unrest):
		return &InternalError{Pass: unrest.Passes[len(unrest.Passes)-1], Function: s.Strs.Text(s.Func(s.Entry()).Name), Cause: unrest}
	case len(changing) > 0:
		what := fmt.Sprintf("whether %s reach a fixed point: they still change the shader after many rounds", strings.Join(changing, ", "))
		if !slices.Contains(k.unchecked, what) {
			k.unchecked = append(k.unchecked, what)
		}
	}
	return err
}

// verified checks a shader after a pass.
func verified(s *ir.Shader, pass string) error {
	err := validate.Shader(s)
	if err == nil {
		return nil
	}
	e := &InternalError{Pass: pass, Cause: err}
	var v *validate.Error
	if errors.As(err, &v) {
		e.Function = v.Func
	}
	return e
}
