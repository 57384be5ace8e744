package eu

import "jacquard.example/generated/target"

// With Options.Races the model checks shared memory. If two threads of a group access the same dword between
// the same barriers, and one of them writes, the order is undefined. Atomics do not race with each other. A
// barrier does not order earlier writes either, unless a fence of shared memory precedes it (TGL PRM vol. 7,
// "Memory Fence": writes are visible to others when it has responded).

// slmCell is the state of a dword of shared memory.
type slmCell struct {
	writer  uint16 // thread + 1
	reader  uint16 // thread + 1, or manyReaders
	atomic  bool   // the write was atomic
	written uint32 // number of barriers that the writer had passed
	read    uint32
	fences  uint32 // number of shared-memory fences that the writer had sent
}

const manyReaders = 0xFFFF

// noteShared records an access, and returns an error that names the other thread if there is a race.
func (t *Thread) noteShared(addr uint64, size int, write, atomic bool) *opError {
	me := uint16(t.index + 1)
	unfenced := t.lenientFences()
	for a := addr / 4; a <= (addr+uint64(size)-1)/4 && a < uint64(len(t.group.shadow)); a++ {
		c := &t.group.shadow[a]
		if c.writer != 0 && c.writer != me && c.written == t.passed && !(atomic && c.atomic) {
			return operr(FaultRace, "shared memory at %d was written by thread %d since the last barrier", a*4, c.writer-1)
		}
		if c.writer != 0 && c.writer != me && !(atomic && c.atomic) && !unfenced {
			// The writer is at most one barrier ahead.
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

// lenientFences reports whether shared memory needs no fence. On machines whose fences apply to all memory,
// shared memory has a single path, and Intel's OpenCL compiler relies on barriers alone; the strict rules
// require the fence that Vulkan drivers send.
func (t *Thread) lenientFences() bool {
	return t.opts.Hazards == HazardsLenient && !t.prog.machine.Can(target.SharedFence)
}
