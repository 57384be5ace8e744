// SPDX-License-Identifier: MIT

package renderer

import "slices"

// The canvas of the test scene: 20 x 10 tiles, so 2 x 2 bins with edges that
// the canvas does not fill.
const (
	canvasWidth  = 20
	canvasHeight = 10
	scenePaths   = 250 // two partitions of binning
	crowdFrom    = 60  // later paths crowd one corner: a tile needs several blocks of commands
)

type point struct{ x, y float32 }

// A box is x0, y0, x1, y1; empty if x1 <= x0.
type box [4]float32

func (b box) with(p ...point) box {
	for _, q := range p {
		if b == (box{}) {
			b = box{q.x, q.y, q.x, q.y}
			continue
		}
		b = box{min(b[0], q.x), min(b[1], q.y), max(b[2], q.x), max(b[3], q.y)}
	}
	return b
}

// A curve is one segment of a path as the scene holds it: 2, 3 or 4 points.
type curve []point

// A path is one drawing operation: curves, then their paint.
type path struct {
	curves    []curve
	tag       uint32 // tag of the annotated element
	paint     uint32 // color, or the number of an image
	offset    uint32 // offset in an image: two 16-bit numbers
	stroke    bool
	lineWidth float32
	// The first curve still has the mode and width of the path before: the elements that change them follow it.
	firstStroke bool
	firstWidth  float32
	transform   int // 0 for none, or which of the scene's matrices, from 1
	scale       float32
	move        point
	box         box // in pixels, after the transform and the line width
}

// A scene is the input of the stages.
type scene struct {
	paths    []path
	elements []byte   // the scene buffer
	matrices []matrix // cumulative, in the order of the scene's transforms
}

// A matrix scales and then moves: the scene turns nothing, and its numbers
// have few bits, so that bounds do not depend on the order of additions.
type matrix struct {
	scale float32
	move  point
}

func (m matrix) apply(p point) point {
	return point{m.scale*p.x + m.move.x, m.scale*p.y + m.move.y}
}

// random is a linear congruential generator (Knuth's MMIX constants).
type random uint64

func (r *random) below(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r) >> 33 % uint64(n))
}

// newScene draws polygons, quadratic and cubic outlines and strokes at pseudo-random places, many of them in one
// corner, some half outside of the canvas, some under a transform, some inside of clips. Clips end twenty paths after
// they began or, if lateEnds is set, after the last path.
func newScene(lateEnds bool) *scene {
	s := &scene{}
	r := random(1804)
	var clips []int // the paths that opened the clips in force
	end := func() {
		last := len(clips) - 1
		s.paths = append(s.paths, path{tag: annotatedEndClip, box: s.paths[clips[last]].box})
		clips = clips[:last]
	}
	for len(s.paths)+len(clips) < scenePaths {
		k := len(s.paths)
		switch {
		case k%40 == 30 && !lateEnds && len(clips) > 0:
			end()
			continue
		case k%40 == 10:
			clips = append(clips, k)
			s.paths = append(s.paths, outline(&r, k, annotatedBeginClip))
			continue
		}
		tag := uint32(annotatedColor)
		if k%7 == 3 {
			tag = annotatedImage
		}
		s.paths = append(s.paths, outline(&r, k, tag))
	}
	for len(clips) > 0 {
		end()
	}
	s.encode()
	return s
}

// outline makes the k-th path.
func outline(r *random, k int, tag uint32) path {
	p := path{tag: tag, paint: uint32(k)<<24 | uint32(r.below(1<<24)), scale: 1, lineWidth: 1}
	if tag == annotatedImage {
		p.paint, p.offset = uint32(k%3), uint32(-k)&0xffff|uint32(k)<<16
	}
	if k%5 == 3 && tag != annotatedBeginClip {
		p.stroke, p.lineWidth = true, float32(1+r.below(12))/2
	}
	radius := 6 + r.below(60)
	if tag == annotatedBeginClip {
		radius = 100
	}
	if k%5 == 1 {
		p.scale = []float32{0.5, 2}[k%2]
		p.move = point{float32(r.below(64)) - 32, float32(r.below(64)) - 32}
	}
	cx := float32(r.below(canvasWidth*tilePixels)) / p.scale
	cy := float32(r.below(canvasHeight*tilePixels)) / p.scale
	if k >= crowdFrom && tag != annotatedBeginClip {
		radius = 24 + r.below(40)
		cx, cy = float32(150+r.below(30))/p.scale, float32(100+r.below(30))/p.scale
	}
	// Corners on two diagonals and between: no edge is quite horizontal or
	// vertical, and none goes along the border of a tile.
	at := func(dx, dy int) point {
		return point{cx + float32(dx*radius)/8 + float32(r.below(7)) + 0.375, cy + float32(dy*radius)/8 + float32(r.below(5)) + 0.625}
	}
	a, b := at(-8, -3), at(3, -7)
	c, d := at(8, 4), at(-2, 9)
	switch k % 5 {
	case 0, 4:
		p.curves = []curve{{a, b}, {b, c}, {c, d}, {d, a}}
	case 1:
		p.curves = []curve{{a, at(-7, -9), b}, {b, at(9, -8), c}, {c, d}, {d, at(-9, 6), a}}
	case 2:
		p.curves = []curve{{a, at(-4, -12), at(5, -11), c}, {c, at(12, 9), at(-11, 10), d}, {d, a}}
	case 3:
		p.curves = []curve{{a, b}, {b, at(7, -2), c}, {c, d}}
	}
	m := matrix{p.scale, p.move}
	for _, cv := range p.curves {
		for _, q := range cv {
			p.box = p.box.with(m.apply(q))
		}
	}
	if p.stroke {
		half := p.lineWidth * p.scale / 2
		p.box = box{p.box[0] - half, p.box[1] - half, p.box[2] + half, p.box[3] + half}
	}
	return p
}

