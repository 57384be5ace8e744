package work

import (
	"context"
	"fmt"
)

// Budgets of a compile.
const (
	MaxInstrs   = 1 << 21 // instructions of the IR, and of machine code at one width
	MaxOperands = 1 << 23 // operands of all instructions of the IR
	MaxWords    = 1 << 25 // other words of all instructions of the IR
	MaxSets     = 1 << 31 // bits of the live sets of all blocks at one time
	MaxSteps    = 1 << 32 // steps of what may take more than the input is long
)

// Limit is the error of an input that takes more than a budget allows.
type Limit struct {
	Msg   string
	Stage string // the part of the compiler that it was too much for, if known
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

// Exceeded ends what is running with a Limit.
func Exceeded(format string, args ...any) { panic(stop{&Limit{Msg: fmt.Sprintf(format, args...)}}) }

// Reason returns why what panicked with r was ended, nil if it was not by
// Exceeded or a Meter.
func Reason(r any) error {
	if s, ok := r.(stop); ok {
		return s.err
	}
	return nil
}

// Catch is deferred by what may be ended by Exceeded or a Meter: *err becomes
// the reason.
func Catch(err *error) {
	if r := recover(); r != nil {
		if *err = Reason(r); *err == nil {
			panic(r)
		}
	}
}

// Meter counts the steps of one compile, and looks every so often whether
// anybody still wants it. A nil Meter counts nothing.
type Meter struct {
	ctx   context.Context
	until int   // steps before the next look
	left  int64 // steps after it
	max   int64
}

// stretch is how many steps are between two looks at the context: some 10 ms.
const stretch = 1 << 22

// NewMeter returns a meter that grants up to max steps, until ctx is done.
func NewMeter(ctx context.Context, max int64) *Meter { return &Meter{ctx: ctx, left: max, max: max} }

// Sets refuses to start what needs sets of n bits, so many of them for each of
// blocks blocks at once.
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

// Look ends the work if its context is done.
func (m *Meter) Look() {
	if m == nil {
		return
	}
	if err := m.ctx.Err(); err != nil {
		panic(stop{err})
	}
}

// Steps is how many steps have been counted.
func (m *Meter) Steps() int { return int(m.max - m.left - int64(m.until)) }
