package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// pixelRate is the shading rate of fragments that are one pixel, as VK_KHR_fragment_shading_rate encodes
// it: the binary logarithms of width and height. Threads are dispatched for no other.
const pixelRate = 0

// dropRates removes stores to the rate of a vertex's primitive. Without the feature
// primitiveFragmentShadingRate, which none of the targets has, the API keeps the pipeline's
// rate instead: the first combiner operation must be KEEP (Vulkan specification, "Fragment Shading Rate").
func (c context) dropRates() (changed bool) {
	c.eachAccess(true, func(v ir.Value) {
		if builtin(c.S, v) == kind.BuiltinPrimitiveShadingRate {
			c.S.Remove(v)
			changed = true
		}
	})
	return changed
}
