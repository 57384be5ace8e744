package madeup

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// fill gives the scalars of a type values of moderate size: floats from 0 to 2, integers from 1 to 3,
// matrices with ones on the diagonal and small numbers elsewhere.
func (r *resources) fill(data []byte, lay ir.Layout, t ir.Type, rng *rand.Rand) {
	(&filler{r.s, data, lay, rng}).fill(t, 0)
}

type filler struct {
	s    *ir.Shader
	data []byte
	lay  ir.Layout
	rng  *rand.Rand
}

// fill fills a value of a type at an offset.
func (f *filler) fill(t ir.Type, at uint32) {
	if at >= uint32(len(f.data)) {
		return
	}
	tt := &f.s.Types
	x := tt.At(t)
	switch x.Kind {
	case ir.TypeStruct:
		for i, m := range tt.Members(t) {
			f.fill(m.Type, ir.SatAdd(at, f.lay.Offset(t, i)))
		}
	case ir.TypeArray:
		stride := max(f.lay.Stride(t), 1)
		n := (uint32(len(f.data))-at)/stride + 1
		if x.Len != 0 {
			n = min(n, x.Len)
		}
		for i := range n {
			f.fill(x.Elem, at+i*stride)
		}
	case ir.TypeMatrix:
		_, bits, rows := tt.ScalarOf(x.Elem)
		for column := range x.Len {
			for row := range rows {
				major, minor := column, row
				if x.RowMajor {
					major, minor = row, column
				}
				value := 0.2*f.rng.Float64() - 0.1
				if row == column {
					value++
				}
				f.float(at+major*f.lay.Stride(t)+minor*f.lay.Scalar(bits), bits, value)
			}
		}
	case ir.TypeVector, ir.TypeInt, ir.TypeUint, ir.TypeFloat:
		base, bits, n := tt.ScalarOf(t)
		for i := range n {
			if base == ir.TypeFloat {
				f.float(at+i*f.lay.Scalar(bits), bits, 2*f.rng.Float64())
			} else {
				f.put(at+i*f.lay.Scalar(bits), bits, 1+f.rng.Uint64N(3))
			}
		}
	}
}

// float stores a float.
func (f *filler) float(at uint32, bits uint8, x float64) {
	switch bits {
	case 16:
		f.put(at, bits, uint64(num.F64ToF16(x, 0)))
	case 32:
		f.put(at, bits, uint64(math.Float32bits(float32(x))))
	default:
		f.put(at, bits, math.Float64bits(x))
	}
}

// put stores bits, unless the place is outside.
func (f *filler) put(at uint32, bits uint8, x uint64) {
	n := uint32(bits) / 8
	if uint64(at)+uint64(n) > uint64(len(f.data)) {
		return
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], x)
	copy(f.data[at:at+n], word[:])
}

// wave gives every level of an image samples of one smooth and periodic function, so that it matters
// little which level or which texels are read; the faces of a cube have a function of the direction.
// Integers are small.
func wave(m *texture.Image, rng *rand.Rand) {
	var phase, layer [4]float64
	for c := range phase {
		phase[c], layer[c] = 2*math.Pi*rng.Float64(), 0.5*rng.Float64()
	}
	for level := range m.Levels {
		l := &m.Levels[level]
		for i := range l.Width * l.Height * l.Depth * m.Layers {
			x, y, z, k := i%l.Width, i/l.Width%l.Height, i/(l.Width*l.Height)%l.Depth, i/(l.Width*l.Height*l.Depth)
			at := [3]float64{middle(x, l.Width), middle(y, l.Height), middle(z, l.Depth)}
			put(m, m.Bytes(level, int64(x), int64(y), int64(z), int64(k), 0), at, k, &phase, &layer)
		}
	}
}

func middle(i, n uint32) float64 { return (float64(i) + 0.5) / float64(n) }

// put stores the value of the function at a place.
func put(m *texture.Image, texel []byte, at [3]float64, k uint32, phase, layer *[4]float64) {
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
		value = min(max(value+layer[c]*float64(k)*0.2, 0), 1)
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
