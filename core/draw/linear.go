// SPDX-License-Identifier: MIT

package draw

import "math"

// Linear returns the values at a point that change linearly in the window: the perspective-correct barycentric coordinates
// for the second and third vertex, divided by w; the coordinates without perspective (kind.InterpNoperspective); the depth;
// and 1/w. They are also defined outside of the primitive.
func (p *Primitive) Linear(x, y float64) (overW, flat [2]float64, depth, inverseW float64) {
	inverseW = p.inverseW(x, y)
	switch {
	case p.isPoint():
		flat = p.pointCoord(x, y)
		for i := range overW {
			overW[i] = flat[i] * inverseW
		}
	case p.line != nil:
		a, b := &p.line[0], &p.line[1]
		t := p.fraction(x, y)
		for i := range overW {
			f, g := (1-t)*a.weight[i], t*b.weight[i]
			flat[i], overW[i] = f+g, f/a.at[3]+g/b.at[3]
		}
	default:
		e, _, sumW := p.weights(x, y)
		for i := range overW {
			overW[i] = e[1+i] / sumW
			flat[i] = overW[i] * float64(p.Vertices[1+i].Position[3])
		}
	}
	return overW, flat, p.depth(x, y) + p.bias, inverseW
}

// Origin returns the upper left corner of a pixel in the middle of the primitive's drawn part, or of the pixel of the viewport
// that is closest to it. Around it, planes of the values that change linearly lose the least when they are rounded.
func (p *Primitive) Origin() (x, y float64) {
	drawn := p.drawn
	if p.line != nil {
		drawn = p.line[:]
	}
	for k := range drawn {
		cx, cy := p.viewport.project(&drawn[k])
		x, y = x+cx/float64(len(drawn)), y+cy/float64(len(drawn))
	}
	v := p.viewport
	return within(x, float64(v.X), float64(v.Width)), within(y, float64(v.Y), float64(v.Height))
}

// within rounds a window coordinate down, and clamps it to the pixels from low to low + size, or back from low if size is negative.
func within(x, low, size float64) float64 {
	return math.Floor(min(max(x, min(low, low+size)), max(low, low+size)-1))
}
