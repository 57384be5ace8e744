package pipeline

import (
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/stageio"
)

// The passes of vertex and fragment shaders.
var (
	outputTemps  = pass.Pass{Name: "outputs_to_temporaries", Doc: "keeps the outputs of vertex and fragment shaders in private variables and writes them where the shader ends", Leaves: "only stores to outputs, at the end of the entry point", Required: true, Run: stageio.OutputsToTemporaries}
	lowerStageIO = pass.Pass{Name: "lower_stage_io", Doc: "lowers accesses to inputs and outputs of vertex and fragment shaders to accesses to slots", Needs: "outputs_to_temporaries, if outputs are read or indexed", Leaves: "no access to an input or output through a deref", After: []string{"outputs_to_temporaries", "lower_var_copies"}, Required: true, Run: stageio.LowerStageIO}
)

// StageIO takes a vertex or fragment shader from the reader to accesses to slots of inputs and
// outputs, and changes nothing else but what that needs.
var StageIO = ordered([]pass.Pass{lowerReturns, inlineFunctions, outputTemps, lowerVarCopies, lowerStageIO, deadCode})
