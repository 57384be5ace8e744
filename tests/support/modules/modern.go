// SPDX-License-Identifier: MIT

package modules

import (
	"regexp"
	"strings"
)

// modern mechanically rewrites old GLSL, which glslang does not accept for Vulkan, to #version 450. It covers shaders
// of the kind that WebGL and OpenGL 2 had; other shaders still fail.
func modern(stage, source string) string {
	for _, r := range rewrites {
		source = r.find.ReplaceAllString(source, r.with)
	}
	var head strings.Builder
	head.WriteString("#version 450\n")
	direction := "in"
	if stage == "vert" {
		direction = "out"
	}
	source = varying.ReplaceAllString(source, direction)
	if stage == "frag" && strings.Contains(source, "gl_FragColor") {
		head.WriteString("layout(location = 0) out vec4 fragColorOut;\n")
		source = strings.ReplaceAll(source, "gl_FragColor", "fragColorOut")
	}
	if stage == "frag" && strings.Contains(source, "gl_FragData") {
		head.WriteString("layout(location = 0) out vec4 fragDataOut[4];\n")
		source = strings.ReplaceAll(source, "gl_FragData", "fragDataOut")
	}
	return head.String() + source
}

var varying = regexp.MustCompile(`\bvarying\b`)

var rewrites = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(?m)^\s*#\s*version.*$`), ""},
	{regexp.MustCompile(`(?m)^\s*precision\s+\w+\s+\w+\s*;`), ""},
	{regexp.MustCompile(`\battribute\b`), "in"},
	{regexp.MustCompile(`\b(texture|shadow)(1D|2D|3D|Cube|2DRect)(Lod|Proj|ProjLod)?(EXT)?\s*\(`), "texture${3}("},
}
