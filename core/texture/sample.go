// SPDX-License-Identifier: MIT

package texture

import (
	"math"

	"jacquard.example/generated/kind"
)

// place is the position of a query before a level is selected: coordinates from 0 to 1 over the image (or in texels),
// the layer or face, and the derivatives of the coordinates.
type place struct {
	at       [3]float64
	layer    int64
	ddx, ddy [3]float64
	dims     int
}

var dimensions = [...]int{
	kind.Dim1D: 1, kind.DimBuf: 1, kind.Dim2D: 2, kind.DimRect: 2, kind.DimMs: 2, kind.Dim3D: 3, kind.DimCube: 2,
	kind.DimSubpass: 2, kind.DimSubpassMs: 2,
}

func (m *Image) place(q *Query) place {
	p := place{dims: dimensions[m.Dim]}
	for i := range 3 {
		p.at[i], p.ddx[i], p.ddy[i] = float64(q.Coord[i]), float64(q.Ddx[i]), float64(q.Ddy[i])
	}
	layers := int64(m.Layers)
	if m.Dim == kind.DimCube {
		cube := nearestLayer(q.Layer, layers/6)
		p.layer = 6*cube + p.face()
		return p
	}
	p.layer = nearestLayer(q.Layer, layers)
	return p
}

// nearestLayer rounds to even and clamps ("Unnormalized Texel Coordinate
// Operations").
func nearestLayer(a float32, layers int64) int64 {
	x := math.RoundToEven(float64(a))
	if x != x {
		return 0
	}
	return int64(min(max(x, 0), float64(max(layers-1, 0))))
}

// faces gives the cube direction of each face's coordinates, as the axis and its sign ("Cube Map Face Selection").
var faces = [6]struct{ s, t, major int }{
	{-3, -2, +1}, {+3, -2, -1}, {+1, +3, +2}, {+1, -3, -2}, {+1, -2, +3}, {-1, -2, -3},
}

func axis(v *[3]float64, a int) float64 {
	if a < 0 {
		return -v[-a-1]
	}
	return v[a-1]
}

// faceOf returns the face that a direction hits: the face of the longest axis; of axes with equal length, z comes
// before y before x.
func faceOf(v *[3]float64) int64 {
	x, y, z := math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2])
	a := 2
	switch {
	case z >= x && z >= y:
	case y >= x:
		a = 1
	default:
		a = 0
	}
	f := int64(2 * a)
	if math.Signbit(v[a]) {
		f++
	}
	return f
}

// face converts a direction and its derivatives to coordinates on the face that the direction hits, and their
// derivatives ("Cube Map Coordinate Transformation", "Cube Map Derivative Transformation"). It returns the face.
func (p *place) face() int64 {
	f := faceOf(&p.at)
	d := &faces[f]
	sc, tc, rc := axis(&p.at, d.s), axis(&p.at, d.t), axis(&p.at, d.major)
	derive := func(v *[3]float64) [3]float64 {
		ds, dt, dr := axis(v, d.s), axis(v, d.t), axis(v, d.major)
		return [3]float64{0.5 * (rc*ds - sc*dr) / (rc * rc), 0.5 * (rc*dt - tc*dr) / (rc * rc)}
	}
	p.ddx, p.ddy = derive(&p.ddx), derive(&p.ddy)
	p.at = [3]float64{0.5*sc/rc + 0.5, 0.5*tc/rc + 0.5}
	return f
}

// unclamped returns the level of detail of a query before it is clamped ("Level-of-Detail
// Operation").
func (m *Image) unclamped(s *Sampler, q *Query, p *place) float64 {
	l := float64(q.LOD)
	if q.Grad {
		size := [3]float64{float64(m.Levels[0].Width), float64(m.Levels[0].Height), float64(m.Levels[0].Depth)}
		length := func(d *[3]float64) float64 {
			x := 0.0
			for i := range p.dims {
				x += d[i] * size[i] * d[i] * size[i]
			}
			return math.Sqrt(x)
		}
		l = math.Log2(max(length(&p.ddx), length(&p.ddy)))
	}
	return l + float64(s.Bias) + float64(q.Bias)
}

// lod returns the level of detail of a query.
func (m *Image) lod(s *Sampler, q *Query, p *place) float64 {
	l := min(max(m.unclamped(s, q, p), float64(max(s.MinLOD, q.MinLOD))), float64(s.MaxLOD))
	if l != l {
		return 0
	}
	return l
}

// level returns the level of the image that a level of detail selects: a whole number unless levels are interpolated
// ("Image Level(s) Selection").
func (m *Image) level(s *Sampler, lod float64) float64 {
	d := min(max(lod, 0), float64(len(m.Levels)-1))
	if s.Mip == Nearest {
		return math.Ceil(d+0.5) - 1
	}
	return d
}

// QueryLOD returns the level that a query accesses, and the level of detail before clamping ("Image Level(s)
// Selection", OpImageQueryLod).
func (m *Image) QueryLOD(s *Sampler, q *Query) (level, lod float32) {
	p := m.place(q)
	return float32(m.level(s, m.lod(s, q, &p))), float32(m.unclamped(s, q, &p))
}

// Sample returns the result of sampling.
func (m *Image) Sample(s *Sampler, q *Query) Texel {
	p := m.place(q)
	if s.Unnormalized {
		return m.filter(s, q, &p, 0, s.Mag)
	}
	l := m.lod(s, q, &p)
	f := s.Min
	if l <= 0 {
		f = s.Mag
	}
	last := len(m.Levels) - 1
	d := m.level(s, l)
	high := int(math.Floor(d))
	t := m.filter(s, q, &p, high, f)
	if w := d - float64(high); w > 0 && linearFilter(m.Format) {
		low := m.filter(s, q, &p, min(high+1, last), f)
		for c := range t {
			t.SetFloat(c, float32((1-w)*float64(t.Float(c))+w*float64(low.Float(c))))
		}
	}
	return t
}

