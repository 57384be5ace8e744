// SPDX-License-Identifier: MIT

// Package picture compares the attachments that two engines leave after a draw. [Compare] allows the rounding error of
// a texel's format, which [Close] states, and no more; a test that knows why a shader's colors differ by more gives a
// step that components may be off by. [Copy] and [CopyDispatch] give each engine separate memory.
package picture

import (
	"bytes"
	"fmt"
	"math"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Copy returns a draw with new memory.
func Copy(c *runner.DrawCall) *runner.DrawCall {
	d := *c
	d.Bindings = copyBindings(c.Bindings)
	d.State.Colors = append([]draw.Color(nil), c.State.Colors...)
	for i := range d.State.Colors {
		k := &d.State.Colors[i]
		k.Data = bytes.Clone(k.Data)
		if k.Resolve != nil {
			r := *k.Resolve
			r.Data = bytes.Clone(r.Data)
			k.Resolve = &r
		}
	}
	d.State.Depth.Attachment.Data = bytes.Clone(d.State.Depth.Attachment.Data)
	return &d
}

// CopyDispatch returns a dispatch with new memory.
func CopyDispatch(c *runner.Call) *runner.Call {
	d := *c
	d.Bindings = copyBindings(c.Bindings)
	return &d
}

func copyBindings(list []runner.Binding) []runner.Binding {
	list = append([]runner.Binding(nil), list...)
	for i := range list {
		b := &list[i]
		b.Data = bytes.Clone(b.Data)
		if b.Texture != nil {
			b.Texture = Overlay(b.Texture, b.Data)
		}
	}
	return list
}

// Overlay returns an image whose levels are consecutive in the data of a binding.
func Overlay(m *texture.Image, data []byte) *texture.Image {
	out := *m
	out.Levels = append([]texture.Level(nil), m.Levels...)
	for i := range out.Levels {
		n := len(m.Levels[i].Data)
		out.Levels[i].Data = data[:n:n]
		data = data[n:]
	}
	return &out
}

// Changed returns the number of texels that differ between two attachments of the same size.
func Changed(a, b *draw.Attachment) int {
	n := 0
	for y := range a.Height {
		for x := range a.Width {
			if a.Texel(x, y) != b.Texel(x, y) {
				n++
			}
		}
	}
	return n
}

// shown is the maximum number of differences that are described.
const shown = 3

// Difference is the distance of a picture from the expected one.
type Difference struct {
	Texels int    // texels that differ by more than rounding, and by more than the step
	First  string // descriptions of the first ones
}

// Compare compares an attachment with the expected one, including stencil values. A step, if not 0, is a difference
// that components of texels may have in any case. Nothing differs if got has no format.
func Compare(want, got *draw.Attachment, step float64) (d Difference) {
	if got.Format == nil {
		return d
	}
	add := func(format string, args ...any) {
		if d.Texels++; d.Texels <= shown {
			d.First += fmt.Sprintf(format, args...)
		}
	}
	if n := got.Format.Bytes; draw.HasStencil(got.Format) { // the last byte of each texel, in all layers
		for at := n - 1; at < len(want.Data); at += n {
			if w, g := want.Data[at], got.Data[at]; w != g {
				add("\nstencil value %d of texel %d %d: want %d", g, at/n%got.Width, at/n/got.Width, w)
			}
		}
	}
	for y := range got.Height {
		for x := range got.Width {
			w, g := want.Texel(x, y), got.Texel(x, y)
			if !Close(got.Format, &w, &g) && !within(&w, &g, step) {
				add("\ntexel %d %d: %s, want %s", x, y, Show(got.Format, &g), Show(got.Format, &w))
			}
		}
	}
	return d
}

// Show formats the components of a texel, as floats or as integers.
func Show(f *texture.Format, t *texture.Texel) string {
	if f.Base != kind.BaseFloat {
		return fmt.Sprint(*t)
	}
	return fmt.Sprint(t.Float(0), t.Float(1), t.Float(2), t.Float(3))
}

// within reports whether all components of two texels of floats differ by no more than step. It returns false if step
// is 0.
func within(a, b *texture.Texel, step float64) bool {
	for c := range a {
		if d := float64(a.Float(c)) - float64(b.Float(c)); step == 0 || !(math.Abs(d) <= step) {
			return false
		}
	}
	return true
}

// Close reports whether two texels are equal up to rounding. Integers must be equal. A normalized component of up to
// 16 bits may be a step off; an sRGB component may instead differ by 1/255 in linear value, since its steps near 0
// are as small as 1/13 of that, while drivers blend with less precision. A float of up to 16 bits may be off by
// 1/100. Longer components may be off by 1/10000 of the texel's largest component, from which they may have been
// computed by cancellation.
func Close(f *texture.Format, a, b *texture.Texel) bool {
	if f.Base != kind.BaseFloat {
		return *a == *b
	}
	var one, other [32]byte
	f.Encode(one[:], a)
	f.Encode(other[:], b)
	largest := 1e-2
	for c := range a {
		x, y := math.Abs(float64(a.Float(c))), math.Abs(float64(b.Float(c)))
		if f.Component(c) != nil && x+y <= math.MaxFloat32 {
			largest = max(largest, x, y)
		}
	}
	for c := range a {
		k := f.Component(c)
		if k != nil && k.Bits == 8 && k.Shift%8 == 0 && k.Numeric != texture.SFloat {
			x, y := int(one[k.Shift/8]), int(other[k.Shift/8])
			if k.Numeric == texture.SNorm {
				x, y = int(int8(x)), int(int8(y))
			}
			linear := k.Numeric == texture.SRGB && math.Abs(float64(a.Float(c))-float64(b.Float(c))) <= 1.0/255
			if d := x - y; (d < -1 || d > 1) && !linear {
				return false
			}
			continue
		}
		x, y := float64(a.Float(c)), float64(b.Float(c))
		limit := 1e-4 * largest
		if k != nil && k.Bits <= 16 {
			switch k.Numeric {
			case texture.UNorm:
				limit = max(1e-4, 1.01/float64(uint64(1)<<k.Bits-1))
			case texture.SNorm:
				limit = max(limit, 1.01/float64(uint64(1)<<(k.Bits-1)-1))
			case texture.SFloat:
				limit = 1e-2 * max(math.Abs(x), math.Abs(y), 1e-2)
			}
		}
		if x != y && !(math.Abs(x-y) <= limit) && !(x != x && y != y) {
			return false
		}
	}
	return true
}
