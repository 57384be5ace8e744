// SPDX-License-Identifier: MIT

package piglit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// LeftOut is the error for a test of a feature that shaders for Vulkan do not have.
type LeftOut struct{ Feature string }

func (e *LeftOut) Error() string { return "left out: " + e.Feature }

// sections returns the parts of a test by their headings.
func sections(test string) map[string]string {
	out := map[string]string{}
	name := ""
	var b strings.Builder
	for line := range strings.Lines(test) {
		if heading := strings.TrimSpace(line); strings.HasPrefix(line, "[") && strings.HasSuffix(heading, "]") {
			out[name] += b.String()
			name = heading[1 : len(heading)-1]
			b.Reset()
			continue
		}
		b.WriteString(line)
	}
	out[name] += b.String()
	return out
}

// absent are features of OpenGL without an equivalent in Vulkan, with a pattern for text that uses them.
var absent = []struct {
	feature string
	in      *regexp.Regexp
}{
	{"SPIR-V for OpenGL", regexp.MustCompile(`(?m)^\[(vertex|fragment) shader (spirv|specializations)|^SPIRV`)},
	{"textures by handles of OpenGL", regexp.MustCompile(`GL_ARB_bindless_texture`)},
	{"subroutines", regexp.MustCompile(`\bsubroutine\b`)},
	{"initial values of uniforms", regexp.MustCompile(`(?m)^\s*uniform\s[^;(]*=`)},
	{"framebuffer fetch", regexp.MustCompile(`shader_framebuffer_fetch`)},
	{"clip planes", regexp.MustCompile(`gl_ClipVertex|(?m)^clip plane`)},
	{"colors and texture coordinates of the fixed functions", regexp.MustCompile(`gl_(Front|Back|Secondary)?(Secondary)?Color\b|gl_TexCoord|gl_MultiTexCoord`)},
	{"display lists", regexp.MustCompile(`(?m)^newlist`)},
	{"constants of the compatibility profile", regexp.MustCompile(`gl_Max(TextureUnits|TextureCoords|Lights|ClipPlanes|VaryingFloats|VaryingComponents|FragmentUniformComponents)\b|gl_DepthRange\b`)},
	{"viewport masks", regexp.MustCompile(`GL_NV_viewport_array2`)},
}

// lacks returns the first feature of a test that shaders for Vulkan do not have, or "" if there is none.
func lacks(test string) string {
	for _, a := range absent {
		if a.in.MatchString(test) {
			return a.feature
		}
	}
	return ""
}

// extensions are the extensions whose features are not part of GLSL 4.50.
var extensions = []string{
	"GL_ARB_gpu_shader_int64", "GL_AMD_shader_trinary_minmax", "GL_ARB_shader_ballot", "GL_ARB_shader_group_vote",
	"GL_ARB_shader_viewport_layer_array", "GL_INTEL_shader_integer_functions2", "GL_EXT_shader_integer_mix", "GL_ARB_shader_clock",
}

// rewrite replaces a word of OpenGL's GLSL with its equivalent in Vulkan's.
type rewrite struct {
	word *regexp.Regexp
	by   string
}

// rewrites makes rewrites of pairs of words.
func rewrites(pairs ...string) (out []rewrite) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, rewrite{regexp.MustCompile(`\b` + pairs[i] + `\b`), pairs[i+1]})
	}
	return out
}

// Substitutes for the built-in variables of OpenGL that Vulkan's GLSL lacks.
const (
	vertexInput   = "piglit_vertex"
	projection    = "piglit_projection"
	fragmentColor = "piglit_fragment_color"
)

var (
	anyStage = rewrites("texture([123]D|Cube)(Proj|Lod|ProjLod)?", "texture$2", "gl_ModelViewProjectionMatrix", projection,
		"gl_ProjectionMatrix", projection, "gl_ModelViewMatrix", "mat4(1.0)")
	inVertex = rewrites("attribute", "in", "varying", "out", "gl_Vertex", vertexInput, "gl_VertexID", "gl_VertexIndex",
		"gl_InstanceID", "gl_InstanceIndex", `ftransform\s*\(\s*\)`, "("+projection+" * "+vertexInput+")")
	inFragment = rewrites("varying", "in", "gl_FragColor", fragmentColor)

	declares  = regexp.MustCompile(`\bin\s+\w+\s+` + vertexInput + `\b`)
	directive = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(version|extension)\b[ \t]*(\w*).*$`)
)

// passthrough is the vertex shader of a test without a vertex shader.
const passthrough = "in vec4 " + vertexInput + ";\nvoid main() { gl_Position = " + vertexInput + "; }\n"

// forVulkan rewrites a shader: its version becomes 4.50, which contains older versions except for some words, and the
// built-ins that OpenGL programs need not declare are declared.
func forVulkan(text string, words []rewrite) string {
	var head strings.Builder
	head.WriteString("#version 450\n")
	text = directive.ReplaceAllStringFunc(text, func(line string) string {
		if m := directive.FindStringSubmatch(line); m[1] == "extension" && slices.Contains(extensions, m[2]) {
			fmt.Fprintf(&head, "#extension %s : require\n", m[2])
		}
		return ""
	})
	for _, w := range slices.Concat(anyStage, words) {
		text = w.word.ReplaceAllString(text, w.by)
	}
	if strings.Contains(text, projection) {
		head.WriteString("uniform mat4 " + projection + ";\n")
	}
	if strings.Contains(text, vertexInput) && !declares.MatchString(text) {
		head.WriteString("in vec4 " + vertexInput + ";\n")
	}
	if strings.Contains(text, fragmentColor) {
		head.WriteString("layout(location = 0) out vec4 " + fragmentColor + ";\n")
	}
	return head.String() + text
}

// Shaders returns the vertex and the fragment shader of a test as GLSL for Vulkan.
func Shaders(test string) (vertex, fragment string, err error) {
	if feature := lacks(test); feature != "" {
		return "", "", &LeftOut{feature}
	}
	s := sections(test)
	vertex, ok := s["vertex shader"]
	if !ok {
		vertex = passthrough
	}
	fragment, ok = s["fragment shader"]
	if !ok {
		return "", "", &LeftOut{"no fragment shader"}
	}
	return forVulkan(vertex, inVertex), forVulkan(fragment, inFragment), nil
}