// encode writes the scene buffer, padded with Nops to whole partitions of the scan.
//
// The scan's operation is not associative if an element other than a curve is between a path's paint and the next path's
// first curve: an earlier box then leaks into a later one, depending on the order in which the scan's workgroups combine.
// To keep the result defined, transforms precede the paint of the path before (which is filled, so they do not affect
// it), and modes and line widths follow a first curve; and no partition of the scan ends with a paint, to which the
// look-back would add an empty state. The end of a clip has no safe place in between; after the last path it is harmless.
func (s *scene) encode() {
	add := func(tag uint32, w ...uint32) {
		element := make([]uint32, elementSize/4)
		element[0] = tag
		copy(element[1:], w)
		s.elements = append(s.elements, words(element...)...)
	}
	transform := func(scale float32, move point) {
		add(elementTransform, floatBits(scale, 0, 0, scale, move.x, move.y)...)
	}
	moved := func(i int) bool {
		return i < len(s.paths) && s.paths[i].scale != 0 && (s.paths[i].scale != 1 || s.paths[i].move != point{})
	}
	stroke, width := false, float32(1)
	for i := range s.paths {
		p := &s.paths[i]
		p.firstStroke, p.firstWidth = stroke, width
		p.transform = len(s.matrices)
		for k, c := range p.curves {
			var f []float32
			for _, q := range c {
				f = append(f, q.x, q.y)
			}
			add(map[int]uint32{2: elementLine, 3: elementQuad, 4: elementCubic}[len(c)], floatBits(f...)...)
			if k > 0 {
				continue
			}
			if p.stroke != stroke {
				stroke = p.stroke
				add(elementSetFillMode, map[bool]uint32{false: modeFill, true: modeStroke}[stroke])
			}
			if stroke && p.lineWidth != width {
				width = p.lineWidth
				add(elementSetLineWidth, floatBits(width)...)
			}
		}
		if moved(i) {
			// Transforms accumulate: the inverse takes this one back.
			transform(1/p.scale, point{-p.move.x / p.scale, -p.move.y / p.scale})
			s.matrices = append(s.matrices, matrix{1, point{}})
		}
		if moved(i + 1) {
			next := s.paths[i+1]
			transform(next.scale, next.move)
			s.matrices = append(s.matrices, matrix{next.scale, next.move})
		}
		if len(s.elements)/elementSize%scanPartition == scanPartition-1 {
			add(elementNop)
		}
		switch p.tag {
		case annotatedColor:
			add(elementFillColor, p.paint)
		case annotatedImage:
			add(elementFillImage, p.paint, p.offset)
		case annotatedBeginClip:
			add(elementBeginClip, floatBits(p.box[:]...)...)
		case annotatedEndClip:
			add(elementEndClip, floatBits(p.box[:]...)...)
		}
	}
	for len(s.elements)/elementSize%scanPartition != 0 {
		add(elementNop)
	}
}

// cubic returns a curve as the segments' allocation holds it: raised to the third
// degree, before the transform.
func (c curve) cubic() [4]point {
	mix := func(a, b point) point { // a third of the way from a to b
		const t = float32(1) / 3
		return point{a.x*(1-t) + b.x*t, a.y*(1-t) + b.y*t}
	}
	switch len(c) {
	case 2:
		return [4]point{c[0], mix(c[0], c[1]), mix(c[1], c[0]), c[1]}
	case 3:
		return [4]point{c[0], mix(c[1], c[0]), mix(c[1], c[2]), c[2]}
	default:
		return [4]point(slices.Clone(c))
	}
}
