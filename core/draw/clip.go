package draw

// corner is a vertex of a polygon that is clipped.
type corner struct {
	at   [4]float64
	clip [MaxDistances]float64
}

// distance is how far inside a plane a corner is.
type distance func(c *corner) float64

// Clipping keeps w above a small number, and window coordinates small enough to rasterize
// exactly: guard is the multiple of the viewport beyond which triangles are cut.
const (
	smallestW = 1e-12
	guard     = 64
)

// planes are those that clip every primitive.
var planes = []distance{
	func(c *corner) float64 { return c.at[3] - smallestW },
	func(c *corner) float64 { return guard*c.at[3] - c.at[0] },
	func(c *corner) float64 { return guard*c.at[3] + c.at[0] },
	func(c *corner) float64 { return guard*c.at[3] - c.at[1] },
	func(c *corner) float64 { return guard*c.at[3] + c.at[1] },
}

// depthPlanes are those that clip unless depths are clamped.
var depthPlanes = []distance{
	func(c *corner) float64 { return c.at[2] },
	func(c *corner) float64 { return c.at[3] - c.at[2] },
}

// clip returns the part of a triangle inside the view volume and the shader's clip distances
// (Vulkan specification, "Primitive Clipping"), nothing if it is all outside or culled.
func (s *State) clip(v *[3]*Vertex) []corner {
	clips, culls := min(v[0].Clips, MaxDistances), min(v[0].Culls, MaxDistances)
	for i := range culls {
		if v[0].Cull[i] < 0 && v[1].Cull[i] < 0 && v[2].Cull[i] < 0 {
			return nil
		}
	}
	poly := make([]corner, 3, 8)
	for k := range poly {
		for c, x := range v[k].Position {
			if x != x {
				return nil // not a number
			}
			poly[k].at[c] = float64(x)
		}
		for c, x := range v[k].Clip {
			poly[k].clip[c] = float64(x)
		}
	}
	for _, d := range planes {
		poly = cut(poly, d)
	}
	if !s.DepthClamp {
		for _, d := range depthPlanes {
			poly = cut(poly, d)
		}
	}
	for i := range clips {
		poly = cut(poly, func(c *corner) float64 { return c.clip[i] })
	}
	return poly
}

// cut returns the part of a convex polygon inside a plane.
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
			if da < 0 { // so that both triangles of an edge are cut at the same point
				a, b, da, db = b, a, db, da
			}
			out = append(out, between(a, b, da/(da-db)))
		}
	}
	return out
}

// between returns the point at a fraction of the way from a to b.
func between(a, b *corner, t float64) (c corner) {
	for i := range c.at {
		c.at[i] = a.at[i] + t*(b.at[i]-a.at[i])
	}
	for i := range c.clip {
		c.clip[i] = a.clip[i] + t*(b.clip[i]-a.clip[i])
	}
	return c
}
