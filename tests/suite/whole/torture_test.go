// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/differential"
)

// torture are shaders that are hard on register allocation: for each, the body of its
// function main. Buffers u (uniform) and b are arrays of "type" with consecutive
// numbers from "from" by steps of "by".
var torture = []struct {
	name, typ string
	uniforms  int
	from, by  string
	head      string // before main
	main      string
	loose     bool // lavapipe may round otherwise
	large     bool // too much for lavapipe
	huge      bool // too much for every run of the tests
}{
	{name: "uniform_mat4", typ: "vec4", uniforms: 32, from: "-0.15", by: "0.0025", loose: true, main: matrices(8, "vec4", "0.5")},
	{name: "uniform_vec4", typ: "vec4", uniforms: 64, from: "-0.15", by: "0.0025", loose: true, main: vectors(32, 1)},
	{name: "8_matrices", typ: "uvec4", uniforms: 32, from: "3", by: "7", main: matrices(8, "uvec4", "3u")},
	{name: "64_matrices", typ: "uvec4", uniforms: 256, from: "3", by: "7", main: matrices(64, "uvec4", "3u")},
	{name: "switch_of_1000", typ: "uint", uniforms: 1, from: "0", by: "13", main: manyCases(1000, 1), large: true},
	{name: "switch_of_16000", typ: "uint", uniforms: 1, from: "0", by: "13", main: manyCases(16000, 1), large: true, huge: true},
	{name: "switch_with_gaps", typ: "uint", uniforms: 1, from: "0", by: "5", main: manyCases(300, 13)},
	{name: "switch_of_signed", typ: "uint", uniforms: 1, from: "0", by: "1",
		main: strings.Replace(manyCases(40, 1), "switch (x)", "switch (int(x) - 20)", 1) + "x += 1;" + signedCases(-20, 20)},
	{name: "32_vectors_over_a_loop", typ: "uvec4", uniforms: 64, from: "5", by: "11", main: vectors(32, 3)},
	{name: "400_values", typ: "uint", uniforms: 1, from: "1", by: "3", main: liveValues(400, "uint", "b[(g * %du + %du) & 127u]")},
	{name: "200_words", typ: "uint", uniforms: 1, from: "1", by: "3", main: liveValues(200, "uint16_t", "uint16_t(b[(g * %du + %du) & 127u])")},
	{name: "200_halves", typ: "uint", uniforms: 1, from: "1", by: "3", main: liveValues(200, "float16_t", "float16_t(b[(g * %du + %du) & 127u] & 7u)"), loose: true},
	{name: "500_words", typ: "uint", uniforms: 1, from: "1", by: "3", main: liveValues(500, "uint16_t", "uint16_t(b[(g * %du + %du) & 127u])"), large: true},
	{name: "uniform_words", typ: "uint", uniforms: 250, from: "1", by: "3", main: liveValues(250, "uint16_t", "uint16_t(u[%d / 2] * u[%d] + 1u)")},
	{name: "250_scalars", typ: "uint", uniforms: 250, from: "1", by: "3", main: liveValues(250, "uint", "u[%d / 2] * u[%d] + 1u")},
	{name: "900_values", typ: "uint", uniforms: 1, from: "1", by: "3", main: liveValues(900, "uint", "b[(g * %du + %du) & 127u]"), large: true},
	// At 32 lanes 200 KiB of spilled registers, more than one header reaches.
	{name: "1600_values", typ: "uint", uniforms: 1, from: "1", by: "3", main: liveValues(1600, "uint", "b[(g * %du + %du) & 127u]"), large: true},
	{name: "1000_constants", typ: "uint", uniforms: 1, from: "1", by: "3", main: literals(1000), large: true},
	{name: "64_conditions", typ: "uint", uniforms: 1, from: "1", by: "7", main: conditions(64)},
	{name: "64_uniform_conditions", typ: "uint", uniforms: 128, from: "1", by: "7", main: strings.ReplaceAll(conditions(64), "b[(g +", "u[(")},
	{name: "64_nested_ifs", typ: "uint", uniforms: 1, from: "1", by: "77", main: nested(64)},
	{name: "array_of_8", typ: "uint", uniforms: 1, from: "1", by: "77", main: array(8)},
	{name: "array_of_64", typ: "uint", uniforms: 1, from: "1", by: "77", main: array(64)},
}

// matrices multiplies with n uniform matrices in a loop, all of which are live
// through it.
func matrices(n int, vec, factor string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "for (int k = 0; k < 4; k++) {\n  for (int j = 0; j < 2; j++) x = x * %s + %s(j);\n", factor, vec)
	for m := n - 1; m >= 0; m-- {
		fmt.Fprintf(&b, "  x = u[%d] * x.x + u[%d] * x.y + u[%d] * x.z + u[%d] * x.w;\n", 4*m, 4*m+1, 4*m+2, 4*m+3)
	}
	b.WriteString("}\n")
	return b.String()
}

