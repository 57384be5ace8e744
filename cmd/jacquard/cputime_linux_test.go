// SPDX-License-Identifier: MIT

package main

import (
	"testing"
	"time"

	"jacquard.example/cmd/jacquard/cli"
)

// TestCPUTime: work of some microseconds takes processor time, but no more than the elapsed time.
func TestCPUTime(t *testing.T) {
	sum := uint32(1)
	spin := func() {
		for i := range uint32(20000) {
			sum = sum*1664525 + i
		}
	}
	for range 100 {
		start := time.Now()
		cpu := cli.CPUTime(spin)
		if wall := time.Since(start); cpu <= 0 || cpu > wall {
			t.Fatalf("%v of processor time in %v", cpu, wall)
		}
	}
	if d := cli.CPUTime(func() { time.Sleep(20 * time.Millisecond) }); d > 15*time.Millisecond {
		t.Errorf("sleeping took %v of processor time", d)
	}
	if sum == 0 {
		t.Log("not optimized away")
	}
}
