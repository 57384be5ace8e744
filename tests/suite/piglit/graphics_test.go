// SPDX-License-Identifier: MIT

package piglit

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// drawn is the outcome of a test that draws: a feature that Vulkan does not have, or the reason why the test does not
// pass on the interpreter or, if it does, on the models.
type drawn struct {
	leftOut string
	results
}

// needs64 is the reason why the compiler refuses a shader that is not counted on the model.
const needs64 = "64-bit floats"

var givesLocations = regexp.MustCompile(`layout\s*\([^)]*\blocation\b[^)]*\)\s*in\b`)

// widths are the widths of fragment shaders.
var widths = []int{8, 16, 32}

// runPair runs a test of two shaders on the interpreter and, if it passes there, on the machines. It tries the given
// widths of fragment shaders, or 8 lanes if the shader does not compile at any of them.
func runPair(t *testing.T, test string, machines []*target.Target, widths ...int) (d drawn) {
	vs, fs, err := Shaders(test)
	var left *LeftOut
	if errors.As(err, &left) {
		return drawn{leftOut: left.Feature}
	}
	if err != nil {
		return drawn{results: results{interp: err.Error()}}
	}
	vert, frag, err := oracle.GLSLRelaxedPair(t, []byte(vs), []byte(fs))
	if err != nil {
		return drawn{results: results{interp: "it does not compile for Vulkan: " + firstError(err)}}
	}
	m := reflect(vert)
	if !givesLocations.MatchString(vs) || collide(m, m.inputs) {
		vert = number(vert, m, m.inputs)
	}
	if collide(m, m.outputs) {
		vert = number(vert, m, m.outputs)
	}
	frag = link(vert, frag)
	mod := func(_ context.Context, s *runner.Shader) ([]byte, error) {
		if s.Name == "vertex" {
			return vert, nil
		}
		return frag, nil
	}
	if err := RunDraws(t.Context(), test, vert, frag, newInterp(mod)); err != nil {
		return drawn{results: results{interp: err.Error()}}
	}
	for _, machine := range machines {
		for i, simd := range widths {
			if machine.Fragment == nil && i > 0 {
				break // the interpreter runs fragment shaders
			}
			err := RunDraws(t.Context(), test, vert, frag, newModel(machine, mod, simd))
			if refused := (*jacquard.Error)(nil); errors.As(err, &refused) && simd > 8 &&
				strings.HasPrefix(refused.Msg, fmt.Sprintf("SIMD%d: ", simd)) {
				simd = 8
				err = RunDraws(t.Context(), test, vert, frag, newModel(machine, mod, simd))
			}
			if err != nil {
				return drawn{results: results{model: fmt.Sprintf("%s, SIMD%d: %v", machine, simd, err)}}
			}
		}
	}
	return drawn{}
}

func newModel(machine *target.Target, mod engine.Module, simd int) *engine.EU {
	return &engine.EU{Module: mod, Options: jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd},
		Execution: eu.Options{Undefined: true, Addresses: true, Poison: true}}
}

var errorLine = regexp.MustCompile(`(?m)^ERROR: [^:]*:\d+: (.*)$`)

// firstError returns the first error of a compiler, without its position.
func firstError(err error) string {
	if m := errorLine.FindStringSubmatch(err.Error()); m != nil {
		return m[1]
	}
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return line
}

// manyInputs are the generated tests of 64-bit inputs of vertex shaders in all combinations: one in inputStep of these
// 18,626 tests runs, since they differ in little else.
const (
	manyInputs = "/execution/vs_in/"
	inputStep  = 100
)

var glslVersion = regexp.MustCompile(`(?m)^GLSL\s*>=\s*(\d)\.(\d+)`)

// isDraw reports whether a test of GLSL 1.30 or later has a vertex and a fragment shader and no other, draws
// and compares.
func isDraw(test string) bool {
	m := glslVersion.FindStringSubmatch(test)
	if m == nil {
		return false
	}
	if v, err := strconv.ParseFloat(m[1]+"."+m[2], 64); err != nil || v < 1.3 {
		return false
	}
	vertex, fragment := false, false
	for name := range sections(test) {
		switch {
		case strings.HasPrefix(name, "vertex shader"):
			vertex = true
		case strings.HasPrefix(name, "fragment shader"):
			fragment = true
		case strings.Contains(name, "shader"):
			return false
		}
	}
	draws := slices.ContainsFunc(commands(test), func(c []string) bool { return c[0] == "draw" })
	return vertex && fragment && draws && HasProbe(test)
}

