package vars_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/vars"
)

// varsHead has places that derefs lead to: elements of a buffer (%10 [%0], %11
// [%0 + 1], %12 the same as %10), of a private array (%20 [1], %21 [2], %22
// [%0]), of a private array of vectors (%9 [1]), and of workgroup memory (%30).
const varsHead = `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
struct S2 "C" block {
  u32 "x" offset=0
  u32 "y" offset=4
}
var @1 "b" ssbo S1
var @2 "t" function_temp [4 x u32, 0] fn=1
var @3 "s" shared u32
var @4 "c" ssbo S2 binding=1
var @5 "v" ssbo S2 binding=2 access=volatile
var @6 "w" ssbo u32x4 binding=3
var @7 "q" function_temp [4 x u32x4, 0] fn=1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x1)
    %2 = load_const.32 value=(0x2)
    %3 = iadd.32 %0, %1
    %4 = deref_var.32 modes=ssbo type=S1 var=@1
    %5 = deref_struct.32 %4 modes=ssbo type=[0 x u32, 4]
    %10 = deref_array.32 %5, %0 modes=ssbo type=u32
    %11 = deref_array.32 %5, %3 modes=ssbo type=u32
    %12 = deref_array.32 %5, %0 modes=ssbo type=u32
    %13 = deref_var.32 modes=function_temp type=[4 x u32, 0] var=@2
    %20 = deref_array.32 %13, %1 modes=function_temp type=u32
    %21 = deref_array.32 %13, %2 modes=function_temp type=u32
    %22 = deref_array.32 %13, %0 modes=function_temp type=u32
    %30 = deref_var.32 modes=shared type=u32 var=@3
    %40 = deref_var.32 modes=ssbo type=S2 var=@4
    %41 = deref_struct.32 %40 modes=ssbo type=u32
    %42 = deref_struct.32 %40 modes=ssbo type=u32 member=1
    %43 = deref_var.32 modes=ssbo type=S2 var=@5
    %44 = deref_struct.32 %43 modes=ssbo type=u32
    %45 = deref_var.32 modes=ssbo type=u32x4 var=@6
    %46 = mov.32x4 %0.xxxx
    %8 = deref_var.32 modes=function_temp type=[4 x u32x4, 0] var=@7
    %9 = deref_array.32 %8, %1 modes=function_temp type=u32x4
`

// TestCopyPropVars counts the loads that are left.
func TestCopyPropVars(t *testing.T) {
	for _, c := range []struct {
		name, body string
		loads      int
	}{
		{"load twice", "%50 = load_deref.32 %10\n%51 = load_deref.32 %12\n%52 = iadd.32 %50, %51\nstore_deref.x1 %30, %52 write_mask=1", 1},
		{"store between to another element", "%50 = load_deref.32 %10\nstore_deref.x1 %11, %0 write_mask=1\n%51 = load_deref.32 %12\nstore_deref.x1 %30, %51 write_mask=1", 2},
		{"store between to another member", "%50 = load_deref.32 %41\nstore_deref.x1 %42, %0 write_mask=1\n%51 = load_deref.32 %41\nstore_deref.x1 %30, %51 write_mask=1", 1},
		{"store between to another buffer", "%50 = load_deref.32 %41\nstore_deref.x1 %10, %0 write_mask=1\n%51 = load_deref.32 %41\nstore_deref.x1 %30, %51 write_mask=1", 2},
		{"store between to workgroup memory", "%50 = load_deref.32 %41\nstore_deref.x1 %30, %0 write_mask=1\n%51 = load_deref.32 %41\nstore_deref.x1 %10, %51 write_mask=1", 1},
		{"buffer: store does not forward", "store_deref.x1 %10, %0 write_mask=1\n%51 = load_deref.32 %10\nstore_deref.x1 %30, %51 write_mask=1", 1},
		{"private: store forwards", "store_deref.x1 %20, %0 write_mask=1\nstore_deref.x1 %21, %1 write_mask=1\n%51 = load_deref.32 %20\nstore_deref.x1 %30, %51 write_mask=1", 0},
		{"private: unknown element between", "store_deref.x1 %20, %0 write_mask=1\nstore_deref.x1 %22, %1 write_mask=1\n%51 = load_deref.32 %20\nstore_deref.x1 %30, %51 write_mask=1", 1},
		{"private: unknown element forwards", "store_deref.x1 %22, %2 write_mask=1\n%51 = load_deref.32 %22\nstore_deref.x1 %30, %51 write_mask=1", 0},
		{"shared: store forwards", "store_deref.x1 %30, %0 write_mask=1\n%51 = load_deref.32 %30\nstore_deref.x1 %10, %51 write_mask=1", 0},
		{"shared: barrier between", "store_deref.x1 %30, %0 write_mask=1\nbarrier execution_scope=workgroup memory_scope=workgroup memory_semantics=acquire|release memory_modes=shared\n%51 = load_deref.32 %30\nstore_deref.x1 %10, %51 write_mask=1", 1},
		{"buffer: barrier of workgroup memory between", "%50 = load_deref.32 %10\nbarrier execution_scope=workgroup memory_scope=workgroup memory_semantics=acquire|release memory_modes=shared\n%51 = load_deref.32 %10\nstore_deref.x1 %30, %51 write_mask=1", 1},
		{"shared: barrier of several memories between", "store_deref.x1 %30, %0 write_mask=1\nbarrier execution_scope=workgroup memory_scope=workgroup memory_semantics=acquire|release memory_modes=shared|ssbo\n%51 = load_deref.32 %30\nstore_deref.x1 %10, %51 write_mask=1", 1},
		{"private: store beyond the end between", "store_deref.x1 %20, %0 write_mask=1\n%49 = load_const.32 value=(0x5)\n%48 = deref_array.32 %13, %49 modes=function_temp type=u32\nstore_deref.x1 %48, %1 write_mask=1\n%51 = load_deref.32 %20\nstore_deref.x1 %30, %51 write_mask=1", 1},
		{"atomic between", "%50 = load_deref.32 %10\n%51 = deref_atomic.32 %12, %1 atomic_op=iadd\n%52 = load_deref.32 %10\nstore_deref.x1 %30, %52 write_mask=1", 2},
		{"volatile", "%50 = load_deref.32 %44\n%51 = load_deref.32 %44\n%52 = iadd.32 %50, %51\nstore_deref.x1 %30, %52 write_mask=1", 2},
		{"volatile access", "%50 = load_deref.32 %41 access=volatile\n%51 = load_deref.32 %41 access=volatile\n%52 = iadd.32 %50, %51\nstore_deref.x1 %30, %52 write_mask=1", 2},
		{"into an arm", "%50 = load_deref.32 %10\n%60 = ult.1 %0, %1\nif %60 {\nb1:\n%51 = load_deref.32 %10\nstore_deref.x1 %30, %51 write_mask=1\n} else {\nb2:\n}\nb3:\n%52 = load_deref.32 %10\nstore_deref.x1 %20, %52 write_mask=1", 2},
		{"behind quiet arms", "%50 = load_deref.32 %10\n%60 = ult.1 %0, %1\nif %60 {\nb1:\n%51 = load_deref.32 %11\n} else {\nb2:\n}\nb3:\n%52 = load_deref.32 %10\nstore_deref.x1 %20, %52 write_mask=1", 2},
		{"out of a loop", "%50 = load_deref.32 %10\nloop {\nb1:\n%51 = load_deref.32 %10\nstore_deref.x1 %30, %51 write_mask=1\njump_break\n}\nb2:", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, vars.CopyPropVars, varsHead+c.body+"\n}\n")
			if n := strings.Count(got, "load_deref"); n != c.loads {
				t.Errorf("%d loads are left, want %d\n%s", n, c.loads, got)
			}
		})
	}
}

