package intel

import (
	"fmt"

	"jacquard.example/backend/intel/emit"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// CheckError is a violation that Options.Verify found after a pass: a defect of the
// compiler. Err names the instruction.
type CheckError struct {
	Pass, Function string
	Err            error
}

func (e *CheckError) Error() string {
	return fmt.Sprintf("after %s: %s: %v", e.Pass, e.Function, e.Err)
}

func (e *CheckError) Unwrap() error { return e.Err }

// indirectRuns returns, for the scoreboard check, the GRFs that the indirect reads of
// f's code may access.
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
