// SPDX-License-Identifier: MIT

package picture

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Drawn holds the results of a draw: the texels of its attachments, depths last, and the words of the buffers and
// images that it writes.
type Drawn struct {
	planes []plane
	words  [][]uint32
}

// plane holds the texels of an attachment. format is nil if there is no attachment.
type plane struct {
	format *texture.Format
	width  int
	texels []texture.Texel
}

// Take copies the results of a draw.
func Take(d *runner.DrawCall) *Drawn {
	p := &Drawn{}
	add := func(a *draw.Attachment) {
		x := plane{format: a.Format, width: a.Width}
		if a.Format != nil {
			for i := range a.Width * a.Height {
				x.texels = append(x.texels, a.Texel(i%a.Width, i/a.Width))
			}
		}
		p.planes = append(p.planes, x)
	}
	for i := range d.State.Colors {
		add(&d.State.Colors[i].Attachment)
	}
	add(&d.State.Depth.Attachment)
	for i := range d.Bindings {
		var list []uint32
		if b := &d.Bindings[i]; b.Kind.Writes() {
			for at := 0; at+4 <= len(b.Data); at += 4 {
				list = append(list, binary.LittleEndian.Uint32(b.Data[at:]))
			}
		}
		p.words = append(p.words, list)
	}
	return p
}

// Texels returns the number of texels of the largest attachment.
func (d *Drawn) Texels() (n int) {
	for _, p := range d.planes {
		n = max(n, len(p.texels))
	}
	return n
}

// Bounds are the results that Vulkan allows for a draw, as far as variants of its shaders tell.
type Bounds struct {
	usual  *Drawn
	planes [][]texelBound
	open   [][]bool // by resource and word: whether the word is undefined
}

// texelBound is the set of allowed values of a texel: any if it is open, otherwise values close to the usual one. If
// images are filtered, each component may also be in the range from lo to hi, which extends the variants' range by
// half its width on either side.
type texelBound struct {
	open   bool
	spread bool // some variant is not close to the usual one
	lo, hi [4]float64
}

// most is the maximum difference between variants of a component that depends on filtering and is still compared, as
// a share of the component's magnitude or of 1, whichever is larger.
const most = 1.0 / 16

// BoundsOf returns bounds that contain only the usual picture. Texels of floats with an infinity or NaN are open.
func BoundsOf(usual *Drawn) *Bounds {
	b := &Bounds{usual: usual}
	for i := range usual.planes {
		p := &usual.planes[i]
		list := make([]texelBound, len(p.texels))
		for k := range list {
			list[k].lo, list[k].hi = components(&p.texels[k]), components(&p.texels[k])
			list[k].open = p.format.Base == kind.BaseFloat && !finite(&p.texels[k])
		}
		b.planes = append(b.planes, list)
	}
	for _, list := range usual.words {
		b.open = append(b.open, make([]bool, len(list)))
	}
	return b
}

