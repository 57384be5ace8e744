package vars_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/pass/vars"
)

// privateHead has a private struct @2 of an array and a vector, an array @3 of
// such structs, an array @4 of two arrays, and a vector @5.
const privateHead = `shader compute "main"
workgroup_size 1 1 1
struct S1 "P" {
  [4 x u32, 0] "a"
  u32x4 "v"
}
struct S2 "D" {
  f32 "x"
  u32x2 "y"
}
struct S3 "H" {
  u32 "x"
  u16 "h"
}
var @1 "out" ssbo u32
var @2 "p" function_temp S1 fn=1
var @3 "q" function_temp [3 x S1, 0] fn=1
var @4 "t" function_temp [2 x [4 x u32, 0], 0] fn=1
var @5 "w" function_temp u32x3 fn=1
var @6 "big" function_temp [17 x u32, 0] fn=1
var @7 "few" function_temp [10 x S2, 0] fn=1
var @8 "many" function_temp [11 x S2, 0] fn=1
var @9 "half" function_temp [40 x S3, 0] fn=1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x1)
    %2 = load_const.32 value=(0x2)
    %3 = deref_var.32 modes=ssbo type=u32 var=@1
    %4 = deref_var.32 modes=function_temp type=S1 var=@2
    %5 = deref_var.32 modes=function_temp type=[3 x S1, 0] var=@3
    %6 = deref_var.32 modes=function_temp type=[2 x [4 x u32, 0], 0] var=@4
    %7 = deref_var.32 modes=function_temp type=u32x3 var=@5
    %8 = deref_var.32 modes=function_temp type=[17 x u32, 0] var=@6
`

