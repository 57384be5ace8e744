// SPDX-License-Identifier: MIT

package draw

import "strings"

// tables are read by both shaders.
const tables = "layout(set = 0, binding = 0) uniform Tab { vec4 tab[8]; };\nlayout(set = 0, binding = 1) readonly buffer List { " +
	"int list[16]; };\n"

// vertexShader writes the vertex shader.
func (m *mixer) vertexShader() {
	m.p("SHADER vertex vert GLSL\n#version 450\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 color;\n%s%s", tables,
		m.out.String())
	m.p("void main() {\n  gl_Position = position + vec4(0.25 * float(gl_InstanceIndex) * position.w, 0.0, 0.0, 0.0);\n"+
		"  gl_PointSize = float(1 + (gl_VertexIndex & 3));\n%s}\nEND\n", m.stores.String())
}

// fragmentShader writes the fragment shader. The colors are computed from a and b, i0 and i1.
func (m *mixer) fragmentShader() {
	m.floats = append(m.read, "gl_FragCoord.x * 0.03125", "gl_FragCoord.y * 0.03125", "a.x", "b.y", "a.w", "par.x", "par.y")
	m.whole = append(m.integers, "int(gl_FragCoord.x)", "int(gl_FragCoord.y)", "int(gl_FrontFacing)", "i0", "i1", "par.i")
	m.p("SHADER fragment frag GLSL\n#version 450\n#extension GL_EXT_demote_to_helper_invocation : require\n%s%s", tables, m.in.String())
	m.p("layout(set = 0, binding = 2) buffer Count { uint count[4]; };\nlayout(set = 0, binding = 3) buffer Pixels { uint " +
		"pixels[1024]; };\n")
	m.p("layout(push_constant) uniform Par { float x; float y; int i; int j; } par;\n")
	if m.images {
		m.p("layout(set = 1, binding = 0) uniform sampler2D near;\nlayout(set = 1, binding = 1) uniform sampler2D far;\n")
	}
	if !m.depth && m.IntN(5) == 0 {
		m.p("layout(early_fragment_tests) in;\n")
	}
	m.p("layout(location = 0) out vec4 color;\n")
	if m.targets {
		m.p("layout(location = 2) out ivec4 other;\n")
	}
	m.p("void main() {\n  vec4 a = vec4(0.25), b = vec4(0.5);\n  int i0 = 1, i1 = 2;\n  a = %s;\n  b = %s;\n  i0 = %s;\n", m.vector(1),
		m.vector(1), m.integer(1))
	for range 1 + m.IntN(3) {
		m.whileWhole()
		m.statements("  ", 3, 1+m.IntN(4), false)
		if strings.Contains(m.b.String(), "discard;") { // after it, differences are undefined
			break
		}
	}
	m.p("  color = a;\n")
	if m.targets {
		m.p("  other = ivec4(b * 16.0) + ivec4(i0, i1, 0, 7);\n")
	} else {
		m.p("  color += b * 0.5 + vec4(float(i0 & 255), float(i1 & 255), 0.0, 0.0);\n")
	}
	if m.depth {
		m.p("  gl_FragDepth = float(i0 & 7) * 0.125;\n")
	}
	m.p("}\nEND\n")
}

// whileWhole writes operations that need all pixels of a quad, or demotes some.
func (m *mixer) whileWhole() {
	difference := func() string {
		return m.pick("dFdxFine", "dFdyFine", "dFdxCoarse", "dFdyCoarse") + "(" + m.float(1) + ")"
	}
	switch m.IntN(4) {
	case 0:
		m.p("  b += clamp(vec4(%s, %s, 0.0, 0.0), -4.0, 4.0);\n", difference(), difference())
	case 1:
		if m.images {
			m.p("  b += texture(%s, vec2(%s, %s)%s);\n", m.pick("near", "far"), m.float(1), m.float(1), m.pick("", ", 0.5", ", -1.0"))
		}
	case 2:
		m.p("  b += clamp(fwidth(a), -4.0, 4.0);\n")
	case 3:
		m.p("  if (%s) demote;\n", m.condition(1))
	}
}

