// SPDX-License-Identifier: MIT

package report

import (
	"fmt"
	"math/bits"

	"jacquard.example/generated/isa"
)

// DevicesOf returns the devices of a platform; the generator requires one for every platform.
func DevicesOf(p isa.Platform) (list []*isa.Device) {
	for i := range isa.Devices {
		if d := &isa.Devices[i]; d.Platform == p {
			list = append(list, d)
		}
	}
	return list
}

// Threads is the number of threads of a shader that fit on a subslice. Each thread has all of its registers to itself, so
// registers limit none.
type Threads struct {
	Group  int     `json:"group"`  // threads of a workgroup; 1 in other stages
	Fit    int     `json:"fit"`    // threads that fit, in whole workgroups
	Room   int     `json:"room"`   // threads that a subslice has
	Limit  string  `json:"limit"`  // the first of Limits that allows no more
	Limits []Limit `json:"limits"` // all that apply
}

// Limit is a number of threads that a resource allows.
type Limit struct {
	Name    string `json:"name"` // one of the names below
	Threads int    `json:"threads"`
}

// The names of limits.
const (
	LimitThreads   = "threads"        // those of the execution units
	LimitGroupSize = "workgroup size" // a workgroup has more threads than the device allows: none fits
	LimitScratch   = "scratch"        // a thread needs more scratch memory than the device has for one: none fits
	LimitWhole     = "workgroup"      // another whole workgroup does not fit
	LimitShared    = "shared memory"
	LimitBarriers  = "barriers" // each workgroup with barriers takes one
)

// String returns for example "96 of 112 (shared memory)".
func (t *Threads) String() string { return fmt.Sprintf("%d of %d (%s)", t.Fit, t.Room, t.Limit) }

// leastShared is the smallest amount of shared memory, in bytes, that is allocated for a workgroup; amounts are powers of
// two (Mesa 24.2, intel_compute_slm.c, for Gen9 and later).
const leastShared = 1024

// allocated returns the amount of shared memory allocated for a workgroup that needs some.
func allocated(shared int) int {
	if shared <= leastShared {
		return leastShared
	}
	return 1 << bits.Len(uint(shared-1))
}

// ThreadsOn returns the number of threads that fit on a subslice of a device, for workgroups with the given number of
// threads, bytes of shared memory and bytes of scratch memory per thread. barrier tells whether they use a barrier.
func ThreadsOn(d *isa.Device, group, shared, scratch int, barrier bool) Threads {
	t := Threads{Group: group, Room: d.EUs / d.Subslices * d.ThreadsPerEU}
	add := func(applies bool, name string, threads int) {
		if applies {
			t.Limits = append(t.Limits, Limit{name, threads})
		}
	}
	add(true, LimitThreads, t.Room)
	add(group > d.GroupThreads, LimitGroupSize, 0)
	add(scratch > d.ScratchBytes, LimitScratch, 0)
	add(t.Room%group != 0, LimitWhole, t.Room/group*group)
	if shared > 0 {
		add(true, LimitShared, d.SLMBytes/allocated(shared)*group)
	}
	add(barrier, LimitBarriers, d.Barriers*group)
	t.Fit, t.Limit = t.Room, LimitThreads
	for _, l := range t.Limits {
		if l.Threads < t.Fit {
			t.Fit, t.Limit = l.Threads, l.Name
		}
	}
	return t
}
