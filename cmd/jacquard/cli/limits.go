// SPDX-License-Identifier: MIT

package cli

import (
	_ "embed"
	"fmt"

	"jacquard.example/cmd/jacquard/archive"
	"jacquard.example/core/foz"
	"jacquard.example/core/work"
)

// limitsHelp returns the text of "jacquard help limits".
func limitsHelp() string {
	return fmt.Sprintf(`Limits on inputs

Most work takes time and memory in proportion to the size of the input. Work that may take more has a budget,
measured in steps and memory, never in seconds, so that an input is treated alike on every machine. Exceeding a
budget ends the command with status 1 and one error that names the budget, its value and the stage.

  %11d  instructions of a shader, and of its machine code at one width
  %11d  operands of all instructions together
  %11d  other words of all instructions together
  %11d  bits in the live sets of all blocks at one time
  %11d  steps of work that may exceed the size of the input; a step takes a nanosecond or a few
  %11d  more such steps for each check of --verify; a check that exceeds them is skipped, with a warning
  %8d MiB  text in all columns of a page of view
  %8d MiB  a file in an archive, or an entry of a Fossilize archive, after decompression
  %8d MiB  JSON of such an entry
  %11d  entries of a Fossilize archive, and shaders in it
  %11d  stages of a pipeline in it
  %8d MiB  a gzipped tar file after decompression
  %8d MiB  the directory of a zip file

Compile, report, compare, opt, view, stats and rules trace apply all of them, whatever the form of the shader. The
expansion of a module (calls, aggregates split into parts) is bounded by its size as well. Scripts have budgets for the
memory of buffers, the sources of shaders and what pipelines inherit. The running time of a script has no budget: see
--timeout and --max-groups of run. Any command stops soon after an interrupt.
`, work.MaxInstrs, work.MaxOperands, work.MaxWords, int64(work.MaxSets), int64(work.MaxSteps), int64(work.MaxCheckSteps), MaxPage>>20,
		max(archive.MaxMember, foz.MaxPayload)>>20, foz.MaxJSON>>20, min(foz.MaxEntries, archive.MaxShaders), foz.MaxStages,
		archive.MaxTar>>20, archive.MaxIndex>>20)
}

// MaxPage bounds the text of all columns of a page: browsers do not display much more.
const MaxPage = 32 << 20
