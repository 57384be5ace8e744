// SPDX-License-Identifier: MIT

package draw

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes a script that draws with a random pair of shaders. Values stay small, so that rounding stays below a
// step of the targets, and discontinuous operations (comparisons, integers, discards) depend on values that are the
// same in every implementation: flat inputs, pixels, faces. Derivatives are taken before any invocation of a quad is
// discarded. Inputs without perspective are only used inside the view volume: lavapipe does not clip them by the
// specification.
type generator struct {
	*rand.Rand
	b        strings.Builder
	varyings []varying
	inside   bool // all vertices are inside the view volume
}

// varying is an output of the vertex shader and an input of the fragment shader.
type varying struct {
	name, qualifier string
	components      int
	integer         bool
}

// pair returns the script for a number.
func pair(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
	g.inside = g.IntN(3) == 0
	for i := range 1 + g.IntN(5) {
		v := varying{name: fmt.Sprintf("v%d", i), components: 1 + g.IntN(4)}
		switch g.IntN(6) {
		case 0:
			v.integer, v.qualifier = true, "flat "
		case 1:
			v.qualifier = "flat "
		case 2:
			if g.inside {
				v.qualifier = "noperspective "
			}
		case 3:
			v.qualifier = "centroid "
		}
		g.varyings = append(g.varyings, v)
	}
	g.b.WriteString("#!amber\n")
	g.vertexShader()
	g.fragmentShader()
	g.pipeline()
	return g.b.String()
}

func (g *generator) printf(format string, args ...any) { fmt.Fprintf(&g.b, format, args...) }

// pick returns one of several texts.
func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// typ returns the type of a varying.
func (v *varying) typ() string {
	if v.components == 1 {
		return map[bool]string{false: "float", true: "int"}[v.integer]
	}
	return fmt.Sprintf("%svec%d", map[bool]string{true: "i"}[v.integer], v.components)
}

// declare declares the varyings.
func (g *generator) declare(direction string) {
	for i, v := range g.varyings {
		g.printf("layout(location = %d) %s%s %s %s;\n", i, v.qualifier, direction, v.typ(), v.name)
	}
}

// constant returns a number with few digits, so that it is exact in all implementations.
func (g *generator) constant() string { return fmt.Sprintf("%.4f", float64(g.IntN(49)-24)/16) }

// scalar returns an expression of type float, made of the given leaves, with values of at most a few units.
func (g *generator) scalar(leaves []string, depth int) string {
	if depth == 0 || g.IntN(6) == 0 {
		if g.IntN(4) == 0 {
			return g.constant()
		}
		return g.pick(leaves...)
	}
	a, b := g.scalar(leaves, depth-1), g.scalar(leaves, depth-1)
	return fmt.Sprintf(g.pick(operations...), a, b)
}

// operations are expressions with two operands that keep values small.
var operations = []string{
	"(%s + %s)", "(%s + %s)", "(%s - %s)", "clamp(%s * %s, -2.0, 2.0)", "min(%s, %s)", "max(%s, -abs(%s))", "mix(%s, %s, 0.25)",
	"dot(vec2(%s, 0.5), vec2(0.5, %s))", "(%s / (1.0 + abs(%s)))",
}

// vertexShader writes the vertex shader.
func (g *generator) vertexShader() {
	g.printf("SHADER vertex vert GLSL\n#version 450\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 color;\n")
	g.declare("out")
	leaves := []string{"color.x", "color.y", "color.z", "color.w", "position.x", "position.y", "float(gl_VertexIndex & 7) * 0.125", "float(gl_InstanceIndex) * 0.5"}
	g.printf("void main() {\n  gl_Position = position + vec4(0.25 * float(gl_InstanceIndex) * position.w, 0.0, 0.0, 0.0);\n" +
		"  gl_PointSize = float(1 + (gl_VertexIndex & 3));\n")
	for _, v := range g.varyings {
		var parts []string
		for range v.components {
			if v.integer {
				parts = append(parts, fmt.Sprintf("(gl_VertexIndex * %d + gl_InstanceIndex) & 15", 1+g.IntN(9)))
				continue
			}
			parts = append(parts, g.scalar(leaves, 2))
		}
		g.printf("  %s = %s(%s);\n", v.name, v.typ(), strings.Join(parts, ", "))
	}
	g.printf("}\nEND\n")
}

// inputs returns expressions for the components of the varyings: the numbers, and the integers.
func (g *generator) inputs() (floats, integers []string) {
	integers = []string{"int(gl_FragCoord.x)", "int(gl_FragCoord.y)", "int(gl_FrontFacing)", "gl_PrimitiveID"}
	floats = []string{"gl_FragCoord.x * 0.03125", "gl_FragCoord.y * 0.03125"}
	for _, v := range g.varyings {
		for c := range v.components {
			name := v.name
			if v.components > 1 {
				name += "." + "xyzw"[c:c+1]
			}
			if v.integer {
				integers = append(integers, name)
				name = "float(" + name + ") * 0.0625"
			}
			floats = append(floats, name)
		}
	}
	return floats, integers
}

// condition returns a comparison of integers.
func (g *generator) condition(integers []string) string {
	return fmt.Sprintf("((%s ^ %s) & %d) != 0", g.pick(integers...), g.pick(integers...), 1+g.IntN(7))
}

