// SPDX-License-Identifier: MIT

package synth

import (
	"math"
	"math/rand/v2"

	"jacquard.example/core/ir"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// fill sets the numbers of a type to values of moderate size: floats from 0 to 2, integers from 1 to 3, matrices with
// ones on the diagonal and small numbers elsewhere.
func (r *resources) fill(data []byte, lay ir.Layout, t ir.Type, rng *rand.Rand) {
	for _, n := range Scalars(r.s, lay, t, 0, uint32(len(data))) {
		if n.Kind != ir.TypeFloat {
			x := 1 + rng.Uint64N(3)
			if r.all != 0 {
				x = r.all
			}
			n.Set(data, x)
		} else {
			n.Set(data, floatBits(n, rng))
		}
	}
}

// signedBits returns a generated float: one in four is negative, where a shader may do something else.
func signedBits(n Scalar, rng *rand.Rand) uint64 {
	bits := floatBits(n, rng)
	if !n.Matrix && rng.Uint64N(4) == 0 {
		bits |= 1 << (n.Bits - 1)
	}
	return bits
}

// floatBits returns a generated float that is not negative, or an element of a matrix.
func floatBits(n Scalar, rng *rand.Rand) uint64 {
	if !n.Matrix {
		return FloatBits(2*rng.Float64(), n.Bits)
	}
	value := 0.2*rng.Float64() - 0.1
	if n.Diagonal {
		value++
	}
	return FloatBits(value, n.Bits)
}

// wave gives every level of an image samples of one smooth and periodic function, so that it matters
// little which texels are read; the faces of a cube have a function of the direction. Integers are small. Each
// level adds rise to the components with even numbers, and takes it from the others.
func wave(m *texture.Image, rise float64, rng *rand.Rand) {
	var phase, layer [4]float64
	for c := range phase {
		phase[c], layer[c] = 2*math.Pi*rng.Float64(), 0.5*rng.Float64()
	}
	for level := range m.Levels {
		l := &m.Levels[level]
		for i := range l.Width * l.Height * l.Depth * m.Layers {
			x, y := i%l.Width, i/l.Width%l.Height
			z, k := i/(l.Width*l.Height)%l.Depth, i/(l.Width*l.Height*l.Depth)
			at := [3]float64{middle(x, l.Width), middle(y, l.Height), middle(z, l.Depth)}
			up := [2]float64{rise * float64(level), rise * float64(len(m.Levels)-1-level)}
			put(m, m.Bytes(level, int64(x), int64(y), int64(z), int64(k), 0), at, k, &phase, &layer, up)
		}
	}
}

func middle(i, n uint32) float64 { return (float64(i) + 0.5) / float64(n) }

// put stores the value of the function at a place.
func put(m *texture.Image, texel []byte, at [3]float64, k uint32, phase, layer *[4]float64, up [2]float64) {
	along := at
	if m.Dim == kind.DimCube {
		along = direction(k%6, at[0], at[1])
		k /= 6
	}
	var t texture.Texel
	for c := range t {
		value := 0.5
		for i, x := range along {
			if m.Dim == kind.DimCube {
				value += 0.15 * x * math.Cos(phase[c]+float64(i))
			} else {
				value += 0.15 * math.Sin(2*math.Pi*x+phase[c]+float64(i*(c+1)))
			}
		}
		value = min(max(value+layer[c]*float64(k)*0.2, 0), 1) + up[c%2]
		switch m.Format.Base {
		case kind.BaseFloat:
			t.SetFloat(c, float32(value))
		default:
			t[c] = uint64(value * 4)
		}
	}
	m.Format.Encode(texel, &t)
}

// direction returns the direction through a point of a face of a cube (Vulkan specification, "Cube Map
// Face Selection").
func direction(face uint32, s, t float64) [3]float64 {
	u, v := 2*s-1, 2*t-1
	d := [...][3]float64{{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}}[face]
	n := math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
	return [3]float64{d[0] / n, d[1] / n, d[2] / n}
}
