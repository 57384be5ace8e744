package main

import (
	"fmt"
	"math/bits"

	"jacquard.example/generated/isa"
)

// threads says how many threads of a shader fit on a subslice.
type threads struct {
	Group int    `json:"group"` // threads of a workgroup; 1 in other stages
	Fit   int    `json:"fit"`   // threads that fit, in whole workgroups
	Room  int    `json:"room"`  // threads that a subslice has
	Limit string `json:"limit"` // what limits them: threads, workgroup or shared memory
}

// String returns for example "96 of 112 (shared memory)".
func (t *threads) String() string { return fmt.Sprintf("%d of %d (%s)", t.Fit, t.Room, t.Limit) }

// leastShared is the least shared memory that a workgroup gets if it has any; more is a power of two (TGL PRM vol. 2a,
// INTERFACE_DESCRIPTOR_DATA, "Shared Local Memory Size").
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
