// SPDX-License-Identifier: MIT

//go:build !linux

package cli

import "time"

// CPUTime runs f and returns the elapsed time, since only Linux reports processor time per thread.
func CPUTime(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
