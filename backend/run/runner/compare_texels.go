// SPDX-License-Identifier: MIT

package runner

import (
	"fmt"
	"math"

	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

func (c *ExpectTexels) String() string {
	return fmt.Sprintf("EXPECT %s IDX %d %d SIZE %d %d EQ_RGB%s", c.Buffer.Name, c.X, c.Y, c.Width, c.Height, "A"[:len(c.Color)-3])
}

// texelTolerance is the tolerance of a component from 0 to 1: slightly more than half of an 8-bit
// step.
const texelTolerance = 0.002

// tolerance returns the allowed difference of a component.
func (c *ExpectTexels) tolerance(i int) float64 {
	if len(c.Tolerances) == 0 {
		return texelTolerance
	}
	t := c.Tolerances[min(i, len(c.Tolerances)-1)]
	if t.Percent {
		return t.Value / 100 * c.Color[i]
	}
	return (t.Value + exactly) / 255
}

// exactly bounds the rounding error of a difference of whole steps.
const exactly = 1e-3

// check describes the first mismatch among the texels. It returns "" if there is none.
func (c *ExpectTexels) check(meter *work.Meter, data []byte) string {
	m := c.Buffer.Image
	first, failed := "", 0
	for y := c.Y; y < c.Y+c.Height; y++ {
		meter.Spend(texelSteps * c.Width)
		for x := c.X; x < c.X+c.Width; x++ {
			at := (y*int(m.Width) + x) * m.Format.Bytes
			t := m.Format.Decode(data[at : at+m.Format.Bytes])
			for i, want := range c.Color {
				got := float64(t.Float(i))
				switch m.Format.Base {
				case kind.BaseUint:
					got = float64(t[i]) / 255
				case kind.BaseInt:
					got = float64(int64(t[i])) / 255
				}
				if !(math.Abs(got-want) <= c.tolerance(i)) {
					if failed++; failed == 1 {
						first = fmt.Sprintf("texel %d %d: wanted %g as %s, got %g", x, y, want*255, [...]string{"red", "green", "blue", "alpha"}[i], got*255)
					}
					break
				}
			}
		}
	}
	if failed > 1 {
		return fmt.Sprintf("%s (%d of %d texels differ)", first, failed, c.Width*c.Height)
	}
	return first
}

// Bytes4 reports whether the elements of a buffer are four 8-bit components.
func (b *Buffer) Bytes4() bool {
	for _, s := range b.Layout.Segments {
		if s.Scalar != Uint8 {
			return false
		}
	}
	return len(b.Layout.Segments) == 4
}

// checkHistograms compares the histograms of each component. The distance between two histograms is the sum of the
// differences of the cumulative histograms, that is, the amount to be moved times how far, from 0 to 1.
func (c *ExpectBuffer) checkHistograms(m *work.Meter, left, right []byte) string {
	m.Spend(byteSteps * (len(left) + len(right)))
	n := float64(len(left) / 4)
	most := 0.0
	for component := range 4 {
		var difference [256]float64
		for i := component; i < len(left); i += 4 {
			difference[left[i]]++
			difference[right[i]]--
		}
		moved, total := 0.0, 0.0
		for _, d := range difference {
			moved += d / n
			total += math.Abs(moved)
		}
		most = max(most, total/256)
	}
	if most > c.Tolerance {
		return fmt.Sprintf("wanted a distance of the histograms of at most %g, got %g", c.Tolerance, most)
	}
	return ""
}
