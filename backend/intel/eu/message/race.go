// SPDX-License-Identifier: MIT

package message

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

const manyReaders = 0xFFFF

// noteShared records an access to shared memory. If there is a race, it returns an error that names the other thread, if
// there is only one.
func noteShared(t *thread.Thread, addr uint64, size int, write, atomic bool) *thread.OpError {
	me := uint16(t.Index + 1)
	unfenced := lenientFences(t)
	for a := addr / 4; a <= (addr+uint64(size)-1)/4 && a < uint64(len(t.Group.Shadow)); a++ {
		c := &t.Group.Shadow[a]
		if c.Writer != 0 && c.Writer != me && c.Written == t.Passed && !(atomic && c.Atomic) {
			return thread.Operr(thread.FaultRace, "shared memory at %d was written by thread %d since the last barrier", a*4, c.Writer-1)
		}
		if c.Writer != 0 && c.Writer != me && !(atomic && c.Atomic) && !unfenced {
			// The writer is at most one barrier ahead.
			if w := t.Group.Threads[c.Writer-1]; w.FencesBefore[t.Passed%2] <= c.Fences {
				return thread.Operr(thread.FaultRace,
					"shared memory at %d was written by thread %d without a fence before the last barrier", a*4, c.Writer-1)
			}
		}
		if write && c.Reader != 0 && c.Reader != me && c.Read == t.Passed {
			if c.Reader == manyReaders {
				return thread.Operr(thread.FaultRace, "shared memory at %d was read by several threads since the last barrier", a*4)
			}
			return thread.Operr(thread.FaultRace, "shared memory at %d was read by thread %d since the last barrier", a*4, c.Reader-1)
		}
		if write {
			c.Writer, c.Written = me, t.Passed
			c.Atomic, c.Fences = atomic, t.Fences
			continue
		}
		if c.Reader != 0 && c.Reader != me && c.Read == t.Passed {
			c.Reader = manyReaders
		} else {
			c.Reader = me
		}
		c.Read = t.Passed
	}
	return nil
}

// lenientFences reports whether shared memory needs no fence. On machines whose fences apply to all memory,
// shared memory has a single path, and Intel's OpenCL compiler relies on barriers alone; the strict rules
// require the fence that Vulkan drivers send.
func lenientFences(t *thread.Thread) bool {
	return t.Opts.Hazards == thread.HazardsLenient && !t.Prog.Machine.Can(target.SharedFence)
}
