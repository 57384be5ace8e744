package draw

import "jacquard.example/generated/kind"

// Primitive is a triangle as fragments see it.
type Primitive struct {
	Vertices [3]*Vertex // the provoking one first
	ID       uint32
	Front    bool

	viewport Viewport
	edge     [3][3]float64 // by vertex: coefficients of x, y and 1
}

// newPrimitive prepares a triangle for interpolation. With the homogeneous window coordinates of
// its vertices as columns of a matrix, the rows of the inverse are, but for a factor, the
// perspective-correct barycentric coordinates as functions of the window coordinates. They hold for
// vertices behind the viewer too, so that what clipping leaves is interpolated between the original
// vertices.
func newPrimitive(v [3]*Vertex, id uint32, front bool, vp Viewport) *Primitive {
	p := &Primitive{Vertices: v, ID: id, Front: front, viewport: vp}
	var at [3][3]float64
	for k, x := range v {
		w := float64(x.Position[3])
		at[k] = [3]float64{
			float64(x.Position[0])*float64(vp.Width)/2 + (float64(vp.X)+float64(vp.Width)/2)*w,
			float64(x.Position[1])*float64(vp.Height)/2 + (float64(vp.Y)+float64(vp.Height)/2)*w,
			w,
		}
	}
	for k := range at {
		a, b := at[(k+1)%3], at[(k+2)%3]
		p.edge[k] = [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	return p
}

// weights returns the values of the edges at a point, and the sums of them and of them times w.
func (p *Primitive) weights(x, y float64) (e [3]float64, sum, sumW float64) {
	for k := range e {
		e[k] = p.edge[k][0]*x + p.edge[k][1]*y + p.edge[k][2]
		sum += e[k]
		sumW += e[k] * float64(p.Vertices[k].Position[3])
	}
	return e, sum, sumW
}

// Barycentric returns the barycentric coordinates of a point for the second and third vertex
// (Vulkan specification, "Basic Polygon Rasterization").
func (p *Primitive) Barycentric(x, y float64, mode kind.InterpMode) [2]float32 {
	e, sum, sumW := p.weights(x, y)
	if mode == kind.InterpNoperspective {
		return [2]float32{
			float32(e[1] * float64(p.Vertices[1].Position[3]) / sumW),
			float32(e[2] * float64(p.Vertices[2].Position[3]) / sumW),
		}
	}
	return [2]float32{float32(e[1] / sum), float32(e[2] / sum)}
}

// Depth returns the depth of a point.
func (p *Primitive) Depth(x, y float64) float32 {
	e, _, sumW := p.weights(x, y)
	z := 0.0
	for k := range e {
		z += e[k] * float64(p.Vertices[k].Position[2])
	}
	low, high := float64(p.viewport.MinDepth), float64(p.viewport.MaxDepth)
	z = low + z/sumW*(high-low)
	return float32(min(max(z, min(low, high)), max(low, high)))
}

// W returns 1/w of a point.
func (p *Primitive) W(x, y float64) float32 {
	_, sum, sumW := p.weights(x, y)
	return float32(sum / sumW)
}
