// SPDX-License-Identifier: MIT

package link_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/link"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// linked links a pair and returns the accesses to user-defined locations of both.
func linked(t *testing.T, vertex, fragment string) (vs, fs string, stats link.Stats) {
	t.Helper()
	v := pass.New(passtest.Parse(t, vertex))
	var f *pass.Context
	if fragment != "" {
		f = pass.New(passtest.Parse(t, fragment))
	}
	for _, c := range []*pass.Context{v, f} {
		if c != nil {
			if err := pipeline.ToSlots(c, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	stats, err := pipeline.Link(v, f, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	both := []string{"", ""}
	for i, c := range []*pass.Context{v, f} {
		if c == nil {
			continue
		}
		if err := validate.Shader(c.S); err != nil {
			t.Fatal(err)
		}
		both[i] = string(text.Print(c.S))
	}
	return both[0], both[1], stats
}

// places returns location, first component and number of components of the accesses.
func places(shader, what string) []string {
	var out []string
	for line := range strings.Lines(shader) {
		if !strings.Contains(line, what) || strings.Contains(line, "io_builtin=") {
			continue
		}
		var base, component, mask int
		for _, f := range strings.Fields(line) {
			fmt.Sscanf(f, "base=%d", &base)
			fmt.Sscanf(f, "component=%d", &component)
			fmt.Sscanf(f, "write_mask=%d", &mask)
		}
		out = append(out, fmt.Sprintf("%d.%d/%d", base, component, mask))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

const vertexHead = `shader vertex "main"
struct S1 "Block" block {
  f32x4 "color" offset=0
  f32 "scale" offset=16
}
struct S2 "gl_PerVertex" block {
  f32x4 "gl_Position" builtin=0
}
var @1 "" shader_out S2
var @2 "in" shader_in f32x4 location=0
var @3 "u" ubo S1 set=0 binding=2
`

const vertexBody = `fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=shader_in type=f32x4 var=@2
    %1 = load_deref.32x4 %0
    %2 = deref_var.32 modes=shader_out type=S2 var=@1
    %3 = deref_struct.32 %2 modes=shader_out type=f32x4
    store_deref.x4 %3, %1 write_mask=15
`

// TestComponents: of components that are constant, uniform, duplicated, never read or never written, only the necessary
// ones are passed, packed by interpolation.
func TestComponents(t *testing.T) {
	vertex := vertexHead + `var @10 "a" shader_out f32x4 location=3
var @11 "b" shader_out f32x2 location=5
var @12 "c" shader_out f32x4 location=9
var @13 "d" shader_out f32x3 location=10
var @14 "f" shader_out f32x2 location=12 qualifier=flat
` + vertexBody + `    %10 = fadd.32x4 %1, %1
    %11 = deref_var.32 modes=shader_out type=f32x4 var=@10
    store_deref.x4 %11, %10 write_mask=15
    %12 = deref_var.32 modes=shader_out type=f32x2 var=@11
    %13 = load_const.32x2 value=(0x40000000, 0x80000000)
    store_deref.x2 %12, %13 write_mask=3
    %14 = deref_var.32 modes=ubo type=S1 var=@3
    %15 = deref_struct.32 %14 modes=ubo type=f32x4
    %16 = load_deref.32x4 %15
    %17 = deref_var.32 modes=shader_out type=f32x4 var=@12
    store_deref.x4 %17, %16 write_mask=15
    %18 = deref_var.32 modes=shader_out type=f32x3 var=@13
    store_deref.x3 %18, %10.yzw write_mask=7
    %19 = deref_var.32 modes=shader_out type=f32x2 var=@14
    store_deref.x2 %19, %1.xy write_mask=3
}
`
	fragment := `shader fragment "main"
struct S1 "Other" block {
  f32x4 "tint" offset=0
  f32 "factor" offset=16
}
var @3 "v" ubo S1 set=0 binding=2
var @10 "p" shader_in f32x2 location=3
var @11 "q" shader_in f32x2 location=5
var @12 "r" shader_in f32x4 location=9
var @13 "s" shader_in f32x3 location=10
var @14 "t" shader_in f32x2 location=12 qualifier=flat
var @15 "x" shader_in f32 location=20
var @20 "o" shader_out f32x4 location=0
fn 1 "main"() entry {
  b0:
    %1 = deref_var.32 modes=shader_in type=f32x2 var=@10
    %2 = load_deref.32x2 %1
    %3 = deref_var.32 modes=shader_in type=f32x2 var=@11
    %4 = load_deref.32x2 %3
    %5 = deref_var.32 modes=shader_in type=f32x4 var=@12
    %6 = load_deref.32x4 %5
    %7 = deref_var.32 modes=shader_in type=f32x3 var=@13
    %8 = load_deref.32x3 %7
    %9 = deref_var.32 modes=shader_in type=f32x2 var=@14
    %10 = load_deref.32x2 %9
    %11 = deref_var.32 modes=shader_in type=f32 var=@15
    %12 = load_deref.32 %11
    %13 = fadd.32x2 %2, %4
    %14 = fadd.32x2 %6.xw, %8.xy
    %15 = fadd.32x2 %13, %14
    %16 = fadd.32x2 %15, %10
    %17 = fadd.32 %16.x, %12
    %18 = deref_var.32 modes=ubo type=S1 var=@3
    %19 = deref_struct.32 %18 modes=ubo type=f32 member=1
    %20 = load_deref.32 %19
    %21 = vec4.32x4 %17, %16.y, %20, %20
    %22 = deref_var.32 modes=shader_out type=f32x4 var=@20
    store_deref.x4 %22, %21 write_mask=15
}
`
	vs, fs, stats := linked(t, vertex, fragment)
	// a.x, a.y, b.y (interpolation does not return its -0), d.y; d.x equals a.y; then the flat components.
	want := link.Stats{Dead: 5, Unwritten: 1, Constant: 1, Uniform: 2, Duplicate: 1, Before: 5, After: 2}
	if stats != want {
		t.Errorf("%+v, want %+v", stats, want)
	}
	if got := places(vs, "store_output"); !slices.Equal(got, []string{"0.0/15", "1.0/3"}) {
		t.Errorf("the vertex shader writes %v", got)
	}
	if got := places(fs, "load_interpolated_input"); !slices.Equal(got, []string{"0.0/0", "0.1/0", "0.2/0", "0.3/0"}) {
		t.Errorf("the fragment shader interpolates %v", got)
	}
	if got := places(fs, "load_input"); !slices.Equal(got, []string{"1.0/0", "1.1/0"}) {
		t.Errorf("the fragment shader reads %v", got)
	}
	if n := strings.Count(fs, "load_deref"); n != 3 {
		t.Errorf("the fragment shader loads %d uniforms", n)
	}
	if t.Failed() {
		t.Log(vs, fs)
	}
}

// TestPositionOnly: without a fragment shader, only the position is written.
func TestPositionOnly(t *testing.T) {
	vs, _, stats := linked(t, vertexHead+"var @10 \"a\" shader_out f32x4 location=3\n"+vertexBody+`    %11 = deref_var.32 modes=shader_out type=f32x4 var=@10
    store_deref.x4 %11, %1 write_mask=15
}
`, "")
	if strings.Count(vs, "store_output") != 1 || !strings.Contains(vs, "io_builtin=position") || stats.Dead != 4 || stats.After != 0 {
		t.Errorf("%+v\n%s", stats, vs)
	}
}

// TestIndexedStayTogether: an array that the fragment shader indexes keeps its components, and its locations stay
// consecutive.
func TestIndexedStayTogether(t *testing.T) {
	vs, fs, stats := linked(t, vertexHead+`var @10 "a" shader_out [3 x f32x2, 0] location=3 component=1
var @11 "b" shader_out f32x4 location=9
`+vertexBody+`    %10 = deref_var.32 modes=shader_out type=[3 x f32x2, 0] var=@10
    %11 = load_const.32 value=(0x1)
    %12 = deref_array.32 %10, %11 modes=shader_out type=f32x2
    store_deref.x2 %12, %1.xy write_mask=3
    %13 = deref_var.32 modes=shader_out type=f32x4 var=@11
    store_deref.x4 %13, %1 write_mask=15
}
`, `shader fragment "main"
var @10 "a" shader_in [3 x f32x2, 0] location=3 component=1
var @11 "b" shader_in f32x4 location=9
var @12 "i" shader_in i32 location=8 qualifier=flat
var @20 "o" shader_out f32x2 location=0
fn 1 "main"() entry {
  b0:
    %1 = deref_var.32 modes=shader_in type=i32 var=@12
    %2 = load_deref.32 %1
    %3 = deref_var.32 modes=shader_in type=[3 x f32x2, 0] var=@10
    %4 = deref_array.32 %3, %2 modes=shader_in type=f32x2
    %5 = load_deref.32x2 %4
    %6 = deref_var.32 modes=shader_in type=f32x4 var=@11
    %7 = load_deref.32x4 %6
    %8 = fadd.32x2 %5, %7.zw
    %9 = deref_var.32 modes=shader_out type=f32x2 var=@20
    store_deref.x2 %9, %8 write_mask=3
}
`)
	if stats.After != 4 || stats.Unwritten != 1 {
		t.Errorf("%+v", stats)
	}
	if got := places(vs, "store_output"); !slices.Equal(got, []string{"0.0/3", "2.1/3"}) {
		t.Errorf("the vertex shader writes %v", got)
	}
	if got := places(fs, "load_interpolated_input"); !slices.Equal(got, []string{"0.0/0", "0.1/0", "1.1/0"}) {
		t.Errorf("the fragment shader interpolates %v", got)
	}
	if t.Failed() {
		t.Log(vs, fs)
	}
}

// TestDoublesStayTogether: a vector of 64-bit components takes two locations; one component of the second is read.
func TestDoublesStayTogether(t *testing.T) {
	vs, fs, stats := linked(t, vertexHead+`var @10 "a" shader_out f64x4 location=3 qualifier=flat
`+vertexBody+`    %10 = f2f64.64x4 %1
    %11 = deref_var.32 modes=shader_out type=f64x4 var=@10
    store_deref.x4 %11, %10 write_mask=15
}
`, `shader fragment "main"
var @10 "a" shader_in f64x4 location=3 qualifier=flat
var @20 "o" shader_out f32 location=0
fn 1 "main"() entry {
  b0:
    %1 = deref_var.32 modes=shader_in type=f64x4 var=@10
    %2 = load_deref.64x4 %1
    %3 = f2f32.32 %2.z
    %4 = deref_var.32 modes=shader_out type=f32 var=@20
    store_deref.x1 %4, %3 write_mask=1
}
`)
	if stats.After != 2 {
		t.Errorf("%+v", stats)
	}
	if got := places(vs, "store_output"); !slices.Equal(got, []string{"0.0/15"}) {
		t.Errorf("the vertex shader writes %v", got)
	}
	if got := places(fs, "load_input"); !slices.Equal(got, []string{"0.0/0"}) {
		t.Errorf("the fragment shader loads %v", got)
	}
	if t.Failed() {
		t.Log(vs, fs)
	}
}

// TestNestedBlocks: blocks whose structs contain another struct twice at each of many levels are compared struct by
// struct.
func TestNestedBlocks(t *testing.T) {
	const levels = 40
	types := "struct S1 \"A\" {\n  f32x4 \"v\" offset=0\n  f32x4 \"w\" offset=16\n}\n"
	load := fmt.Sprintf("%%50 = deref_var.32 modes=ubo type=S%d var=@1\n", levels)
	for i := 2; i <= levels; i++ {
		block := ""
		if i == levels {
			block = " block"
		}
		types += fmt.Sprintf("struct S%d \"A\"%s {\n  S%d \"v\" offset=0\n  S%d \"w\" offset=32\n}\n", i, block, i-1, i-1)
		load += fmt.Sprintf("%%%d = deref_struct.32 %%%d modes=ubo type=S%d\n", 49+i, 48+i, levels+1-i)
	}
	types += fmt.Sprintf("var @1 \"u\" ubo S%d binding=1\n", levels)
	load += fmt.Sprintf("%%98 = deref_struct.32 %%%d modes=ubo type=f32x4\n%%99 = load_deref.32x4 %%98\n", 49+levels)
	_, _, stats := linked(t, "shader vertex \"main\"\n"+types+`var @2 "p" shader_out f32x4 builtin=0
var @3 "o" shader_out f32x4 location=0
fn 1 "main"() entry {
b0:
`+load+`%1 = deref_var.32 modes=shader_out type=f32x4 var=@2
store_deref.x4 %1, %99 write_mask=15
%2 = deref_var.32 modes=shader_out type=f32x4 var=@3
store_deref.x4 %2, %99 write_mask=15
}
`, "shader fragment \"main\"\n"+types+`var @2 "i" shader_in f32x4 location=0
var @3 "o" shader_out f32x4 location=0
fn 1 "main"() entry {
b0:
`+load+`%1 = deref_var.32 modes=shader_in type=f32x4 var=@2
%2 = load_deref.32x4 %1
%3 = fadd.32x4 %2, %99
%4 = deref_var.32 modes=shader_out type=f32x4 var=@3
store_deref.x4 %4, %3 write_mask=15
}
`)
	if stats.Uniform != 4 || stats.After != 0 {
		t.Errorf("%+v", stats)
	}
}
