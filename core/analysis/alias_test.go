// SPDX-License-Identifier: MIT

package analysis_test

import (
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/pass/passtest"
)

// TestMayAlias: buffers with different declarations are different memory, unless one is declared to alias or a buffer's
// declaration is unknown.
func TestMayAlias(t *testing.T) {
	s := passtest.Parse(t, `shader compute "main"
workgroup_size 1 1 1
binding 0 0 ssbo count=1 index=0 access=none
binding 0 1 ssbo count=4 index=1 access=none
binding 0 2 ssbo count=1 index=5 access=aliased
binding 0 3 ubo count=1 index=6 access=none
fn 1 "main"() entry {
  b0:
    %0 = load_const.32x8 value=(0x0, 0x1, 0x2, 0x4, 0x5, 0x6, 0x7, 0x0)
    %1 = load_ssbo.32 %0.x, %0.x align_mul=4
}
`)
	consts := s.First(s.FirstBlock(s.Entry()))
	load := s.At(consts).Next()
	first, one, two := 0, 1, 2
	four, aliased := 3, 4
	uniform, none := 5, 6
	at := func(i int) analysis.Surface { return analysis.SurfaceOf(s, s.All(consts).Comp(i)) }
	unknown := analysis.SurfaceOf(s, s.All(load))
	for _, x := range []struct {
		name string
		a, b analysis.Surface
		want bool
	}{
		{"a buffer and itself", at(first), at(first), true},
		{"two buffers", at(first), at(one), false},
		{"a buffer and the last of an array", at(four), at(first), false},
		{"two elements of an array", at(one), at(two), true},
		{"a storage and a uniform buffer", at(first), at(uniform), false},
		{"one that may alias", at(first), at(aliased), true},
		{"one that is in no binding", at(first), at(none), true},
		{"one that is computed", at(first), unknown, true},
		{"two that are computed", unknown, unknown, true},
	} {
		if got := analysis.MayAlias(s, x.a, x.b); got != x.want {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
		if got := analysis.MayAlias(s, x.b, x.a); got != x.want {
			t.Errorf("%s, the other way round: %v, want %v", x.name, got, x.want)
		}
	}
}
