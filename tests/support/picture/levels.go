// SPDX-License-Identifier: MIT

package picture

import (
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
)

// Allowed errors of the level of detail. Vulkan allows the scale factor of an axis to be anything from the largest component
// of a derivative to the sum of its components, up to half a level below or above their length ("Scale Factor
// Operation"), and requires four bits of precision between levels (mipmapPrecisionBits). Lavapipe and the interpreter
// both use the length, so only that precision is allowed for; on cubes, lavapipe transforms the derivatives
// differently to the coordinates of a face.
const levelError, cubeLevelError = 1.0 / 16, 3.0 / 16

// LevelErrors returns the error that a variant adds to the levels of each sampler: +e, 0 or -e.
func LevelErrors(d *runner.DrawCall, seed uint64) func(sampler int) float32 {
	by := float32(levelError)
	for i := range d.Bindings {
		if m := d.Bindings[i].Texture; m != nil && m.Dim == kind.DimCube {
			by = cubeLevelError
		}
	}
	return func(sampler int) float32 {
		digit := seed
		for range sampler % 4 {
			digit /= 3
		}
		return by * (float32(digit%3) - 1)
	}
}

// ShiftLevels adds by(n) to the bias of the level of detail of the n-th sampler of a draw, in a copy of the sampler.
func ShiftLevels(d *runner.DrawCall, by func(sampler int) float32) {
	n := 0
	for i := range d.Bindings {
		if from := d.Bindings[i].Sampler; from != nil {
			s := *from
			s.Bias += by(n)
			d.Bindings[i].Sampler = &s
			n++
		}
	}
}
