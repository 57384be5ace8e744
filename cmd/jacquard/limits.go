package main

import (
	"fmt"

	"jacquard.example/core/work"
)

// limitsHelp is what "jacquard help limits" says.
func limitsHelp() string {
	return fmt.Sprintf(`What an input may take

Most of what is done for an input takes time and memory in proportion to its size. What may take more has a budget,
in amounts of work and memory and never in seconds, so that an input meets the same fate on every machine. One that
reaches a budget ends with status 1 and one error that names the budget, its value and the stage.

  %11d  instructions of a shader, and of its machine code at one width
  %11d  operands of all instructions
  %11d  other words of all instructions
  %11d  bits of the live sets of all blocks at one time
  %11d  steps of what may take more than the input is long; a step is a nanosecond or a few
  %8d MiB  text of all columns of a page of view

Compile, opt, view, stats and rules trace have all of them, whatever the form of the shader. What a module expands
to (calls, aggregates taken apart) is bounded by its size as well. Scripts have budgets for the memory of buffers, the
sources of shaders and what pipelines inherit. How long a script runs has none: see --timeout and --max-groups of run.
Any command stops soon after an interrupt.
`, work.MaxInstrs, work.MaxOperands, work.MaxWords, int64(work.MaxSets), int64(work.MaxSteps), maxPage>>20)
}
