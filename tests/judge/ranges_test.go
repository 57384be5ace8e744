// SPDX-License-Identifier: MIT

package main

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// TestRanges: the means at both ends of each range equal the means of the tables, and a launch adds cycles for each thread.
func TestRanges(t *testing.T) {
	v := verdict{}
	for i := range tables {
		cycles := uint64(1000 * (i + 1))
		v.ours = append(v.ours, eu.Account{Threads: 10, Alone: eu.Time{cycles}, Resident: eu.Time{2 * cycles}})
		v.theirs = append(v.theirs, eu.Account{Threads: 10, Alone: eu.Time{2000}, Resident: eu.Time{2000}})
	}
	out := v
	out.why = "it faults"
	var b strings.Builder
	ranges(&b, target.TGL, []verdict{v, out}, true)
	for _, want := range []string{
		"over all 1 shaders",
		"| memory | half | double | 1.000 … 1.500 | 2.000 … 3.000 |",
		"| cache lines | 8 | 0 | 0.500 … 2.000 | 1.000 … 4.000 |",
		"| writes of 8 pixels | 450 | 32 | 0.500 … 2.500 | 1.000 … 5.000 |",
		"| launch of a thread | 0 | 100 | 0.500 … 0.667 | 1.000 … 1.000 |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	b.Reset()
	if ranges(&b, target.TGL, []verdict{v}, false); strings.Contains(b.String(), "pixels |") {
		t.Errorf("dispatches write pixels:\n%s", &b)
	}
	if ranges(&b, target.TGL, nil, false); strings.Contains(b.String(), "NaN") {
		t.Errorf("no shaders:\n%s", &b)
	}
}

// TestSharedWrite: if writes share the back ends, a unit is busy for less time.
func TestSharedWrite(t *testing.T) {
	own, less := target.TGL.Costs[latency.Render], costsUnder(target.TGL, shared)[latency.Render]
	if own.Busy += own.BusyExec; less.Busy+less.BusyExec >= own.Busy {
		t.Errorf("%d cycles, alone %d", less.Busy+less.BusyExec, own.Busy)
	}
}

// TestEnds: the tables of other costs change these costs and nothing else.
func TestEnds(t *testing.T) {
	for i, changed := range map[int][]latency.Class{noLines: memory[:], shared: {latency.Render}} {
		costs := costsUnder(target.TGL, i)
		for class := range costs {
			a, b := costs[class], target.TGL.Costs[class]
			want := false
			for _, c := range changed {
				want = want || int(c) == class
			}
			if (a != b) != want {
				t.Errorf("%s, class %v: %+v, was %+v", tables[i].name, latency.Class(class), a, b)
			}
		}
	}
}
