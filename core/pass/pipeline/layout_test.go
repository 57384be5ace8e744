// SPDX-License-Identifier: MIT

package pipeline_test

import (
	"bytes"
	"context"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// copies copies an object of a buffer, which contains row-major matrices and small elements with strides, to private
// and workgroup variables of the same type and of a type without layout, and from there to another buffer. %3 selects
// an element, so that the private variables stay in memory.
const copies = `shader compute "main"
workgroup_size 1 1 1
struct S1 "T" {
  [4 x u16, 2] "h" offset=24
  matrix(f32x3, 2, 8, row) "m" offset=0
  [2 x f16x2, 16] "v" offset=32
}
struct S2 "T" {
  [4 x u16, 0] "h"
  matrix(f32x3, 2, 0, column) "m"
  [2 x f16x2, 0] "v"
}
struct S3 "B" block {
  [2 x S1, 64] "a" offset=0
}
struct S4 "I" block {
  u32 "i" offset=0
}
var @1 "in" ssbo S3
var @2 "out" ssbo S3 binding=1
var @3 "index" ubo S4 binding=2
var @4 "said" function_temp [2 x S1, 64] fn=1
var @5 "plain" shader_temp [2 x S2, 0]
var @6 "group" shared [2 x S1, 64]
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=ubo type=S4 var=@3
    %1 = deref_struct.32 %0 modes=ubo type=u32
    %2 = load_deref.32 %1
    %3 = iadd.32 %2, %2
    %4 = load_const.32 value=(0x0)
    %5 = deref_var.32 modes=ssbo type=S3 var=@1
    %6 = deref_struct.32 %5 modes=ssbo type=[2 x S1, 64]
    %7 = deref_var.32 modes=function_temp type=[2 x S1, 64] var=@4
    %8 = deref_var.32 modes=shader_temp type=[2 x S2, 0] var=@5
    %9 = deref_var.32 modes=shared type=[2 x S1, 64] var=@6
    %10 = deref_var.32 modes=ssbo type=S3 var=@2
    %11 = deref_struct.32 %10 modes=ssbo type=[2 x S1, 64]
    copy_deref.x1 %7, %6
    copy_deref.x1 %8, %7
    copy_deref.x1 %9, %8
    %12 = deref_array.32 %9, %3 modes=shared type=S1
    %13 = deref_array.32 %7, %3 modes=function_temp type=S1
    copy_deref.x1 %13, %12
    %14 = deref_struct.32 %13 modes=function_temp type=matrix(f32x3, 2, 8, row) member=1
    %15 = deref_array.32 %14, %3 modes=function_temp type=f32x3
    %16 = load_deref.32x3 %15
    %17 = fneg.32x3 %16
    store_deref.x3 %15, %17 write_mask=0x7
    copy_deref.x1 %11, %7
}
`

// TestCopiesBetweenLayouts: the layout in types matters in buffers and nowhere else, before the passes and after them.
func TestCopiesBetweenLayouts(t *testing.T) {
	in := make([]byte, 128)
	for i := range in {
		in[i] = byte(i + 1)
	}
	want := make([]byte, 128)
	for e := range 2 {
		// Three rows of two floats, four halves, two vectors 16 bytes apart.
		for _, at := range [][2]int{{0, 24}, {24, 32}, {32, 36}, {48, 52}} {
			copy(want[64*e+at[0]:64*e+at[1]], in[64*e+at[0]:64*e+at[1]])
		}
	}
	for row := range 3 {
		want[8*row+3] ^= 0x80 // the sign of the first column
	}
	var passes pass.Pipeline
	for _, name := range []string{
		"lower_var_copies", "vars_to_ssa", "split_vars", "lower_indirect_derefs", "explicit_io", "lower_mem_access",
	} {
		passes = append(passes, pipeline.Known.Find(name))
	}
	for n := range len(passes) + 1 {
		for _, only := range []bool{false, true} {
			list := passes[:n]
			if only && n > 0 { // run this pass right after the first
				list = append(pass.Pipeline{passes[0]}, passes[n-1])
			}
			s := passtest.Parse(t, copies)
			if err := pass.New(s).Run(list, nil); err != nil {
				t.Fatal(err)
			}
			if err := validate.Shader(s); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(s))
			}
			call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Seed: uint64(n), Buffers: []interp.Buffer{
				{Data: in}, {Binding: 1, Data: make([]byte, 128)}, {Binding: 2, Data: make([]byte, 4)},
			}}
			if _, err := interp.Run(context.Background(), s, call); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(s))
			}
			if got := call.Buffers[1].Data; !bytes.Equal(got, want) {
				t.Errorf("after %d passes (that one alone: %v):\n%x, want\n%x", n, only, got, want)
			}
		}
	}
}
