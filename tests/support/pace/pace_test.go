// SPDX-License-Identifier: MIT

package pace

import (
	"runtime"
	"testing"
)

func TestScaleOfLimits(t *testing.T) {
	if x := Scale(); x < 1 || x > 4 {
		t.Errorf("%f", x)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	if work() == 0 || threadTime() <= before {
		t.Error("the work takes no time")
	}
}

func BenchmarkScale(b *testing.B) {
	for range b.N {
		work()
	}
}
