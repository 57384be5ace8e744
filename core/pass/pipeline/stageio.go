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
		Leaves: "only stores to outputs, at the end of the entry point",
	}
	lowerStageIO = &pass.Pass{
		Name: "lower_stage_io", Required: true, Run: stageio.LowerStageIO,
		Doc:    "lowers accesses to inputs and outputs of vertex and fragment shaders to accesses to slots",
		Leaves: "no access to an input or output through a deref",
		After:  []string{"outputs_to_temporaries", "lower_var_copies"},
	}
	builtinInputs = &pass.Pass{
		Name: "builtin_inputs", Required: true, Run: stageio.BuiltinInputs,
		Doc: "turns builtins of fragments that the fixed functions hand on as inputs into accesses to slots, and places " +
			"within pixels to samples in shaders that run for each, and fixes shading rates",
		Leaves: "no builtin of a fragment that only an input provides",
		After:  []string{"lower_stage_io"},
	}
	splitSlots = &pass.Pass{
		Name: "split_slots", Required: true, Run: stageio.SplitSlots,
		Doc:    "chooses among inputs at indices that are not constant, and splits inputs and outputs of 64 bits",
		Leaves: "accesses to slots at constant indices, of up to 32 bits",
		After:  []string{"lower_stage_io"},
	}
	keepQuads = &pass.Pass{
		Name: "keep_quads", Required: true, Run: stageio.KeepQuads,
		Doc: "lets invocations that a fragment shader discards go on as helpers where whole quads are needed behind, " +
			"until none of their quad lives: in loops, while a living one of the quad is in them",
		After: []string{"inline_functions", "lower_var_copies"},
	}
	discardToDemote = &pass.Pass{
		Name: "discard_to_demote", Required: true, Run: stageio.DiscardToDemote,
		Doc: "makes helpers of invocations that a fragment shader ends in an if of their own, with no loop around or " +
			"behind it that might not end, and nothing by which they might be noticed; drops what keep_quads did and is " +
			"not necessary",
		After: []string{"inline_functions", "keep_quads"},
	}

	compactSlots = &pass.Pass{
		Name: "compact_slots", Required: true, Run: stageio.CompactSlots,
		Doc: "numbers the slots of inputs without gaps, and those of a vertex shader's outputs as the fixed functions " +
			"read them",
		Leaves: "slots as the ABI numbers them",
		After:  []string{"lower_stage_io"},
	}
)

// slots are the passes after Lower: they assign the machine's slots.
var slots = pass.Pipeline{compactSlots}

// StageIO takes a vertex or fragment shader from the reader to accesses to slots of inputs and outputs, and changes
// nothing that this does not require.
var StageIO = ordered(pass.Pipeline{lowerReturns, inlineFunctions, outputTemps, lowerVarCopies, lowerStageIO, deadCode})
