package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass/lower"
	"jacquard.example/core/pass/passtest"
)

// TestLoneInvocation: the IDs of an invocation that has its workgroup to itself do not depend
// on its lane, so addresses computed from them are uniform.
func TestLoneInvocation(t *testing.T) {
	const source = `shader compute "main"
workgroup_size %d 1 1
binding 0 0 ssbo count=1 index=0 access=none
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = load_local_invocation_index.32
    %%2 = load_global_invocation_id.32x3
    %%3 = load_local_invocation_id.32x3
    %%4 = vec4.32x4 %%1, %%2.x, %%3.x, %%3.z
    store_ssbo.x4 %%4, %%0, %%0 write_mask=15 align_mul=4
}
`
	for _, n := range []int{1, 2} {
		out := passtest.Run(t, lower.ComputeSystemValues, fmt.Sprintf(source, n))
		if lanes := strings.Contains(out, "load_subgroup_invocation"); lanes != (n > 1) {
			t.Errorf("%d invocations: the number of the lane is read: %v\n%s", n, lanes, out)
		}
	}
}
