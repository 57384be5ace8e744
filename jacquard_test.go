// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/shaders"
)

func module(t testing.TB, name string) []byte {
	t.Helper()
	words, err := shaders.Module(name)
	if err != nil {
		t.Fatal(err)
	}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// outcome returns the result of Compile for a shader, as bytes.
func outcome(ctx context.Context, source []byte) []byte {
	p, err := jacquard.Compile(ctx, source, jacquard.Options{File: "x.spv"})
	if err != nil {
		return []byte(err.Error())
	}
	return fmt.Appendf(nil, "%+v", *p)
}

// TestConcurrent compiles all shaders concurrently and repeatedly, with reused memory, and compares each result with
// that of a single compilation.
func TestConcurrent(t *testing.T) {
	all := shaders.All()
	want := make([][]byte, len(all))
	for i, s := range all {
		want[i] = outcome(t.Context(), module(t, s.Name))
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for k := range all {
				i := (k*7 + worker*13) % len(all)
				if got := outcome(t.Context(), module(t, all[i].Name)); !bytes.Equal(got, want[i]) {
					t.Errorf("%s: compiled with others it gives something else", all[i].Name)
				}
			}
		})
	}
	wg.Wait()
}

func TestCompileErrors(t *testing.T) {
	saxpy := module(t, "saxpy")
	for _, c := range []struct {
		name   string
		source []byte
		opts   jacquard.Options
		want   string
	}{
		{"target", saxpy, jacquard.Options{File: "x", Target: "nv50"}, `x: error: unknown target "nv50"`},
		{"target of another stage", saxpy, jacquard.Options{File: "x", Target: "haswell"}, "x: error: compute shaders cannot be compiled for hsw yet"},
		{"stage", saxpy, jacquard.Options{File: "x", Stage: "mesh"}, `x: error: stage "mesh" is not supported yet`},
		{"another stage", saxpy, jacquard.Options{File: "x", Stage: "vertex"}, "x: word 16: error: the module has a compute shader, not a vertex shader"},
		{"text of another stage", []byte(linkVertex), jacquard.Options{File: "x", Stage: "fragment"}, "x: error: this is a vertex shader, not a fragment shader"},
		{"width", saxpy, jacquard.Options{File: "x", SIMD: 7}, "x: error: there is no SIMD7"},
		{"empty", nil, jacquard.Options{File: "x"}, "x: word 0: error: empty file"},
		{"text", []byte("shader compute main\n"), jacquard.Options{File: "x.jir"}, "x.jir:1:"},
		{"pass", saxpy, jacquard.Options{File: "x", StopAfter: "fly"}, `x: error: the back end has no pass "fly"`},
		{"pass of another target", saxpy, jacquard.Options{File: "x", Target: "icl", StopAfter: "scoreboard"}, `x: error: pass scoreboard does not run for icl`},
		{"machine IR", []byte("mir 1 compute \"main\"\nsimd 16\n"), jacquard.Options{File: "x.mir"}, "x.mir:3:1: error: "},
	} {
		_, err := jacquard.Compile(t.Context(), c.source, c.opts)
		var e *jacquard.Error
		if !errors.As(err, &e) || !bytes.HasPrefix([]byte(err.Error()), []byte(c.want)) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := jacquard.Compile(ctx, saxpy, jacquard.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled compilation ends with %v", err)
	}
}

// TestManyInputs: a shader whose inputs do not fit into registers is refused; a shader whose inputs just fit is
// compiled, with fewer lanes if necessary.
func TestManyInputs(t *testing.T) {
	shader := func(n int) []byte {
		var decls, loads strings.Builder
		for i := range n {
			fmt.Fprintf(&decls, "var @%d \"v\" shader_in f32x4 location=%d\n", i+2, i)
			fmt.Fprintf(&loads, "%%%d = deref_var.32 modes=shader_in type=f32x4 var=@%d\n%%%d = load_deref.32x4 %%%d\n"+
				"%%%d = fadd.32x4 %%%d, %%%d\n",
				1000+i, i+2, 2000+i, 1000+i, i+2, i+1, 2000+i)
		}
		return fmt.Appendf(nil, "shader fragment \"main\"\nvar @1 \"o\" shader_out f32x4 location=0\n%sfn 1 \"main\"() entry {\nb0:\n"+
			"%%1 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)\n%s%%5000 = deref_var.32 modes=shader_out type=f32x4 var=@1\n"+
			"store_deref.x4 %%5000, %%%d write_mask=15\n}\n", decls.String(), loads.String(), n+1)
	}
	for _, c := range []struct {
		n, simd int
		err     string
	}{
		{28, 16, ""},
		{61, 8, ""},
		{62, 8, ""}, // which leave one register, and one in which scratch messages have their header
		{63, 0, "x: error: SIMD16: inputs and push constants take 132 registers; there are 128; SIMD8: inputs and push constants take 130 registers; there are 128"},
	} {
		p, err := jacquard.Compile(t.Context(), shader(c.n), jacquard.Options{File: "x"})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%d inputs: %v, want %s", c.n, err, c.err)
			}
		case err != nil:
			t.Errorf("%d inputs: %v", c.n, err)
		case p.Variants[0].SIMD != c.simd:
			t.Errorf("%d inputs: SIMD%d", c.n, p.Variants[0].SIMD)
		}
	}
}

