// SPDX-License-Identifier: MIT

package pipeline

import (
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/stageio"
)

// The passes of vertex and fragment shaders.
var (
	outputTemps = &pass.Pass{
		Name: "outputs_to_temporaries", Required: true, Run: stageio.OutputsToTemporaries,
		Doc:    "keeps the outputs of vertex and fragment shaders in private variables and writes them where the shader ends",
		Leaves: "no access to an output except stores where the entry point ends",
	}
	lowerStageIO = &pass.Pass{
		Name: "lower_stage_io", Required: true, Run: stageio.LowerStageIO,
		Doc:    "lowers accesses to inputs and outputs of vertex and fragment shaders to accesses to slots",
		Leaves: "no access to an input or output through a deref",
		After:  []string{"outputs_to_temporaries", "lower_var_copies"},
	}
	builtinInputs = &pass.Pass{
		Name: "builtin_inputs", Required: true, Run: stageio.BuiltinInputs,
		Doc: "lowers fragment builtins that fixed-function hardware supplies to loads of inputs, interpolates at the sample in " +
			"shaders that run for each sample, and removes variable shading rates",
		Leaves: "no builtin of a fragment that only an input supplies",
		After:  []string{"lower_stage_io"},
	}
	splitSlots = &pass.Pass{
		Name: "split_slots", Required: true, Run: stageio.SplitSlots,
		Doc: "turns loads of inputs at dynamic indices into selects, splits 64-bit inputs and outputs, and interpolates component " +
			"by component",
		Leaves: "accesses to slots at constant indices, of up to 32 bits; no interpolation of several components",
		After:  []string{"lower_stage_io"},
	}
	keepQuads = &pass.Pass{
		Name: "keep_quads", Required: true, Run: stageio.KeepQuads,
		Doc: "keeps discarded fragment invocations running as helpers if quad operations follow, as long as another " +
			"invocation of their quad is alive, and in a loop as long as one repeats it",
		After: []string{"inline_functions", "lower_var_copies"},
	}
	discardToDemote = &pass.Pass{
		Name: "discard_to_demote", Required: true, Run: stageio.DiscardToDemote,
		Doc: "turns a discard that ends the only arm of an if into a demotion to a helper, unless a loop around or after " +
			"it might not end or a later operation might notice the helper; removes unnecessary code of keep_quads",
		After: []string{"inline_functions", "keep_quads"},
	}

	compactSlots = &pass.Pass{
		Name: "compact_slots", Required: true, Run: stageio.CompactSlots,
		Doc: "numbers the slots of inputs without gaps, and gives a vertex shader's outputs the slots from which " +
			"fixed-function hardware reads them",
		Leaves: "the slot numbers of the ABI",
		After:  []string{"lower_stage_io"},
	}
)

// slots are the passes after Lower: they assign the machine's slots.
var slots = pass.Pipeline{compactSlots}

// StageIO takes a vertex or fragment shader from the reader to accesses to slots of inputs and outputs, and changes
// nothing that this does not require.
var StageIO = ordered(pass.Pipeline{lowerReturns, inlineFunctions, outputTemps, lowerVarCopies, lowerStageIO, deadCode})
