package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/passtest"
)

// invariantLoop has a loop with a body; %9 is the number of iterations, %8 the invocation,
// %7 what the body starts with, and %19 the next value of that. end is the body's last block.
const invariantLoop = `shader compute "main"
workgroup_size 64 1 1
binding 0 0 ssbo count=1 index=0 access=none
binding 0 1 ssbo count=1 index=1 access=none
binding 0 2 ubo count=1 index=2 access=none
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = load_const.32 value=(0x1)
    %%2 = load_const.32 value=(0x2)
    %%3 = load_const.32 value=(0x30)
    %%4 = load_const.32 value=(0x34)
    %%8 = load_local_invocation_index.32
    %%9 = load_ubo.32 %%2, %%0 align_mul=4
    %%6 = load_const.64 value=(0x1000, 0x0)
  loop {
    b1:
      %%10 = phi.32 b0: %%0, %[2]s: %%30
      %%7 = phi.32 b0: %%1, %[2]s: %%19
      %%11 = uge.1 %%10, %%9
    if %%11 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
%[1]s
      %%30 = iadd.32 %%10, %%1
  }
  b9:
    store_ssbo.x1 %%7, %%0, %%0 write_mask=1 align_mul=4
}
`

// TestHoistInvariants: what moves in front of a loop, and what must not. Each case has one
// instruction of a kind that it looks for.
func TestHoistInvariants(t *testing.T) {
	const use = "      %19 = iadd.32 %7, %20\n"
	load := func(id, rest string) string {
		return "      %20 = " + id + ".32 " + rest + " align_mul=4\n"
	}
	store := "      store_ssbo.x1 %7, %1, %4 write_mask=1 align_mul=4\n"
	barrier := "      barrier memory_scope=workgroup memory_semantics=acquire|release memory_modes=ssbo|shared\n"
	in := func(body string) string {
		return "      %21 = ult.1 %10, %8\n    if %21 {\n      b5:\n" + body + "    } else {\n      b6:\n    }\n    b7:\n"
	}
	const join = "      %19 = phi.32 b5: %20, b6: %7\n"
	// sums are many different products, which need more registers than there are.
	sums := func(n int) string {
		var b strings.Builder
		last := "%7"
		for i := range n {
			fmt.Fprintf(&b, "      %%%d = load_const.32 value=(%#x)\n      %%%d = imul.32 %%8, %%%d\n", 40+3*i, 1000+7*i, 41+3*i, 40+3*i)
			fmt.Fprintf(&b, "      %%%d = ixor.32 %s, %%%d\n", 42+3*i, last, 41+3*i)
			last = fmt.Sprintf("%%%d", 42+3*i)
		}
		return b.String() + "      %19 = iadd.32 " + last + ", %10\n"
	}
	for _, c := range []struct {
		name, body, find string
		before           int // how many are in front of the loop
	}{
		{"a product", "      %20 = imul.32 %8, %9\n" + use, "imul", 1},
		{"what varies", "      %20 = imul.32 %8, %10\n" + use, "imul", 0},
		{"a chain", "      %22 = imul.32 %8, %9\n      %23 = imul.32 %22, %8\n      %20 = imul.32 %23, %4\n" + use, "imul", 3},
		{"a sign", "      %20 = ineg.32 %8\n" + use, "ineg", 0},
		{"a sign inside", "      %22 = ineg.32 %8\n      %20 = imul.32 %22, %9\n" + use, "ineg", 1},
		{"an address next to another", "      %20 = iadd.32 %8, %4\n" + use, "iadd", 0},
		{"a uniform one", "      %20 = iadd.32 %9, %4\n" + use, "iadd", 1},
		{"in an arm", in("        %20 = imul.32 %8, %9\n") + join, "imul", 1},
		{"as it leaves", in("        %24 = imul.32 %8, %9\n        store_ssbo.x1 %24, %0, %3 write_mask=1 align_mul=4\n        jump_break\n") + "      %19 = iadd.32 %7, %8\n", "imul", 0},
		{"few registers", sums(5), "imul", 5},
		{"too many registers", sums(30), "imul", 11},

		{"a load", load("load_ssbo", "%0, %3") + use, "load_ssbo", 1},
		{"a load of what is written", load("load_ssbo", "%0, %3") + store + use, "load_ssbo", 0},
		{"a load after a barrier", barrier + load("load_ssbo", "%0, %3") + use, "load_ssbo", 0},
		{"a load that may move", load("load_ubo", "%2, %3") + store + use, "load_ubo", 2},
		{"a coherent load", strings.Replace(load("load_ssbo", "%0, %3"), "align", "access=coherent align", 1) + use, "load_ssbo", 0},
		{"a volatile load", strings.Replace(load("load_ssbo", "%0, %3"), "align", "access=volatile align", 1) + use, "load_ssbo", 0},
		{"a load in an arm", in(strings.Replace(load("load_ssbo", "%0, %3"), "      ", "        ", 1)) + join, "load_ssbo", 0},
		{"a load without bounds", load("load_global", "%6") + use, "load_global", 0},
		{"a load from an entry that may not exist", load("load_ssbo", "%9, %3") + use, "load_ssbo", 0},
		{"a load that varies", load("load_ssbo", "%0, %10") + use, "load_ssbo", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			end := "b4"
			if strings.Contains(c.body, "b7:") {
				end = "b7"
			}
			out := passtest.Run(t, flow.HoistInvariants, fmt.Sprintf(invariantLoop, c.body, end))
			front, _, _ := strings.Cut(out, "loop {")
			if n := strings.Count(front, "= "+c.find+"."); n != c.before {
				t.Errorf("%d %s in front of the loop, want %d\n%s", n, c.find, c.before, out)
			}
		})
	}
}
