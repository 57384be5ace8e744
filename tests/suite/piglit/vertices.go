// SPDX-License-Identifier: MIT

package piglit

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
)

// locationBytes is the size of a vertex's data at one location: four components.
const locationBytes = 16

// attributes are the data of vertices by location, as bits.
type attributes map[uint32][]byte

// locations returns the number of locations that an input or output takes (GLSL 4.60 specification, "Input Layout
// Qualifiers"): vectors of three or four 64-bit components take two.
func (m *module) locations(typ uint32) uint32 {
	t := m.types[typ]
	switch {
	case t == nil:
		return 1
	case t.op == opTypeArray:
		return m.consts[t.in[3]] * m.locations(t.in[2])
	case t.op == opTypeStruct:
		n := uint32(0)
		for _, member := range t.in[2:] {
			n += m.locations(member)
		}
		return n
	case t.op == opTypeMatrix:
		return t.in[3] * m.locations(t.in[2])
	case t.op == opTypeVector && t.in[3] > 2:
		if e := m.types[t.in[2]]; e != nil && e.in[2] == 64 {
			return 2
		}
	}
	return 1
}

// column is a column of [vertex data].
type column struct {
	scalar   scalar
	rows     int
	location uint32
}

// integers maps types of vertex data to the 4-byte integers that replace them here: a shader reads only such integers.
var integers = map[string]string{"byte": "int", "short": "int", "ubyte": "uint", "ushort": "uint"}

// column parses a heading: "m[1]/float/mat3/2" is the third column of the matrix m[1], and "a/float/4/2" the third
// element of the array a.
func (r *scriptRunner) column(heading string) (c column, err error) {
	part := strings.Split(heading, "/")
	if len(part) < 3 || len(part) > 4 {
		return c, &Unsupported{"vertex data " + heading}
	}
	s, ok := scalars[cmp.Or(integers[part[1]], part[1])]
	if !ok {
		return c, &Unsupported{"vertex data " + heading}
	}
	c.scalar = s
	if c.rows, err = strconv.Atoi(part[2]); err != nil {
		if _, _, c.rows, ok = shapeOf(part[2]); !ok {
			return c, &Unsupported{"vertex data " + heading}
		}
	}
	name, index, _ := strings.Cut(strings.TrimSuffix(part[0], "]"), "[")
	if n, err := strconv.Atoi(name); err == nil {
		c.location = uint32(n)
		return c, nil
	}
	m := r.modules[0]
	for _, p := range m.inputs {
		if p.name != name {
			continue
		}
		c.location = p.location
		typ := p.typ
		if n, err := strconv.Atoi(index); err == nil && m.types[typ].op == opTypeArray {
			typ = m.types[typ].in[2]
			c.location += uint32(n) * m.locations(typ)
		}
		if len(part) == 4 && (m.types[typ].op == opTypeMatrix || m.types[typ].op == opTypeArray) {
			n, err := strconv.Atoi(part[3])
			if err != nil {
				return c, err
			}
			c.location += uint32(n) * m.locations(m.types[typ].in[2])
		}
		return c, nil
	}
	return c, fmt.Errorf("the vertex shader has no input %q", name)
}

// vertexData reads the section [vertex data].
func (r *scriptRunner) vertexData(section string) error {
	var columns []column
	r.vertices = attributes{}
	for line := range strings.Lines(section) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if columns == nil {
			for _, w := range words {
				c, err := r.column(w)
				if err != nil {
					return err
				}
				columns = append(columns, c)
			}
			continue
		}
		for _, c := range columns {
			if len(words) < c.rows {
				return fmt.Errorf("[vertex data] has too few numbers in %q", line)
			}
			data, err := c.scalar.parseAll(words[:c.rows])
			if err != nil {
				return err
			}
			words = words[c.rows:]
			r.vertices.add(c, data)
		}
	}
	return nil
}

// add adds the data of a vertex; missing components are 0, 0, 0, 1.
func (a attributes) add(c column, data []byte) {
	if c.scalar.bytes == 4 {
		for len(data) < locationBytes-4 {
			data = append(data, 0, 0, 0, 0)
		}
		if len(data) < locationBytes {
			one := uint32(1)
			if c.scalar.float {
				one = math.Float32bits(1)
			}
			data = binary.LittleEndian.AppendUint32(data, one)
		}
	}
	for at := c.location; len(data) > 0; at++ {
		n := min(locationBytes, len(data))
		a[at] = append(append(a[at], data[:n]...), make([]byte, locationBytes-n)...)
		data = data[n:]
	}
}

// bits is the format of attributes.
var bits, _ = texture.Named("R32G32B32A32_UINT")

// state returns the attributes as a draw's state has them, in the order of their locations.
func (a attributes) state() (out []draw.Attribute) {
	for location := range uint32(64) {
		if data := a[location]; data != nil {
			out = append(out, draw.Attribute{Location: location, Format: bits, Data: data, Stride: locationBytes})
		}
	}
	return out
}

// rectangle returns four vertices of a rectangle in clip coordinates.
func (r *scriptRunner) rectangle(x, y, w, h float64) attributes {
	c := column{scalar: scalars["float"], rows: 4}
	for _, p := range r.modules[0].inputs {
		if p.name == vertexInput || len(r.modules[0].inputs) == 1 {
			c.location = p.location
		}
	}
	a := attributes{}
	for i := range 4 {
		var b []byte
		for _, v := range []float64{x + float64(i&1)*w, y + float64(i>>1)*h, 0, 1} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
		a.add(c, b)
	}
	return a
}

// primitives lists the vertices of the primitives that n vertices, starting at first, form in an OpenGL mode, and returns
// the primitives' topology. The provoking vertex of each triangle comes first in the list: in the mode's order it is
// the last one, OpenGL's default, or the first one if provokesFirst is set. ok is false if the mode is not supported.
func primitives(mode string, first, n uint32, provokesFirst bool) (list []uint32, topology draw.Topology, ok bool) {
	add := func(v ...uint32) {
		k := len(v) - 1
		if provokesFirst {
			k = 0
		}
		for i := range v {
			list = append(list, first+v[(i+k)%len(v)])
		}
	}
	switch mode {
	case "GL_TRIANGLES":
		for i := uint32(0); i+3 <= n; i += 3 {
			add(i, i+1, i+2)
		}
	case "GL_TRIANGLE_FAN":
		for i := uint32(1); i+2 <= n; i++ {
			if provokesFirst { // the second vertex of a fan's triangles is then the provoking one
				add(i, i+1, 0)
			} else {
				add(0, i, i+1)
			}
		}
	case "GL_TRIANGLE_STRIP":
		for i := uint32(0); i+3 <= n; i++ {
			switch {
			case i%2 == 0:
				add(i, i+1, i+2)
			case provokesFirst:
				add(i, i+2, i+1)
			default:
				add(i+1, i, i+2)
			}
		}
	case "GL_LINES":
		for i := uint32(0); i+2 <= n; i += 2 {
			add(i, i+1)
		}
		return list, draw.LineList, true
	case "GL_POINTS":
		for i := range n {
			add(i)
		}
		return list, draw.PointList, true
	default:
		return nil, 0, false
	}
	return list, draw.TriangleList, true
}