// vectors reads n uniform vectors and uses them, the last first, in a loop of so
// many trips.
func vectors(n, trips int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "T c%d = u[%d];\n", i, i)
	}
	fmt.Fprintf(&b, "for (int k = 0; k < %d; k++) {\n", trips)
	for i := n - 1; i > 0; i -= 2 {
		fmt.Fprintf(&b, "  x = x * c%d + c%d;\n", i, i-1)
	}
	b.WriteString("}\n")
	return b.String()
}

// manyCases returns a switch of n cases, by apart, and a default.
func manyCases(n, by int) string {
	var b strings.Builder
	b.WriteString("switch (x) {\n")
	for i := range n {
		fmt.Fprintf(&b, "case %d: x = x * %du ^ 5u; break;\n", i*by, 2*i+3)
	}
	b.WriteString("default: x = 77u;\n}\n")
	return b.String()
}

// signedCases returns a switch of signed numbers, from high down to low.
func signedCases(low, high int) string {
	var b strings.Builder
	b.WriteString("switch (int(g) - 30) {\n")
	for i := high - 1; i >= low; i-- {
		fmt.Fprintf(&b, "case %d: x += b[%d] * 3u; break;\n", i, i-low)
	}
	b.WriteString("default: x ^= 9u;\n}\n")
	return b.String()
}

// liveValues computes n values of a type, which a loop reads, the last first.
func liveValues(n int, typ, value string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s v%d = %s;\n", typ, i, fmt.Sprintf(value, 2*i+1, i))
	}
	fmt.Fprintf(&b, "%s s = %s(x & 31u);\nfor (int k = 0; k < 2; k++) {\n", typ, typ)
	for i := n - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "  s = s * %s(%s) + v%d;\n", typ, map[bool]string{true: "0.5", false: "3"}[typ == "float16_t"], i)
	}
	b.WriteString("}\nx = uint(s);\n")
	return b.String()
}

// literals computes with n constants, in a loop.
func literals(n int) string {
	var b strings.Builder
	b.WriteString("for (int k = 0; k < 3; k++) {\n")
	for i := range uint32(n) {
		fmt.Fprintf(&b, "  x = (x ^ %du) + (x >> %du);\n", i*2654435761, i%31)
	}
	b.WriteString("}\n")
	return b.String()
}

// conditions computes n conditions, which a loop asks for.
func conditions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "bool c%d = b[(g + %du) & 127u] > %du;\n", i, i, 7*i)
	}
	b.WriteString("for (int k = 0; k < 3; k++) {\n")
	for i := range n {
		fmt.Fprintf(&b, "  if (c%d) x = x * 3u + b[(x + %du) & 127u];\n", i, i)
	}
	b.WriteString("}\n")
	return b.String()
}

// nested returns n ifs, each in the one before.
func nested(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "if ((x >> %du & 1u) != 0u || b[(x + %du) & 127u] > %du) {\nx = x * 3u + %du;\n", i%8, i, i, i)
	}
	return b.String() + strings.Repeat("}", n) + "\n"
}

// array reads and writes an array of n elements at places that it computes.
func array(n int) string {
	return fmt.Sprintf(`uint a[%[1]d];
for (int i = 0; i < %[1]d; i++) a[i] = b[(g + uint(i)) & 127u];
for (int k = 0; k < 10; k++) {
  uint j = x %% %[1]du;
  a[j] = a[(x >> 6) %% %[1]du] + x;
  x = x * 5u + a[(j * 7u) %% %[1]du];
}
`, n)
}

// torturers calls each for the machines and widths to test.
func torturers(t *testing.T, each func(machine *target.Target, simd int)) {
	for _, machine := range []*target.Target{target.TGL, target.ICL} {
		for _, simd := range machine.Widths {
			each(machine, simd)
		}
	}
}

