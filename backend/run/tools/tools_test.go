// SPDX-License-Identifier: MIT

package tools_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/frontend"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/tests/oracle"
)

func shader(t *testing.T, src string) *runner.Shader {
	t.Helper()
	s, err := amber.Parse("t.amber", []byte("#!amber\n"+src))
	if err != nil {
		t.Fatal(err)
	}
	return s.Shaders[0]
}

var magic = []byte{3, 2, 0x23, 7}

// version returns the SPIR-V version of a module, 0x010300 for 1.3.
func version(module []byte) []byte { return module[4:8] }

func TestGLSL(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	var c tools.Cache
	for env, want := range map[string][]byte{
		"":                           {0, 0, 1, 0},
		"TARGET_ENV spv1.3":          {0, 3, 1, 0},
		"TARGET_ENV vulkan1.2":       {0, 5, 1, 0},
		"TARGET_ENV vulkan1.1spv1.4": {0, 4, 1, 0},
	} {
		s := shader(t, "SHADER compute s GLSL "+env+"\n#version 450\nvoid main() {}\nEND\n")
		first, err := c.Shader(t.Context(), "t.amber", s)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(first, magic) || !bytes.Equal(version(first), want) {
			t.Errorf("%q: % x", env, first[:8])
		}
		again, err := c.Shader(t.Context(), "t.amber", s)
		if err != nil || &again[0] != &first[0] {
			t.Errorf("%q: translated twice (%v)", env, err)
		}
	}
	for _, test := range []struct{ src, want string }{
		{"#version 450\nvoid main() { x = 1; }", "t.amber:4: error: glslangValidator: 'x' : undeclared identifier"},
		{"#version 450", "t.amber:3: error: glslangValidator: "},
	} {
		_, err := c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s GLSL\n"+test.src+"\nEND\n"))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", test.src, err, test.want)
		}
	}
}

// TestAllErrors: all errors that glslang finds in a source are reported with their lines, followed by their number.
func TestAllErrors(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	for name, c := range map[string]struct {
		source frontend.Source
		want   string
	}{
		"file": {frontend.Source{File: "a.comp", Line: 1,
			Text: "#version 450\nvoid main() {\n  x = 1;\n  y = 1;\n  float a = vec2(1.0);\n}\n"},
			`a.comp:3: error: glslangValidator: 'x' : undeclared identifier
a.comp:4: error: glslangValidator: 'y' : undeclared identifier
a.comp:5: error: glslangValidator: '=' : cannot convert from ' const 2-component vector of float' to ' temp highp float'
a.comp: 3 errors`},
		"one": {frontend.Source{File: "a.comp", Line: 1,
			Text: "#version 450\nvoid main() { x = 1; }\n"},
			`a.comp:2: error: glslangValidator: 'x' : undeclared identifier`},
		"script": {frontend.Source{File: "t.amber", Line: 11,
			Text: "#version 450\nvoid main() {\n  x = 1;\n  y = 1;\n}\n"},
			`t.amber:13: error: glslangValidator: 'x' : undeclared identifier
t.amber:14: error: glslangValidator: 'y' : undeclared identifier
t.amber: 2 errors`},
		"without a line": {frontend.Source{File: "a.comp", Line: 1,
			Text: "#version 450\nfloat f();\nfloat g();\nvoid main() { f(); g(); }\n"},
			`a.comp: error: glslangValidator: Linking compute stage: No function definition (body) found: g(
a.comp: error: glslangValidator: Linking compute stage: No function definition (body) found: f(
a.comp: 2 errors`},
		"without a line in a script": {frontend.Source{File: "t.amber", Line: 11, Text: "#version 450\nfloat f();\nvoid main() { f(); }\n"},
			`t.amber:11: error: glslangValidator: Linking compute stage: No function definition (body) found: f(`},
		"another file": {frontend.Source{File: "t.amber", Line: 11,
			Text: "#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : enable\n#line 100 \"b.h\"\nvoid main() { x = 1; }\n"},
			`b.h:100: error: glslangValidator: 'x' : undeclared identifier`},
	} {
		c.source.Stage, c.source.Language = "compute", "glsl"
		if _, err := new(frontend.Programs).Translate(t.Context(), &c.source); err == nil || err.Error() != c.want {
			t.Errorf("%s gives\n%v\nwant\n%s", name, err, c.want)
		}
	}
}

