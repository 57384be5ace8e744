package corpus

import (
	"context"

	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/madeup"
)

// How far the level of detail may be off. Vulkan allows the scale factor of an axis to be from the largest of the components
// of a derivative to their sum, which is up to half a level below and above their length ("Scale Factor Operation"), and
// asks for four bits of a place between levels (mipmapPrecisionBits). Lavapipe takes the length, as the interpreter
// does, so that the latter is the allowance; on cubes it has another transformation of the derivatives to the
// coordinates on a face.
const levelError, cubeLevelError = 1.0 / 16, 3.0 / 16

// levelErrors returns what a variant adds to the levels of the samplers: the error, nothing or its negative.
func levelErrors(d *madeup.Draw, seed uint64) func(sampler int) float32 {
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

// shiftLevels adds to the level of detail of each sampler.
func shiftLevels(d *madeup.Draw, by func(sampler int) float32) {
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

// shift draws with another level of detail.
func shift(ctx context.Context, d *madeup.Draw, by float32) (*drawn, error) {
	x := d.Clone()
	shiftLevels(x, func(int) float32 { return by })
	return onInterp(ctx, x, way{})
}

// levelAims are what may be added to the level of detail: of images of 16 texels, inputs that rise by 1 over the picture
// choose the first level, and coordinates in pixels the last.
var levelAims = [...]float32{0, 2, 4, 7, -3}

// aimLevels adds to the level of detail of a draw's samplers what makes levels matter, most where derivatives choose the
// last level, or the first. It returns the picture then, given the one without, and how many texels depend on a quarter
// of a level.
func aimLevels(ctx context.Context, d *madeup.Draw, usual *drawn) (best *drawn, texels int, err error) {
	best = usual
	bias, some := float32(0), 0
	for _, p := range usual.planes {
		some = max(some, len(p.texels)/2)
	}
	for _, by := range levelAims {
		at := usual
		if by != 0 {
			if at, err = shift(ctx, d, by); err != nil {
				return nil, 0, err
			}
		}
		next, err := shift(ctx, d, by+0.25)
		if err != nil {
			return nil, 0, err
		}
		if n := boundsOf(at).differing(next); n > texels {
			best, texels, bias = at, n, by
		}
		if texels >= some {
			break
		}
	}
	shiftLevels(d, func(int) float32 { return bias })
	return best, texels, nil
}