// TestSplitVars looks for what has to be in the text afterwards.
func TestSplitVars(t *testing.T) {
	for _, c := range []struct{ name, body, want, not string }{
		{"struct", `%10 = deref_struct.32 %4 modes=function_temp type=[4 x u32, 0]
%11 = deref_array.32 %10, %0 modes=function_temp type=u32
%12 = load_deref.32 %11
%13 = deref_struct.32 %4 modes=function_temp type=u32x4 member=1
%14 = load_deref.32x4 %13`, `"p.a" function_temp [4 x u32, 0]`, "deref_struct"},
		{"array of structs", `%10 = deref_array.32 %5, %0 modes=function_temp type=S1
%11 = deref_struct.32 %10 modes=function_temp type=u32x4 member=1
%12 = load_deref.32x4 %11`, `"q.v" function_temp [3 x u32x4, 0]`, "deref_struct"},
		{"array of arrays", `%10 = deref_array.32 %6, %1 modes=function_temp type=[4 x u32, 0]
%11 = deref_array.32 %10, %0 modes=function_temp type=u32
%12 = load_deref.32 %11`, `"t[1]" function_temp [4 x u32, 0]`, `"t[0]"`},
		{"index beyond the end", `%10 = deref_array.32 %6, %2 modes=function_temp type=[4 x u32, 0]
%11 = deref_array.32 %10, %0 modes=function_temp type=u32
%12 = load_deref.32 %11`, `type=[4 x u32, 0]`, `"t[`},
		{"index not known", `%10 = deref_array.32 %6, %0 modes=function_temp type=[4 x u32, 0]
%11 = deref_array.32 %10, %1 modes=function_temp type=u32
%12 = load_deref.32 %11`, `type=[4 x u32, 0]`, `"t[`},
		{"few dwords in structs", `%9 = deref_var.32 modes=function_temp type=[10 x S2, 0] var=@7
%10 = deref_array.32 %9, %0 modes=function_temp type=S2
%11 = deref_struct.32 %10 modes=function_temp type=u32x2 member=1
%12 = load_deref.32x2 %11`, `"few.y" function_temp [10 x u32x2, 0]`, "deref_struct"},
		{"too many dwords in structs for registers", `%9 = deref_var.32 modes=function_temp type=[11 x S2, 0] var=@8
%10 = deref_array.32 %9, %0 modes=function_temp type=S2
%11 = deref_struct.32 %10 modes=function_temp type=u32x2 member=1
%12 = load_deref.32x2 %11`, "deref_struct", `"many.y"`},
		{"known elements of as many", `%9 = deref_var.32 modes=function_temp type=[11 x S2, 0] var=@8
%10 = deref_array.32 %9, %1 modes=function_temp type=S2
%11 = deref_struct.32 %10 modes=function_temp type=u32x2 member=1
%12 = load_deref.32x2 %11`, `"many.y[1]" function_temp u32x2`, "deref_struct"},
		{"structs with a word", `%9 = deref_var.32 modes=function_temp type=[40 x S3, 0] var=@9
%10 = deref_array.32 %9, %0 modes=function_temp type=S3
%11 = deref_struct.32 %10 modes=function_temp type=u32
%12 = load_deref.32 %11`, `"half.x" function_temp [40 x u32, 0]`, "deref_struct"},
		{"looked at by a cast", `%10 = deref_struct.32 %4 modes=function_temp type=[4 x u32, 0]
%11 = deref_cast.32 %10 modes=function_temp type=u32 stride=4
%12 = load_deref.32 %11`, "deref_struct", `"p.a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, func(p *pass.Context) bool { return vars.SplitVars(p) && values.DeadCode(p) },
				privateHead+c.body+"\nstore_deref.x1 %3, %12.x write_mask=1\n}\n")
			if !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
				t.Errorf("want %q and no %q in\n%s", c.want, c.not, got)
			}
		})
	}
}

// known is three loads of array @4 at known indices.
const known = `
%20 = deref_array.32 %6, %1 modes=function_temp type=[4 x u32, 0]
%21 = deref_array.32 %20, %1 modes=function_temp type=u32
%22 = load_deref.32 %21
%23 = load_deref.32 %21
%24 = load_deref.32 %21`

// stored is a store at an index that is not known, and two accesses that show the elements.
const stored = `%10 = deref_struct.32 %4 modes=function_temp type=[4 x u32, 0]
%14 = deref_array.32 %10, %1 modes=function_temp type=u32
%15 = load_deref.32 %14
%16 = load_deref.32 %14
`

const storeIndexed = "%11 = deref_array.32 %10, %0 modes=function_temp type=u32\nstore_deref.x1 %11, %1 write_mask=1\n"

// inLoop puts code into a loop that ends after it.
func inLoop(code string) string {
	return "loop {\nb1:\n" + code + "jump_break\n}\nb2:\n"
}

// table has nine stores of a value to the largest variable, and a load at an index that is
// not known.
func table(value string) string {
	var b strings.Builder
	for i := range 9 {
		fmt.Fprintf(&b, "%%%d = deref_array.32 %%8, %%1 modes=function_temp type=u32\nstore_deref.x1 %%%d, %s write_mask=1\n", 20+i, 20+i, value)
	}
	return b.String() + "%11 = deref_array.32 %8, %0 modes=function_temp type=u32\n%12 = load_deref.32 %11"
}

// TestLowerIndirectDerefs counts the selections that come from a load or store.
func TestLowerIndirectDerefs(t *testing.T) {
	for _, c := range []struct {
		name, body            string
		selects, loads, store int
	}{
		{"load of an element", "%11 = deref_array.32 %7, %0 modes=function_temp type=u32\n%12 = load_deref.32 %11", 2, 3, 0},
		{"load of two levels", "%10 = deref_array.32 %6, %0 modes=function_temp type=[4 x u32, 0]\n%11 = deref_array.32 %10, %0 modes=function_temp type=u32\n%12 = load_deref.32 %11" + known, 7, 11, 0},
		{"load in a struct", "%10 = deref_struct.32 %4 modes=function_temp type=[4 x u32, 0]\n%11 = deref_array.32 %10, %0 modes=function_temp type=u32\n%12 = load_deref.32 %11\n%13 = deref_array.32 %10, %1 modes=function_temp type=u32\n%14 = load_deref.32 %13", 3, 5, 0},
		{"store of an element", "%11 = deref_array.32 %7, %0 modes=function_temp type=u32\nstore_deref.x1 %11, %1 write_mask=1\n%12 = load_deref.32x3 %7", 3, 4, 3},
		{"load of two levels, too dear", "%10 = deref_array.32 %6, %0 modes=function_temp type=[4 x u32, 0]\n%11 = deref_array.32 %10, %0 modes=function_temp type=u32\n%12 = load_deref.32 %11", 0, 1, 0},
		{"array filled in a loop", "%10 = deref_array.32 %6, %0 modes=function_temp type=[4 x u32, 0]\n%11 = deref_array.32 %10, %0 modes=function_temp type=u32\nstore_deref.x1 %11, %1 write_mask=1\n%12 = load_deref.32 %11" + known, 0, 4, 1},
		{"index is known", "%11 = deref_array.32 %7, %1 modes=function_temp type=u32\n%12 = load_deref.32 %11", 0, 1, 0},
		{"too large", "%11 = deref_array.32 %8, %0 modes=function_temp type=u32\n%12 = load_deref.32 %11", 0, 1, 0},
		{"a table of constants", table("%1"), 16, 17, 9},
		{"as large, not of constants", table("%0"), 0, 1, 9},
		{"store to an array", stored + storeIndexed, 4, 6, 4},
		{"store to an array in a loop", stored + inLoop(storeIndexed), 0, 2, 1},
		{"looked at by a cast", "%11 = deref_array.32 %7, %0 modes=function_temp type=u32\n%12 = load_deref.32 %11\n%13 = deref_cast.32 %7 modes=function_temp type=f32 stride=4\n%14 = load_deref.32 %13", 0, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, vars.LowerIndirectDerefs, privateHead+c.body+"\n}\n")
			if s, l, w := strings.Count(got, "bcsel"), strings.Count(got, "load_deref"), strings.Count(got, "store_deref"); s != c.selects || l != c.loads || w != c.store {
				t.Errorf("%d selections, %d loads, %d stores\n%s", s, l, w, got)
			}
		})
	}
}