// fragmentShader writes the fragment shader.
func (g *generator) fragmentShader() {
	floats, integers := g.inputs()
	g.printf("SHADER fragment frag GLSL\n#version 450\n")
	g.declare("in")
	g.printf("layout(location = 0) out vec4 color;\nlayout(location = 1) out vec4 other;\nvoid main() {\n")
	vector := func(depth int) string {
		return fmt.Sprintf("vec4(%s, %s, %s, %s)", g.scalar(floats, depth), g.scalar(floats, depth), g.scalar(floats, depth),
			g.scalar(floats, depth))
	}
	g.printf("  vec4 a = %s, b = %s;\n", vector(2), vector(1))
	discarded := false
	for range 1 + g.IntN(4) {
		what := g.IntN(5)
		if what == 2 && discarded {
			continue
		}
		switch what {
		case 0:
			g.printf("  if (%s) { a = a * 0.5 + b; } else { b = %s; }\n", g.condition(integers), vector(2))
		case 1:
			g.printf("  for (int i = 0; i < (%s & 3); i++) a = a * 0.5 + b.yzwx * %s;\n", g.pick(integers...), g.constant())
		case 2:
			g.printf("  b += clamp(vec4(dFdxFine(%s), dFdyFine(%s), 0.0, 0.0), -1.0, 1.0);\n", g.pick(floats...), g.pick(floats...))
		case 3:
			g.printf("  if (%s && %s) discard;\n", g.condition(integers), g.condition(integers))
			discarded = true
		case 4:
			g.printf("  switch (%s & 3) { case 0: a = a.yxwz; break; case 1: b = b.wzyx; default: a.x += 0.25; }\n", g.pick(integers...))
		}
	}
	if g.IntN(4) == 0 {
		g.printf("  gl_FragDepth = float(%s & 7) * 0.125;\n", g.pick(integers...))
	}
	g.printf("  color = a;\n  other = b;\n}\nEND\n")
}

// pipeline writes the buffers, the pipeline and the draw.
func (g *generator) pipeline() {
	vertices, instances := 3+g.IntN(10), 1+g.IntN(2)
	blends, first := g.IntN(3) == 0, g.pick("R8G8B8A8_UNORM", "B8G8R8A8_UNORM", "R8G8B8A8_SRGB", "R16G16B16A16_SFLOAT",
		"R32G32B32A32_SFLOAT")
	if blends && first != "R32G32B32A32_SFLOAT" {
		vertices, instances = 3, 1 // the next layer would multiply the rounding errors of this one
	}
	g.printf("BUFFER positions DATA_TYPE vec4<float> DATA\n")
	depth, reach := 0.0, 160
	if g.inside {
		reach = 96
	}
	for i := range vertices {
		if i%3 == 0 { // each triangle of a list has one depth
			depth = float64(1+g.IntN(30)) / 32
		}
		w := float64(8+g.IntN(17)) / 16
		g.printf("%.5f %.5f %.5f %.5f\n", w*float64(g.IntN(2*reach+1)-reach)/128, w*float64(g.IntN(2*reach+1)-reach)/128, w*depth, w)
	}
	g.printf("END\nBUFFER colors DATA_TYPE vec4<float> DATA\n")
	for range vertices {
		g.printf("%s %s %s %s\n", g.constant(), g.constant(), g.constant(), g.constant())
	}
	g.printf("END\nBUFFER first FORMAT %s\nBUFFER second FORMAT R32G32B32A32_SFLOAT\nBUFFER depths FORMAT %s\n", first,
		g.pick("D16_UNORM", "D32_SFLOAT", "D24_UNORM_S8_UINT"))
	width, height := 8+g.IntN(25), 8+g.IntN(25)
	g.printf("PIPELINE graphics p\n  ATTACH vert\n  ATTACH frag\n  FRAMEBUFFER_SIZE %d %d\n", width, height)
	g.printf("  VERTEX_DATA positions LOCATION 0\n  VERTEX_DATA colors LOCATION 1\n  BIND BUFFER first AS color LOCATION 0\n" +
		"  BIND BUFFER second AS color LOCATION 1\n  BIND BUFFER depths AS depth_stencil\n")
	topology := g.pick("TRIANGLE_LIST", "TRIANGLE_LIST", "TRIANGLE_LIST", "TRIANGLE_STRIP", "TRIANGLE_FAN", "LINE_LIST", "LINE_STRIP",
		"POINT_LIST")
	if topology == "TRIANGLE_LIST" && g.IntN(2) == 0 {
		g.printf("  DEPTH\n    TEST on\n    WRITE on\n    COMPARE_OP %s\n  END\n",
			g.pick("less", "less_or_equal", "greater", "not_equal", "always"))
	}
	if blends {
		factor := func() string {
			return g.pick("zero", "one", "src_color", "one_minus_src_color", "dst_color", "one_minus_dst_color", "src_alpha",
				"one_minus_src_alpha", "dst_alpha", "one_minus_dst_alpha")
		}
		op := func() string { return g.pick("add", "substract", "reverse_substract", "min", "max") }
		g.printf("  BLEND\n    SRC_COLOR_FACTOR %s\n    DST_COLOR_FACTOR %s\n    COLOR_OP %s\n    SRC_ALPHA_FACTOR %s\n"+
			"    DST_ALPHA_FACTOR %s\n    ALPHA_OP %s\n  END\n",
			factor(), factor(), op(), factor(), factor(), op())
	}
	g.printf("END\nCLEAR_COLOR p %d %d %d %d\nCLEAR_DEPTH p 0.5\nCLEAR p\n", g.IntN(256), g.IntN(256), g.IntN(256), g.IntN(256))
	g.printf("RUN p DRAW_ARRAY AS %s START_IDX 0 COUNT %d START_INSTANCE 0 INSTANCE_COUNT %d\n", topology, vertices, instances)
}