// statements writes n statements, with ifs and loops nested up to a depth.
func (m *mixer) statements(indent string, depth, n int, inLoop bool) {
	for range n {
		switch k := m.IntN(13); {
		case k == 5 && depth > 0:
			m.p("%sif (%s) {\n", indent, m.condition(1))
			m.statements(indent+"  ", depth-1, 1+m.IntN(3), inLoop)
			if m.IntN(2) == 0 {
				m.p("%s} else {\n", indent)
				m.statements(indent+"  ", depth-1, 1+m.IntN(3), inLoop)
			}
			m.p("%s}\n", indent)
		case k == 6 && depth > 0:
			m.loop(indent, depth)
		case k == 7 && inLoop:
			m.p("%sif (%s) %s;\n", indent, m.condition(1), m.pick("break", "continue"))
		case k == 8 && m.images:
			m.sample(indent)
		default:
			m.statement(indent, k)
		}
	}
}

func (m *mixer) loop(indent string, depth int) {
	m.loops++
	i := "k" + string(rune('a'+m.loops%26))
	m.p("%sfor (int %s = 0; %s < %s; %s++) {\n", indent, i, i, m.pick("3", "5", "(i0 & 7)", "((int(gl_FragCoord.x) ^ i1) & 3)"), i)
	m.whole = append(m.whole, i)
	m.statements(indent+"  ", depth-1, 1+m.IntN(3), true)
	m.whole = m.whole[:len(m.whole)-1]
	m.p("%s}\n", indent)
}

// statement writes a statement without nested statements.
func (m *mixer) statement(indent string, k int) {
	switch k {
	case 0:
		m.p("%sb.%s = %s;\n", indent, m.pick("x", "y", "z", "w"), m.float(2))
	case 1:
		m.p("%s%s = %s;\n", indent, m.pick("i0", "i1"), m.integer(2))
	case 2:
		m.p("%sif (%s && %s) %s;\n", indent, m.condition(1), m.condition(1), m.pick("discard", "discard", "demote"))
	case 3: // each word is for one operation: primitives that overlap are shaded in any order
		at := m.IntN(4)
		m.p("%s%s(count[%d], uint(%s) & 255u);\n", indent, []string{"atomicAdd", "atomicMax", "atomicXor", "atomicOr"}[at], at, m.integer(1))
	case 4:
		m.p("%satomicAdd(pixels[(int(gl_FragCoord.y) * 32 + int(gl_FragCoord.x)) & 1023], uint(%s));\n", indent, m.integer(1))
	case 9:
		m.p("%sif (gl_HelperInvocation) a.x = 0.125; else a.y += 0.25;\n", indent)
	default:
		m.p("%sa = clamp(a * 0.5 + %s, -8.0, 8.0);\n", indent, m.vector(2))
	}
}

// sample reads an image at a place that jumps may precede.
func (m *mixer) sample(indent string) {
	switch m.IntN(5) {
	case 0:
		m.p("%sb += textureLod(far, vec2(%s, %s), %s);\n", indent, m.float(1), m.float(1), m.pick("0.0", "1.0", "0.5"))
	case 1:
		m.p("%sb += texelFetch(near, ivec2(%s & 3, %s & 3), 0);\n", indent, m.integer(1), m.integer(1))
	case 2:
		m.p("%sb += textureGrad(far, vec2(%s, %s), vec2(0.1, 0.0), vec2(0.0, 0.3));\n", indent, m.float(1), m.float(1))
	case 3:
		m.p("%sb += textureGather(near, vec2(%s, 0.3), %d);\n", indent, m.float(1), m.IntN(4))
	case 4:
		m.p("%si1 += textureSize(near, 0).x;\n", indent)
	}
}

// numbers writes a buffer of n random numbers: integers if step is 0, otherwise multiples of 1/step.
func (m *mixer) numbers(name, typ string, n, step int) {
	m.p("BUFFER %s DATA_TYPE %s DATA\n", name, typ)
	for range n {
		if step == 0 {
			m.p("%d ", m.IntN(100)-20)
			continue
		}
		m.p("%.4f ", float64(m.IntN(65)-32)/float64(step))
	}
	m.p("\nEND\n")
}

