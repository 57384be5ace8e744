// SPDX-License-Identifier: MIT

// Package pace measures how fast the processor is at the moment, so that tests can bound CPU time
// on a busy machine: a thread that shares its core with another one takes up to twice the CPU time
// for the same work. [Scale] returns the factor by which to stretch a bound.
package pace

import (
	"runtime"
	"slices"
	"syscall"
	"time"
)

// nominal is the CPU time of the work of [Scale] on the machine, then idle, on which the tests' bounds
// were measured.
const nominal = 60 * time.Millisecond

// Scale returns how many times longer work takes now than when the tests' bounds were measured, from 1 to 4.
func Scale() float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	for range 2 {
		work()
	}
	return min(max(float64(threadTime()-before)/float64(nominal), 1), 4)
}

// work sorts numbers and looks them up: like compiling, a mix of arithmetic, branches and memory accesses.
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

// threadTime returns the CPU time of the calling thread.
func threadTime() time.Duration {
	var u syscall.Rusage
	const thisThread = 1 // RUSAGE_THREAD, getrusage(2)
	if syscall.Getrusage(thisThread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
