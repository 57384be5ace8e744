package main

import (
	"fmt"
	"math/bits"

	"jacquard.example/generated/isa"
)

// devices returns the devices of a platform; the generator requires one for every platform.
func devices(p isa.Platform) (list []isa.Device) {
	for _, d := range isa.Devices {
		if d.Platform == p {
			list = append(list, d)
		}
	}
	return list
}

// threads is the number of threads of a shader that fit on a subslice.
type threads struct {
	Group int    `json:"group"` // threads of a workgroup; 1 in other stages
	Fit   int    `json:"fit"`   // threads that fit, in whole workgroups
	Room  int    `json:"room"`  // threads that a subslice has
	Limit string `json:"limit"` // what limits them: threads, workgroup or shared memory
}

// String returns for example "96 of 112 (shared memory)".
func (t *threads) String() string { return fmt.Sprintf("%d of %d (%s)", t.Fit, t.Room, t.Limit) }

// leastShared is the smallest amount of shared memory, in bytes, that is allocated for a workgroup; amounts are powers of
// two (Mesa 24.2, intel_compute_slm.c, for Gen9 and later).
const leastShared = 1024

// threadsOn returns how many threads of workgroups fit on a subslice of a device. Barriers are not counted.
func threadsOn(d *isa.Device, group, shared int) threads {
	t := threads{Group: group, Room: d.EUs / d.Subslices * d.ThreadsPerEU, Limit: "threads"}
	groups := t.Room / group
	if t.Room%group != 0 {
		t.Limit = "workgroup"
	}
	if shared > 0 {
		each := leastShared
		if shared > each {
			each = 1 << bits.Len(uint(shared-1))
		}
		if n := d.SLMBytes / each; n < groups {
			groups, t.Limit = n, "shared memory"
		}
	}
	t.Fit = groups * group
	return t
}
