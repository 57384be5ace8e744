// SPDX-License-Identifier: MIT

package report

import (
	"testing"

	"jacquard.example/generated/isa"
)

// TestThreadsOn counts by hand on a device like Tiger Lake's: 16 EUs of 7 threads and 64 KiB of shared memory in a subslice.
func TestThreadsOn(t *testing.T) {
	d := &isa.Device{Subslices: 6, EUs: 96, Limits: isa.Limits{
		ThreadsPerEU: 7, SLMBytes: 64 << 10, GroupThreads: 64, ScratchBytes: 2 << 20, Barriers: 32,
	}}
	for _, c := range []struct {
		group, shared, fit int
		limit              string
	}{
		{1, 0, 112, "threads"},
		{16, 0, 112, "threads"},
		{64, 0, 64, "workgroup"},            // a second one would need 128
		{64, 1 << 10, 64, "workgroup"},      // shared memory has room for 64 more
		{4, 256, 112, "threads"},            // 28 groups of 1 KiB each
		{4, 4 << 10, 64, "shared memory"},   // 16 groups of 4 KiB
		{4, 4<<10 + 1, 32, "shared memory"}, // 8 groups of 8 KiB
		{8, 64 << 10, 8, "shared memory"},   // one group
		{32, 33 << 10, 32, "shared memory"}, // one of 64 KiB, though three have threads
		{56, 32 << 10, 112, "threads"},      // two of each
		{60, 40 << 10, 60, "workgroup"},     // one of each: the threads come first
	} {
		got := ThreadsOn(d, c.group, c.shared, 0, false)
		if got.Fit != c.fit || got.Limit != c.limit || got.Room != 112 || got.Group != c.group {
			t.Errorf("groups of %d threads and %d bytes: %v, want %d (%s)", c.group, c.shared, &got, c.fit, c.limit)
		}
	}
	for _, c := range []struct {
		group, scratch int
		barrier        bool
		fit            int
		limit          string
	}{
		{1, 0, false, 112, "threads"},
		{1, 0, true, 32, "barriers"}, // one of 32 for each workgroup
		{2, 0, true, 64, "barriers"},
		{4, 0, true, 112, "threads"}, // 28 workgroups
		{65, 0, false, 0, "workgroup size"},
		{1, 2 << 20, false, 112, "threads"},
		{1, 2<<20 + 1, false, 0, "scratch"},
	} {
		if got := ThreadsOn(d, c.group, 0, c.scratch, c.barrier); got.Fit != c.fit || got.Limit != c.limit {
			t.Errorf("groups of %d threads, %d bytes of scratch, barrier %t: %v, want %d (%s)", c.group, c.scratch, c.barrier,
				&got, c.fit, c.limit)
		}
	}
}