// scaled returns a coordinate in texels of a level.
func (m *Image) scaled(s *Sampler, p *place, level, i int) float64 {
	if s.Unnormalized {
		return p.at[i]
	}
	l := &m.Levels[level]
	return p.at[i] * float64([3]uint32{l.Width, l.Height, l.Depth}[i])
}

// texelNumber rounds a coordinate down to an integer; NaN and values far out of range become 0.
func texelNumber(x float64) int64 {
	if !(math.Abs(x) < 1<<40) {
		return 0
	}
	return int64(math.Floor(x))
}

// filter reads one level ("Texel Filtering").
func (m *Image) filter(s *Sampler, q *Query, p *place, level int, f Filter) Texel {
	var at [3]int64
	if f == Nearest || !linearFilter(m.Format) {
		for i := range p.dims {
			at[i] = texelNumber(m.scaled(s, p, level, i)) + int64(q.Offset[i])
			if m.Dim == kind.DimCube { // regardless of the sampler
				at[i] = wrap(ClampToEdge, at[i], int64(m.Levels[level].Width))
			}
		}
		t, _ := m.texel(s, q, p, level, at)
		return t
	}
	var w [3]float64
	for i := range p.dims {
		u := m.scaled(s, p, level, i) - 0.5
		at[i] = texelNumber(u) + int64(q.Offset[i])
		if w[i] = u - math.Floor(u); w[i] != w[i] {
			w[i] = 0
		}
	}
	n := 1 << p.dims
	var sum, known [4]float64
	lost, found := 0.0, 0.0
	for k := range n {
		weight := 1.0
		x := at
		for i := range p.dims {
			if k>>i&1 != 0 {
				x[i]++
				weight *= w[i]
			} else {
				weight *= 1 - w[i]
			}
		}
		t, ok := m.texel(s, q, p, level, x)
		if !ok {
			lost += weight
			continue
		}
		found++
		for c := range sum {
			v := float64(t.Float(c))
			known[c] += v
			if weight != 0 {
				sum[c] += weight * v
			}
		}
	}
	var out Texel
	for c := range sum {
		if lost > 0 { // the corner of a cube
			sum[c] += lost * known[c] / found
		}
		out.SetFloat(c, float32(sum[c]))
	}
	return out
}

// Gather returns a component of the four texels of the largest level that linear filtering would read, in the order
// (0,1), (1,1), (1,0), (0,0) ("Texel Gathering").
func (m *Image) Gather(s *Sampler, q *Query, component int) Texel {
	p := m.place(q)
	var at [2]int64
	for i := range at {
		at[i] = texelNumber(m.scaled(s, &p, 0, i)-0.5) + int64(q.Offset[i])
	}
	var out Texel
	var have [4]bool
	for k, d := range [4][2]int64{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
		t, ok := m.texel(s, q, &p, 0, [3]int64{at[0] + d[0], at[1] + d[1]})
		out[k], have[k] = t[component], ok
	}
	for k, ok := range have {
		if !ok && linearFilter(m.Format) { // the corner of a cube
			out.SetFloat(k, (out.Float((k+1)%4)+out.Float((k+2)%4)+out.Float((k+3)%4))/3)
		}
	}
	return out
}

// texel reads one texel, which may be outside the level. It returns false if there is none, at a cube's corner.
func (m *Image) texel(s *Sampler, q *Query, p *place, level int, at [3]int64) (Texel, bool) {
	l := &m.Levels[level]
	layer := p.layer
	var t Texel
	inside := true
	if m.Dim == kind.DimCube {
		var ok bool
		if at, layer, ok = overEdge(at, layer, int64(l.Width)); !ok {
			return t, false
		}
	} else {
		for i := range p.dims {
			at[i] = wrap(s.Address[i], at[i], int64([3]uint32{l.Width, l.Height, l.Depth}[i]))
			inside = inside && at[i] >= 0
		}
	}
	switch b, resident := m.Resident(level, at[0], at[1], at[2], layer, 0); {
	case inside && b != nil:
		t = m.Format.Decode(b)
	case inside && !resident:
		q.Unbound = true
	default:
		t = s.border(m.Format)
	}
	if q.Compare {
		s.compare(m.Format, &t, q.Ref)
	}
	return t, true
}

// overEdge maps a texel beyond the edge of a face of n×n texels to the texel of the face that the direction through its
// center hits. It returns false beyond a corner, where there is none ("Cube Map Edge Handling").
func overEdge(at [3]int64, layer, n int64) ([3]int64, int64, bool) {
	offX, offY := at[0] < 0 || at[0] >= n, at[1] < 0 || at[1] >= n
	switch {
	case offX && offY:
		return at, layer, false
	case !offX && !offY:
		return at, layer, true
	}
	f := layer % 6
	d := &faces[f]
	var v [3]float64
	set := func(a int, x float64) {
		if a < 0 {
			v[-a-1] = -x
		} else {
			v[a-1] = x
		}
	}
	middle := func(i int64) float64 { return (2*float64(i)+1)/float64(n) - 1 }
	set(d.s, middle(at[0]))
	set(d.t, middle(at[1]))
	set(d.major, 1)
	p := place{at: v}
	g := p.face()
	for i := range 2 {
		at[i] = min(max(texelNumber(p.at[i]*float64(n)), 0), n-1)
	}
	return at, layer - f + g, true
}