// finite reports whether no component is an infinity or NaN, for which SPIR-V requires nothing.
func finite(t *texture.Texel) bool {
	for _, v := range components(t) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

func components(t *texture.Texel) (out [4]float64) {
	for c := range out {
		out[c] = float64(t.Float(c))
	}
	return out
}

// Vary adds the picture of a variant.
func (b *Bounds) Vary(x *Drawn) {
	for i := range b.planes {
		p := &b.usual.planes[i]
		for k := range p.texels {
			t, at := &x.planes[i].texels[k], &b.planes[i][k]
			if Close(p.format, &p.texels[k], t) {
				continue
			}
			at.spread = true
			at.open = at.open || p.format.Base != kind.BaseFloat || !finite(t)
			for c, v := range components(t) {
				at.lo[c], at.hi[c] = min(at.lo[c], v), max(at.hi[c], v)
			}
		}
	}
	for i, list := range b.usual.words {
		for k, w := range list {
			if other := x.words[i][k]; other != w && !CloseFloats(other, w) {
				b.open[i][k] = true
			}
		}
	}
}

// Settle decides which texels are open, after all variants have been added. filtered tells whether differences
// between variants may be due to filtering; if not, all texels that differ are open.
func (b *Bounds) Settle(filtered bool) {
	for i := range b.planes {
		for k := range b.planes[i] {
			at := &b.planes[i][k]
			if !at.spread {
				continue
			}
			at.open = at.open || !filtered
			for c := range at.lo {
				apart := at.hi[c] - at.lo[c]
				at.open = at.open || !(apart <= most*max(1, math.Abs(at.lo[c]), math.Abs(at.hi[c])))
				at.lo[c], at.hi[c] = at.lo[c]-apart/2, at.hi[c]+apart/2
			}
		}
	}
}

// Covered returns the largest number of texels of an attachment that a draw changes or that are open, and the largest
// number of open texels of an attachment.
func (b *Bounds) Covered(d *runner.DrawCall) (texels, open int) {
	before := Take(d)
	for i := range b.planes {
		n, unknown := 0, 0
		for k := range b.planes[i] {
			if b.planes[i][k].open {
				n, unknown = n+1, unknown+1
			} else if b.usual.planes[i].texels[k] != before.planes[i].texels[k] {
				n++
			}
		}
		texels, open = max(texels, n), max(open, unknown)
	}
	return texels, open
}

// Writes reports whether a word of the bindings that is not open differs from its value before the draw, which d has.
func (b *Bounds) Writes(d *runner.DrawCall) bool {
	for i, list := range Take(d).words {
		for k, w := range list {
			if w != b.usual.words[i][k] && !b.open[i][k] {
				return true
			}
		}
	}
	return false
}

// Differ returns the number of texels and words of a picture that are out of bounds, and a description of the first.
func (b *Bounds) Differ(x *Drawn) (n int, first string) {
	for i := range b.planes {
		p := &b.usual.planes[i]
		for k := range b.planes[i] {
			t := &x.planes[i].texels[k]
			if b.planes[i][k].holds(p.format, &p.texels[k], t) {
				continue
			}
			if n++; n == 1 {
				first = fmt.Sprintf("attachment %d, texel %d %d: %s, interpreter %s", i, k%p.width, k/p.width, Show(p.format, t),
					Show(p.format, &p.texels[k]))
			}
		}
	}
	for i, list := range b.usual.words {
		for k, w := range list {
			if got := x.words[i][k]; got != w && !b.open[i][k] && !CloseFloats(got, w) {
				if n++; n == 1 {
					first = fmt.Sprintf("resource %d, word %d: %#x, interpreter %#x", i, k, got, w)
				}
			}
		}
	}
	return n, first
}

// CloseFloats reports whether two words are floats of ordinary magnitude that are equal up to rounding, or both NaN.
func CloseFloats(a, b uint32) bool {
	x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	const ordinary = 1e-30 // below it a word is more likely an integer
	return math.Abs(x) > ordinary && math.Abs(y) > ordinary && math.Abs(x-y) <= 1e-4*math.Abs(y)
}

// holds reports whether a texel may be t.
func (at *texelBound) holds(f *texture.Format, usual, t *texture.Texel) bool {
	if at.open || Close(f, usual, t) {
		return true
	}
	if !at.spread {
		return false
	}
	have := components(t)
	return !slices.ContainsFunc([]int{0, 1, 2, 3}, func(c int) bool { return f.Component(c) != nil && !(have[c] >= at.lo[c] && have[c] <= at.hi[c]) })
}

// Differing returns the number of texels that are out of bounds. Unlike Differ, it ignores words.
func (b *Bounds) Differing(x *Drawn) (n int) {
	for i := range b.planes {
		p := &b.usual.planes[i]
		for k := range b.planes[i] {
			if !b.planes[i][k].holds(p.format, &p.texels[k], &x.planes[i].texels[k]) {
				n++
			}
		}
	}
	return n
}
