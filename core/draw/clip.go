// SPDX-License-Identifier: MIT

package draw

// corner is a vertex of a polygon or an end of a line during clipping.
type corner struct {
	at     [4]float64
	clip   [MaxDistances]float64
	weight [2]float64 // barycentric coordinates for the second and third vertex
}

// distance returns how far inside a clip plane a corner is; it is negative outside.
type distance func(c *corner) float64

// Clipping keeps w above smallestW. guard is the multiple of the viewport beyond which triangles are cut, so that
// window coordinates are small enough to rasterize exactly.
const (
	smallestW = 1e-12
	guard     = 64
)

// sides are the planes that clip every triangle and line.
var sides = []distance{
	func(c *corner) float64 { return c.at[3] - smallestW },
	func(c *corner) float64 { return guard*c.at[3] - c.at[0] },
	func(c *corner) float64 { return guard*c.at[3] + c.at[0] },
	func(c *corner) float64 { return guard*c.at[3] - c.at[1] },
	func(c *corner) float64 { return guard*c.at[3] + c.at[1] },
}

// The depth planes, which do not clip if depths are clamped.
func nearPlane(c *corner) float64       { return c.at[2] }
func nearPlaneMinusW(c *corner) float64 { return c.at[2] + c.at[3] }
func farPlane(c *corner) float64        { return c.at[3] - c.at[2] }

// corners returns the vertices of a primitive before clipping, or nil if the whole primitive is culled or a coordinate
// is NaN.
func corners(v []*Vertex) []corner {
	for i := range min(v[0].Culls, MaxDistances) {
		culled := true
		for _, x := range v {
			culled = culled && x.Cull[i] < 0
		}
		if culled {
			return nil
		}
	}
	out := make([]corner, len(v), 8)
	for k := range out {
		for c, x := range v[k].Position {
			if x != x {
				return nil
			}
			out[k].at[c] = float64(x)
		}
		for c, x := range v[k].Clip {
			out[k].clip[c] = float64(x)
		}
		if k > 0 {
			out[k].weight[k-1] = 1
		}
	}
	return out
}

// planes returns the planes that clip a primitive: the planes of the view volume and the shader's clip distances
// (Vulkan specification, "Primitive Clipping").
func (s *State) planes(clips int) []distance {
	out := append([]distance(nil), sides...)
	switch {
	case s.DepthClamp:
	case s.NearMinusW:
		out = append(out, nearPlaneMinusW, farPlane)
	default:
		out = append(out, nearPlane, farPlane)
	}
	for i := range min(clips, MaxDistances) {
		out = append(out, func(c *corner) float64 { return c.clip[i] })
	}
	return out
}

// clip returns the part of a triangle that is inside all planes; it is empty if the triangle is culled.
func (s *State) clip(v *[3]*Vertex) []corner {
	poly := corners(v[:])
	if poly == nil {
		return nil
	}
	for _, d := range s.planes(v[0].Clips) {
		poly = cut(poly, d)
	}
	return poly
}

// cut returns the part of a convex polygon that is inside a plane.
func cut(poly []corner, d distance) []corner {
	outside := false
	for i := range poly {
		outside = outside || !(d(&poly[i]) >= 0)
	}
	if !outside {
		return poly
	}
	var out []corner
	for i := range poly {
		a, b := &poly[i], &poly[(i+1)%len(poly)]
		da, db := d(a), d(b)
		if da >= 0 {
			out = append(out, *a)
		}
		if (da >= 0) != (db >= 0) {
			if da < 0 { // so that the two triangles that share an edge are cut at the same point
				a, b = b, a
				da, db = db, da
			}
			out = append(out, between(a, b, da/(da-db)))
		}
	}
	return out
}

// cutLine cuts a line at planes and reports whether anything is left.
func cutLine(ends *[2]corner, planes []distance) bool {
	for _, d := range planes {
		a, b := d(&ends[0]), d(&ends[1])
		switch {
		case !(a >= 0) && !(b >= 0):
			return false
		case !(a >= 0):
			ends[0] = between(&ends[1], &ends[0], b/(b-a))
		case !(b >= 0):
			ends[1] = between(&ends[0], &ends[1], a/(a-b))
		}
	}
	return true
}

// between returns the point at a fraction of the way from a to b.
func between(a, b *corner, t float64) (c corner) {
	for i := range c.at {
		c.at[i] = a.at[i] + t*(b.at[i]-a.at[i])
	}
	for i := range c.clip {
		c.clip[i] = a.clip[i] + t*(b.clip[i]-a.clip[i])
	}
	for i := range c.weight {
		c.weight[i] = a.weight[i] + t*(b.weight[i]-a.weight[i])
	}
	return c
}
