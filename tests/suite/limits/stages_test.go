// SPDX-License-Identifier: MIT

package limits

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// varyings declares n vectors between the stages.
func varyings(b *strings.Builder, direction string, n int) {
	b.WriteString("#version 450\n")
	for i := range n {
		fmt.Fprintf(b, "layout(location = %d) %s vec4 v%d;\n", i, direction, i)
	}
}

// vertexOf returns a vertex shader that writes n vectors.
func vertexOf(n int) string {
	var b strings.Builder
	varyings(&b, "out", n)
	b.WriteString("layout(location = 0) in vec4 p;\nvoid main() {\n  gl_Position = p;\n")
	for i := range n {
		fmt.Fprintf(&b, "  v%d = p * %d.5 + p.yzwx;\n", i, i)
	}
	return b.String() + "}\n"
}

// fragmentOf returns a fragment shader that writes combinations of n vectors to some targets.
func fragmentOf(n, targets int) string {
	var b strings.Builder
	varyings(&b, "in", n)
	for k := range targets {
		fmt.Fprintf(&b, "layout(location = %d) out vec4 o%d;\n", k, k)
	}
	b.WriteString("void main() {\n")
	for k := range targets {
		fmt.Fprintf(&b, "  o%d = vec4(0);\n", k)
		for i := range n {
			fmt.Fprintf(&b, "  o%d += v%d * %d.25;\n", k, i, 3*i+k)
		}
	}
	return b.String() + "}\n"
}

// translated returns the module of a shader in GLSL.
func translated(t *testing.T, stage kind.Stage, source string) []byte {
	t.Helper()
	module, err := oracle.GLSL(t, stage.String()[:4], []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// mostVaryings is the maximum number of input vectors of fragment shaders on the machines; a vertex shader may write
// more.
const mostVaryings = 32

// TestGrowthOfInterfaces: twice the varyings, up to 64 of a vertex shader and as many as there may be of
// a fragment shader with 8 targets, take at most 2.3 times the work and the memory.
func TestGrowthOfInterfaces(t *testing.T) {
	for _, c := range []struct {
		name  string
		stage kind.Stage
		simd  int
		most  int
		make  func(n int) string
	}{
		{"vertex", kind.StageVertex, 8, 64, vertexOf},
		{"fragment", kind.StageFragment, 8, mostVaryings, func(n int) string { return fragmentOf(n, 8) }},
		{"one target", kind.StageFragment, 16, mostVaryings, func(n int) string { return fragmentOf(n, 1) }},
	} {
		var steps, bytes int
		for n := 8; n <= c.most; n *= 2 {
			oldSteps, oldBytes := steps, bytes
			steps, bytes = measure(t, c.stage, c.simd, translated(t, c.stage, c.make(n)))
			t.Logf("%s, %d varyings: %d steps, %.1f MB", c.name, n, steps, float64(bytes)/1e6)
			if oldSteps == 0 {
				continue
			}
			if float64(steps) > 2.3*float64(oldSteps) || float64(bytes) > 2.3*float64(oldBytes) {
				t.Errorf("%s, %d varyings: %d steps and %d bytes, half as many %d and %d", c.name, n, steps, bytes, oldSteps, oldBytes)
			}
		}
	}
}

// TestTooManyVaryings: the inputs of a fragment shader with 64 vectors do not fit in the registers at any width; it is
// refused with a single error that gives this reason.
func TestTooManyVaryings(t *testing.T) {
	module := translated(t, kind.StageFragment, fragmentOf(2*mostVaryings, 8))
	_, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: "tgl"})
	var input *jacquard.Error
	if !errors.As(err, &input) || !strings.Contains(input.Msg, fmt.Sprintf("there are %d", mir.NumGRFs)) {
		t.Errorf("%d varyings: %v", 2*mostVaryings, err)
	}
}
