// SPDX-License-Identifier: MIT

package vectors

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// InParallel calls worker once for every processor, and distributes 0 … n-1 among the
// functions that it returns.
func InParallel(n int, worker func() func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			do := worker()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}
