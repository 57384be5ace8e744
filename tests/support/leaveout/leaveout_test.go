// SPDX-License-Identifier: MIT

package leaveout_test

import (
	"fmt"
	"slices"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/support/leaveout"
)

// TestLeftOutSets checks that the sets of 200 keys contain both, either or none of each pair of passes, and that there are
// small and large sets.
func TestLeftOutSets(t *testing.T) {
	all := jacquard.OptionalPasses()
	var sizes []int
	ways := map[[2]string]uint8{}
	for key := range 200 {
		set := leaveout.Set(fmt.Sprint("key ", key))
		sizes = append(sizes, len(set))
		for _, a := range all {
			for _, b := range all {
				way := uint8(0)
				if slices.Contains(set, a) {
					way |= 1
				}
				if slices.Contains(set, b) {
					way |= 2
				}
				ways[[2]string{a, b}] |= 1 << way
			}
		}
	}
	for pair, seen := range ways {
		if pair[0] != pair[1] && seen != 15 {
			t.Errorf("%v: of the four ways to leave them out, seen are %04b", pair, seen)
		}
	}
	if low, high := slices.Min(sizes), slices.Max(sizes); low > len(all)/10 || high < len(all)*9/10 {
		t.Errorf("the sets have %d to %d of %d passes", low, high, len(all))
	}
}
