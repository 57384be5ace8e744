// SPDX-License-Identifier: MIT

package pat_test

import (
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/match/pat"
	"jacquard.example/generated/build"
)

// TestUsersAreBounded: the examination of a value's users stops after a fixed number, since each of them may ask for
// it.
func TestUsersAreBounded(t *testing.T) {
	for _, negated := range []bool{false, true} {
		s := ir.New()
		f := s.NewFunc("main")
		b := build.New(s)
		b.AtEnd(s.FirstBlock(f))
		x := b.FMul(b.Undef(1, 32), b.Undef(1, 32))
		y := x
		if negated {
			y = b.FNeg(x)
		}
		for n := 1; n <= 100; n++ {
			b.FAdd(y, y)
			if got := pat.OnlyUsedByFAdd(s, x); n <= 30 && !got || n == 100 && got {
				t.Errorf("negated: %v; of %d users, all sums, OnlyUsedByFAdd is %v", negated, 2*n, got)
			}
		}
		b.FMul(y, y)
		if pat.OnlyUsedByFAdd(s, x) {
			t.Errorf("negated: %v; a product among the users is overlooked", negated)
		}
	}
}
