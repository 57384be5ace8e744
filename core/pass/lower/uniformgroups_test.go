package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass/lower"
	"jacquard.example/core/pass/passtest"
)

// uniformGroups stores %20, which is computed from %8, the invocation, %9, which is the same
// for all, and %10, which is so only for those that are in the loop together.
const uniformGroups = `shader compute "main"
workgroup_size 64 1 1
binding 0 0 ssbo count=1 index=0 access=none
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = load_const.32 value=(0x1)
    %%8 = load_local_invocation_index.32
    %%9 = load_ssbo.32 %%0, %%0 align_mul=4
  loop {
    b1:
      %%10 = phi.32 b0: %%0, b4: %%30
      %%11 = uge.1 %%10, %%8
    if %%11 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
      %%30 = iadd.32 %%10, %%1
  }
  b9:
%s
    store_ssbo.x1 %%20, %%0, %%0 write_mask=1 align_mul=4
}
`

// TestSimplifySubgroups: what an operation becomes; find is what must be left, or gone if it
// begins with a hyphen.
func TestSimplifySubgroups(t *testing.T) {
	for _, c := range []struct{ name, body, find string }{
		{"a shuffle", "%20 = shuffle.32 %9, %8", "-shuffle"},
		{"a shuffle of different values", "%20 = shuffle.32 %8, %9", "shuffle"},
		{"a shuffle of what lanes leave a loop with", "%20 = shuffle.32 %10, %8", "shuffle"},
		{"a quad", "%20 = quad_swap.32 %9 swap_dir=0", "-quad_swap"},
		{"the first lane", "%20 = read_first_invocation.32 %9", "-read_first"},
		{"a maximum", "%20 = reduce.32 %9 reduction_op=umax cluster_size=0", "-reduce"},
		{"a maximum of clusters", "%20 = reduce.32 %9 reduction_op=umax cluster_size=4", "-reduce"},
		{"a scan", "%20 = inclusive_scan.32 %9 reduction_op=iand", "-inclusive_scan"},
		{"a scan of those before", "%20 = exclusive_scan.32 %9 reduction_op=iand", "exclusive_scan"},
		{"a sum", "%20 = reduce.32 %9 reduction_op=iadd cluster_size=0", "ballot"},
		{"a sum of clusters", "%20 = reduce.32 %9 reduction_op=iadd cluster_size=4", "reduce"},
		{"sums before", "%20 = exclusive_scan.32 %9 reduction_op=iadd", "load_subgroup_lt_mask"},
		{"sums", "%20 = inclusive_scan.32 %9 reduction_op=iadd", "load_subgroup_le_mask"},
		{"a product", "%20 = reduce.32 %9 reduction_op=imul cluster_size=0", "reduce"},
		{"a product of one", "%20 = reduce.32 %8 reduction_op=imul cluster_size=1", "-reduce"},
		{"a float's minimum", "%20 = reduce.32 %9 reduction_op=fmin cluster_size=0", "fmin.32 %3, %3"},
		{"equal floats", "%21 = vote_feq.1 %9\n    %20 = b2i32.32 %21", "feq.1 %3, %3"},
		{"equal integers", "%21 = vote_ieq.1 %9\n    %20 = b2i32.32 %21", "-vote_ieq"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := passtest.Run(t, lower.SimplifySubgroups, fmt.Sprintf(uniformGroups, "    "+c.body))
			find, gone := strings.CutPrefix(c.find, "-")
			if strings.Contains(out, find) == gone {
				t.Errorf("%q is there: %v\n%s", find, gone, out)
			}
		})
	}
}
