// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// pixelRate is the shading rate of one-pixel fragments, in the encoding of VK_KHR_fragment_shading_rate: the binary
// logarithms of width and height. Threads are dispatched at this rate only.
const pixelRate = 0

// dropRates removes stores to the primitive's shading rate. None of the targets has the feature
// primitiveFragmentShadingRate. Without it the pipeline's rate applies: the first combiner operation must be KEEP
// (Vulkan specification, "Fragment Shading Rate").
func (c context) dropRates() (changed bool) {
	c.eachAccess(true, func(v ir.Value) {
		if builtin(c.S, v) == kind.BuiltinPrimitiveShadingRate {
			c.S.Remove(v)
			changed = true
		}
	})
	return changed
}
