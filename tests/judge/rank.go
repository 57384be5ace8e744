// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// estimates writes how well the compiler's estimate of cycles, made without running the code, ranks the shaders by the
// cycles of a thread alone on an execution unit.
func estimates(w io.Writer, list []verdict) {
	var estimated, measured []float64
	for i := range list {
		v := &list[i]
		if a := &v.ours[0]; v.why == "" && a.Threads > 0 {
			estimated = append(estimated, float64(v.estimate))
			measured = append(measured, float64(a.Alone.Cycles())/float64(a.Threads))
		}
	}
	if len(estimated) < 2 {
		return
	}
	fmt.Fprintf(w, "\nRank correlation of the compiler's estimate with the cycles of a thread of ours alone: %.3f (Spearman, %d "+
		"shaders).\n", spearman(estimated, measured), len(estimated))
}

// spearman returns the rank correlation of two lists, which are equally long. It is NaN if all numbers of one list
// are equal.
func spearman(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	mean := float64(len(x)+1) / 2
	var xy, xx, yy float64
	for i := range x {
		dx, dy := x[i]-mean, y[i]-mean
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	return xy / math.Sqrt(xx*yy)
}

// ranks returns the rank of each number of a list, from 1; equal numbers share the mean of
// their ranks.
func ranks(list []float64) []float64 {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	out := make([]float64, len(list))
	for i, n := range list {
		first, _ := slices.BinarySearch(sorted, n)
		end := first
		for end < len(sorted) && sorted[end] == n {
			end++
		}
		out[i] = float64(first+1+end) / 2
	}
	return out
}
