package values_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/values"
)

// TestUndefToZero: arithmetic reads zeros, a selection the other operand; phis, vectors and conditions of ifs
// keep what is undefined.
func TestUndefToZero(t *testing.T) {
	got := passtest.Run(t, values.UndefToZero, `shader compute "main"
workgroup_size 8 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = undef.32
    %2 = undef.1
    %3 = iadd.32 %0, %1
    %4 = bcsel.32 %2, %3, %1
    %5 = bcsel.32 %2, %1, %1
    %6 = vec2.32x2 %4, %1
    %7 = undef.32x2
    %8 = iadd.32x2 %6, %7
  if %2 {
    b1:
  } else {
    b2:
  }
  b3:
    %9 = phi.32 b1: %1, b2: %5
    %10 = vec4.32x4 %9, %8.x, %8.y, %1
    store_shared.x4 %10, %0 write_mask=15 align_mul=4
}
`)
	for _, want := range []string{
		"%5 = iadd.32 %0, %2\n",
		"%6 = bcsel.32 %4, %5, %5\n",
		"%7 = bcsel.32 %4, %1, %1\n", // the folder's
		"%8 = vec2.32x2 %6, %1\n",
		"%11 = iadd.32x2 %8, %10\n",
		"if %3 {\n",
		"%12 = phi.32 b1: %1, b2: %7\n",
		"%13 = vec4.32x4 %12, %11.x, %11.y, %1\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
}
