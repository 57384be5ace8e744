// SPDX-License-Identifier: MIT

package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/generated/target"
)

// canStop returns an error if Options.StopAfter names a pass that does not run for the target.
func (c *compiler) canStop() error {
	if stop := c.opts.StopAfter; stop != "" && !intel.Runs(stop, c.target) {
		return &Error{File: c.file, Msg: fmt.Sprintf("pass %s does not run for %s", stop, c.target)}
	}
	return nil
}

// resume compiles machine IR, starting after the pass that its text names.
func (c *compiler) resume(src *Source) (*Program, error) {
	u, err := c.parse(src)
	if err != nil {
		return nil, err
	}
	if err := c.compatible(src, u); err != nil {
		return nil, err
	}
	if err := c.canStop(); err != nil {
		return nil, err
	}
	p := &Program{Target: c.target, Stage: u.Stage, Entry: u.Entry}
	out, err := c.intel.Resume(u, c.intelOptions(u))
	if err != nil {
		return nil, unitError(c.file, u, err)
	}
	p.add(out)
	return p, nil
}

// parse reads and checks machine IR. Without Options.Target, it sets the target of the job to the target that the text
// names. With Options.Verify, it also checks the lanes that are read and the scoreboard.
func (c *compiler) parse(src *Source) (*mir.Unit, error) {
	var checked error
	u, err := mirtext.Parse(src.data, func(u *mir.Unit) error {
		if c.target == nil {
			var ok bool
			if c.target, ok = target.ByName(u.Target); !ok {
				return &mir.UnitError{Line: "target", Msg: target.Unknown(u.Target)}
			}
		}
		if err := intel.CheckUnit(u, c.target); err != nil || !c.opts.Verify {
			return err
		}
		if checked = intel.CheckReads(u, c.meter); checked == nil {
			checked = intel.CheckBoard(u, c.target, c.meter)
		}
		return checked
	})
	if errors.Is(checked, context.Canceled) || errors.Is(checked, context.DeadlineExceeded) {
		return nil, checked // not a mistake in the text
	}
	var te *mirtext.Error
	if errors.As(err, &te) {
		return nil, &Error{File: c.file, Line: te.Line, Column: te.Col, Msg: te.Msg}
	}
	return u, nil
}

// compatible returns an error if an option contradicts machine IR.
func (c *compiler) compatible(src *Source, u *mir.Unit) error {
	opts := c.opts
	switch {
	case opts.Robust || opts.Buffers != 0:
		return src.errorf("the machine IR determines how its buffers are addressed")
	case len(opts.Widths) > 0:
		return src.errorf("machine IR has one width")
	case opts.Layout != nil:
		return src.errorf("machine IR determines the places of its descriptors")
	case opts.SIMD != 0 && opts.SIMD != u.Func.Width:
		return src.errorf("the machine IR is for SIMD%d, not SIMD%d", u.Func.Width, opts.SIMD)
	case opts.Entry != "" && opts.Entry != u.Entry:
		return src.errorf("the machine IR is of entry point %q, not %q", u.Entry, opts.Entry)
	case opts.Stage != "" && opts.Stage != u.Stage:
		return src.errorf("the machine IR is of a %s shader, not a %s shader", u.Stage, opts.Stage)
	case opts.StopAfter != "" && slices.Index(Passes(), opts.StopAfter) <= slices.Index(Passes(), u.After):
		return src.errorf("the machine IR was written after %s: %s is already done", u.After, opts.StopAfter)
	case len(opts.Disable.IR) > 0:
		return src.errorf("pass %s of the IR cannot be disabled for machine IR, which follows it", opts.Disable.IR[0])
	}
	return nil
}

// unitError is like compileError, for machine IR, where an instruction without an encoding is a mistake in the text.
func unitError(file string, u *mir.Unit, err error) error {
	var bad *mir.Error
	var check *intel.CheckError
	if errors.As(err, &bad) && !errors.As(err, &check) {
		at := u.Places[u.Func.At(bad.Inst).Loc]
		return &Error{File: file, Line: int(at.Line), Column: int(at.Col), Msg: bad.Text + ": " + bad.Msg}
	}
	return compileError(file, err)
}