func TestAssemble(t *testing.T) {
	oracle.Need(t, "spirv-as")
	var c tools.Cache
	module, err := c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s SPIRV-ASM TARGET_ENV spv1.3\nOpCapability Shader\nEND\n"))
	if err != nil || !bytes.HasPrefix(module, magic) || !bytes.Equal(version(module), []byte{0, 3, 1, 0}) {
		t.Errorf("% x, %v", module, err)
	}
	_, err = c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s SPIRV-ASM\n\n  OpFoo\nEND\n"))
	const want = "t.amber:4:3: error: spirv-as: Invalid Opcode name 'OpFoo'"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s SPIRV-ASM TARGET_ENV spv9.9\n\n  OpFoo\nEND\n"))
	const unknown = "t.amber:3: error: spirv-as: error: Unrecognized target env: spv9.9"
	if err == nil || err.Error() != unknown {
		t.Errorf("got %v, want %s", err, unknown)
	}
}

// TestPasses: the passes of a shader run over its module, and a pass that spirv-opt
// rejects is an error at the shader.
func TestPasses(t *testing.T) {
	oracle.Need(t, "spirv-as")
	oracle.Need(t, "spirv-opt")
	s := shader(t, `SHADER compute s SPIRV-ASM
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%unused = OpTypeInt 32 0
%f = OpTypeFunction %void
%main = OpFunction %void None %f
%b = OpLabel
OpReturn
OpFunctionEnd
END
`)
	var c tools.Cache
	plain, err := c.Shader(t.Context(), "t.amber", s)
	if err != nil {
		t.Fatal(err)
	}
	optimized := *s
	optimized.Passes = []string{"--eliminate-dead-code-aggressive"}
	short, err := c.Shader(t.Context(), "t.amber", &optimized)
	if err != nil || len(short) >= len(plain) || !bytes.HasPrefix(short, magic) {
		t.Errorf("%d bytes after %d (%v)", len(short), len(plain), err)
	}
	if again, err := c.Shader(t.Context(), "t.amber", s); err != nil || !bytes.Equal(again, plain) {
		t.Errorf("the shader without passes is another one afterwards (%v)", err)
	}
	optimized.Passes = []string{"--weave"}
	const want = "t.amber:3: error: spirv-opt: error: line 0: Unknown flag '--weave'."
	if _, err := c.Shader(t.Context(), "t.amber", &optimized); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestHex(t *testing.T) {
	var c tools.Cache
	module, err := c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s SPIRV-HEX\n0x07230203\nEND\n"))
	if err != nil || !bytes.Equal(module, magic) {
		t.Errorf("% x, %v", module, err)
	}
}

func TestMissingTool(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var c tools.Cache
	for _, test := range []struct{ format, want string }{
		{"GLSL", "t.amber: error: glslangValidator is not installed (Debian package: glslang-tools)"},
		{"SPIRV-ASM", "t.amber: error: spirv-as is not installed (Debian package: spirv-tools)"},
	} {
		_, err := c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s "+test.format+"\nx\nEND\n"))
		var missing *frontend.MissingError
		if !errors.As(err, &missing) || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// TestAnyEnvironment: a shader that names no environment is tried in later environments if it is not valid in the
// first; a shader that names an environment is not.
func TestAnyEnvironment(t *testing.T) {
	oracle.Need(t, "spirv-as")
	const body = "\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n%u = OpTypeInt 32 0\n%n = OpConstantNull %u\n" +
		"%x = OpCopyLogical %u %n\nEND\n"
	var c tools.Cache
	module, err := c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s SPIRV-ASM"+body))
	if err != nil || !bytes.Equal(version(module), []byte{0, 4, 1, 0}) {
		t.Errorf("%v % x", err, module)
	}
	const want = "t.amber:7:6: error: spirv-as: Invalid Opcode name 'OpCopyLogical'"
	if _, err := c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s SPIRV-ASM TARGET_ENV spv1.0"+body)); err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := c.Shader(t.Context(), "t.amber", shader(t, "SHADER compute s SPIRV-ASM\nOpNever\nEND\n")); err == nil ||
		!strings.HasPrefix(err.Error(), "t.amber:3:1: error: spirv-as: Invalid Opcode name 'OpNever'") {
		t.Error(err)
	}
}

// TestScriptLines: the debug information of a shader's module names the script and its lines.
func TestScriptLines(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	oracle.Need(t, "spirv-dis")
	const text = "SHADER compute s GLSL\n#version 450\nlayout(binding = 0) buffer B { int n; };\nvoid main() {\n  n = n * 3;\n}\nEND\n"
	module, err := new(tools.Cache).Shader(t.Context(), "dir/t.amber", shader(t, text))
	if err != nil {
		t.Fatal(err)
	}
	listing, err := oracle.Disassemble(t, module)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(listing, "OpIMul")
	if at := strings.LastIndex(before, "OpLine"); !found || at < 0 || !strings.HasPrefix(before[at:], "OpLine %1 6 ") {
		t.Errorf("the multiplication is not in line 6, counted from #!amber:\n%s", listing)
	}
	if !strings.Contains(listing, `%1 = OpString "dir/t.amber"`) {
		t.Errorf("the script is not named:\n%s", listing)
	}
}