// memory writes the buffers and the image that are not vertices.
func (m *mixer) memory() {
	m.numbers("tab", "vec4<float>", 32, 16)
	m.numbers("list", "int32", 16, 0)
	m.p("BUFFER count DATA_TYPE uint32 SIZE 4 FILL 0\nBUFFER pixels DATA_TYPE uint32 SIZE 1024 FILL 0\n"+
		"BUFFER par DATA_TYPE uint32 DATA 1061158912 3212836864 %d 0 END\n", m.IntN(8))
	if !m.images {
		return
	}
	m.p("IMAGE image FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 4 HEIGHT 4 DATA\n")
	for range 64 {
		m.p("%d ", m.IntN(256))
	}
	m.p("\nEND\nSAMPLER nearest MAG_FILTER nearest MIN_FILTER nearest\nSAMPLER linear MAG_FILTER linear MIN_FILTER linear " +
		"ADDRESS_MODE_U mirrored_repeat\n")
}

// pipeline writes the vertices, the pipeline and the draw.
func (m *mixer) pipeline() {
	vertices, instances := 3+m.IntN(10), 1+m.IntN(2)
	m.p("BUFFER positions DATA_TYPE vec4<float> DATA\n")
	depth, reach := 0.0, 160
	if m.inside {
		reach = 96
	}
	for i := range vertices {
		if i%3 == 0 {
			depth = float64(1+m.IntN(30)) / 32
		}
		w := float64(8+m.IntN(17)) / 16
		m.p("%.5f %.5f %.5f %.5f\n", w*float64(m.IntN(2*reach+1)-reach)/128, w*float64(m.IntN(2*reach+1)-reach)/128, w*depth, w)
	}
	m.p("END\n")
	m.numbers("colors", "vec4<float>", 4*vertices, 16)
	m.p("BUFFER first FORMAT R32G32B32A32_SFLOAT\nBUFFER second FORMAT R32G32B32A32_SINT\nBUFFER depths FORMAT D32_SFLOAT\n")
	m.p("PIPELINE graphics p\n  ATTACH vert\n  ATTACH frag\n  FRAMEBUFFER_SIZE %d %d\n  VERTEX_DATA positions LOCATION 0\n"+
		"  VERTEX_DATA colors LOCATION 1\n  BIND BUFFER first AS color LOCATION 0\n", 8+m.IntN(25), 8+m.IntN(25))
	if m.targets {
		m.p("  BIND BUFFER second AS color LOCATION 2\n")
	}
	m.p("  BIND BUFFER depths AS depth_stencil\n  BIND BUFFER tab AS uniform DESCRIPTOR_SET 0 BINDING 0\n" +
		"  BIND BUFFER list AS storage DESCRIPTOR_SET 0 BINDING 1\n")
	m.p("  BIND BUFFER count AS storage DESCRIPTOR_SET 0 BINDING 2\n  BIND BUFFER pixels AS storage DESCRIPTOR_SET 0 BINDING 3\n" +
		"  BIND BUFFER par AS push_constant\n")
	if m.images {
		m.p("  BIND BUFFER image AS combined_image_sampler SAMPLER nearest DESCRIPTOR_SET 1 BINDING 0\n" +
			"  BIND BUFFER image AS combined_image_sampler SAMPLER linear DESCRIPTOR_SET 1 BINDING 1\n")
	}
	if m.IntN(2) == 0 {
		m.p("  DEPTH\n    TEST on\n    WRITE on\n    COMPARE_OP %s\n  END\n", m.pick("less", "less_or_equal", "greater", "always"))
	}
	m.p("END\nCLEAR_DEPTH p 0.5\nCLEAR p\n")
	first := m.IntN(2)
	m.p("RUN p DRAW_ARRAY AS %s START_IDX %d COUNT %d START_INSTANCE %d INSTANCE_COUNT %d\n",
		m.pick("TRIANGLE_LIST", "TRIANGLE_LIST", "TRIANGLE_LIST", "TRIANGLE_STRIP", "TRIANGLE_FAN", "LINE_LIST",
			"POINT_LIST"), first, vertices-first, m.IntN(3), instances)
}