// drawTests returns the tests that draw, by name; n of them, evenly spread, or all (0).
func drawTests(t *testing.T, n int) map[string]string {
	t.Helper()
	inputs := 0
	named := func(name string) bool {
		if !strings.Contains(name, manyInputs) {
			return true
		}
		inputs++
		return inputs%inputStep == 0
	}
	all := find(t, folder(t), named, isDraw)
	if n == 0 {
		return all
	}
	some := map[string]string{}
	for i, name := range names(all) {
		if i%(len(all)/n) == 0 {
			some[name] = all[name]
		}
	}
	return some
}

func names[V any](m map[string]V) (out []string) {
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// runDraws runs tests that draw. On the models it runs them at all widths, or at the widths in turn.
func runDraws(t *testing.T, files map[string]string, byTurns bool, machines ...*target.Target) map[string]drawn {
	t.Helper()
	oracle.Need(t, "glslangValidator")
	width := map[string][]int{}
	for i, name := range names(files) {
		width[name] = widths
		if byTurns {
			width[name] = widths[i%len(widths):][:1]
		}
	}
	return runAll(files, func(name, test string) drawn { return runPair(t, test, machines, width[name]...) })
}

var drawLists = []list{
	{"draws.txt", "The tests of piglit that draw and probe and do not pass on the interpreter, and why", func(r results) string { return r.interp }},
	{"draws_model.txt", "Those that pass on the interpreter but not on the model of tgl, and why", func(r results) string {
		if strings.Contains(r.model, needs64) {
			return ""
		}
		return r.model
	}},
}

// TestDraws runs some of the tests that draw, always the same, on the interpreter and on the models of a machine at all
// widths and of one that runs vertex shaders only.
func TestDraws(t *testing.T) {
	passed := 0
	for name, d := range runDraws(t, drawTests(t, 60), false, target.TGL, target.HSW) {
		if d.leftOut != "" {
			continue
		}
		passed++
		for i := range drawLists {
			if why := drawLists[i].reason(d.results); why != "" {
				passed--
				if drawLists[i].read(t)[name] == "" {
					t.Errorf("%s: %s", name, why)
				}
			}
		}
	}
	if passed < 45 {
		t.Errorf("only %d tests passed", passed)
	}
}

// TestAllDraws runs all tests of draws, as TestAllScripts does for compute shaders, but each at one width.
func TestAllDraws(t *testing.T) {
	machines := machinesOf(t)
	left, all := map[string]int{}, map[string]results{}
	passed, doubles := 0, 0
	for name, d := range runDraws(t, drawTests(t, 0), true, machines...) {
		if d.leftOut != "" {
			left[d.leftOut]++
			continue
		}
		all[name] = d.results
		if d.interp == "" {
			passed++
		}
		if strings.Contains(d.model, needs64) {
			doubles++
		}
	}
	for i := range drawLists {
		drawLists[i].check(t, all)
	}
	for _, feature := range names(left) {
		t.Logf("left out: %d for %s", left[feature], feature)
	}
	t.Logf("%d of %d tests that draw pass on the interpreter; %d of them are not compiled because of %s", passed, len(all), doubles,
		needs64)
}

// ownDraw is a test of the runner itself.
const ownDraw = `[require]
GLSL >= 1.30
SIZE 20 10

[vertex shader]
attribute vec4 piglit_vertex;
in mat2x4 m;
flat out vec2 only;
varying vec2 c;
uniform float scale;
uniform int pixels;
void main() { gl_Position = pixels != 0 ? gl_ModelViewProjectionMatrix * piglit_vertex : piglit_vertex; only = vec2(m[1].yw); c = m[0].xy * scale; }

[fragment shader]
varying vec2 c;
uniform sampler2D t[2];
uniform float scale;
flat in vec2 only;
uniform block { vec4 k; } b;
void main() { gl_FragColor = vec4(c, only.x, only.y) + texture2D(t[1], vec2(0.75, 0.25)) * b.k * scale; }

[vertex data]
piglit_vertex/float/2 m/float/mat2x4/0 m/float/mat2x4/1
0  0   0 0 9 9  0 0.5 0 0.25
20 0   1 0 9 9  0 0.5 0 0.25
0  10  0 1 9 9  0 0.125 0 1
20 10  1 1 9 9  0 1.0 0 0.5

[test]
ortho
clear color 0 0 0 0
clear
uniform int pixels 1
uniform float scale 1.0
uniform int t[0] 0
uniform int t[1] 1
texture checkerboard 1 0 (4, 4) (0, 0, 0, 0) (0.25, 0, 0, 0)
uniform vec4 block.k 1.0 0 0 0
draw arrays GL_TRIANGLE_STRIP 0 4
probe rgba 0 0 0.275 0.05 0.125 1.0
relative probe rgba (0.95, 0.9) (1.0 0.95 1.0 0.5)
clear
uniform int pixels 0
draw rect ortho 4 2 3 3
probe rect rgba (4, 2, 3, 3) (0.25, 0, 0, 0)
probe rect rgba (7, 2, 3, 3) (0, 0, 0, 0)
provoking vertex first
clear
uniform int pixels 1
draw arrays GL_TRIANGLES 0 3
probe rgb 0 0 0.275 0.05 0.5
`

// TestDrawRunner: the runner passes its own test on the interpreter and on the model. The test fails if any expected
// value, or any input of one, is changed.
func TestDrawRunner(t *testing.T) {
	machines := []*target.Target{target.TGL, target.ICL, target.SKL}
	if d := runPair(t, ownDraw, machines, widths...); d != (drawn{}) {
		t.Fatalf("%+v", d)
	}
	for _, c := range [][2]string{
		{"0 0.275 0.05 0.125", "0 0.275 0.05 0.5"}, {"(1.0 0.95 1.0 0.5)", "(1.0 0.95 1.0 0.25)"}, {"(7, 2, 3, 3)", "(6, 2, 3, 3)"},
		{"(4, 2, 3, 3)", "(4, 1, 3, 3)"}, {"0.05 0.5\n", "0.05 0.125\n"}, {"vertex first", "vertex last"}, {"t[1] 1", "t[1] 0"},
		{"block.k 1.0", "block.k 0.0"}, {"scale 1.0", "scale 0.5"}, {"mat2x4/0 m/float/mat2x4/1", "mat2x4/1 m/float/mat2x4/0"},
	} {
		bad := strings.Replace(ownDraw, c[0], c[1], 1)
		if bad == ownDraw {
			t.Fatalf("%q is not there", c[0])
		}
		if d := runPair(t, bad, nil); d.interp == "" {
			t.Errorf("passes with %q", c[1])
		}
	}
	if d := runPair(t, ownDraw+"draw arrays GL_POLYGON 0 3\n", nil); !strings.Contains(d.interp, `"draw arrays GL_POLYGON" is not supported`) {
		t.Errorf("an unknown command gives %+v", d)
	}
	if d := runPair(t, "SPIRV YES\n"+ownDraw, nil); d.leftOut == "" {
		t.Errorf("a test of SPIR-V for OpenGL gives %+v", d)
	}
}

// twoPairs has two varyings of the same struct type, and two blocks whose names and numbers are easily confused.
const twoPairs = `[require]
GLSL >= 1.50

[vertex shader]
struct pair { vec2 a; float b; };
in vec4 piglit_vertex;
out pair first;
out pair second;
void main() {
	gl_Position = piglit_vertex;
	first = pair(vec2(0.125, 0.25), 0.0);
	second = pair(vec2(0.5, 0.625), 1.0);
}

[fragment shader]
struct pair { vec2 a; float b; };
in pair second;
in pair first;
uniform few { float x; } k[12];
uniform fewer { float y; } k1[2];
out vec4 color;
void main() { color = vec4(first.a, second.a) * second.b * k[11].x * k1[1].y; }

[test]
ubo array index 11
uniform float x 0.5
ubo array index 1
uniform float y 2.0
draw rect -1 -1 2 2
probe all rgba 0.125 0.25 0.5 0.625
`

// TestNamesOfInterfaces: variables of a struct are linked by their own names, and each element of each block has
// different data.
func TestNamesOfInterfaces(t *testing.T) {
	if d := runPair(t, twoPairs, nil); d != (drawn{}) {
		t.Errorf("%+v", d)
	}
	for _, command := range []string{"texture", "image"} {
		if d := runPair(t, twoPairs+command+"\n", nil); !strings.Contains(d.interp, "is not supported") {
			t.Errorf("%s gives %+v", command, d)
		}
	}
}
