// SPDX-License-Identifier: MIT

package intel

import (
	"cmp"
	"errors"
	"fmt"

	"jacquard.example/backend/intel/emit"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

// CheckError is a violation that Options.Verify found after a pass, which is a defect of the compiler. Err
// names the instruction.
type CheckError struct {
	Pass, Function string
	Err            error
}

func (e *CheckError) Error() string {
	return fmt.Sprintf("after %s: %s: %v", e.Pass, e.Function, e.Err)
}

func (e *CheckError) Unwrap() error { return e.Err }

// checked runs a check with its own budget. A check that exceeds its budget has no result: it is added to the list of
// abandoned checks.
func (j *job) checked(what string, check func(*work.Meter) error) error {
	f, meter := j.u.Func, j.o.Work.Anew(cmp.Or(j.o.CheckSteps, work.MaxCheckSteps))
	err := func() (err error) {
		defer work.Catch(&err)
		defer func(was *work.Meter) { f.Work = was }(f.Work)
		f.Work = meter
		return check(meter)
	}()
	if limit := (*work.Limit)(nil); errors.As(err, &limit) {
		j.unchecked = append(j.unchecked, fmt.Sprintf("%s after %s, in %s at SIMD%d: %s", what, j.stage, f.Name, f.Width, limit.Msg))
		return nil
	}
	return err
}

// indirectRuns returns a function that gives the scoreboard check the GRFs that the indirect reads in f's code
// may access.
func indirectRuns(f *mir.Func) func(pc int) (first, n int) {
	runs := map[int][2]int{}
	pc := 0
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			if in.Op == mir.OpIndirect {
				runs[pc] = [2]int{int(in.Src[0].Num), int(in.Len[0])}
			}
			if emit.Emits(in.Op) {
				pc += isa.InstSize
			}
		}
	}
	return func(pc int) (first, n int) { return runs[pc][0], runs[pc][1] }
}
