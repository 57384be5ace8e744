// SPDX-License-Identifier: MIT

package picture

import (
	"slices"

	"jacquard.example/backend/run/engine"
	"jacquard.example/core/interp"
	"jacquard.example/core/interp/vary"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
)

// variantWidths are the subgroup sizes that variants use in turn.
var variantWidths = [...]int{8, 64, 4}

// Variant returns an interpreter that draws one of the pictures that SPIR-V and Vulkan allow. The seed, which is not 0,
// varies the results of float instructions and fixed functions within their tolerance, and undefined values. Shaders
// run maxSteps instructions at most.
func Variant(module engine.Module, seed, maxSteps uint64) *engine.Interp {
	return &engine.Interp{
		Module: module, Seed: seed, Width: variantWidths[seed%uint64(len(variantWidths))],
		Configure: func(c *interp.Call) { c.MaxSteps, c.Backwards, c.KeepQuads = maxSteps, seed&1 != 0, false },
		Pipeline: append(slices.Clip(pipeline.StageIO), &pass.Pass{Name: "vary", Run: func(pc *pass.Context) bool {
			vary.Shader(pc.S, seed)
			vary.Fixed(pc.S, seed)
			return true
		}}),
	}
}