// TestTorture compiles each shader at every width of the machines, with all checks of the compiler, and compares its
// results on the model with the interpreter and lavapipe.
func TestTorture(t *testing.T) {
	for _, s := range torture {
		if s.huge && os.Getenv("JACQUARD_LIMITS") == "" {
			continue // make limits runs it
		}
		text := tortureScript(s.typ, s.uniforms, s.from, s.by, s.head, s.main)
		torturers(t, func(machine *target.Target, simd int) {
			t.Run(fmt.Sprintf("%s/%s/%d", s.name, machine.Name, simd), func(t *testing.T) {
				t.Parallel()
				script, err := amber.Parse(s.name+".amber", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				mod := func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }
				e := &all{Engine: differential.New(machine, mod, simd)}
				e.Model.Options.Verify = !s.huge
				if machine == target.TGL && simd == 16 && !s.loose && !s.large {
					e.driver = openLavapipe(t, script).(*lavapipe.Engine)
				}
				if _, err := script.Run(t.Context(), e); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestTortureTime: none of the shaders takes more than two seconds of processor time
// at a width.
func TestTortureTime(t *testing.T) {
	if os.Getenv("JACQUARD_LIMITS") == "" {
		t.Skip("make limits runs it")
	}
	for _, s := range torture {
		script, err := amber.Parse(s.name+".amber", []byte(tortureScript(s.typ, s.uniforms, s.from, s.by, s.head, s.main)))
		if err != nil {
			t.Fatal(err)
		}
		module, err := moduleBytes(t, script.Shaders[0])
		if err != nil {
			t.Fatal(err)
		}
		torturers(t, func(machine *target.Target, simd int) {
			var before, after syscall.Rusage
			runtime.GC()
			syscall.Getrusage(syscall.RUSAGE_SELF, &before)
			p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd})
			syscall.Getrusage(syscall.RUSAGE_SELF, &after)
			if err != nil {
				t.Errorf("%s, %s, SIMD%d: %v", s.name, machine, simd, err)
				return
			}
			took := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
			st := &p.Variants[0].Stats
			t.Logf("%s, %s, SIMD%d: %v, %d instructions, %d spills, %d fills", s.name, machine, simd, took, st.Instructions, st.Spills,
				st.Fills)
			if took > 2*time.Second {
				t.Errorf("%s, %s, SIMD%d takes %v", s.name, machine, simd, took)
			}
		})
	}
}

// all is a differential engine with a driver as the third.
type all struct {
	*differential.Engine
	driver *lavapipe.Engine // may be nil
}

func (e *all) Dispatch(ctx context.Context, c *runner.Call) error {
	theirs := differential.CopyCall(c)
	if err := e.Engine.Dispatch(ctx, c); err != nil || e.driver == nil {
		return err
	}
	if err := e.driver.Dispatch(ctx, theirs); err != nil {
		return err
	}
	for i, b := range c.Bindings {
		if string(b.Data) != string(theirs.Bindings[i].Data) {
			return fmt.Errorf("set %d binding %d: lavapipe computes something else", b.Set, b.Binding)
		}
	}
	return nil
}

// tortureScript returns a script that runs a shader in 64 invocations, each of which
// has a value x of type typ.
func tortureScript(typ string, uniforms int, from, by, head, main string) string {
	scalar := map[string]string{"vec4": "float", "uvec4": "uint32", "uint": "uint32"}[typ]
	comps := 4
	if typ == "uint" {
		comps = 1
	}
	return fmt.Sprintf(`#!amber
SHADER compute torture GLSL TARGET_ENV spv1.3
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#define T %s
layout(local_size_x = 64) in;
layout(std140, binding = 0) uniform U { T u[%d]; };
layout(std430, binding = 1) buffer B { T b[128]; T out_[]; };
%s
void main() {
uint g = gl_GlobalInvocationID.x;
T x = b[g];
%s
out_[g] = x;
}
END
BUFFER u DATA_TYPE %s SIZE %d SERIES_FROM %s INC_BY %s
BUFFER b DATA_TYPE %s SIZE %d SERIES_FROM %s INC_BY %s
PIPELINE compute pipeline
  ATTACH torture
  BIND BUFFER u AS uniform DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN pipeline 1 1 1
EXPECT u EQ_BUFFER u
`, typ, uniforms, head, main, scalar, 4*uniforms, from, by, scalar, 3*64*comps, from, by)
}

// TestScratchLimit: a thread has 2 MiB of scratch memory, which is 64, 128 and 256
// KiB for each of 32, 16 and 8 lanes. A shader that needs more is rejected at that width.
func TestScratchLimit(t *testing.T) {
	for _, c := range []struct{ kib, widest int }{{64, 32}, {128, 16}, {256, 8}, {257, 0}} {
		n := c.kib * 256
		refusal := "SIMD%d: "
		if c.widest == 0 {
			refusal = "scratch memory for an invocation"
		}
		main := fmt.Sprintf(`uint a[%[1]d];
for (uint i = 0; i < 20; i++) a[(i * 1997u + b[(g + i) & 127u]) %% %[1]du] = x + i;
a[%[1]d - 1] = x;
for (uint i = 0; i < 20; i++) x = x * 3u + a[(i * 1997u + b[(g + i) & 127u]) %% %[1]du];
x += a[%[1]d - 1];
`, n)
		torturers(t, func(machine *target.Target, simd int) {
			t.Run(fmt.Sprintf("%d/%s/%d", c.kib, machine.Name, simd), func(t *testing.T) {
				t.Parallel()
				script, err := amber.Parse("scratch.amber", []byte(tortureScript("uint", 1, "1", "77", "", main)))
				if err != nil {
					t.Fatal(err)
				}
				e := differential.New(machine, func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }, simd)
				e.Model.Options.Verify = true
				_, err = script.Run(t.Context(), e)
				switch {
				case simd <= c.widest && err != nil:
					t.Error(err)
				case simd > c.widest && (err == nil || !strings.Contains(err.Error(), strings.ReplaceAll(refusal, "%d", fmt.Sprint(simd)))):
					t.Errorf("it ends with %v", err)
				}
			})
		})
	}
}
