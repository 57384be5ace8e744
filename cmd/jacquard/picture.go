// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/core/draw"
	"jacquard.example/generated/kind"
)

// writePicture writes an attachment as a PNG file.
func writePicture(a *cli.App, out string, from *draw.Attachment) error {
	if from == nil {
		return fmt.Errorf("%s is not written: the script draws nothing", out)
	}
	m := image.NewNRGBA(image.Rect(0, 0, from.Width, from.Height))
	for y := range from.Height {
		for x := range from.Width {
			m.SetNRGBA(x, y, colorAt(from, x, y))
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return err
	}
	return a.Write(out, b.Bytes())
}

// colorAt returns the color of a texel. Floats are clamped to 0 to 1, and integers to 0 to 255.
func colorAt(from *draw.Attachment, x, y int) color.NRGBA {
	t := from.Texel(x, y)
	var c [4]uint8
	for i := range c {
		v := float64(t[i]) / 255
		if from.Format.Base == kind.BaseFloat {
			v = float64(t.Float(i))
		}
		c[i] = uint8(math.Round(min(max(v, 0), 1) * 255))
	}
	return color.NRGBA{R: c[0], G: c[1], B: c[2], A: c[3]}
}
