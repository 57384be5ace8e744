// SPDX-License-Identifier: MIT

package work

import (
	"context"
	"fmt"
)

// Budgets of a compilation.
const (
	MaxInstrs   = 1 << 21 // instructions of the IR, and of machine code at one width
	MaxOperands = 1 << 23 // operands of all instructions of the IR
	MaxWords    = 1 << 25 // other words of all instructions of the IR
	MaxSets     = 1 << 31 // bits in the live sets of all blocks at one time
	MaxSteps    = 1 << 32 // steps of work that may exceed the size of the input

	MaxCheckSteps = 1 << 32 // steps of each check of a pass's result; the check is skipped beyond them
)

// Limit is the error for an input that exceeds a budget.
type Limit struct {
	Msg   string
	Stage string // the part of the compiler that exceeded the budget, if known
}

func (e *Limit) Error() string {
	msg := "the shader is too large to compile: " + e.Msg
	if e.Stage != "" {
		msg += " (" + e.Stage + ")"
	}
	return msg
}

// stop is a panic that Catch turns into an error.
type stop struct{ err error }

// Exceeded aborts the running work with a Limit.
func Exceeded(format string, args ...any) { panic(stop{&Limit{Msg: fmt.Sprintf(format, args...)}}) }

// Reason returns the error of a panic by Exceeded or a Meter, where r is the recovered value; nil for other panics.
func Reason(r any) error {
	if s, ok := r.(stop); ok {
		return s.err
	}
	return nil
}

// Catch is deferred by work that Exceeded or a Meter may abort: *err becomes the reason.
func Catch(err *error) {
	if r := recover(); r != nil {
		if *err = Reason(r); *err == nil {
			panic(r)
		}
	}
}

// Meter counts the steps of one compilation, and regularly checks for cancellation. A nil Meter counts nothing.
type Meter struct {
	ctx   context.Context
	until int   // steps before the next check
	left  int64 // steps left after until is used up
	max   int64
}

// stretch is the number of steps between two checks of the context: about 10 ms.
const stretch = 1 << 22

// NewMeter returns a meter that grants up to max steps, until ctx is done.
func NewMeter(ctx context.Context, max int64) *Meter { return &Meter{ctx: ctx, left: max, max: max} }

// Anew returns a meter for other work of the same compilation, with a separate budget.
func (m *Meter) Anew(max int64) *Meter {
	if m == nil {
		return nil
	}
	return NewMeter(m.ctx, max)
}

// Sets rejects work that needs sets sets of n bits for each of blocks blocks at the same time.
func Sets(sets, blocks, n int) {
	if n > 0 && int64(sets)*int64(blocks) > MaxSets/int64(n) {
		Exceeded("live sets of %d values at %d blocks, together more than %d bits", n, blocks, int64(MaxSets))
	}
}

// Spend counts n steps. A step takes a nanosecond or a few.
func (m *Meter) Spend(n int) {
	if m == nil {
		return
	}
	if m.until -= n; m.until < 0 {
		m.look()
	}
}

func (m *Meter) look() {
	m.Look()
	if m.left += int64(m.until); m.left < 0 {
		Exceeded("more than %d steps of work", m.max)
	}
	m.until = int(min(m.left, stretch))
	m.left -= int64(m.until)
}

// Look aborts the work if its context is done.
func (m *Meter) Look() {
	if m == nil {
		return
	}
	if err := m.ctx.Err(); err != nil {
		panic(stop{err})
	}
}

// Steps returns the number of steps counted so far.
func (m *Meter) Steps() int { return int(m.max - m.left - int64(m.until)) }
