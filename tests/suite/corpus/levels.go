// SPDX-License-Identifier: MIT

package corpus

import (
	"context"

	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/synth"
)

// shift draws with the levels of detail shifted.
func shift(ctx context.Context, d *synth.Draw, by float32) (*picture.Drawn, error) {
	x := d.Clone()
	picture.ShiftLevels(&x.DrawCall, func(int) float32 { return by })
	return onInterp(ctx, x, way{})
}

// levelAims are candidates for a bias of the level of detail: for images of 16 texels, inputs that rise by 1 over the
// picture choose the first level, and coordinates in pixels the last.
var levelAims = [...]float32{0, 2, 4, 7, -3}

// aimLevels sets the level bias of a draw's samplers to the candidate that makes levels matter most where derivatives
// choose the last level or the first. It returns the picture with the bias, given the picture without, and the number
// of texels that depend on a quarter of a level.
func aimLevels(ctx context.Context, d *synth.Draw, usual *picture.Drawn) (best *picture.Drawn, texels int, err error) {
	best = usual
	bias, some := float32(0), usual.Texels()/2
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
		if n := picture.BoundsOf(at).Differing(next); n > texels {
			best, texels, bias = at, n, by
		}
		if texels >= some {
			break
		}
	}
	picture.ShiftLevels(&d.DrawCall, func(int) float32 { return bias })
	return best, texels, nil
}