// TestUnawaitedMachineIR: a missing wait in machine IR is a mistake in the input, not a defect of the compiler. With
// Verify it is found, with its position.
func TestUnawaitedMachineIR(t *testing.T) {
	var text []byte
	o := jacquard.Options{Target: "tgl", SIMD: 16, StopAfter: "scoreboard", Trace: func(s *jacquard.Step) { text = bytes.Clone(s.Text()) }}
	if _, err := jacquard.Compile(t.Context(), module(t, "saxpy"), o); err != nil {
		t.Fatal(err)
	}
	if _, err := jacquard.Compile(t.Context(), text, jacquard.Options{File: "x", Verify: true}); err != nil {
		t.Fatal(err)
	}
	wait := []byte(" {$0.dst}")
	at := bytes.Index(text, wait)
	if at < 0 {
		t.Fatalf("nothing awaits token 0:\n%s", text)
	}
	line := bytes.Count(text[:at], []byte("\n")) + 1
	text = append(bytes.Clone(text[:at]), text[at+len(wait):]...)
	if _, err := jacquard.Compile(t.Context(), text, jacquard.Options{File: "x"}); err != nil {
		t.Errorf("unchecked: %v", err)
	}
	_, err := jacquard.Compile(t.Context(), text, jacquard.Options{File: "x", Verify: true})
	var e *jacquard.Error
	if !errors.As(err, &e) || e.Line != line || e.Column != 3 {
		t.Errorf("%v; want an error in line %d", err, line)
	}
}

// TestTargetOfMachineIR: machine IR is compiled for the target that its text names, unless another is requested.
func TestTargetOfMachineIR(t *testing.T) {
	var text []byte
	o := jacquard.Options{File: "x", Target: "icl", SIMD: 16, StopAfter: "legalize",
		Trace: func(s *jacquard.Step) { text = bytes.Clone(s.Text()) }}
	if _, err := jacquard.Compile(t.Context(), module(t, "saxpy"), o); err != nil {
		t.Fatal(err)
	}
	want, err := jacquard.Compile(t.Context(), module(t, "saxpy"), jacquard.Options{Target: "icl", SIMD: 16})
	if err != nil {
		t.Fatal(err)
	}
	got, err := jacquard.Compile(t.Context(), text, jacquard.Options{File: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Target != "icl" || !bytes.Equal(got.Variants[0].Code, want.Variants[0].Code) {
		t.Errorf("for %s, %d bytes of code; want %d for icl", got.Target, len(got.Variants[0].Code), len(want.Variants[0].Code))
	}
	for name, o := range map[string]jacquard.Options{
		`x:2:1: error: the machine IR is for target "icl", not tgl`: {File: "x", Target: "tgl"},
		"x: error: pass scoreboard does not run for icl":            {File: "x", StopAfter: "scoreboard"},
	} {
		if _, err := jacquard.Compile(t.Context(), text, o); err == nil || err.Error() != name {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

// BenchmarkCompile compiles each of the larger shaders.
func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"saxpy", "bitonic", "matmul", "nbody"} {
		source := module(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			instructions := 0
			for b.Loop() {
				p, err := jacquard.Compile(b.Context(), source, jacquard.Options{})
				if err != nil {
					b.Fatal(err)
				}
				instructions = p.Variants[0].Stats.Instructions
			}
			b.ReportMetric(float64(instructions), "instructions")
		})
	}
}

// TestNullTarget: the launcher is told of the null surface that a fragment shader without render targets writes where messages
// must name a surface.
func TestNullTarget(t *testing.T) {
	const store = "var @1 \"o\" shader_out f32x4 location=0\nfn 1 \"main\"() entry {\nb0:\n" +
		"%1 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)\n%2 = deref_var.32 modes=shader_out type=f32x4 var=@1\n" +
		"store_deref.x4 %2, %1 write_mask=15\n}\n"
	for _, c := range []struct {
		target, body string
		want         bool
	}{
		{"skl", "fn 1 \"main\"() entry {\nb0:\n}\n", true},
		{"skl", store, false},
		{"icl", "fn 1 \"main\"() entry {\nb0:\n}\n", false},
	} {
		text := "shader fragment \"main\"\n" + c.body
		p, err := jacquard.Compile(t.Context(), []byte(text), jacquard.Options{Target: jacquard.Target(c.target)})
		if err != nil {
			t.Fatal(err)
		}
		if p.ABI.NullTarget != c.want {
			t.Errorf("%s: %v, want %v for\n%s", c.target, p.ABI.NullTarget, c.want, text)
		}
	}
}
