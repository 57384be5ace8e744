//go:build !linux

package cli

import "time"

// CPUTime returns the elapsed time of f; only Linux reports it per thread.
func CPUTime(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
