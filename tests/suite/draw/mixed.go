// SPDX-License-Identifier: MIT

package draw

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// mixer writes a script that draws with a random pair of shaders, to compare the interpreter and the model, which agree
// to the bit. Unlike the shaders of [pair], these branch on any value, including floats. They discard and demote in
// loops and ifs, take differences after they have demoted, write buffers, count in them, and read uniforms, push
// constants and images. Inputs are packed into parts of locations, arrays, matrices and blocks.
type mixer struct {
	*rand.Rand
	b              strings.Builder
	floats, whole  []string // operands of expressions
	loops          int
	inside, images bool
	depth, targets bool
	out, in        strings.Builder // declarations of the varyings
	stores         strings.Builder // stores of the vertex shader
	location       int
	read, integers []string // parts of varyings
}

// mixed returns the script for a number.
func mixed(seed uint64) string {
	m := &mixer{Rand: rand.New(rand.NewPCG(seed, 99))}
	m.inside, m.images = m.IntN(2) == 0, m.IntN(2) == 0
	m.depth, m.targets = m.IntN(4) == 0, m.IntN(3) == 0
	m.whole = []string{"gl_VertexIndex", "gl_InstanceIndex"}
	m.floats = []string{"color.x", "color.y", "color.z", "color.w", "position.x", "position.y"}
	for range 1 + m.IntN(7) {
		m.varying()
	}
	m.p("#!amber\n")
	m.vertexShader()
	m.fragmentShader()
	m.memory()
	m.pipeline()
	return m.b.String()
}

