package eu

import "jacquard.example/generated/target"

// With Options.Races the model watches shared memory: two threads of a group
// that touch the same dword between the same barriers, one of them writing,
// depend on an order that nothing gives. Atomics among themselves are no race.
// Nor does a barrier give an order to what was written before it, unless a fence of
// shared memory stands between (TGL PRM vol. 7, "Memory Fence": writes are seen by
// others when it has answered).

// slmCell is what happened to a dword of shared memory.
type slmCell struct {
	writer  uint16 // thread + 1
	reader  uint16 // thread + 1, or manyReaders
	atomic  bool   // the write was one
	written uint32 // barriers the writer had gone through
	read    uint32
	fences  uint32 // fences of shared memory the writer had sent
}

const manyReaders = 0xFFFF

// noteShared records an access and finds the other thread of a race.
func (t *Thread) noteShared(addr uint64, size int, write, atomic bool) *opError {
	me := uint16(t.index + 1)
	unfenced := t.lenientFences()
	for a := addr / 4; a <= (addr+uint64(size)-1)/4 && a < uint64(len(t.group.shadow)); a++ {
		c := &t.group.shadow[a]
		if c.writer != 0 && c.writer != me && c.written == t.passed && !(atomic && c.atomic) {
			return operr(FaultRace, "shared memory at %d was written by thread %d since the last barrier", a*4, c.writer-1)
		}
		if c.writer != 0 && c.writer != me && !(atomic && c.atomic) && !unfenced {
			// The writer is one barrier ahead at most.
			if w := t.group.threads[c.writer-1]; w.fencesBefore[t.passed%2] <= c.fences {
				return operr(FaultRace, "shared memory at %d was written by thread %d without a fence before the last barrier", a*4, c.writer-1)
			}
		}
		if write && c.reader != 0 && c.reader != me && c.read == t.passed {
			if c.reader == manyReaders {
				return operr(FaultRace, "shared memory at %d was read by several threads since the last barrier", a*4)
			}
			return operr(FaultRace, "shared memory at %d was read by thread %d since the last barrier", a*4, c.reader-1)
		}
		if write {
			c.writer, c.written, c.atomic, c.fences = me, t.passed, atomic, t.fences
			continue
		}
		if c.reader != 0 && c.reader != me && c.read == t.passed {
			c.reader = manyReaders
		} else {
			c.reader = me
		}
		c.read = t.passed
	}
	return nil
}

// lenientFences is true where shared memory needs no fence. Machines whose fences
// serve all memory at once have one way to all of it, and Intel's OpenCL compiler
// relies on a barrier alone there; strict rules ask for the fence that Vulkan drivers
// send.
func (t *Thread) lenientFences() bool {
	return t.opts.Hazards == HazardsLenient && !t.prog.machine.Can(target.SharedFence)
}
