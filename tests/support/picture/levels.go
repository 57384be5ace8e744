package picture

import (
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
)

// How far the level of detail may be off. Vulkan allows the scale factor of an axis to be from the largest of the components
// of a derivative to their sum, which is up to half a level below and above their length ("Scale Factor Operation"), and
// asks for four bits of a place between levels (mipmapPrecisionBits). Lavapipe takes the length, as the interpreter
// does, so that the latter is the allowance; on cubes it has another transformation of the derivatives to the
// coordinates on a face.
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

// ShiftLevels adds to the level of detail of each sampler.
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