func (m *mixer) p(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

func (m *mixer) pick(list ...string) string { return list[m.IntN(len(list))] }

// declare declares a varying on both sides.
func (m *mixer) declare(layout, qualifier, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	fmt.Fprintf(&m.out, "layout(location = %d%s) %s out %s;\n", m.location, layout, qualifier, what)
	fmt.Fprintf(&m.in, "layout(location = %d%s) %s in %s;\n", m.location, layout, qualifier, what)
}

// store writes a varying, with a new expression for each %s of the format.
func (m *mixer) store(format string, expression func(int) string) {
	for strings.Contains(format, "%s") {
		format = strings.Replace(format, "%s", expression(1), 1)
	}
	fmt.Fprintf(&m.stores, "  %s\n", format)
}

// qualifier returns an interpolation qualifier for floats.
func (m *mixer) qualifier() string {
	if m.inside && m.IntN(4) == 0 {
		return "noperspective"
	}
	return m.pick("", "", "", "flat", "smooth", "centroid")
}

// varying adds a varying of a random kind.
func (m *mixer) varying() {
	v := fmt.Sprintf("v%d", m.location)
	switch m.IntN(8) {
	case 0, 1:
		m.parts(v)
	case 2:
		m.declare("", m.qualifier(), "vec3 %s[2]", v)
		m.store(v+"[0] = vec3(%s, %s, %s);", m.float)
		m.store(v+"[1] = vec3(%s, %s, %s);", m.float)
		m.read = append(m.read, v+"[0].x", v+"[1].z")
		m.location++
	case 3:
		m.declare("", "", "mat2x3 %s", v)
		m.store(v+" = mat2x3(%s, %s, %s, %s, %s, %s);", m.float)
		m.read = append(m.read, v+"[0].y", v+"[1].z")
		m.location++
	case 4:
		m.declare("", "", "Block%d { vec2 a; flat ivec3 i; float c; } %s", m.location, v)
		m.store(v+".a = vec2(%s, %s);", m.float)
		m.store(v+".i = ivec3(%s, %s, %s);", m.integer)
		m.store(v+".c = %s;", m.float)
		m.read, m.integers = append(m.read, v+".a.x", v+".a.y", v+".c"), append(m.integers, v+".i.x", v+".i.z")
		m.location += 2
	case 5:
		m.declare("", "flat", "ivec2 %s", v)
		m.store(v+" = ivec2(%s, %s);", m.integer)
		m.integers = append(m.integers, v+".x", v+".y")
	case 6:
		m.declare(", component = 1", "flat", "uint %s", v)
		m.declare(", component = 2", "flat", "int %sb", v)
		m.store(v+" = uint(%s);", m.integer)
		m.store(v+"b = %s;", m.integer)
		m.integers = append(m.integers, "int("+v+")", v+"b")
	default:
		m.declare("", m.qualifier(), "vec4 %s", v)
		m.store("if ("+m.condition(1)+") "+v+" = vec4(%s, %s, %s, %s); else "+v+" = vec4(%s);", m.float)
		m.read = append(m.read, v+".x", v+".y", v+".w")
	}
	m.location++
}

// parts adds two varyings that share a location.
func (m *mixer) parts(v string) {
	first := 1 + m.IntN(3)
	qualifier, at := m.qualifier(), 0
	for i, n := range []int{first, 4 - first} {
		name := fmt.Sprintf("%s_%d", v, i)
		typ := "float"
		if n > 1 {
			typ = fmt.Sprintf("vec%d", n)
		}
		m.declare(fmt.Sprintf(", component = %d", at), qualifier, "%s %s", typ, name)
		m.store(name+" = "+typ+"("+strings.TrimSuffix(strings.Repeat("%s, ", n), ", ")+");", m.float)
		for c := range n {
			part := name
			if n > 1 {
				part += "." + "xyzw"[c:c+1]
			}
			m.read = append(m.read, part)
		}
		at += n
	}
}

// float returns an expression of type float, nested up to a depth, of operations that the interpreter and the model
// compute alike.
func (m *mixer) float(depth int) string {
	if depth == 0 || m.IntN(5) == 0 {
		if m.IntN(5) == 0 {
			return fmt.Sprintf("%.4f", float64(m.IntN(65)-32)/16)
		}
		return m.pick(m.floats...)
	}
	a, b := m.float(depth-1), m.float(depth-1)
	switch m.IntN(12) {
	case 0, 1:
		return "(" + a + " + " + b + ")"
	case 2:
		return "(" + a + " - " + b + ")"
	case 3:
		return "clamp(" + a + " * " + b + ", -2.0, 2.0)"
	case 4:
		return "min(" + a + ", " + b + ")"
	case 5:
		return "floor(" + a + ")"
	case 6:
		return "fract(" + a + ")"
	case 7:
		return "mix(" + a + ", " + b + ", 0.25)"
	case 8:
		return "float(" + m.integer(depth-1) + " & 15)"
	case 9:
		return "(" + m.condition(depth-1) + " ? " + a + " : " + b + ")"
	case 10:
		return "tab[" + m.integer(depth-1) + " & 7]." + m.pick("x", "y", "z", "w")
	}
	return "abs(" + a + ")"
}

// integer returns an expression of type int, nested up to a depth.
func (m *mixer) integer(depth int) string {
	if depth <= 0 || m.IntN(5) == 0 {
		if m.IntN(5) == 0 {
			return fmt.Sprint(m.IntN(9) - 2)
		}
		return m.pick(m.whole...)
	}
	a, b := m.integer(depth-1), m.integer(depth-1)
	switch m.IntN(9) {
	case 0:
		return "(" + a + " + " + b + ")"
	case 1:
		return "(" + a + " ^ " + b + ")"
	case 2:
		return "(" + a + " * " + b + ")"
	case 3:
		return "(" + a + " >> (" + b + " & 3))"
	case 4:
		return "int(clamp(" + m.float(depth-1) + " * 4.0, -30.0, 30.0))"
	case 5:
		return "min(" + a + ", " + b + ")"
	case 6:
		return "list[" + a + " & 15]"
	case 7:
		return "bitfieldExtract(" + a + ", 1, 3)"
	}
	return "(" + a + " - " + b + ")"
}

// condition returns a comparison.
func (m *mixer) condition(depth int) string {
	switch m.IntN(4) {
	case 0:
		return fmt.Sprintf("((%s & %d) != 0)", m.integer(depth), 1+m.IntN(7))
	case 1:
		return "(" + m.integer(depth) + " < " + m.integer(depth) + ")"
	case 2:
		return "(" + m.float(depth) + " < " + m.float(depth) + ")"
	}
	return "(((" + m.pick(m.whole...) + " ^ " + m.pick(m.whole...) + ") & 1) == 0)"
}

func (m *mixer) vector(depth int) string {
	return "vec4(" + m.float(depth) + ", " + m.float(depth) + ", " + m.float(depth) + ", " + m.float(depth) + ")"
}
