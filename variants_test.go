// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/oracle"
)

// latencyBound returns a fragment shader with a long chain of square roots and many values at once. With 62 values, 16
// lanes spill a little, but two threads of 8 lanes take more cycles; with 80, 16 lanes spill so much that two threads
// of 8 lanes take fewer.
func latencyBound(values int) string {
	var b strings.Builder
	b.WriteString("#version 450\nlayout(location=0) in vec4 a;\nlayout(location=1) in vec4 b;\n" +
		"layout(location=0) out vec4 c;\nvoid main() {\n")
	for i := range values {
		fmt.Fprintf(&b, "float v%d = sin(a.%c * %d.25 + b.%c);\n", i, "xyzw"[i%4], i+1, "xyzw"[i/4%4])
	}
	b.WriteString("float x = a.x;\n" + strings.Repeat("x = sqrt(x * 1.01);\n", 150) + "float y = x;\n")
	for i := range values {
		fmt.Fprintf(&b, "y = y * v%d + x;\n", i)
	}
	for i := range values {
		fmt.Fprintf(&b, "y = y * y + v%d;\n", values-1-i)
	}
	b.WriteString("c = vec4(x, y, a.x, b.x);\n}\n")
	return b.String()
}

// TestABIOfWidth: a program's ABI is that of its code, even if another width was tried.
func TestABIOfWidth(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	for values, simd := range map[int]int{62: 16, 80: 8} {
		module, err := oracle.GLSL(t, "frag", []byte(latencyBound(values)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := jacquard.Compile(t.Context(), module, jacquard.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.Variants[0].SIMD != simd {
			t.Fatalf("%d values: SIMD%d", values, p.Variants[0].SIMD)
		}
		for _, part := range p.ABI.Payload { // two registers for each 8 lanes (TGL PRM vol. 9, "Thread Payload")
			if part.Part == "persp_pixel" && part.Registers != simd/4 {
				t.Errorf("%+v of %d lanes", part, simd)
			}
		}
		one, err := jacquard.Compile(t.Context(), module, jacquard.Options{SIMD: simd})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p.ABI, one.ABI) || !reflect.DeepEqual(p.Variants[0].ABI, one.ABI) {
			t.Errorf("the ABI is %+v, and %+v if SIMD%d is requested", p.ABI, one.ABI, simd)
		}
	}
	other, err := jacquard.Compile(t.Context(), spilling(t), jacquard.Options{SIMD: 16})
	if err != nil || other.Variants[0].Stats.Spills == 0 {
		t.Errorf("%v: 62 values do not spill, so that only one width is tried", err)
	}
}

func spilling(t *testing.T) []byte {
	module, err := oracle.GLSL(t, "frag", []byte(latencyBound(62)))
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// TestOptionsWidths: variants for several widths equal those compiled alone; impossible widths are named.
func TestOptionsWidths(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	fragment, err := oracle.GLSL(t, "frag", []byte("#version 450\nlayout(location=0) in vec4 a;\n"+
		"layout(location=0) out vec4 c;\nvoid main() { c = a * 2.0; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	matmul, err := os.ReadFile("tests/shaders/matmul.comp.spv")
	if err != nil {
		t.Fatal(err)
	}
	kept, refused := 0, 0
	for name, module := range map[string][]byte{"a.frag": fragment, "matmul": matmul, "workgroup": wide(t)} {
		asked := []int{32, 8, 16}
		p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Widths: asked})
		if err != nil {
			t.Fatal(name, err)
		}
		i := 0
		for _, simd := range asked {
			one, err := jacquard.Compile(t.Context(), module, jacquard.Options{SIMD: simd})
			if err != nil {
				if p.Impossible[simd] == "" || !strings.HasSuffix(err.Error(), p.Impossible[simd]) {
					t.Errorf("%s at SIMD%d: %q, but alone %v", name, simd, p.Impossible[simd], err)
				}
				refused++
				continue
			}
			v, w := &p.Variants[i], &one.Variants[0]
			if v.SIMD != simd || !bytes.Equal(v.Code, w.Code) || !reflect.DeepEqual(v.ABI, w.ABI) || v.Stats != w.Stats {
				t.Errorf("%s at SIMD%d differs from SIMD%d compiled alone", name, v.SIMD, simd)
			}
			kept++
			i++
		}
		if i != len(p.Variants) || !reflect.DeepEqual(p.ABI, p.Variants[0].ABI) {
			t.Errorf("%s: %d variants, not %d", name, len(p.Variants), i)
		}
	}
	if kept < 7 || refused == 0 {
		t.Errorf("%d widths compiled, %d refused", kept, refused)
	}
	for _, o := range []jacquard.Options{{Widths: []int{8}, SIMD: 8}, {Widths: []int{12}}, {Widths: []int{-8}}} {
		if p, err := jacquard.Compile(t.Context(), fragment, o); err == nil {
			t.Errorf("%v and %d compile: %+v", o.Widths, o.SIMD, p)
		} else if e := (*jacquard.Error)(nil); !errors.As(err, &e) {
			t.Errorf("%v: %v", o.Widths, err)
		}
	}
}

// wide returns a module whose workgroup has too many threads at 8 lanes.
func wide(t *testing.T) []byte {
	module, err := oracle.GLSL(t, "comp", []byte("#version 450\nlayout(local_size_x=1024) in;\n"+
		"layout(binding=0) buffer B { uint b[]; };\nvoid main() { b[gl_GlobalInvocationID.x] = 1; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// TestLayout: descriptors and tables are at the places in the layout, in ABI and code.
func TestLayout(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	module, err := oracle.GLSL(t, "comp", []byte(`#version 450
layout(local_size_x=16) in;
layout(set=0, binding=0) buffer A { uint a[]; };
layout(set=1, binding=4) buffer B { uint b[]; };
layout(set=1, binding=7) uniform sampler2D s;
layout(push_constant) uniform P { uint n; };
void main() { b[gl_GlobalInvocationID.x] = a[n] + a.length() + uint(textureLod(s, vec2(0), 0.0).x); }
`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Layout: &jacquard.Layout{
		PushBytes: 32, Entries: []jacquard.Entry{{Set: 1, Binding: 4, Entry: 2}, {Set: 1, Binding: 7, Entry: 5, Sampler: 3}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, r := range p.ABI.Bindings {
		if r.Kind != "unused" {
			got = append(got, fmt.Sprint(i, ":", r.Set, "/", r.Binding))
		}
	}
	for i, r := range p.ABI.Samplers {
		if r.Kind != "unused" {
			got = append(got, fmt.Sprint("s", i, ":", r.Set, "/", r.Binding))
		}
	}
	if want := "2:1/4 5:1/7 6:0/0 s3:1/7"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
	if p.ABI.PushBytes != 32 || p.ABI.SizesOffset != 32 {
		t.Errorf("%d bytes of push constants, sizes at %d", p.ABI.PushBytes, p.ABI.SizesOffset)
	}
	type entries = []jacquard.Entry
	for _, c := range []struct {
		layout jacquard.Layout
		want   string
		limit  bool // the error is a limit of the target, not a mistake
	}{
		{jacquard.Layout{Entries: entries{{Set: 0, Binding: 0, Entry: 3}, {Set: 1, Binding: 4, Entry: 3}}}, "gives entry 3 to both", false},
		{jacquard.Layout{Entries: entries{{Set: 0, Binding: 0, Entry: 3}, {Set: 0, Binding: 0, Entry: 4}}}, "set 0, binding 0 twice", false},
		{jacquard.Layout{Entries: entries{{Set: 0, Binding: 0, Entry: 5000}}}, "the layout needs room for 5003 descriptors", true},
		{jacquard.Layout{Entries: entries{{Set: 0, Binding: 0, Entry: -1}}}, "out of range", false},
		{jacquard.Layout{PushBytes: 1 << 20}, "bytes of push constants; the limit is", true},
		{jacquard.Layout{PushBytes: -4}, "out of range", false},
	} {
		_, err := jacquard.Compile(t.Context(), module, jacquard.Options{Layout: &c.layout})
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, jacquard.ErrUnsupported) != c.limit {
			t.Errorf("%+v: %v, want %s", c.layout, err, c.want)
		}
	}
	if _, err := jacquard.Compile(t.Context(), module, jacquard.Options{Layout: &jacquard.Layout{}, Zebin: true}); err == nil {
		t.Error("a zebin with a layout is accepted")
	}
}
