// SPDX-License-Identifier: MIT

package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
)

// TestRanks: equal numbers share the mean of their ranks.
func TestRanks(t *testing.T) {
	if got, want := ranks([]float64{30, 10, 20, 10, 40}), []float64{4, 1.5, 3, 1.5, 5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestSpearman has coefficients computed by hand.
func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 100, 1000, 10000}, 1},
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1},
		{[]float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}, 0.8},
		{[]float64{1, 1, 2}, []float64{1, 2, 3}, math.Sqrt(3) / 2},
	} {
		if got := spearman(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestEstimates: it is the cycles of one thread that count, and shaders that are left out do not.
func TestEstimates(t *testing.T) {
	shader := func(estimate int, threads, cycles uint64, why string) verdict {
		return verdict{why: why, result: result{estimate: estimate,
			ours: []eu.Account{{Threads: threads, Alone: eu.Time{eu.WaitSend: cycles}}}}}
	}
	var b strings.Builder
	estimates(&b, []verdict{shader(10, 100, 1000, ""), shader(20, 1, 20, ""), shader(30, 10, 400, ""), shader(99, 1, 1, "it faults")})
	if got := b.String(); !strings.Contains(got, "1.000 (Spearman, 3 shaders)") {
		t.Error(got)
	}
}
