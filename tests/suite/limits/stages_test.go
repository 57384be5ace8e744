package limits

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/work"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// varyings declares n vectors between the stages.
func varyings(b *strings.Builder, direction string, n int) {
	b.WriteString("#version 450\n")
	for i := range n {
		fmt.Fprintf(b, "layout(location = %d) %s vec4 v%d;\n", i, direction, i)
	}
}

// vertexOf is a vertex shader that writes n vectors.
func vertexOf(n int) string {
	var b strings.Builder
	varyings(&b, "out", n)
	b.WriteString("layout(location = 0) in vec4 p;\nvoid main() {\n  gl_Position = p;\n")
	for i := range n {
		fmt.Fprintf(&b, "  v%d = p * %d.5 + p.yzwx;\n", i, i)
	}
	return b.String() + "}\n"
}

// fragmentOf is a fragment shader that writes combinations of n vectors to some targets.
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

// stageSteps returns the work that a shader takes and the memory that it allocates.
func stageSteps(t *testing.T, stage kind.Stage, simd int, row *abi.ABI, source string) (steps, bytes int) {
	t.Helper()
	module, err := oracle.GLSL(t, stage.String()[:4], []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	m := work.NewMeter(t.Context(), 1<<40)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := spirv.Read(module, spirv.Options{Stage: stage})
	if err != nil {
		t.Fatal(err)
	}
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL}
	c.Work = m
	if err := pipeline.ForTarget(c, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := intel.Compile(s, intel.Options{Target: target.TGL, ABI: row, SIMD: simd, Buffers: 16, Work: m}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return m.Steps(), int(after.TotalAlloc - before.TotalAlloc)
}

// mostVaryings is the number of vectors that fragments of the machines have as inputs; a vertex shader may
// write more.
const mostVaryings = 32

// TestGrowthOfInterfaces: twice the varyings, up to 64 of a vertex shader and as many as there may be of
// a fragment shader with 8 targets, take at most 2.3 times the work and the memory.
func TestGrowthOfInterfaces(t *testing.T) {
	for _, c := range []struct {
		name  string
		stage kind.Stage
		simd  int
		row   *abi.ABI
		most  int
		make  func(n int) string
	}{
		{"vertex", kind.StageVertex, 8, target.TGL.Vertex, 64, vertexOf},
		{"fragment", kind.StageFragment, 8, target.TGL.Fragment, mostVaryings, func(n int) string { return fragmentOf(n, 8) }},
		{"one target", kind.StageFragment, 16, target.TGL.Fragment, mostVaryings, func(n int) string { return fragmentOf(n, 1) }},
	} {
		var steps, bytes int
		for n := 8; n <= c.most; n *= 2 {
			oldSteps, oldBytes := steps, bytes
			steps, bytes = stageSteps(t, c.stage, c.simd, c.row, c.make(n))
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

// TestTooManyVaryings: a fragment shader with 64 vectors as inputs is refused with one error that says the
// limit.
func TestTooManyVaryings(t *testing.T) {
	module, err := oracle.GLSL(t, "frag", []byte(fragmentOf(2*mostVaryings, 8)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = jacquard.Compile(t.Context(), module, jacquard.Options{Target: "tgl"})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprint(mostVaryings)) {
		t.Errorf("64 varyings: %v", err)
	}
}
