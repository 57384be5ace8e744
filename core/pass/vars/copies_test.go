package vars_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/vars"
)

// copiesHead has whole objects: %10 and %11 in buffers, %12 in the same memory perhaps as
// another, %13 and %14 private, %15 volatile, %16 and %17 elements of an array of buffers.
const copiesHead = `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  [64 x [64 x u32, 4], 256] "a" offset=0
}
var @1 "b" ssbo S1
var @2 "c" ssbo S1 binding=1
var @3 "d" ssbo S1 binding=2 access=aliased
var @4 "t" function_temp [64 x [64 x u32, 4], 256] fn=1
var @5 "u" function_temp [64 x [64 x u32, 4], 256] fn=1
var @6 "v" ssbo S1 binding=3 access=volatile
var @7 "w" ssbo [2 x S1, 0] binding=4
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x1)
    %2 = deref_var.32 modes=ssbo type=S1 var=@1
    %10 = deref_struct.32 %2 modes=ssbo type=[64 x [64 x u32, 4], 256]
    %3 = deref_var.32 modes=ssbo type=S1 var=@2
    %11 = deref_struct.32 %3 modes=ssbo type=[64 x [64 x u32, 4], 256]
    %4 = deref_var.32 modes=ssbo type=S1 var=@3
    %12 = deref_struct.32 %4 modes=ssbo type=[64 x [64 x u32, 4], 256]
    %13 = deref_var.32 modes=function_temp type=[64 x [64 x u32, 4], 256] var=@4
    %14 = deref_var.32 modes=function_temp type=[64 x [64 x u32, 4], 256] var=@5
    %5 = deref_var.32 modes=ssbo type=S1 var=@6
    %15 = deref_struct.32 %5 modes=ssbo type=[64 x [64 x u32, 4], 256]
    %6 = deref_var.32 modes=ssbo type=[2 x S1, 0] var=@7
    %7 = deref_array.32 %6, %0 modes=ssbo type=S1
    %16 = deref_struct.32 %7 modes=ssbo type=[64 x [64 x u32, 4], 256]
    %8 = deref_array.32 %6, %1 modes=ssbo type=S1
    %17 = deref_struct.32 %8 modes=ssbo type=[64 x [64 x u32, 4], 256]
    %20 = deref_array.32 %10, %0 modes=ssbo type=[64 x u32, 4]
    %21 = deref_array.32 %20, %0 modes=ssbo type=u32
    %22 = deref_array.32 %11, %0 modes=ssbo type=[64 x u32, 4]
    %23 = deref_array.32 %22, %0 modes=ssbo type=u32
    %24 = deref_array.32 %13, %0 modes=function_temp type=[64 x u32, 4]
    %25 = deref_array.32 %24, %0 modes=function_temp type=u32
`

// TestForwardCopies counts the copies that are left.
func TestForwardCopies(t *testing.T) {
	for _, c := range []struct {
		name, body string
		copies     int
	}{
		{"read at once", "copy_deref %13, %10\ncopy_deref %11, %13", 1},
		{"of a copy", "copy_deref %13, %10\ncopy_deref %14, %13\ncopy_deref %11, %14", 1},
		{"onto itself", "copy_deref %13, %10\ncopy_deref %10, %13", 1},
		{"element loaded", "copy_deref %13, %10\n%50 = load_deref.32 %25\nstore_deref.x1 %23, %50 write_mask=1", 0},
		{"source changed before", "store_deref.x1 %21, %0 write_mask=1\ncopy_deref %13, %10\ncopy_deref %11, %13", 1},
		{"source changed between", "copy_deref %13, %10\nstore_deref.x1 %21, %0 write_mask=1\ncopy_deref %11, %13", 2},
		{"other buffer changed between", "copy_deref %13, %10\nstore_deref.x1 %23, %0 write_mask=1\ncopy_deref %11, %13", 1},
		{"copy changed", "copy_deref %13, %10\nstore_deref.x1 %25, %0 write_mask=1\ncopy_deref %11, %13", 2},
		{"perhaps the same memory", "copy_deref %13, %12\ncopy_deref %11, %13", 2},
		{"volatile", "copy_deref %13, %15\ncopy_deref %11, %13", 2},
		{"volatile access", "copy_deref %13, %10 src_access=volatile\ncopy_deref %11, %13", 2},
		{"array of buffers", "copy_deref %13, %16\ncopy_deref %17, %13", 2},
		{"array of buffers to a buffer", "copy_deref %13, %16\ncopy_deref %11, %13", 1},
		{"barrier between", "copy_deref %13, %10\nbarrier execution_scope=workgroup memory_scope=workgroup memory_semantics=acquire|release memory_modes=ssbo\nstore_deref.x1 %21, %0 write_mask=1\ncopy_deref %11, %13", 2},
		{"in an arm, never changed", "copy_deref %13, %10\n%60 = ult.1 %0, %1\nif %60 {\nb1:\n%51 = load_deref.32 %25\nstore_deref.x1 %23, %51 write_mask=1\n} else {\nb2:\n}\nb3:", 0},
		{"in an arm, changed somewhere", "copy_deref %13, %10\n%60 = ult.1 %0, %1\nif %60 {\nb1:\n%51 = load_deref.32 %25\nstore_deref.x1 %23, %51 write_mask=1\n} else {\nb2:\nstore_deref.x1 %21, %0 write_mask=1\n}\nb3:", 1},
		{"read before, in a loop", "loop {\nb1:\n%51 = load_deref.32 %25\nstore_deref.x1 %23, %51 write_mask=1\ncopy_deref %13, %10\n%60 = ult.1 %0, %1\nif %60 {\nb2:\njump_break\n} else {\nb3:\n}\nb4:\n}\nb5:", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, vars.ForwardCopies, copiesHead+c.body+"\n}\n")
			if n := strings.Count(got, "copy_deref"); n != c.copies {
				t.Errorf("%d copies are left, want %d\n%s", n, c.copies, got)
			}
		})
	}
}

// TestCopiesAreLoops: a copy of 4,096 words becomes two loops of few instructions, whatever
// memory the objects are in.
func TestCopiesAreLoops(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"buffers", "copy_deref %11, %10"},
		{"into private memory", "copy_deref %13, %10"},
		{"private memory", "copy_deref %14, %13"},
		{"one by one", "%50 = deref_array_wildcard.32 %10 modes=ssbo type=[64 x u32, 4]\n%51 = deref_array_wildcard.32 %11 modes=ssbo type=[64 x u32, 4]\ncopy_deref %51, %50"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, vars.LowerVarCopies, copiesHead+c.body+"\n}\n")
			if n := strings.Count(got, "\n"); strings.Count(got, "loop") != 2 || n > 180 || strings.Count(got, "= load_deref") != 16 {
				t.Errorf("%d lines\n%s", n, got)
			}
		})
	}
}
