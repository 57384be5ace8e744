// SPDX-License-Identifier: MIT

package trips_test

import (
	"math"
	"testing"

	"jacquard.example/core/trips"
)

func TestCount(t *testing.T) {
	for _, n := range []int{1, 5000, trips.Max} {
		if c := trips.Exactly(n); c.Exact() != n || c.Bound() != 0 {
			t.Errorf("%d: %d, at most %d", n, c.Exact(), c.Bound())
		}
		if c := trips.AtMost(n); c.Exact() != 0 || c.Bound() != n {
			t.Errorf("at most %d: %d, at most %d", n, c.Exact(), c.Bound())
		}
	}
	for _, n := range []int{-1, 0, math.MinInt} {
		if trips.Exactly(n) != trips.Unknown || trips.AtMost(n) != trips.Unknown {
			t.Errorf("%d is accepted as a count", n)
		}
	}
}
