// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// memory are the classes of instructions that wait for memory.
var memory = [...]latency.Class{latency.Data, latency.Atomic, latency.Constant, latency.Sampler}

// tables are the latencies under which everything is run: the target's own first. Tables from shownTables on have
// no columns in the report, and the last matters to draws alone.
var tables = []struct {
	name   string
	change func(*latency.Costs)
}{
	{"", func(*latency.Costs) {}},
	{"memory ×½", func(c *latency.Costs) { scaleMemory(c, 1, 2) }},
	{"memory ×2", func(c *latency.Costs) { scaleMemory(c, 2, 1) }},
	{"lines that are read again", func(c *latency.Costs) {
		for _, class := range memory {
			c[class].BusyLine, c[class].ResultLine = 0, 0
		}
	}},
	{"render-target writes", func(c *latency.Costs) { c[latency.Render].BusyExec = sharedWrite }},
}

// The indices of tables.
const (
	noLines     = 3
	shared      = 4
	shownTables = noLines
)

// dispatchTables are the tables of dispatches.
var dispatchTables = tables[:shared]

// sharedWrite is the number of cycles for which an execution unit's share of the pixel back ends is busy with eight pixels
// if all units write at once: 16 pixels per clock for 64 units, which is an assumption.
const sharedWrite = 8 * 64 / 16

// launch is the upper end of the range of the cycles until a launched thread starts. The lower end, which the model
// uses, is 0.
const launch = 100

func scaleMemory(costs *latency.Costs, num, den int) {
	for _, c := range memory {
		costs[c].Result = costs[c].Result * num / den
	}
}

// costsUnder returns the costs of a machine under a table.
func costsUnder(machine *target.Target, i int) *latency.Costs {
	costs := *machine.Costs
	tables[i].change(&costs)
	return &costs
}

// ranges writes the means at both ends of the range of each cost that is not measured.
func ranges(w io.Writer, machine *target.Target, list []verdict, draws bool) {
	var kept []verdict
	for i := range list {
		if list[i].why == "" {
			kept = append(kept, list[i])
		}
	}
	if len(kept) == 0 {
		return
	}
	fmt.Fprintf(w, `
## costs that are not measured

Geometric means over all %d shaders at both ends of a range. Lines cost as much as if none had been read before, or as
if all had. An execution unit writes render targets at its own pace, or at its share of 16 pixels per clock for 64 units,
an assumption. The model launches threads in no time; nothing is known of the other end.

| cost | from | to | cycles | resident |
|---|---|---|---|---|
`, len(kept))
	own := machine.Costs
	row := func(name, from, to string, a, b end) {
		fmt.Fprintf(w, "| %s | %s | %s |", name, from, to)
		for _, t := range times[:2] {
			fmt.Fprintf(w, " %.3f … %.3f |", a.mean(kept, t.of), b.mean(kept, t.of))
		}
		fmt.Fprintln(w)
	}
	row("memory", "half", "double", end{table: 1}, end{table: 2})
	row("cache lines", fmt.Sprint(own[latency.Data].BusyLine), "0", end{}, end{table: noLines})
	if draws {
		row("writes of 8 pixels", fmt.Sprint(own[latency.Render].BusyExec), fmt.Sprint(sharedWrite), end{}, end{table: shared})
	}
	row("launch of a thread", "0", fmt.Sprint(launch), end{}, end{launch: launch})
}

// end is an end of a range: a table, and cycles that each thread takes in addition.
type end struct {
	table  int
	launch uint64
}

// mean returns the geometric mean of our time divided by the peer's, at this end.
func (e end) mean(list []verdict, of func(*eu.Account) *eu.Time) float64 {
	cycles := func(a *eu.Account) uint64 {
		if n := of(a).Cycles(); n > 0 {
			return n + e.launch*a.Threads
		}
		return 0
	}
	mean, _ := geometricMean(list, func(v *verdict) (uint64, uint64) { return cycles(&v.ours[e.table]), cycles(&v.theirs[e.table]) })
	return mean
}

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
