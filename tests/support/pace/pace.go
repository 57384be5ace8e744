// Package pace tells how fast the processor is at the moment, so that a test can bound the
// CPU time of a process without a quiet machine: what shares a core with another thread takes up to
// twice the CPU time for the same work. [Scale] stretches a bound by how much longer work of a fixed
// amount takes than where the bound was measured.
package pace

import (
	"runtime"
	"slices"
	"syscall"
	"time"
)

// nominal is the CPU time that the work of [Scale] takes on the machine on which the
// bounds of the tests were measured, otherwise at rest.
const nominal = 60 * time.Millisecond

// Scale returns how many times as long as on that machine work takes now, at least 1 and at most 4.
func Scale() float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	for range 2 {
		work()
	}
	return min(max(float64(threadTime()-before)/float64(nominal), 1), 4)
}

// work sorts numbers and looks them up: arithmetic, branches and memory, as compiling has them.
func work() int {
	list := make([]uint32, 1<<18)
	x := uint32(1)
	for i := range list {
		x = x*1664525 + 1013904223
		list[i] = x
	}
	slices.Sort(list)
	at := make(map[uint32]int, len(list)/4)
	for i, v := range list[:len(list)/4] {
		at[v] = i
	}
	sum := 0
	for _, v := range list {
		sum += at[v]
	}
	return sum
}

// threadTime is the CPU time that the calling thread has taken.
func threadTime() time.Duration {
	var u syscall.Rusage
	const thisThread = 1 // RUSAGE_THREAD, getrusage(2)
	if syscall.Getrusage(thisThread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
