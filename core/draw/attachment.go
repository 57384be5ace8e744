// SPDX-License-Identifier: MIT

package draw

import (
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Attachment is an image with one level that fragments are written to. The samples of a texel are adjacent.
type Attachment struct {
	Format        *texture.Format
	Width, Height int
	Samples       int // 0 means one
	Layers        int // 0 means one
	Data          []byte
}

// samples returns the number of samples of a texel.
func (a *Attachment) samples() int { return max(a.Samples, 1) }

// bytes returns the size of the image in bytes.
func (a *Attachment) bytes() int {
	return a.Width * a.Height * a.samples() * max(a.Layers, 1) * a.Format.Bytes
}

// at returns the bytes of a sample of a texel.
func (a *Attachment) at(p place) []byte {
	n := a.Format.Bytes
	return a.Data[(((p.layer*a.Height+p.y)*a.Width+p.x)*a.samples()+p.sample)*n:][:n]
}

// place is a sample of an attachment.
type place struct{ x, y, layer, sample int }

// Texel returns the first sample of a texel in the first layer.
func (a *Attachment) Texel(x, y int) texture.Texel { return a.Format.Decode(a.at(place{x: x, y: y})) }

// Clear sets all texels, except for their stencil values.
func (a *Attachment) Clear(t texture.Texel) {
	for at := 0; at+a.Format.Bytes <= len(a.Data); at += a.Format.Bytes {
		a.encode(a.Data[at:at+a.Format.Bytes], &t)
	}
}

// encode sets a texel, except for its stencil value.
func (a *Attachment) encode(texel []byte, t *texture.Texel) {
	stencil := a.stencil(texel)
	if stencil == nil {
		a.Format.Encode(texel, t)
		return
	}
	old := *stencil
	a.Format.Encode(texel, t)
	*stencil = old
}

// ClearStencil sets all stencil values.
func (a *Attachment) ClearStencil(x uint8) {
	for at := 0; at+a.Format.Bytes <= len(a.Data); at += a.Format.Bytes {
		if stencil := a.stencil(a.Data[at : at+a.Format.Bytes]); stencil != nil {
			*stencil = x
		}
	}
}

// HasStencil reports whether texels have stencil values.
func HasStencil(f *texture.Format) bool { return stencilOf(f) != nil }

// stencilOf returns the stencil component of a format, or nil if there is none.
func stencilOf(f *texture.Format) *texture.Component {
	for i := range f.Comps {
		if f.Comps[i].Name == 'S' {
			return &f.Comps[i]
		}
	}
	return nil
}

// stencil returns the stencil value of a texel, or nil if there is none. In every format it is a whole byte.
func (a *Attachment) stencil(texel []byte) *byte {
	c := stencilOf(a.Format)
	if c == nil || c.Bits != 8 {
		return nil
	}
	return &texel[c.Shift/8]
}

// Resolve writes the mean of a texel's samples to each texel of another image; for integers and depths, the first sample
// (Vulkan specification, "Render Pass Multisample Resolve Operations").
func Resolve(to, from *Attachment) {
	n := from.samples()
	for layer := range max(min(to.Layers, from.Layers), 1) {
		for y := range min(to.Height, from.Height) {
			for x := range min(to.Width, from.Width) {
				p := place{x, y, layer, 0}
				out := from.Format.Decode(from.at(p))
				if from.Format.Base == kind.BaseFloat && !from.Format.Depth() {
					var sum [4]float32
					for p.sample = range n {
						t := from.Format.Decode(from.at(p))
						for c := range sum {
							sum[c] += t.Float(c)
						}
					}
					for c := range sum {
						out.SetFloat(c, sum[c]/float32(n))
					}
				}
				p.sample = 0
				to.Format.Encode(to.at(p), &out)
			}
		}
	}
}