// TestDeadWriteVars counts the stores that are left.
func TestDeadWriteVars(t *testing.T) {
	for _, c := range []struct {
		name, body string
		stores     int
	}{
		{"covered", "store_deref.x1 %10, %0 write_mask=1\nstore_deref.x1 %12, %1 write_mask=1", 1},
		{"covered in part", "store_deref.x4 %45, %46 write_mask=7\nstore_deref.x4 %45, %46 write_mask=12", 2},
		{"covered by more", "store_deref.x4 %45, %46 write_mask=6\nstore_deref.x4 %45, %46 write_mask=7", 1},
		{"covered by two together", "store_deref.x4 %45, %46 write_mask=7\nstore_deref.x4 %45, %46 write_mask=3\nstore_deref.x4 %45, %46 write_mask=12", 2},
		{"an element covered in part", "store_deref.x4 %9, %46 write_mask=7\nstore_deref.x4 %9, %46 write_mask=12\n%50 = load_deref.32x4 %9\nstore_deref.x1 %30, %50.x write_mask=1", 3},
		{"an element covered by more", "store_deref.x4 %9, %46 write_mask=6\nstore_deref.x4 %9, %46 write_mask=7\n%50 = load_deref.32x4 %9\nstore_deref.x1 %30, %50.x write_mask=1", 2},
		{"another element", "store_deref.x1 %10, %0 write_mask=1\nstore_deref.x1 %11, %1 write_mask=1", 2},
		{"read between", "store_deref.x1 %10, %0 write_mask=1\n%50 = load_deref.32 %11\nstore_deref.x1 %12, %50 write_mask=1", 2},
		{"read of another member between", "store_deref.x1 %41, %0 write_mask=1\n%50 = load_deref.32 %42\nstore_deref.x1 %41, %50 write_mask=1", 1},
		{"barrier between", "store_deref.x1 %30, %0 write_mask=1\nbarrier execution_scope=workgroup memory_scope=workgroup memory_semantics=acquire|release memory_modes=shared\nstore_deref.x1 %30, %1 write_mask=1", 2},
		{"atomic between", "store_deref.x1 %10, %0 write_mask=1\n%50 = deref_atomic.32 %12, %1 atomic_op=iadd\nstore_deref.x1 %10, %1 write_mask=1", 2},
		{"volatile", "store_deref.x1 %44, %0 write_mask=1\nstore_deref.x1 %44, %1 write_mask=1", 2},
		{"never read", "store_deref.x1 %20, %0 write_mask=1\nstore_deref.x1 %22, %1 write_mask=1\nstore_deref.x1 %30, %1 write_mask=1", 1},
		{"read elsewhere", "store_deref.x1 %20, %0 write_mask=1\n%50 = load_deref.32 %22\nstore_deref.x1 %30, %50 write_mask=1", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, vars.DeadWriteVars, varsHead+c.body+"\n}\n")
			if n := strings.Count(got, "store_deref"); n != c.stores {
				t.Errorf("%d stores are left, want %d\n%s", n, c.stores, got)
			}
		})
	}
}
