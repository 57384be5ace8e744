// SPDX-License-Identifier: MIT

package cli

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// CPUTime runs f and returns the processor time that it takes on the current thread.
func CPUTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	f()
	return threadTime() - start
}

// clockThread is CLOCK_THREAD_CPUTIME_ID of clock_gettime(2). It has nanosecond
// resolution, whereas getrusage counts ticks of several milliseconds on many kernels.
const clockThread = 3

func threadTime() time.Duration {
	var t syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockThread, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
